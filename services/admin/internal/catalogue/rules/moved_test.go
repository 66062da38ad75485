package rules_test

import (
	"slices"
	"testing"
	"time"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// TestNoteChanges: what an edit of a public event leaves of its first date, which starts on 20
// November at 19:30.
func TestNoteChanges(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 1, 12, 0, 0, 5, time.FixedZone("CET", 3600))
	const before, at = "2026-10-01T00:00:00Z", "2026-11-01T11:00:00Z"
	const start = "2026-11-20T19:30"
	moved := func(e *rules.Event) { e.Dates[0].PreviousStart, e.Dates[0].StatusChangedAt = start, before }
	to := func(day string) func(*rules.Event) {
		return func(e *rules.Event) { e.Dates[0].StartDate = day }
	}
	both := func(first, second func(*rules.Event)) func(*rules.Event) {
		return func(e *rules.Event) { first(e); second(e) }
	}
	status := func(status string) func(*rules.Event) { return func(e *rules.Event) { e.ReleaseStatus = status } }
	nothing := func(*rules.Event) {}
	ofDate := func(status string) func(*rules.Event) {
		return func(e *rules.Event) { e.Dates[0].ReleaseStatus = status }
	}
	for name, test := range map[string]struct {
		stored, edit       func(*rules.Event)
		previous, of, date value.Text // the former start, and the times of the event and of its date
	}{
		"a title":             {nothing, func(e *rules.Event) { e.Title = "x" }, "", "", ""},
		"moved":               {nothing, to("2026-11-21"), start, "", at},
		"moved in its day":    {nothing, func(e *rules.Event) { e.Dates[0].StartTime = "20:00" }, start, "", at},
		"made all-day":        {nothing, func(e *rules.Event) { e.Dates[0].AllDay, e.Dates[0].StartTime = true, "" }, start, "", at},
		"moved again":         {both(moved, to("2026-11-21")), to("2026-11-22"), start, "", at},
		"moved back":          {both(moved, to("2026-11-21")), to("2026-11-20"), "", "", ""},
		"moved, and set":      {nothing, both(to("2026-11-21"), func(e *rules.Event) { e.Dates[0].PreviousStart = "2026-11-01" }), "2026-11-01", "", at},
		"moved, and cleared":  {both(moved, to("2026-11-21")), both(to("2026-11-22"), func(e *rules.Event) { e.Dates[0].PreviousStart = "" }), "", "", ""},
		"a draft moves":       {status("draft"), to("2026-11-21"), "", "", ""},
		"waits for release":   {func(e *rules.Event) { e.ReleaseDate = new(now.Add(time.Hour)) }, to("2026-11-21"), "", "", ""},
		"cancelled":           {nothing, status("cancelled"), "", at, ""},
		"released from draft": {status("draft"), status("released"), "", "", ""},
		"takes place again":   {both(status("deferred"), func(e *rules.Event) { e.StatusChangedAt = before }), status("released"), "", "", ""},
		"withdrawn":           {both(moved, func(e *rules.Event) { e.StatusChangedAt = before }), both(status("draft"), to("2026-11-22")), start, "", before},
		"date cancelled":      {nothing, ofDate("cancelled"), "", "", at},
		"date inherits again": {both(ofDate("cancelled"), func(e *rules.Event) { e.Dates[0].StatusChangedAt = before }), ofDate("inherited"), "", "", ""},
		"moved, and no more":  {both(both(moved, to("2026-11-21")), ofDate("rescheduled")), ofDate("inherited"), start, "", at},
		"unchanged":           {both(moved, to("2026-11-21")), nothing, start, "", before},
	} {
		stored, edited := event(), event()
		test.stored(stored)
		test.stored(edited)
		stored.Normalize()
		test.edit(edited)
		edited.Normalize()
		edited.NoteChanges(stored, now)
		d := edited.Dates[0]
		if d.PreviousStart != test.previous || edited.StatusChangedAt != test.of || d.StatusChangedAt != test.date {
			t.Errorf("%s: started %q, the event changed at %q and the date at %q", name, d.PreviousStart, edited.StatusChangedAt, d.StatusChangedAt)
		}
	}
	made := event()
	made.NoteChanges(nil, now)
	if made.Dates[0].StatusChangedAt != "" {
		t.Error("a new event has changed")
	}
}

func TestTariffsGiveThePrices(t *testing.T) {
	t.Parallel()
	e := event()
	e.Tariffs = tariffs(12, 5, 8)
	e.Tariffs[2].MaxPrice = pointer(20.0)
	e.Arrange()
	if *e.MinPrice != 5 || *e.MaxPrice != 20 || e.Currency != "EUR" {
		t.Errorf("from %v to %v %s", *e.MinPrice, *e.MaxPrice, e.Currency)
	}
	before := event()
	before.MinPrice, before.MaxPrice, before.Currency = pointer(5.0), pointer(20.0), "EUR"
	e.Tariffs = tariffs(6)
	if e.FollowTariffs(before); e.MinPrice != nil || e.MaxPrice != nil || e.Currency != "" {
		t.Error("prices of former tariffs stay")
	}
	e.MinPrice = pointer(7.0)
	if e.FollowTariffs(before); e.MinPrice == nil {
		t.Error("a price that the edit sets is dropped")
	}
	if named := fields(e); !slices.Equal(named, []string{"min_price"}) {
		t.Errorf("another price than that of the tariffs: %v", named)
	}
	e.MinPrice = pointer(6.0)
	if named := fields(e); named != nil {
		t.Errorf("their price, and the currency as it was: %v", named)
	}
	e.Tariffs, e.MinPrice = nil, pointer(5.0)
	if e.FollowTariffs(before); e.MinPrice == nil {
		t.Error("without tariffs the prices stay")
	}
}
