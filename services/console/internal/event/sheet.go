package event

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	money "litfass/services/console/internal/price"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// sheet is an event as one person sees its page.
type sheet struct {
	*page.Request
	event  adminapi.Event
	values version.Values // the same, by its keys
	tag    string
	sets   lookup.Sets
	places []access // where it takes place
	// mayLabel is set for operators, who may give the labels.
	mayLabel bool
	labels   []adminapi.Label
	series   map[string]string // the titles of series of the event by their uuids, for its history
	// drawn are parts and sections that are shown as they are given, by their ids.
	drawn map[string]templ.Component

	refused autosave.Refused // of changes that were not published; the zero value for none
}

// read reads the event that the path names.
func read(r *page.Request) (*sheet, error) {
	uuid, err := r.UUID("event")
	if err != nil {
		return nil, err
	}
	return readEvent(r, uuid)
}

// allowed reads the event that the path names, for people who have a permission for it. The error
// is Forbidden for all others who can read it.
func allowed(r *page.Request, need permission.Set) (*sheet, error) {
	s, err := read(r)
	if err != nil {
		return nil, err
	}
	return s, r.RequireFor(s.event, need)
}

// readEvent reads an event by its uuid.
func readEvent(r *page.Request, uuid string) (*sheet, error) {
	s := &sheet{Request: r, drawn: map[string]templ.Component{}}
	answer, err := r.Admin().ReadEvent(uuid)()
	if err != nil {
		return nil, err
	}
	if err := answer.Read(&s.event); err != nil {
		return nil, err
	}
	if err := answer.Read(&s.values); err != nil {
		return nil, err
	}
	s.tag, s.sets = answer.Tag, r.Lookup().Sets()
	return s, nil
}

// address returns the path of the event's page, or of one below it.
func (s *sheet) address(below ...string) string {
	return strings.Join(append([]string{page.Root + "/event/" + s.event.UUID}, below...), "/")
}

// may returns the person's permissions for the event. Saving a part does not need them: the admin
// service decides.
func (s *sheet) may() permission.Set { return s.RightsTo(s.event) }

// writes reports whether the person writes events of the organization, be it only drafts.
func (s *sheet) writes() bool { return s.Rights(s.event.OrgUUID).Has(permission.EditEvent) }

// edits reports whether the person may change the event.
func (s *sheet) edits() bool { return s.may().Has(permission.EditEvent) }

// public reports whether visitors see the event.
func (s *sheet) public() bool { return s.event.Public(s.Now) }

// seen reports whether visitors see an event with these values.
func (s *sheet) seen(values version.Values) bool {
	release := adminapi.ReleasePart{ReleaseStatus: values.Text("release_status")}
	return values.Read("release_date", &release.ReleaseDate) == nil && release.Public(s.Now)
}

// elsewhere has the other components that a script replaces when a part was saved.
func (s *sheet) elsewhere(_ *page.Request, answer version.Values) []templ.Component {
	var items []adminapi.ChecklistItem
	if answer.Read("checklist", &items) != nil {
		return nil
	}
	drawn := []templ.Component{view.Checklist(s.Text, items)}
	if _, named := answer["title"]; named {
		drawn = append(drawn, heading(s.Text, answer.Text("title"), true))
	}
	changed := s.values.With(answer)
	for _, name := range folded {
		if slices.ContainsFunc(slices.Collect(maps.Keys(answer)), func(key string) bool { return filledOf(key) == name }) {
			drawn = append(drawn, filledLine(name, s.filled(name, changed), true))
		}
	}
	if _, named := answer[money.FieldTariffs]; named && answer.DigestOf(money.FieldTariffs) != s.values.DigestOf(money.FieldTariffs) {
		drawn = append(drawn, s.derived(changed))
	}
	for _, key := range []string{"summary", "description"} {
		if _, named := answer[key]; named {
			drawn = append(drawn, look(s.Text, key, answer.Text(key), true))
		}
	}
	return drawn
}

// derived is the form of the price after other tariffs were saved, from which it follows.
func (s *sheet) derived(values version.Values) templ.Component {
	after := *s
	after.event.Tariffs = nil
	_ = values.Read(money.FieldTariffs, &after.event.Tariffs)
	part := after.partOf(price)
	return part.Draw(values, view.State{Base: part.Base(values), Elsewhere: true})
}

// title returns the name of the event for people.
func (s *sheet) title() string {
	if s.event.Title == "" {
		return s.Text.T("event.untitled")
	}
	return s.event.Title
}

// show answers with the page.
func (s *sheet) show() error {
	if err := s.drawOthers(); err != nil {
		return err
	}
	s.readLabels()
	return s.Show(view.Page{Title: s.title(), Section: s.event.OrgUUID, Content: whole(s)})
}

// organization returns the path of the organization's events.
func (s *sheet) organization() string {
	return page.Root + "/organization/" + url.PathEscape(s.event.OrgUUID) + "/events"
}
