package curated

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// keyOf writes an entry as the form names it.
func keyOf(entry adminapi.ListEntry) string { return entry.EventUUID + "/" + string(entry.DateUUID) }

// saveEntries stores the entries in the order of the form with their notes. The button that sent it
// may move one up or down, or take it off.
func (f form) saveEntries() error {
	keys, notes := f.Form.Values["entry"], f.Form.Values["note"]
	if len(keys) != len(notes) {
		return fault.New(fault.Invalid, "", "the form is incomplete")
	}
	entries := make([]adminapi.ListEntry, len(keys))
	for i, key := range keys {
		event, date, _ := strings.Cut(key, "/")
		entries[i] = adminapi.ListEntry{EventUUID: event, DateUUID: value.Text(date), Note: value.Text(strings.TrimSpace(notes[i]))}
	}
	entries, at := moved(entries, f.Form.Get("move"))
	_, err := f.Admin().WriteList(f.list.UUID)(f.Form.Get("tag"), map[string]any{"entries": entries})
	if err != nil {
		return f.refused(err)
	}
	return f.Go(f.path()+"#"+at, "saved")
}

// moved applies a button to entries: the key of one and what becomes of it. at is the id of the
// element to go to.
func moved(entries []adminapi.ListEntry, button string) (after []adminapi.ListEntry, at string) {
	key, what, _ := strings.Cut(button, " ")
	from := slices.IndexFunc(entries, func(e adminapi.ListEntry) bool { return keyOf(e) == key })
	if from < 0 {
		return entries, "entries"
	}
	entry := entries[from]
	entries = slices.Delete(entries, from, from+1)
	switch what {
	case "up":
		from = max(from-1, 0)
	case "down":
		from = min(from+1, len(entries))
	default:
		return entries, "entries"
	}
	return slices.Insert(entries, from, entry), "entry-" + strconv.Itoa(from)
}

// addEntry adds an event that was found, or one date of it, at the end.
func (f form) addEntry() error {
	fields := map[string]any{"event_uuid": f.Form.Get("event"), "date_uuid": f.Form.TextOrNil("date")}
	if _, err := f.Admin().PutListEntry(f.list.UUID, fields); err != nil {
		return f.refused(err)
	}
	return f.Go(f.path()+"#entries", "added_to_list")
}

// whenOf writes the start of an entry.
func whenOf(t *text.Texts, entry adminapi.ShownListEntry) string {
	day, err := time.Parse(time.DateOnly, string(entry.StartDate))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(t.Day(day)+", "+string(entry.StartTime), ", ")
}

// ofEvent is the lists to which a person may add an event.
type ofEvent struct {
	*page.Request
	event  adminapi.Event
	lists  []adminapi.ListRow
	errors view.Errors
}

func readOfEvent(r *page.Request) (o ofEvent, err error) {
	o.Request = r
	if o.event, _, err = r.EventFor(permission.Set(0)); err != nil {
		return o, err
	}
	lists, err := r.Admin().Lists("", map[string][]string{"limit": {"200"}})
	o.lists = slices.DeleteFunc(lists.Lists, func(l adminapi.ListRow) bool { return !l.MayEdit })
	return o, err
}

func showListsOf(r *page.Request) error {
	o, err := readOfEvent(r)
	if err != nil {
		return err
	}
	return o.show()
}

func (o ofEvent) show() error {
	return o.Show(view.Page{Title: o.Text.T("curated.add_event") + " · " + o.event.Title, Section: o.event.OrgUUID, Content: eventPage(o)})
}

// addToList adds the event, or one date of it, to the chosen list, and goes on to that.
func addToList(r *page.Request) error {
	o, err := readOfEvent(r)
	if err != nil {
		return err
	}
	if len(o.lists) == 0 {
		return page.ErrForbidden
	}
	at := slices.IndexFunc(o.lists, func(l adminapi.ListRow) bool { return l.UUID == r.Form.Get("list") })
	if at < 0 {
		o.errors = view.Errors{"list": r.Text.T("curated.error.choose")}
		r.Status(http.StatusUnprocessableEntity)
		return o.show()
	}
	_, err = r.Admin().PutListEntry(o.lists[at].UUID, map[string]any{
		"event_uuid": o.event.UUID, "date_uuid": r.Form.TextOrNil("date"), "note": r.Form.TextOrNil("note"),
	})
	switch {
	case err == nil:
		return r.Go(page.EventPath(o.event.UUID), "added_to_list")
	case !view.Refusable(err, fault.Conflict):
		return err
	}
	o.errors = view.Reasons(err)
	r.Status(http.StatusUnprocessableEntity)
	return o.show()
}

// options are the lists to choose from.
func (o ofEvent) options() []view.Option {
	options := make([]view.Option, len(o.lists))
	for i, l := range o.lists {
		options[i] = view.Option{Value: l.UUID, Label: l.Name, Hint: string(l.OrgName), Chosen: o.Form.Get("list") == l.UUID || len(o.lists) == 1}
	}
	return options
}

// dates are the dates to choose from, and all of them.
func (o ofEvent) dates() []view.Option {
	options := []view.Option{{Label: o.Text.T("curated.all_dates")}}
	for _, date := range o.event.Dates {
		when := whenOf(o.Text, adminapi.ShownListEntry{StartDate: value.Text(date.StartDate), StartTime: date.StartTime})
		options = append(options, view.Option{Value: date.UUID, Label: when, Chosen: o.Form.Get("date") == date.UUID})
	}
	return options
}
