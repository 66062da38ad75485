// Package contributor is the pages on which the contributors of an event are named, one is changed,
// and the operator merges duplicates.
package contributor

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	const ofEvent, one, all = "/event/:event/contributors", "/contributor/:contributor", "/administration/" + moderation.TabContributors
	r.Get(ofEvent, page.With(readNaming, naming.show))
	r.Post(ofEvent, page.With(readNaming, naming.save))
	r.Post(ofEvent+"/add", page.With(readNaming, naming.add))
	r.Get(one, page.With(readForm, form.show))
	r.Post(one, page.With(readChange, form.save))
	r.Get(one+"/delete", page.With(readChange, form.askDelete))
	r.Post(one+"/delete", page.With(readChange, form.remove))
	r.Get(all, moderation.Administrators(showAll))
	r.Post(all+"/:contributor/merge", moderation.Administrators(merge))
}

// naming is the contributors of an event, with a search for further ones.
type naming struct {
	*page.Request
	event  adminapi.Event
	tag    string
	roles  lookup.Choices
	words  string
	found  []adminapi.ContributorRow
	added  adminapi.GivenContributor // a new one that was refused
	errors view.Errors
}

func readNaming(r *page.Request) (n naming, err error) {
	n.Request, n.words = r, strings.TrimSpace(r.Query.Get("search"))
	if n.event, n.tag, err = r.Event(); err != nil {
		return n, err
	}
	if err := r.RequireFor(n.event, page.EditNeed(n.event)); err != nil {
		return n, err
	}
	n.roles, _ = r.Lookup().Choices("contributor-roles") // without them their keys are shown
	if n.words == "" {
		return n, nil
	}
	found, err := r.Admin().Contributors(map[string][]string{"search": {n.words}, "limit": {"20"}})
	n.found = found.Contributors
	return n, err
}

func (n naming) path() string { return page.EventPath(n.event.UUID) + "/contributors" }

func (n naming) show() error {
	return n.Show(view.Page{Title: n.Text.T("contributor.of_event") + " · " + n.event.Title, Section: n.event.OrgUUID, Content: namingPage(n)})
}

// about returns what the event shows of a contributor.
func (n naming) about(uuid string) adminapi.NamedContributor {
	for _, named := range n.event.NamedContributors {
		if named.UUID == uuid {
			return named
		}
	}
	return adminapi.NamedContributor{UUID: uuid, Name: uuid}
}

// save stores the contributors in the order of the form with their roles. The button that sent it
// may move one up or down, or take it off.
func (n naming) save() error {
	uuids, roles := n.Form.Values["uuid"], n.Form.Values["role"]
	if len(uuids) != len(roles) {
		return fault.New(fault.Invalid, "", "the form is incomplete")
	}
	list := make([]adminapi.GivenContributor, len(uuids))
	for i := range uuids {
		list[i] = adminapi.GivenContributor{UUID: value.Text(uuids[i]), Role: roles[i]}
	}
	list, at := moved(list, n.Form.Get("move"))
	return n.write(n.Form.Get("tag"), list, at)
}

// moved applies a button to a list: the place of one and what becomes of it. at is the id of the
// element to go to.
func moved(list []adminapi.GivenContributor, button string) (after []adminapi.GivenContributor, at string) {
	place, what, _ := strings.Cut(button, " ")
	from, err := strconv.Atoi(place)
	if err != nil || from < 0 || from >= len(list) {
		return list, "named"
	}
	one := list[from]
	list = slices.Delete(list, from, from+1)
	switch what {
	case "up":
		from = max(from-1, 0)
	case "down":
		from = min(from+1, len(list))
	default:
		return list, "named"
	}
	return slices.Insert(list, from, one), "named-" + strconv.Itoa(from)
}

// add adds a contributor that was found, or a new one, at the end.
func (n naming) add() error {
	n.added = adminapi.GivenContributor{UUID: value.Text(n.Form.Get("uuid")), Role: n.Form.Get("role")}
	if n.added.UUID == "" {
		n.added.Type, n.added.Name, n.added.Note = n.Form.Get("type"), n.Form.Text("name"), value.Text(n.Form.Text("note"))
		n.added.WebLink = value.Text(n.Form.Text("web_link"))
	}
	list := make([]adminapi.GivenContributor, 0, len(n.event.Contributors)+1)
	for _, named := range n.event.Contributors {
		list = append(list, adminapi.GivenContributor{UUID: value.Text(named.UUID), Role: named.Role})
	}
	return n.write("", append(list, n.added), "named")
}

// write replaces the contributors of the event, and goes on to an element of the page.
func (n naming) write(tag string, list []adminapi.GivenContributor, at string) error {
	err := n.Admin().NameContributors(n.event.UUID, tag, list)
	switch {
	case err == nil:
		return n.Go(n.path()+"#"+at, "saved")
	case fault.Is(err, fault.Stale):
		n.errors = view.Errors{"": n.Text.T("contributor.error.stale")}
	case !view.Refusable(err, fault.NotFound):
		return err
	default:
		n.errors = reasons(err)
	}
	n.Status(http.StatusUnprocessableEntity)
	return n.show()
}

// reasons returns the errors of a form by its fields, which are those of the last contributor.
func reasons(err error) view.Errors {
	errors := view.Errors{}
	for _, violation := range fault.Of(err).Violations {
		field := violation.Field
		if _, part, of := strings.Cut(field, "]."); of {
			field = part
		}
		errors[field] = violation.Reason
	}
	if len(errors) == 0 {
		errors = view.Reasons(err)
	}
	return errors
}

// roleOptions are the roles to choose from.
func (n naming) roleOptions(chosen string) []view.Option { return n.roles.Options(chosen) }

// typeOptions are the types of contributors.
func typeOptions(r *page.Request, chosen string) []view.Option {
	options := make([]view.Option, 0, 2)
	for _, kind := range []string{adminapi.ContributorPerson, adminapi.ContributorGroup} {
		options = append(options, view.Option{Value: kind, Label: r.Text.T("contributor.type." + kind), Chosen: kind == chosen})
	}
	return options
}
