package editing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/change"
	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/catalog/catalogtest"
	"litfass/services/admin/internal/outbox"
	"litfass/services/admin/internal/permission"
)

const writesEvents = permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent

func TestCreatingAnEventStoresAllOfIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	given := catalogtest.Event(h.org.UUID, h.venue.UUID, h.space.UUID)
	given.UUID, given.Images = "", nil
	for i := range given.Dates {
		given.Dates[i].UUID = ""
	}
	for i := range given.EventLinks {
		given.EventLinks[i].UUID = ""
	}
	want, err := clone(given)
	if err != nil {
		t.Fatal(err)
	}
	created, err := h.editor.CreateEvent(h.member(writesEvents|permission.ReleaseEvent, 0), given)
	if err != nil || created.Version != 1 {
		t.Fatalf("%+v, %v", created, err)
	}
	h.wantOutbox(line(change.KindEvent, created.Answer.UUID), line(change.KindOrganization, h.org.UUID))
	stored := h.storedEvent(created.Answer.UUID).Entity
	same(t, stored, created.Answer.Event)
	want.UUID = stored.UUID
	for i := range stored.Dates {
		want.Dates[i].UUID = stored.Dates[i].UUID
	}
	for i := range stored.EventLinks {
		want.EventLinks[i].UUID = stored.EventLinks[i].UUID
	}
	if err := catalog.Check(want); err != nil {
		t.Fatal(err)
	}
	same(t, stored, want)
	h.wantAudited(h.org.UUID, "event.create")
}

func TestClientsChooseNoUUIDs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	e.Currency, e.EventLinks = "euro", []catalog.EventLink{{UUID: newID(), Type: "website", URL: "https://example.org"}}
	_, err := h.editor.CreateEvent(h.member(permission.All, 0), e)
	h.mustRefuse(err, fault.Invalid, "dates[0].uuid", "event_links[0].uuid", "currency")
}

// event is a draft that could be released.
func (h *house) draft() *catalog.Event {
	e := h.event()
	e.ReleaseStatus = catalog.StatusDraft
	return e
}

// TestEveryMoveOfTheReleaseStatus tries every pair with the release right, and with the right to
// edit alone.
func TestEveryMoveOfTheReleaseStatus(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	releases, edits := h.member(permission.EditEvent|permission.ReleaseEvent, 0), h.member(permission.EditEvent, 0)
	statuses := []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}
	allowed := map[string]string{
		"draft": "review released", "review": "released", "released": "draft cancelled deferred rescheduled",
		"cancelled": "draft released", "deferred": "draft released", "rescheduled": "draft released",
	}
	for _, from := range statuses {
		for _, to := range statuses {
			e := h.draft()
			e.ReleaseStatus = from
			h.mustSave(e)
			set := func(e *catalog.Event) error { e.ReleaseStatus = to; return nil }
			_, weak := h.editor.Release(edits, at(e.UUID), set)
			status := h.storedEvent(e.UUID).Entity.ReleaseStatus
			_, strong := h.editor.Release(releases, at(e.UUID), set)
			pair := from + " to " + to
			switch {
			case from == to, from == "draft" && to == "review":
				h.wantFault(pair+" by an editor", weak, "", "")
				h.wantFault(pair, strong, "", "")
				continue
			case !slices.Contains(strings.Fields(allowed[from]), to):
				h.wantFault(pair+" by an editor", weak, fault.Conflict, "status_not_reachable")
				h.wantFault(pair, strong, fault.Conflict, "status_not_reachable")
				to = from
			default:
				h.wantFault(pair+" by an editor", weak, fault.Forbidden, "permission_missing")
				h.wantFault(pair, strong, "", "")
			}
			if got := h.storedEvent(e.UUID).Entity.ReleaseStatus; status != from || got != to {
				t.Errorf("%s: %s after the editor, then %s", pair, status, got)
			}
		}
	}
}

func TestNewEventsBeginInsideTheStateMachine(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for status, want := range map[string]struct{ weak, strong string }{
		"": {}, "draft": {}, "review": {}, "released": {weak: "permission_missing"},
		"cancelled": {"status_not_reachable", "status_not_reachable"}, "deferred": {"status_not_reachable", "status_not_reachable"},
		"rescheduled": {"status_not_reachable", "status_not_reachable"}, "gone": {"invalid_event", "invalid_event"},
	} {
		for right, code := range map[permission.Set]string{writesEvents: want.weak, writesEvents | permission.ReleaseEvent: want.strong} {
			e := h.event()
			e.Dates[0].UUID, e.ReleaseStatus = "", status
			_, err := h.editor.CreateEvent(h.member(right, 0), e)
			if code == "" && err != nil || code != "" && fault.Of(err).Code != code {
				t.Errorf("%q with %s: %v, want %s", status, right, err, code)
			}
		}
	}
}

func TestReleasingNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := &catalog.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	ctx := h.member(permission.All, 0)
	release := func(e *catalog.Event) error { e.ReleaseStatus = catalog.StatusReleased; return nil }
	_, err := h.editor.Release(ctx, at(e.UUID), release)
	h.mustRefuse(err, fault.Invalid, "title", "dates", "venue_uuid")
	_, err = h.editor.Release(ctx, at(e.UUID), func(e *catalog.Event) error { e.ReleaseStatus = ""; return nil })
	h.mustRefuse(err, fault.Invalid, "release_status")
	_, err = h.editor.UpdateEvent(ctx, at(e.UUID), func(e *catalog.Event) error {
		e.Title, e.OnlineLink = "Stream", "https://example.org/live"
		e.Dates = []catalog.Date{{UUID: newID(), StartDate: "2027-01-01", AllDay: true}}
		return nil
	})
	h.wantFault("complete it", err, "", "")
	_, err = h.editor.Release(ctx, at(e.UUID), release)
	h.wantFault("release it", err, "", "")
	_, err = h.editor.UpdateEvent(ctx, at(e.UUID), func(e *catalog.Event) error { e.OnlineLink = ""; return nil })
	h.mustRefuse(err, fault.Invalid, "venue_uuid")
}

// public reports whether the public sees an event.
func (h *house) public(event string) bool {
	h.Helper()
	var snapshots map[string]any
	err := h.db.InTx(h.Context(), func(tx pgx.Tx) (err error) {
		snapshots, err = outbox.Snapshots(h.Context(), tx, change.KindEvent, []string{event})
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return snapshots[event] != nil
}

func TestReleaseReachesAndLeavesThePublic(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.draft()
	h.mustSave(e)
	h.clearOutbox()
	ctx := h.member(permission.All, 0)
	for _, step := range []struct {
		status string
		date   *time.Time
		public bool
	}{
		{"review", nil, false},
		{"released", pointer(time.Now().Add(time.Hour)), false}, // at that time; package relay does it
		{"released", pointer(time.Now().Add(-time.Hour)), true},
		{"cancelled", nil, true},
		{"released", nil, true},
		{"draft", nil, false},
	} {
		before := h.public(e.UUID)
		_, err := h.editor.Release(ctx, at(e.UUID), func(e *catalog.Event) error {
			e.ReleaseStatus, e.ReleaseDate = step.status, step.date
			return nil
		})
		h.wantFault(step.status, err, "", "")
		if h.public(e.UUID) != step.public {
			t.Errorf("%s until %v: public is %v", step.status, step.date, !step.public)
		}
		if lines := h.outbox(); (before || step.public) && !slices.Contains(lines, line(change.KindEvent, e.UUID)) {
			t.Errorf("%s until %v: the outbox holds %v", step.status, step.date, lines)
		}
	}
}

func TestWhatThePublicSeesNeedsTheReleaseRight(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	for name, edit := range map[string]func(*catalog.Event){
		"its release date": func(e *catalog.Event) { e.ReleaseDate = pointer(time.Now().Add(time.Hour)) },
		"a date's status":  func(e *catalog.Event) { e.Dates[0].ReleaseStatus = catalog.StatusCancelled },
		"a new date's status": func(e *catalog.Event) {
			e.Dates = append(e.Dates, catalog.Date{UUID: newID(), StartDate: "2027-01-01", AllDay: true, ReleaseStatus: catalog.StatusDeferred})
		},
		"its organization": func(e *catalog.Event) { e.OrgUUID = h.neighbour.UUID },
	} {
		for _, right := range []permission.Set{permission.EditEvent, permission.EditEvent | permission.ReleaseEvent} {
			ctx := h.member(permission.EditEvent|permission.ReleaseEvent|permission.ChooseVenue, right|permission.ChooseVenue)
			if name != "its organization" {
				ctx = h.member(right, 0)
			}
			_, err := h.editor.UpdateEvent(ctx, at(e.UUID), func(e *catalog.Event) error { edit(e); return nil })
			if right.Has(permission.ReleaseEvent) {
				h.wantFault(name, err, "", "")
			} else {
				h.wantFault(name, err, fault.Forbidden, "permission_missing")
			}
		}
		h.mustSave(e)
	}
	draft := h.draft()
	h.mustSave(draft)
	_, err := h.editor.UpdateEvent(h.member(permission.EditEvent, 0), at(draft.UUID), func(e *catalog.Event) error {
		e.ReleaseDate, e.Dates[0].ReleaseStatus = pointer(time.Now()), catalog.StatusCancelled
		return nil
	})
	h.wantFault("plans of a draft", err, "", "")
}

// entry is what the audit holds of the last change of an event.
func (h *house) entry(event string) (before, after map[string]any) {
	h.Helper()
	const last = "SELECT json_build_array(before, after) FROM audit_entry WHERE entity_id = $1 ORDER BY id DESC LIMIT 1"
	var sides []map[string]any
	if err := json.Unmarshal([]byte(one[string](h.stage, last, event)), &sides); err != nil {
		h.Fatal(err)
	}
	return sides[0], sides[1]
}

func TestAuditHoldsOnlyThePartsThatDiffer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	for n := range 999 {
		e.Dates = append(e.Dates, catalog.Date{UUID: newID(), StartDate: fmt.Sprintf("%d-01-01", 2000+n), AllDay: true})
	}
	e.EventLinks = []catalog.EventLink{{UUID: newID(), Type: "website", URL: "https://a.example"}, {UUID: newID(), Type: "website", URL: "https://b.example"}}
	h.mustSave(e)
	ctx := h.member(permission.All, 0)
	apply := func(edit func(*catalog.Event)) (before, after map[string]any) {
		if _, err := h.editor.UpdateEvent(ctx, at(e.UUID), func(e *catalog.Event) error { edit(e); return nil }); err != nil {
			t.Fatal(err)
		}
		return h.entry(e.UUID)
	}
	changed := e.Dates[500].UUID
	before, after := apply(func(e *catalog.Event) {
		i := slices.IndexFunc(e.Dates, func(d catalog.Date) bool { return d.UUID == changed })
		e.Dates[i].AccessibilityInfo = "Rampe"
	})
	same(t, fmt.Sprint(idsIn(before["dates"]), idsIn(after["dates"]), len(before), len(after)), fmt.Sprint([]string{changed}, []string{changed}, 1, 1))
	before, after = apply(func(e *catalog.Event) {
		e.Dates = slices.DeleteFunc(e.Dates, func(d catalog.Date) bool { return d.UUID == changed })
	})
	same(t, fmt.Sprint(idsIn(before["dates"]), idsIn(after["dates"])), fmt.Sprint([]string{changed}, []string(nil)))
	before, after = apply(func(e *catalog.Event) { e.Title, e.EventLinks[1].Label = "Neu", "B" })
	link := []string{e.EventLinks[1].UUID}
	same(t, fmt.Sprint(before["title"], after["title"], idsIn(before["event_links"]), idsIn(after["event_links"]), len(after)),
		fmt.Sprint("Konzert", "Neu", link, link, 2))
}

func idsIn(list any) (ids []string) {
	parts, _ := list.([]any)
	for _, part := range parts {
		ids = append(ids, part.(map[string]any)["uuid"].(string))
	}
	return ids
}

func TestLinksKeepTheirIDs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e, other := h.event(), h.event()
	h.mustSave(e, other)
	ctx := h.member(permission.EditEvent, 0)
	add := func(url string) Versioned[Link] {
		added, err := h.editor.AddLink(ctx, at(e.UUID), func(l *catalog.EventLink) error { l.Type, l.URL = "website", url; return nil })
		h.wantFault(url, err, "", "")
		return added
	}
	first, second := add("https://a.example"), add("https://b.example")
	part := func(event, link string) Target { return Target{Key: event, Part: link} }
	label := func(l *catalog.EventLink) error { l.Label = "Seite"; return nil }
	changed, err := h.editor.UpdateLink(ctx, part(e.UUID, second.Answer.UUID), label)
	if err != nil || changed.Answer.UUID != second.Answer.UUID || changed.Answer.EventUUID != e.UUID || changed.Version != 4 {
		t.Fatalf("%+v, %v", changed, err)
	}
	_, err = h.editor.UpdateLink(ctx, part(other.UUID, second.Answer.UUID), label)
	h.wantFault("a link of another event", err, fault.NotFound, "link_not_found")
	_, err = h.editor.RemoveLink(ctx, part(e.UUID, newID()))
	h.wantFault("an unknown link", err, fault.NotFound, "link_not_found")
	_, err = h.editor.UpdateLink(ctx, part(e.UUID, second.Answer.UUID), func(l *catalog.EventLink) error { l.URL, l.Type = "ftp://x", "moon"; return nil })
	h.mustRefuse(err, fault.Invalid, "type", "url")
	_, err = h.editor.AddLink(ctx, at(e.UUID), func(*catalog.EventLink) error { return nil })
	h.mustRefuse(err, fault.Invalid, "type", "url")
	_, err = h.editor.RemoveLink(ctx, part(e.UUID, first.Answer.UUID))
	h.wantFault("remove", err, "", "")
	same(t, h.storedEvent(e.UUID).Entity.EventLinks, []catalog.EventLink{changed.Answer.EventLink})

	thief := h.event()
	thief.EventLinks = []catalog.EventLink{changed.Answer.EventLink}
	h.mustRefuse(h.saveOne(thief).Err, fault.Conflict, "event_links[0].uuid")
	twice := h.event()
	twice.EventLinks = []catalog.EventLink{{UUID: first.Answer.UUID, Type: "website", URL: "https://a.example"}, {UUID: first.Answer.UUID, Type: "website", URL: "https://b.example"}}
	h.mustRefuse(h.saveOne(twice).Err, fault.Invalid, "event_links[1].uuid")
}

// TestLinksWithoutIDsChangeNothing: a catalogue file from before links had ids imports as it did.
func TestLinksWithoutIDsChangeNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	withLinks := func(e *catalog.Event, urls ...string) *catalog.Event {
		copied, err := clone(e)
		if err != nil {
			t.Fatal(err)
		}
		copied.EventLinks = nil
		for _, url := range urls {
			copied.EventLinks = append(copied.EventLinks, catalog.EventLink{Type: "website", URL: url})
		}
		return copied
	}
	e := h.event()
	h.mustSave(withLinks(e, "https://a.example", "https://a.example", "https://b.example"))
	links := h.storedEvent(e.UUID).Entity.EventLinks
	if len(links) != 3 || links[0].UUID == links[1].UUID {
		t.Fatalf("links %v", links)
	}
	same(t, h.mustSave(withLinks(e, "https://a.example", "https://a.example", "https://b.example")), []Outcome{Unchanged})
	h.mustSave(withLinks(e, "https://b.example", "https://c.example"))
	after := h.storedEvent(e.UUID).Entity.EventLinks
	if after[0] != links[2] || after[1].UUID == "" {
		t.Errorf("links %v, before %v", after, links)
	}
	const old = "INSERT INTO event_link (event_uuid, position, type, url) VALUES ($1, 7, 'website', 'https://old.example')"
	if _, err := h.db.Pool().Exec(t.Context(), old, e.UUID); err != nil {
		t.Fatal(err)
	}
	written := h.storedEvent(e.UUID).Entity
	if err := catalog.Check(written); err != nil || written.EventLinks[2].UUID == "" {
		t.Errorf("a link that a program without ids has written: %v, %v", written.EventLinks, err)
	}
}

func TestWarningsOfDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	day := func(n int) string { return h.clock.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	book := func(org, status, dateStatus string, hours string) *catalog.Event {
		e := h.event()
		from, to, _ := strings.Cut(hours, "-")
		e.OrgUUID, e.SpaceUUID, e.ReleaseStatus = org, value.Text(h.space.UUID), status
		e.Dates[0] = catalog.Date{UUID: newID(), StartDate: day(7), StartTime: value.Text(from), EndTime: value.Text(to), ReleaseStatus: dateStatus}
		return e
	}
	clash := book(h.neighbour.UUID, "released", "", "19:00-21:00")
	own := book(h.org.UUID, "draft", "", "20:00-23:00")
	elsewhere := book(h.org.UUID, "released", "", "19:00-21:00")
	elsewhere.SpaceUUID = ""
	moved := book(h.org.UUID, "released", "", "20:00-21:00") // its date has the space, not the event
	moved.Dates[0].VenueUUID, moved.Dates[0].SpaceUUID, moved.VenueUUID, moved.SpaceUUID = moved.VenueUUID, moved.SpaceUUID, value.Text(h.barn.UUID), ""
	h.mustSave(clash, own, elsewhere, moved,
		book(h.neighbour.UUID, "draft", "", "19:00-21:00"),      // a stranger's plans are not shown
		book(h.neighbour.UUID, "cancelled", "", "19:00-21:00"),  // takes no place
		book(h.org.UUID, "released", "deferred", "19:00-21:00"), // neither does this date
		book(h.neighbour.UUID, "released", "", "17:00-19:30"),   // is over by then
		book(h.neighbour.UUID, "released", "", "21:30-23:30"))   // begins afterwards
	mine := &catalog.Event{OrgUUID: h.org.UUID, VenueUUID: value.Text(h.venue.UUID), SpaceUUID: value.Text(h.space.UUID), Dates: []catalog.Date{
		{StartDate: day(7), StartTime: "19:30", EndTime: "21:30"}, {StartDate: day(-1), AllDay: true}, {StartDate: day(0), AllDay: true}, {StartDate: day(8), AllDay: true},
	}}
	ctx := h.member(permission.All, 0)
	created, err := h.editor.CreateEvent(ctx, mine)
	if err != nil {
		t.Fatal(err)
	}
	warned := func(warnings []Warning) (lines []string) {
		for _, w := range warnings {
			lines = append(lines, w.Code+" "+w.Field+" "+string(w.UUID))
		}
		slices.Sort(lines)
		return lines
	}
	taken := func(events ...*catalog.Event) (lines []string) {
		for _, e := range events {
			lines = append(lines, WarnSpaceTaken+" dates[2] "+e.UUID)
		}
		slices.Sort(lines)
		return lines
	}
	same(t, warned(created.Warnings), append([]string{WarnDatePast + " dates[0] "}, taken(clash, own, moved)...))

	update := func(edit func(*catalog.Event)) []string {
		updated, err := h.editor.UpdateEvent(ctx, at(created.Answer.UUID), func(e *catalog.Event) error { edit(e); return nil })
		if err != nil || updated.Warnings == nil {
			t.Fatalf("%v, %v", updated.Warnings, err)
		}
		return warned(updated.Warnings)
	}
	same(t, update(func(e *catalog.Event) { e.Title = "Neu" }), []string(nil)) // says nothing of its dates
	same(t, update(func(e *catalog.Event) { e.Dates[2].EndTime = "20:00" }), taken(clash))
	same(t, update(func(e *catalog.Event) { e.Dates[2].ReleaseStatus = catalog.StatusCancelled }), []string(nil))
	same(t, update(func(e *catalog.Event) { e.VenueUUID, e.SpaceUUID = value.Text(h.other.UUID), "" }), []string{WarnDatePast + " dates[0] "})
}

func TestChecklist(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	created, err := h.editor.CreateEvent(ctx, &catalog.Event{OrgUUID: h.org.UUID})
	if err != nil {
		t.Fatal(err)
	}
	items := func(view EventView) (lines []string) {
		for _, item := range view.Checklist {
			if item.Message == "" || item.Kind == catalog.KindEvent && item.UUID != view.UUID {
				t.Errorf("item %+v", item)
			}
			line := fmt.Sprintf("%s %s %v", item.Kind, item.Field, item.Required)
			if item.Kind != catalog.KindEvent {
				line += " " + item.UUID
			}
			lines = append(lines, line)
		}
		return lines
	}
	same(t, items(created.Answer), []string{
		"event title true", "event dates true", "event venue_uuid true", "event summary false", "event images false",
	})
	placed, err := h.editor.UpdateEvent(ctx, at(created.Answer.UUID), func(e *catalog.Event) error {
		e.Title, e.Summary, e.VenueUUID, e.SpaceUUID = "Konzert", "Kurz", value.Text(h.venue.UUID), value.Text(h.space.UUID)
		e.Dates = []catalog.Date{{UUID: newID(), StartDate: "2027-01-01", AllDay: true, VenueUUID: value.Text(h.other.UUID)}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	places := []string{"space accessibility_flags false " + h.space.UUID, "venue accessibility_flags false " + h.other.UUID}
	if h.other.UUID < h.space.UUID {
		slices.Reverse(places)
	}
	same(t, items(placed.Answer), append([]string{"event images false"}, places...))
	if placed.Answer.OrgName != h.org.Name || string(placed.Answer.VenueName) != h.venue.Name || string(placed.Answer.SpaceName) != h.space.Name {
		t.Errorf("names %+v", placed.Answer)
	}
	h.venue.AccessibilityFlags, h.other.AccessibilityFlags = pointer(value.Mask(0)), pointer(value.Mask(1))
	h.mustSave(h.venue, h.other)
	found, err := h.editor.Event(h.member(permission.ViewEventInsights, 0), created.Answer.UUID)
	if err != nil || found.Version != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	same(t, items(found.Answer), []string{"event images false"})
}
