package editing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

func TestWarningsOfDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	day := func(n int) string { return h.clock.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	book := func(org, status, dateStatus string, hours string) *rules.Event {
		e := h.event()
		from, to, _ := strings.Cut(hours, "-")
		e.OrgUUID, e.SpaceUUID, e.ReleaseStatus = org, value.Text(h.space.UUID), status
		e.Dates[0] = rules.Date{UUID: newID(), StartDate: day(7), StartTime: value.Text(from), EndTime: value.Text(to), ReleaseStatus: dateStatus}
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
	mine := &rules.Event{OrgUUID: h.org.UUID, VenueUUID: value.Text(h.venue.UUID), SpaceUUID: value.Text(h.space.UUID), Dates: []rules.Date{
		{StartDate: day(7), StartTime: "19:30", EndTime: "21:30"}, {StartDate: day(-1), AllDay: true}, {StartDate: day(0), AllDay: true}, {StartDate: day(8), AllDay: true},
	}}
	ctx := h.member(permission.All, 0)
	created, err := h.editor.CreateEvent(ctx, mine)
	if err != nil {
		t.Fatal(err)
	}
	warned := func(warnings []adminapi.Warning) (lines []string) {
		for _, w := range warnings {
			lines = append(lines, w.Code+" "+w.Field+" "+string(w.UUID))
		}
		slices.Sort(lines)
		return lines
	}
	taken := func(code string, events ...*rules.Event) (lines []string) {
		for _, e := range events {
			lines = append(lines, code+" dates[2] "+e.UUID)
		}
		slices.Sort(lines)
		return lines
	}
	whole := taken(adminapi.WarnVenueTaken, elsewhere)
	same(t, warned(created.Warnings), slices.Concat([]string{adminapi.WarnDatePast + " dates[0] "}, taken(adminapi.WarnSpaceTaken, clash, own, moved), whole))

	update := func(edit func(*rules.Event)) []string {
		updated, err := h.editor.UpdateEvent(ctx, at(created.Answer.UUID), func(e *rules.Event) error { edit(e); return nil })
		if err != nil || updated.Warnings == nil {
			t.Fatalf("%v, %v", updated.Warnings, err)
		}
		return warned(updated.Warnings)
	}
	same(t, update(func(e *rules.Event) { e.Title = "Neu" }), []string(nil)) // says nothing of its dates
	same(t, update(func(e *rules.Event) { e.Dates[2].EndTime = "20:00" }), append(taken(adminapi.WarnSpaceTaken, clash), whole...))
	same(t, update(func(e *rules.Event) { e.Dates[2].ReleaseStatus = rules.StatusCancelled }), []string(nil))
	same(t, update(func(e *rules.Event) { e.VenueUUID, e.SpaceUUID = value.Text(h.other.UUID), "" }), []string{adminapi.WarnDatePast + " dates[0] "})
}

// A date in the venue as a whole takes each of its spaces, and one space takes no other one. The
// preview for an event or a venue has the warnings of adding the dates.
func TestWarningsOfWholeVenues(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	day := h.clock.Now().AddDate(0, 0, 7).Format(time.DateOnly)
	book := func(org, status, space string) *rules.Event {
		e := h.event()
		e.OrgUUID, e.SpaceUUID, e.ReleaseStatus = org, value.Text(space), status
		e.Dates[0] = rules.Date{UUID: newID(), StartDate: day, StartTime: "19:00", EndTime: "21:00", ReleaseStatus: "inherited"}
		return e
	}
	other := &rules.Space{UUID: newID(), VenueUUID: h.venue.UUID, Name: "Foyer"}
	h.mustSave(other)
	inSpace, inOther, inWhole := book(h.neighbour.UUID, "released", h.space.UUID), book(h.org.UUID, "draft", other.UUID), book(h.neighbour.UUID, "released", "")
	hidden := book(h.neighbour.UUID, "draft", "")
	h.mustSave(inSpace, inOther, inWhole, hidden)
	ctx := h.member(permission.All, 0)
	lines := func(warnings []adminapi.Warning) (lines []string) {
		for _, w := range warnings {
			lines = append(lines, w.Code+" "+w.Field+" "+string(w.UUID))
		}
		slices.Sort(lines)
		return lines
	}
	for space, codes := range map[string]map[*rules.Event]string{
		"":           {inSpace: adminapi.WarnVenueTaken, inOther: adminapi.WarnVenueTaken, inWhole: adminapi.WarnVenueTaken},
		h.space.UUID: {inSpace: adminapi.WarnSpaceTaken, inWhole: adminapi.WarnVenueTaken},
		other.UUID:   {inOther: adminapi.WarnSpaceTaken, inWhole: adminapi.WarnVenueTaken},
	} {
		var want []string
		for event, code := range codes {
			want = append(want, code+" dates[1] "+event.UUID)
		}
		want = append(want, adminapi.WarnDatePast+" dates[0] ")
		slices.Sort(want)
		mine := &rules.Event{OrgUUID: h.org.UUID, VenueUUID: value.Text(h.venue.UUID), SpaceUUID: value.Text(space)}
		created, err := h.editor.CreateEvent(ctx, mine)
		if err != nil || len(created.Warnings) > 0 {
			t.Fatalf("%+v, %v", created.Warnings, err)
		}
		planned := func(event, venue, space string) *PlannedDates {
			return &PlannedDates{EventUUID: value.Text(event), NewDates: NewDates{
				Date: rules.Date{
					StartDate: "2020-01-01", StartTime: "20:00", EndTime: "22:00", VenueUUID: value.Text(venue), SpaceUUID: value.Text(space),
				},
				Repetition: adminapi.Repetition{RDate: []string{day}},
			}}
		}
		for _, asked := range []*PlannedDates{
			planned(created.Answer.UUID, "", ""), planned("", h.venue.UUID, space), planned(created.Answer.UUID, h.venue.UUID, space),
		} {
			shown, err := h.editor.PreviewDates(ctx, asked)
			if err != nil {
				t.Fatal(err)
			}
			same(t, lines(shown.Warnings), want)
		}
		added, err := h.editor.AddDates(ctx, at(created.Answer.UUID), &planned(created.Answer.UUID, "", "").NewDates)
		if err != nil {
			t.Fatal(err)
		}
		same(t, lines(added.Warnings), want)
		again, err := h.editor.PreviewDates(ctx, planned(created.Answer.UUID, "", "")) // the event is not in its own way
		if err != nil {
			t.Fatal(err)
		}
		same(t, lines(again.Warnings), want)
		if err := h.editor.RemoveEvent(ctx, at(created.Answer.UUID), password); err != nil {
			t.Fatal(err)
		}
	}
	for _, asked := range []*PlannedDates{
		{EventUUID: value.Text(hidden.UUID)}, {NewDates: NewDates{Date: rules.Date{VenueUUID: value.Text(h.barn.UUID)}}},
	} {
		asked.StartDate, asked.AllDay = day, true
		if _, err := h.editor.PreviewDates(ctx, asked); !fault.Is(err, fault.NotFound) {
			t.Errorf("a stranger's: %v", err)
		}
	}
	if shown, err := h.editor.PreviewDates(ctx, &PlannedDates{NewDates: NewDates{Date: rules.Date{StartDate: day, AllDay: true}}}); err != nil ||
		shown.Warnings == nil || len(shown.Warnings) > 0 {
		t.Errorf("without a place: %+v, %v", shown.Warnings, err)
	}
}
