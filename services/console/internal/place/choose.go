package place

import (
	"encoding/json"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// choose stores the venue and the space that were chosen.
func (p pages) choose(r *page.Request) error {
	e, tag, err := r.Event()
	if err != nil {
		return err
	}
	return autosave.Save(r, p.resource(r, e, tag), choicePart(r, e.UUID))
}

// setOnline stores where people take part on the network.
func (p pages) setOnline(r *page.Request) error {
	e, tag, err := r.Event()
	if err != nil {
		return err
	}
	return autosave.Save(r, p.resource(r, e, tag), onlinePart(r, e.UUID))
}

// resource is the event of the section.
func (p pages) resource(r *page.Request, e adminapi.Event, tag string) autosave.Resource {
	return autosave.Resource{
		Org: e.OrgUUID, Need: page.EditNeed(e),
		Read: r.Admin().ReadEvent(e.UUID), Stored: version.ValuesOf(e), Tag: tag, Page: page.EventPath(e.UUID),
		Public:  func(stored version.Values) bool { return eventOf(stored).Public(r.Now) },
		Changed: func(keys []string) string { return version.ChangedBy(r, e.UUID, version.HasAny(keys)) },
		Whole: func(r *page.Request, _ string, drawn templ.Component) error {
			return p.whole(r, e.UUID, "place", drawn)
		},
		Elsewhere: func(r *page.Request, answer version.Values) []templ.Component {
			var checklist []adminapi.ChecklistItem
			if answer.Read("checklist", &checklist) != nil {
				return nil
			}
			return []templ.Component{view.Checklist(r.Text, checklist)}
		},
	}
}

// choicePart is the venue and the space of an event. Its form is drawn again after a write: which
// spaces there are depends on the venue.
func choicePart(r *page.Request, event string) autosave.Part {
	t := r.Text
	return autosave.Part{
		ID: "place", Label: t.T("place"), Write: r.Admin().WriteEvent(event, "place"), Dependent: venue.ChoiceKeys,
		Redraw: func(page.Form) bool { return true },
		Names:  map[string]string{"venue_uuid": t.T("place.venue"), "space_uuid": t.T("place.space")},
		Body: func(form page.Form) (map[string]any, view.Errors) {
			return map[string]any{"venue_uuid": form.TextOrNil("venue_uuid"), "space_uuid": form.TextOrNil("space_uuid")}, nil
		},
		Draw: func(values version.Values, state view.State) templ.Component {
			s := drawnAgain(r, named(r, event, values, state))
			s.choice, s.clashes = state, clashesOf(r, s.event, values)
			return section(s)
		},
		Print: func(key string, value json.RawMessage) string {
			return nameOf(r, key, version.Values{key: value}.Text(key))
		},
	}
}

// onlinePart is where people take part on the network.
func onlinePart(r *page.Request, event string) autosave.Part {
	t := r.Text
	return autosave.Part{
		ID: "place-online", Label: t.T("place.online"), Write: r.Admin().WriteEvent(event, "place"),
		Names: map[string]string{"online_link": t.T("place.online")}, Question: t.T("event.publish.became"),
		Body: func(form page.Form) (map[string]any, view.Errors) {
			link, valid := form.Link("online_link")
			if !valid {
				return map[string]any{"online_link": link}, view.Errors{"online_link": t.T("reason.not_url")}
			}
			return map[string]any{"online_link": value.Text(link)}, nil
		},
		Draw: func(values version.Values, state view.State) templ.Component {
			s := drawnAgain(r, values)
			s.online = state
			if r.Script {
				return online(s)
			}
			return section(s)
		},
	}
}

// drawnAgain returns the section of an event after a form of it was sent.
func drawnAgain(r *page.Request, values version.Values) sectionView {
	e := eventOf(values)
	s := viewOf(r, e, r.RightsTo(e))
	s.readRequests()
	return s
}

// named returns an event after its place was saved, or was not, with the names of its place: the
// answer to a write has none.
func named(r *page.Request, event string, values version.Values, state view.State) version.Values {
	if state.Saved {
		if stored, _, err := r.Admin().Event(event); err == nil {
			return version.ValuesOf(stored)
		}
	}
	values = maps.Clone(values)
	maps.Copy(values, version.ValuesOf(map[string]string{"venue_name": nameOf(r, "venue_uuid", values.Text("venue_uuid"))}))
	return values
}

// nameOf returns the name of a venue or a space; its uuid where the person may not read it.
func nameOf(r *page.Request, key, uuid string) string {
	if uuid == "" {
		return r.Text.T("place.none")
	}
	if key == "space_uuid" {
		if space, err := r.Admin().Space(uuid); err == nil {
			return space.Name
		}
	} else if v, err := r.Admin().Venue(uuid); err == nil {
		return v.Name
	} else if v, err := r.Public().Venue(uuid); err == nil {
		return v.Name // of another organization
	}
	return uuid
}

// clash is a date of the event at which another event takes place in the same space.
type clash struct {
	Day, Time string // as the API writes them; "" when it is not known which date
	Link      string // page of the other event; "" for none
	Space     bool   // false: one of the two takes the venue as a whole
}

// maxTaken is how many such dates are named.
const maxTaken = 5

// clashesOf returns the warnings in the answer to a write.
func clashesOf(r *page.Request, e adminapi.Event, answer version.Values) []clash {
	var warnings []adminapi.Warning
	if answer.Read("warnings", &warnings) != nil {
		return nil
	}
	var all []clash
	for _, warning := range warnings {
		if warning.Code != adminapi.WarnSpaceTaken && warning.Code != adminapi.WarnVenueTaken || len(all) == maxTaken {
			continue
		}
		t := clash{Link: linkOf(r, string(warning.UUID)), Space: warning.Code == adminapi.WarnSpaceTaken}
		if i, known := dateIndex(warning.Field); known && i < len(e.Dates) {
			t.Day, t.Time = e.Dates[i].StartDate, string(e.Dates[i].StartTime)
		}
		all = append(all, t)
	}
	return all
}

// dateIndex reads the place of a date from the name of a field such as "dates[3]".
func dateIndex(field string) (int, bool) {
	number, found := strings.CutPrefix(field, "dates[")
	i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
	return i, found && err == nil && i >= 0
}

// linkOf returns where an event is read: in the console by its members, else where visitors see it.
func linkOf(r *page.Request, event string) string {
	if event == "" {
		return ""
	}
	if _, _, err := r.Admin().Event(event); err == nil {
		return page.EventPath(event)
	}
	return "/event/" + url.PathEscape(event)
}
