package inbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// letter is a message as it is written.
type letter struct {
	To      string // recipient.value; "" while none is chosen
	Subject string
	Message string
	Problem string // with the whole message; "" for none
	Errors  view.Errors
}

// status returns the status of a page that shows a letter.
func (l *letter) status() int {
	if l.Problem == "" && len(l.Errors) == 0 {
		return http.StatusOK
	}
	return http.StatusUnprocessableEntity
}

// refused notes why a letter was not sent, and reports whether its page can be shown; any other
// error has a page of its own.
func (l *letter) refused(r *page.Request, err error) bool {
	f := fault.Of(err)
	switch {
	case f.Kind == fault.Invalid:
		l.Errors = view.ErrorsOf(err)
		if reason := l.Errors["context_id"]; reason != "" {
			l.Errors["to"] = reason
			delete(l.Errors, "context_id")
		}
	case f.Kind == fault.TooMany:
		l.Problem = r.Text.T("message.too_many")
	case f.StableCode() == "no_recipient":
		l.Problem = r.Text.T("message.no_recipient")
	case f.Kind == fault.NotFound && l.To != "":
		l.Problem = r.Text.T("message.gone")
	default:
		return false
	}
	return true
}

// recipient is an organization or a person to write to.
type recipient struct {
	organization bool
	id           string // uuid of the organization, or number of the person
	name         string
}

// value returns how a form names the recipient.
func (to recipient) value() string {
	if to.organization {
		return adminapi.ToOrganization + ":" + to.id
	}
	return adminapi.ToUser + ":" + to.id
}

// askMessage is the form of a new message. The address can name the recipient: organization with a
// uuid, or user with a number.
func askMessage(r *page.Request, l letter) error {
	to := recipients(r)
	if asked, found := askedFor(r); found && l.To == "" {
		if i := slices.IndexFunc(to, func(known recipient) bool { return known.value() == asked.value() }); i < 0 {
			asked.name = publicName(r, asked)
			to = append(to, asked)
		}
		l.To = asked.value()
	}
	if l.To != "" && !slices.ContainsFunc(to, func(known recipient) bool { return known.value() == l.To }) {
		if sent, valid := parseRecipient(l.To); valid {
			sent.name = publicName(r, sent)
			to = append(to, sent)
		}
	}
	return r.Status(l.status()).Show(view.Page{Title: r.Text.T("message.new"), Section: view.SectionMessages, Content: writing(r.Text, l, to)})
}

// askedFor returns the recipient that the address names.
func askedFor(r *page.Request) (recipient, bool) {
	for _, context := range []string{adminapi.ToOrganization, adminapi.ToUser} {
		if id := r.Query.Get(context); id != "" {
			return parseRecipient(context + ":" + id)
		}
	}
	return recipient{}, false
}

// parseRecipient is the inverse of recipient.value.
func parseRecipient(text string) (recipient, bool) {
	context, id, _ := strings.Cut(text, ":")
	if context == adminapi.ToOrganization {
		uuid, valid := value.UUIDv7(id)
		return recipient{organization: true, id: uuid}, valid
	}
	n, err := strconv.ParseUint(id, 10, 31)
	return recipient{id: strconv.FormatUint(n, 10)}, context == adminapi.ToUser && err == nil && n > 0
}

// publicName returns the name of an organization that the person is no member of, and words for it
// when visitors see none.
func publicName(r *page.Request, to recipient) string {
	if to.organization {
		if shown, err := r.Public().Organization(to.id); err == nil && shown.Name != "" {
			return shown.Name
		}
		return r.Text.T("message.an_organization")
	}
	return r.Text.T("message.a_person")
}

// maxTeams is of how many organizations the members are offered.
const maxTeams = 10

// recipients returns the organizations of the person, and the members of their teams.
func recipients(r *page.Request) (to []recipient) {
	memberships := r.Memberships()
	teams := make([]adminapi.Team, min(len(memberships), maxTeams))
	var reads []func() error
	for i := range teams {
		reads = append(reads, func() error {
			teams[i], _ = r.Admin().Team(memberships[i].OrgUUID, client.All()) // one that cannot be read is left out
			return nil
		})
	}
	_ = r.Together(reads...)
	for _, m := range memberships {
		to = append(to, recipient{true, m.OrgUUID, m.OrgName})
	}
	known := map[int]bool{r.User.UserID: true}
	for _, team := range teams {
		for _, member := range team.Members {
			if !known[member.UserID] {
				known[member.UserID] = true
				to = append(to, recipient{false, strconv.Itoa(member.UserID), nameOf(member)})
			}
		}
	}
	return to
}

// nameOf returns how a member is addressed.
func nameOf(member adminapi.Member) string {
	full := strings.TrimSpace(string(member.FirstName) + " " + string(member.LastName))
	for _, name := range []string{string(member.DisplayName), full} {
		if name != "" {
			return name
		}
	}
	return member.Email
}

func send(r *page.Request) error {
	l := letter{To: r.Form.Get("to"), Subject: r.Form.Text("subject"), Message: r.Form.Text("message"), Errors: view.Errors{}}
	to, valid := parseRecipient(l.To)
	if !valid {
		l.Errors["to"] = r.Text.T("message.to_required")
	}
	if l.Subject == "" {
		l.Errors["subject"] = r.Text.T("field.required")
	}
	if l.Message == "" {
		l.Errors["message"] = r.Text.T("message.required")
	}
	if len(l.Errors) > 0 {
		return askMessage(r, l)
	}
	err := r.Admin().SendMessage(to.message(l))
	if err == nil {
		return r.Go(pageMessages, "sent")
	}
	if l.refused(r, err) {
		return askMessage(r, l)
	}
	return err
}

// message returns the body that sends a letter to a recipient.
func (to recipient) message(l letter) adminapi.NewMessage {
	body := adminapi.NewMessage{Context: adminapi.ToOrganization, ContextID: to.id, Subject: l.Subject, Message: l.Message}
	if n, err := strconv.Atoi(to.id); !to.organization && err == nil {
		body.Context, body.ContextID = adminapi.ToUser, n
	}
	return body
}
