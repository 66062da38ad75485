package editing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/permission"
)

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
