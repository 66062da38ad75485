package editing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/catalogue/rules"
)

// starts are the starts of dates in order, with a status of their own.
func starts(dates []rules.Date) string {
	var list []string
	for _, d := range dates {
		text := strings.TrimSpace(d.StartDate[5:] + " " + string(d.StartTime))
		if d.EndDate != "" || d.EndTime != "" {
			text += strings.TrimSuffix("-"+strings.TrimPrefix(string(d.EndDate), "2026-")+" "+string(d.EndTime), " ")
		}
		if d.ReleaseStatus != rules.StatusInherited {
			text += " " + d.ReleaseStatus
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// weekly adds to a stored event the dates of 1, 8, 15, 22 and 29 December at 20:00 to 22:00.
func (h *house) weekly(ctx context.Context, e *rules.Event) []rules.Date {
	h.Helper()
	added, err := h.editor.AddDates(ctx, at(e.UUID), &NewDates{
		Date:       rules.Date{StartDate: "2026-12-01", StartTime: "20:00", EndTime: "22:00"},
		Repetition: adminapi.Repetition{RRule: "FREQ=WEEKLY;COUNT=5"},
	})
	if err != nil {
		h.Fatal(err)
	}
	return added.Answer.Dates
}

func atDate(event, date string, scope recurrence.Scope) Target {
	return Target{Key: event, Part: date, Scope: string(scope)}
}

// wantRules checks that each rule of a stored event names exactly the original starts of its dates.
func (h *house) wantRules(e *rules.Event, count int) {
	h.Helper()
	stored := h.storedEvent(e.UUID).Entity
	if len(stored.DateRules) != count {
		h.Fatalf("%d rules, want %d: %+v", len(stored.DateRules), count, stored.DateRules)
	}
	for _, rule := range stored.DateRules {
		occurrences, err := recurrence.Expand(rule.Series())
		if err != nil {
			h.Fatal(err)
		}
		originals := originalsOf(stored, value.Text(rule.UUID))
		for _, o := range occurrences {
			if !originals[o.ID()] {
				h.Errorf("the rule %+v names %s, which is no date of the event", rule, o.ID())
			}
			delete(originals, o.ID())
		}
		if len(originals) > 0 {
			h.Errorf("the rule %+v does not name %v", rule, originals)
		}
	}
}

func TestAddDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent, 0)
	for name, test := range map[string]struct {
		asked NewDates
		want  string
		rules int
	}{
		"one date": {NewDates{Date: rules.Date{StartDate: "2026-12-01", StartTime: "20:00"}}, "12-01 20:00", 0},
		"a rule less one, and one more": {NewDates{
			Date:       rules.Date{StartDate: "2026-12-01", StartTime: "20:00", EntryTime: "19:00", EndDate: "2026-12-02", EndTime: "01:00"},
			Repetition: adminapi.Repetition{RRule: "FREQ=DAILY;COUNT=3", ExDate: []string{"2026-12-02"}, RDate: []string{"2026-12-24T15:00"}},
		}, "12-01 20:00-12-02 01:00, 12-03 20:00-12-04 01:00, 12-24 15:00- 20:00", 1},
		"all-day": {NewDates{
			Date:       rules.Date{StartDate: "2026-12-01", AllDay: true, EndDate: "2026-12-03"},
			Repetition: adminapi.Repetition{RDate: []string{"2026-12-08"}},
		}, "12-01-12-03, 12-08-12-10", 1},
	} {
		e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
		h.mustSave(e)
		added, err := h.editor.AddDates(ctx, at(e.UUID, 1), &test.asked)
		if err != nil || added.Version != 2 || added.Answer.EventUUID != e.UUID || added.Answer.DateUUID != added.Answer.Dates[0].UUID {
			t.Fatalf("%s: %+v, %v", name, added, err)
		}
		if got := starts(added.Answer.Dates); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		same(t, h.storedEvent(e.UUID).Entity.Dates, added.Answer.Dates)
		h.wantRules(e, test.rules)
	}
}

func TestEntryComesAsLongBeforeTheStart(t *testing.T) {
	t.Parallel()
	first := rules.Date{StartTime: "20:00", EntryTime: "19:00"}
	for start, want := range map[string]value.Text{"20:00": "19:00", "15:30": "14:30", "00:30": ""} {
		if got := entryBefore(recurrence.Occurrence{StartTime: start}, first); got != want {
			t.Errorf("a start at %s has entry at %q, want %q", start, got, want)
		}
	}
}

func TestDatesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e, other := h.event(), h.event()
	h.mustSave(e, other)
	h.clearOutbox()
	ctx := h.member(permission.EditEvent|permission.ReleaseEvent, 0)
	evening := rules.Date{StartDate: "2026-12-01", StartTime: "20:00"}
	in := func(venue, space string) rules.Date {
		d := evening
		d.VenueUUID, d.SpaceUUID = value.Text(venue), value.Text(space)
		return d
	}
	for name, test := range map[string]struct {
		asked  NewDates
		kind   fault.Kind
		fields []string
	}{
		"values":                      {NewDates{Date: rules.Date{StartDate: "2027-02-29", StartTime: "25:00", TicketLink: "x"}}, fault.Invalid, []string{"ticket_link", "start_date", "start_time"}},
		"nothing":                     {NewDates{}, fault.Invalid, []string{"start_date", "start_time"}},
		"no end of the rule":          {NewDates{evening, adminapi.Repetition{RRule: "FREQ=DAILY"}}, fault.Invalid, []string{"rrule"}},
		"value and rule":              {NewDates{rules.Date{StartDate: "2026-12-01", StartTime: "20:00", EntryTime: "21:00"}, adminapi.Repetition{RRule: "FREQ=NEVER", ExDate: []string{"x"}}}, fault.Invalid, []string{"entry_time", "rrule", "exdate[0]"}},
		"too many":                    {NewDates{evening, adminapi.Repetition{RRule: "FREQ=DAILY;COUNT=1000"}}, fault.Invalid, []string{"dates"}},
		"an unknown venue":            {NewDates{Date: in(newID(), "")}, fault.NotFound, []string{"venue_uuid"}},
		"an unknown venue for a rule": {NewDates{in(newID(), ""), adminapi.Repetition{RRule: "FREQ=DAILY;COUNT=3"}}, fault.NotFound, []string{"venue_uuid"}},
		"another's space":             {NewDates{in(h.other.UUID, h.space.UUID), adminapi.Repetition{RRule: "FREQ=DAILY;COUNT=3"}}, fault.Invalid, []string{"space_uuid"}},
	} {
		t.Log(name)
		_, err := h.editor.AddDates(ctx, at(e.UUID), &test.asked)
		h.mustRefuse(err, test.kind, test.fields...)
	}
	edit := func(where Target, edit func(*rules.Date)) error {
		_, err := h.editor.UpdateDates(ctx, where, func(d *rules.Date) error { edit(d); return nil })
		return err
	}
	mine := e.Dates[0].UUID
	h.mustRefuse(edit(atDate(e.UUID, mine, ""), func(d *rules.Date) { d.RuleUUID, d.RecurrenceID = "x", "y" }),
		fault.Invalid, "rule_uuid", "recurrence_id")
	h.mustRefuse(edit(atDate(e.UUID, mine, ""), func(d *rules.Date) { d.EndTime = "19:00" }), fault.Invalid, "end_time")
	h.mustRefuse(edit(atDate(e.UUID, mine, "each"), func(*rules.Date) {}), fault.Invalid, "scope")
	h.mustRefuse(edit(atDate(e.UUID, mine, recurrence.All), func(*rules.Date) {}), fault.Invalid, "scope")
	for _, date := range []string{other.Dates[0].UUID, newID()} { // ids of a path belong together
		h.wantFault("another event's date", edit(atDate(e.UUID, date, ""), func(*rules.Date) {}), fault.NotFound, "date_not_found")
		_, err := h.editor.RemoveDates(ctx, atDate(e.UUID, date, ""), "")
		h.wantFault("removing another event's date", err, fault.NotFound, "date_not_found")
	}
	_, err := h.editor.RemoveDates(ctx, atDate(e.UUID, mine, ""), "")
	h.mustRefuse(err, fault.Invalid, "dates") // a released event keeps one
	_, err = h.editor.RemoveDates(ctx, atDate(e.UUID, mine, ""), "wrong")
	h.wantFault("a wrong password", err, fault.Forbidden, "wrong_password")
	stale := atDate(e.UUID, mine, "")
	stale.Expected = at("", 7).Expected
	h.wantFault("another version", edit(stale, func(*rules.Date) {}), fault.Stale, "stale_event")
	same(t, h.storedEvent(e.UUID).Entity, e)
	h.wantOutbox()
	h.wantAudited(h.org.UUID)
}

// TestScopesOfAChange: a change of days moves the other dates by as many days; fields that it does
// not set stay, also of a date that was changed individually.
func TestScopesOfAChange(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent|permission.ReleaseEvent, 0)
	later := func(d *rules.Date) error { d.StartTime, d.EndTime = "21:00", "23:00"; return nil }
	dayLater := func(d *rules.Date) error { d.StartDate = "2026-12-16"; return nil }
	overnight := func(d *rules.Date) error { d.EndDate, d.EndTime = "2026-12-16", "02:00"; return nil }
	cancel := func(d *rules.Date) error { d.ReleaseStatus = rules.StatusCancelled; return nil }
	const first, rest = "12-01 20:00- 22:00, ", ", 12-29 20:00- 22:00"
	for name, test := range map[string]struct {
		scope recurrence.Scope
		edit  func(*rules.Date) error
		rules int
		want  string
	}{
		"this":            {recurrence.This, later, 1, first + "12-10 20:00- 22:00, 12-15 21:00- 23:00, 12-22 20:00- 22:00" + rest},
		"following":       {recurrence.Following, later, 2, first + "12-10 20:00- 22:00, 12-15 21:00- 23:00, 12-22 21:00- 23:00, 12-29 21:00- 23:00"},
		"all":             {recurrence.All, later, 1, "12-01 21:00- 23:00, 12-10 21:00- 23:00, 12-15 21:00- 23:00, 12-22 21:00- 23:00, 12-29 21:00- 23:00"},
		"a day later":     {recurrence.All, dayLater, 1, "12-02 20:00- 22:00, 12-11 20:00- 22:00, 12-16 20:00- 22:00, 12-23 20:00- 22:00, 12-30 20:00- 22:00"},
		"past midnight":   {recurrence.Following, overnight, 2, first + "12-10 20:00- 22:00, 12-15 20:00-12-16 02:00, 12-22 20:00-12-23 02:00, 12-29 20:00-12-30 02:00"},
		"cancelled":       {recurrence.Following, cancel, 2, first + "12-10 20:00- 22:00, 12-15 20:00- 22:00 cancelled, 12-22 20:00- 22:00 cancelled, 12-29 20:00- 22:00 cancelled"},
		"nothing changed": {recurrence.Following, func(*rules.Date) error { return nil }, 1, first + "12-10 20:00- 22:00, 12-15 20:00- 22:00, 12-22 20:00- 22:00" + rest},
	} {
		e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
		h.mustSave(e)
		dates := h.weekly(ctx, e)
		_, err := h.editor.UpdateDates(ctx, atDate(e.UUID, dates[1].UUID, ""), func(d *rules.Date) error { d.StartDate = "2026-12-10"; return nil })
		if err != nil {
			t.Fatal(err)
		}
		changed, err := h.editor.UpdateDates(ctx, atDate(e.UUID, dates[2].UUID, test.scope), test.edit)
		if err != nil || changed.Answer.DateUUID != dates[2].UUID {
			t.Fatalf("%s: %+v, %v", name, changed, err)
		}
		stored := h.storedEvent(e.UUID)
		if got := starts(stored.Entity.Dates); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, test.want)
		}
		if want := map[bool]int64{true: 3, false: 4}[name == "nothing changed"]; stored.Version != want || changed.Version != want {
			t.Errorf("%s: version %d is answered, %d is stored, want %d", name, changed.Version, stored.Version, want)
		}
		h.wantRules(e, test.rules)
	}
}

func TestScopesOfARemoval(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent, 0)
	for _, test := range []struct {
		scope recurrence.Scope
		place int
		want  string
		rules int
	}{
		{recurrence.This, 0, "12-08, 12-15, 12-22, 12-29", 1},
		{recurrence.This, 2, "12-01, 12-08, 12-22, 12-29", 1},
		{recurrence.Following, 2, "12-01, 12-08", 1},
		{recurrence.Following, 0, "", 0},
		{recurrence.All, 3, "", 0},
	} {
		e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
		h.mustSave(e)
		dates := h.weekly(ctx, e)
		removed, err := h.editor.RemoveDates(ctx, atDate(e.UUID, dates[test.place].UUID, test.scope), password)
		if err != nil || removed.Version != 3 {
			t.Fatalf("%+v, %v", removed, err)
		}
		stored := h.storedEvent(e.UUID).Entity.Dates
		if got := strings.ReplaceAll(starts(stored), " 20:00- 22:00", ""); got != test.want || len(removed.Answer.DateUUIDs)+len(stored) != 5 {
			t.Errorf("%s from the date %d: %s, want %s; %v", test.scope, test.place, got, test.want, removed.Answer.DateUUIDs)
		}
		h.wantRules(e, test.rules)
		if !slices.Contains(removed.Answer.DateUUIDs, removed.Answer.DateUUID) {
			t.Errorf("%+v", removed.Answer)
		}
	}
}

// TestARuleThatLeavesOutManyDatesCanLoseMore: the rule then becomes a list of its dates.
func TestARuleThatLeavesOutManyDatesCanLoseMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent, 0)
	e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	var exdate []string
	for n := range 1000 {
		exdate = append(exdate, addDays("2026-12-02", n))
	}
	added, err := h.editor.AddDates(ctx, at(e.UUID), &NewDates{
		Date:       rules.Date{StartDate: "2026-12-01", StartTime: "20:00"},
		Repetition: adminapi.Repetition{RRule: "FREQ=DAILY;COUNT=1004", ExDate: exdate},
	})
	if err != nil {
		t.Fatal(err)
	}
	dates := added.Answer.Dates
	if _, err := h.editor.RemoveDates(ctx, atDate(e.UUID, dates[1].UUID, recurrence.This), ""); err != nil {
		t.Fatal(err)
	}
	h.wantRules(e, 1)
	if rule := h.storedEvent(e.UUID).Entity.DateRules[0]; rule.RRule != "" || len(rule.RDate) != 2 || len(rule.ExDate) != 0 {
		t.Errorf("%+v", rule)
	}
}

func TestDatesOfAPublicEventNeedTheRightToRelease(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	e.Dates = append(e.Dates, rules.Date{UUID: newID(), StartDate: "2026-11-21", AllDay: true, ReleaseStatus: rules.StatusCancelled})
	h.mustSave(e)
	h.clearOutbox()
	writer, releaser := h.member(permission.EditEvent, 0), h.member(permission.EditEvent|permission.ReleaseEvent, 0)
	set := func(ctx context.Context, place int, status string) error {
		_, err := h.editor.UpdateDates(ctx, atDate(e.UUID, e.Dates[place].UUID, ""), func(d *rules.Date) error {
			d.ReleaseStatus = status
			d.AccessibilityInfo += "x"
			return nil
		})
		return err
	}
	add := func(ctx context.Context, status string) error {
		_, err := h.editor.AddDates(ctx, at(e.UUID), &NewDates{Date: rules.Date{StartDate: "2026-12-01", AllDay: true, ReleaseStatus: status}})
		return err
	}
	remove := func(ctx context.Context) error {
		_, err := h.editor.RemoveDates(ctx, atDate(e.UUID, e.Dates[1].UUID, ""), "")
		return err
	}
	for name, err := range map[string]error{
		"cancelling": set(writer, 0, rules.StatusCancelled), "taking that back": set(writer, 1, rules.StatusInherited),
		"the status that it has": set(writer, 1, rules.StatusCancelled), "adding": add(writer, ""), "removing": remove(writer),
	} {
		h.wantFault(name, err, fault.Forbidden, "release_right_missing")
	}
	h.wantOutbox()
	h.wantFault("cancelling with the right", set(releaser, 0, rules.StatusCancelled), "", "")
	h.wantOutbox(event(e))
}

// TestTheAuditOfADateHoldsThatDateAlone: an event may have a thousand.
func TestTheAuditOfADateHoldsThatDateAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent, 0)
	e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	dates := h.weekly(ctx, e)
	_, err := h.editor.UpdateDates(ctx, atDate(e.UUID, dates[2].UUID, ""), func(d *rules.Date) error { d.StartTime = "19:00"; return nil })
	if err != nil {
		t.Fatal(err)
	}
	const changed = `
SELECT concat_ws(' ', jsonb_array_length(before -> 'dates'), before #>> '{dates,0,uuid}', before #>> '{dates,0,start_time}',
    jsonb_array_length(after -> 'dates'), after #>> '{dates,0,uuid}', after #>> '{dates,0,start_time}', before - 'dates', after - 'dates')
FROM audit_entry
ORDER BY id DESC
LIMIT 1`
	if got, want := one[string](h.stage, changed), fmt.Sprintf("1 %s 20:00 1 %[1]s 19:00 {} {}", dates[2].UUID); got != want {
		t.Errorf("audited %s, want %s", got, want)
	}
}

// TestParallelEditorsOfDates: each sees the dates that the others have written.
func TestParallelEditorsOfDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.EditEvent, 0)
	e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	dates := h.weekly(ctx, e)
	together(t, 12, func(n int) error {
		if n < 5 {
			_, err := h.editor.UpdateDates(ctx, atDate(e.UUID, dates[n].UUID, recurrence.Following), func(d *rules.Date) error {
				d.AccessibilityInfo = value.Text(fmt.Sprintf("Fassung %d", n))
				return nil
			})
			return err
		}
		_, err := h.editor.AddDates(ctx, at(e.UUID), &NewDates{Date: rules.Date{StartDate: "2026-12-03", AllDay: true}})
		return err
	})
	if stored := h.storedEvent(e.UUID); stored.Version != 14 || len(stored.Entity.Dates) != 12 {
		t.Errorf("version %d with %d dates", stored.Version, len(stored.Entity.Dates))
	}
	h.wantRules(e, len(h.storedEvent(e.UUID).Entity.DateRules))
}
