package organization

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// log are entries of an organization's audit.
type log struct {
	t      *text.Texts
	now    time.Time
	org    page.Organization
	query  url.Values
	found  adminapi.AuditLog
	people []view.Option
}

// actionGroups are the beginnings of the actions on one kind of thing.
var actionGroups = []string{
	"event", "venue", "space", "series", "portal", "list", "contributor", "organization", "member", "api_key", "message",
}

func showAudit(r *page.Request) error {
	org, err := r.Organization()
	if err != nil {
		return err
	}
	l := log{t: r.Text, now: r.Now, org: org, query: url.Values{}}
	asked := view.Paged(url.Values{"page": r.Query["page"]})
	for _, name := range []string{"from", "to"} {
		if day := dayOf(r.Query.Get(name)); day != "" {
			l.query.Set(name, day)
			asked.Set(name, moment(day, name == "to", r.Today.Location()))
		}
	}
	if group := r.Query.Get("action"); slices.Contains(actionGroups, group) {
		l.query.Set("action", group)
		asked.Set("action", group+".")
	}
	if actor, err := strconv.Atoi(r.Query.Get("actor")); err == nil && actor > 0 {
		l.query.Set("actor", strconv.Itoa(actor))
		asked.Set("actor", strconv.Itoa(actor))
	}
	var team adminapi.Team
	err = r.Together(func() (err error) {
		l.found, err = r.Admin().Audit(org.UUID, asked)
		return err
	}, func() error {
		team, _ = r.Admin().Team(org.UUID, client.All()) // not every reader of the log may
		return nil
	})
	if err != nil {
		return err
	}
	l.people = l.actors(team.Members)
	return r.Show(view.Page{Title: r.Text.T("organization.nav.audit") + " · " + org.Name, Section: org.UUID, Content: auditPage(l)})
}

// moment returns when a day begins, or ends.
func moment(day string, end bool, zone *time.Location) string {
	begins, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return ""
	}
	if end {
		begins = begins.AddDate(0, 0, 1)
	}
	return begins.Format(time.RFC3339)
}

// actors are the people to filter by: the team, if the person may see it, and the people on the
// page.
func (l log) actors(team []adminapi.Member) []view.Option {
	names := map[string]string{}
	for _, m := range team {
		names[strconv.Itoa(m.UserID)] = m.Email
		if m.DisplayName != "" {
			names[strconv.Itoa(m.UserID)] = string(m.DisplayName)
		}
	}
	for _, e := range l.found.Entries {
		if e.ActorUserID != nil && e.ActorName != "" {
			names[strconv.Itoa(*e.ActorUserID)] = string(e.ActorName)
		}
	}
	chosen := l.query.Get("actor")
	if chosen != "" && names[chosen] == "" {
		names[chosen] = l.t.T("organization.audit.person")
	}
	options := []view.Option{{Label: l.t.T("organization.audit.anyone"), Chosen: chosen == ""}}
	byName := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return strings.Compare(names[a], names[b]) })
	for _, id := range byName {
		options = append(options, view.Option{Value: id, Label: names[id], Chosen: id == chosen})
	}
	return options
}

// groups are the kinds of actions to filter by.
func (l log) groups() []view.Option {
	options := []view.Option{{Label: l.t.T("organization.audit.anything"), Chosen: l.query.Get("action") == ""}}
	for _, group := range actionGroups {
		options = append(options, view.Option{
			Value: group, Label: l.t.T("organization.audit.group." + group), Chosen: group == l.query.Get("action"),
		})
	}
	return options
}

// who returns the author of an action, in words.
func (l log) who(e adminapi.AuditEntry) string {
	switch {
	case e.ActorName != "":
		return string(e.ActorName)
	case e.ActorAPIKey != "":
		return l.t.T("organization.audit.key")
	case e.ActorUserID == nil:
		return l.t.T("organization.audit.program")
	}
	return l.t.T("organization.audit.person")
}

// what describes the action; an unknown one is written as it is.
func (l log) what(e adminapi.AuditEntry) string {
	if id := "organization.audit.did." + e.Action; l.t.Has(id) {
		return l.t.T(id)
	}
	return e.Action
}

// subject names the changed thing, if the entry has a name.
func (l log) subject(e adminapi.AuditEntry) string {
	for _, key := range []string{"title", "name", "email"} {
		for _, side := range []json.RawMessage{e.After, e.Before} {
			if value := fieldOf(side, key); value != "" {
				return value
			}
		}
	}
	return ""
}

// link leads to the changed thing, if it has a page, or says that it is gone. A decision may be
// about a series of others.
func (l log) link(e adminapi.AuditEntry) string {
	if pageless := []string{".delete", ".merge", ".decide"}; slices.ContainsFunc(pageless, func(verb string) bool { return strings.HasSuffix(e.Action, verb) }) {
		return ""
	}
	if audited[e.EntityKind] == nil {
		return ""
	}
	return l.org.Path("audit") + "/" + e.EntityKind + "/" + e.EntityID
}

// at writes when it was done.
func (l log) at(e adminapi.AuditEntry) string {
	local := e.At.In(l.now.Location())
	return day(l.t, l.now, local) + ", " + l.t.Clock(local.Format("15:04"))
}

// difference is a field before and after a change.
type difference struct{ name, before, after string }

// differences returns the fields that changed, by name.
func (l log) differences(e adminapi.AuditEntry) []difference {
	before, after := version.ReadValues(e.Before).Readable(), version.ReadValues(e.After).Readable()
	names := maps.Clone(before)
	if names == nil {
		names = map[string]json.RawMessage{}
	}
	maps.Copy(names, after)
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was, is := plain(before[name]), plain(after[name]); was != is {
			all = append(all, difference{name, was, is})
		}
	}
	return all
}

func fieldsOf(object json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(object, &fields) // anything but an object has no fields
	return fields
}

func fieldOf(object json.RawMessage, key string) string {
	var value string
	_ = json.Unmarshal(fieldsOf(object)[key], &value) // anything but a text is ""
	return value
}

// plain writes a value: text as it is, null and a missing value as "", anything else as JSON.
func plain(value json.RawMessage) string {
	var words string
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	if json.Unmarshal(value, &words) == nil {
		return words
	}
	var indented bytes.Buffer
	if json.Compact(&indented, value) != nil {
		return string(value)
	}
	return indented.String()
}
