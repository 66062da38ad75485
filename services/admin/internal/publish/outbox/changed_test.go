package outbox_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// TestChangesSayWhenTheStateChanged: with an edit, also of a date, an event's also with its venue
// and space, and with nothing else.
func TestChangesSayWhenTheStateChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	e := w.event("Jazz")
	w.write(e)
	w.start(w.stream, time.Now)
	const before value.Text = "2026-01-02T03:04:05Z"
	age := func() { // as if all had been written long ago, and published again
		t.Helper()
		w.untilEmpty()
		for _, table := range []string{"organization", "venue", "space", "event"} {
			w.exec("UPDATE " + table + " SET updated_at = '" + string(before) + "'")
		}
		if err := w.refill(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.untilEmpty()
	}
	changed := func() map[string]value.Text {
		t.Helper()
		w.untilEmpty()
		times := map[string]value.Text{}
		for kind, id := range map[change.Kind]string{
			change.KindEvent: e.UUID, change.KindVenue: w.venue, change.KindOrganization: w.org,
		} {
			c, _ := w.held(kind, id)
			snapshot, err := change.Read[struct {
				ChangedAt value.Text `json:"changed_at"`
			}](c)
			if err != nil {
				t.Fatal(err)
			}
			if snapshot.ChangedAt != before {
				times[string(kind)] = snapshot.ChangedAt
			}
		}
		return times
	}
	for name, test := range map[string]struct {
		edit func()
		want string // the kinds of those that changed
	}{
		"nothing": {func() { w.write(e) }, ""},
		"a title": {func() { e.Title += "!"; w.write(e) }, "event"},
		"a date":  {func() { e.Dates[0].StartTime = "20:00"; w.write(e) }, "event"},
		"a venue": {func() {
			w.write(&rules.Venue{UUID: w.venue, OrgUUID: w.org, Name: "Neue Halle", Use: adminapi.VenueOpen})
		}, "event venue"},
		"a space":       {func() { w.write(&rules.Space{UUID: w.hall, VenueUUID: w.venue, Name: "Großer Saal"}) }, "event venue"},
		"a description": {func() { w.write(&rules.Organization{UUID: w.org, Name: "Kulturverein", Description: "Neu"}) }, "organization"},
	} {
		age()
		start := w.present().Truncate(time.Second)
		test.edit()
		times := changed()
		if kinds := slices.Sorted(maps.Keys(times)); strings.Join(kinds, " ") != test.want {
			t.Errorf("%s: changed %v, want %q", name, times, test.want)
		}
		for _, at := range times {
			if moment, err := time.Parse(time.RFC3339, string(at)); err != nil || moment.Before(start) || moment.After(w.present()) {
				t.Errorf("%s: changed at %s (%v)", name, at, err)
			}
		}
	}
	for _, day := range []string{"2026-02-03", "1999-01-01"} { // it was released by its release date, or had been before
		age()
		w.exec("UPDATE event SET release_date = $1::timestamptz", day+"T00:00:00Z")
		if err := w.refill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, late := changed()["event"], day > string(before); (got == value.Text(day+"T00:00:00Z")) != late {
			t.Errorf("released at %s: changed at %s", day, got)
		}
	}
}
