package editing

import (
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

// uses is a stage with events that use its places in every way.
type uses struct {
	*stage
	byEvent, byDate, byOtherDate, draft *rules.Event
}

func newUses(t *testing.T) *uses {
	t.Helper()
	return usesOf(newStage(t))
}

func usesOf(s *stage) *uses {
	s.Helper()
	u := &uses{stage: s}
	u.byEvent, u.byDate, u.byOtherDate, u.draft = u.event(), u.event(), u.event(), u.event()
	u.byEvent.SpaceUUID = value.Text(u.space.UUID)
	u.byDate.VenueUUID = value.Text(u.other.UUID)
	u.byDate.Dates[0].VenueUUID, u.byDate.Dates[0].SpaceUUID = value.Text(u.venue.UUID), value.Text(u.space.UUID)
	u.byOtherDate.VenueUUID = value.Text(u.other.UUID)
	u.draft.ReleaseStatus = rules.StatusDraft
	u.mustSave(u.byEvent, u.byDate, u.byOtherDate, u.draft)
	u.wantOutbox(event(u.byEvent), event(u.byDate), event(u.byOtherDate), organization(u.org))
	return u
}

func event(e *rules.Event) string { return line(change.KindEvent, e.UUID) }
func venue(v *rules.Venue) string { return line(change.KindVenue, v.UUID) }

func organization(o *rules.Organization) string { return line(change.KindOrganization, o.UUID) }

func TestOutboxNamesWhosePublicStateChanged(t *testing.T) {
	t.Parallel()
	u := newUses(t)
	portal, list, series := rulestest.Portal(u.org.UUID), rulestest.List(u.org.UUID), rulestest.Series(u.org.UUID)
	in := func(e *rules.Event, state string) *rules.Event {
		e.Series = []rules.EventSeries{{SeriesUUID: series.UUID, State: state}}
		return e
	}
	ofSeries := line(change.KindSeries, series.UUID)
	steps := []struct {
		name   string
		change func() rules.Entity
		want   []string
	}{
		{"an organization's note", func() rules.Entity { u.org.Description = "Neu"; return u.org }, []string{organization(u.org)}},
		{"an organization's name", func() rules.Entity { u.org.Name = "Neu"; return u.org }, []string{
			organization(u.org), venue(u.venue), venue(u.other), event(u.byEvent), event(u.byDate), event(u.byOtherDate),
		}},
		{"an organization's contact", func() rules.Entity { u.org.ContactPhone = "0461"; return u.org }, []string{
			organization(u.org), venue(u.venue), venue(u.other), event(u.byEvent), event(u.byDate), event(u.byOtherDate),
		}},
		{"an organization's address", func() rules.Entity { u.org.Street = "Neu"; return u.org }, []string{organization(u.org)}},
		{"a venue's item", func() rules.Entity { u.venue.WikidataID = "Q64"; return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a venue's note", func() rules.Entity { u.venue.Summary = "Neu"; return u.venue }, []string{venue(u.venue)}},
		{"a venue's accessibility", func() rules.Entity { u.venue.AccessibilityFlags = pointer(value.Mask(3)); return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a venue's name", func() rules.Entity { u.venue.Name = "Neu"; return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a venue's point", func() rules.Entity { u.venue.Lat, u.venue.Lon = pointer(1.0), pointer(2.0); return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a space's name", func() rules.Entity { u.space.Name = "Neu"; return u.space }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"an event", func() rules.Entity { u.byEvent.Title = "Neu"; return u.byEvent }, []string{event(u.byEvent)}},
		{"a draft", func() rules.Entity { u.draft.Title = "Neu"; return u.draft }, nil},
		{"a draft's release", func() rules.Entity { u.draft.ReleaseStatus = "released"; return u.draft }, []string{
			event(u.draft), organization(u.org),
		}},
		{"a release taken back", func() rules.Entity { u.draft.ReleaseStatus = "review"; return u.draft }, []string{
			event(u.draft), organization(u.org),
		}},
		{"nothing", func() rules.Entity { return u.byDate }, nil},
		{"a label", func() rules.Entity { return rulestest.Label() }, []string{line(change.KindLookup, change.LookupLabels)}},
		{"a portal", func() rules.Entity { return portal }, []string{line(change.KindPortal, portal.UUID)}},
		{"a list", func() rules.Entity { return list }, []string{line(change.KindList, list.UUID)}},
		{"a series", func() rules.Entity { return series }, []string{ofSeries}},
		{"an event of a series", func() rules.Entity { return in(u.byEvent, adminapi.SeriesAccepted) }, []string{event(u.byEvent)}},
		{"an event that asks", func() rules.Entity { return in(u.byDate, adminapi.SeriesAsked) }, []string{event(u.byDate)}},
		{"a draft of a series", func() rules.Entity { return in(u.draft, adminapi.SeriesAccepted) }, nil},
		{"a series' text", func() rules.Entity { series.Description = "Neu"; return series }, []string{ofSeries}},
		{"a series' image", func() rules.Entity { series.Image.AltText = "Neu"; return series }, []string{ofSeries}},
		{"a series' title", func() rules.Entity { series.Title = "Neu"; return series }, []string{ofSeries, event(u.byEvent)}},
		{"a part's title", func() rules.Entity { series.Parts[0].Title = "Neu"; return series }, []string{ofSeries, event(u.byEvent)}},
		{"a series that is not public any more", func() rules.Entity { series.Public = false; return series }, []string{ofSeries, event(u.byEvent)}},
		{"a region", func() rules.Entity { return rulestest.Region() }, []string{line(change.KindRegion, rulestest.Region().Key())}},
	}
	for _, step := range steps {
		t.Log(step.name)
		u.mustSave(step.change())
		u.wantOutbox(step.want...)
	}
}

func TestMovingAnUnusedSpaceEnqueuesBothVenues(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.space.VenueUUID = s.other.UUID
	s.mustSave(s.space)
	s.wantOutbox(venue(s.venue), venue(s.other))
}

func TestRefusedEntitiesLeaveNoTraceInTheOutbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	taken := s.event()
	s.mustSave(taken)
	s.clearOutbox()
	good, bad := s.event(), s.event()
	bad.Dates[0].UUID = taken.Dates[0].UUID
	s.save(good, bad)
	s.wantOutbox(event(good), organization(s.org))
}

func TestReleaseInTheFutureIsScheduled(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	tests := []struct {
		name   string
		status string
		date   *time.Time
		want   bool
	}{
		{"released at once", rules.StatusReleased, nil, false},
		{"released later", rules.StatusReleased, &future, true},
		{"cancelled before its release", rules.StatusCancelled, &future, true},
		{"released in the past", rules.StatusReleased, &past, false},
		{"draft with a date", rules.StatusDraft, &future, false},
	}
	e := s.event()
	for _, test := range tests {
		e.ReleaseStatus, e.ReleaseDate = test.status, test.date
		s.mustSave(e)
		var scheduled bool
		err := s.db.Pool().QueryRow(t.Context(), "SELECT release_scheduled FROM event WHERE uuid = $1", e.UUID).Scan(&scheduled)
		if err != nil || scheduled != test.want {
			t.Errorf("%s: scheduled is %v, %v", test.name, scheduled, err)
		}
	}
}

func TestSyncLookups(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sync := func(want ...string) {
		t.Helper()
		changed, err := s.operator.SyncLookups(t.Context())
		if err != nil || len(changed) != len(want) {
			t.Fatalf("changed %v: %v", changed, err)
		}
		var lines []string
		for _, name := range want {
			lines = append(lines, line(change.KindLookup, name))
		}
		s.wantOutbox(lines...)
	}
	sync()
	for _, statement := range []string{
		`UPDATE lookup_item SET names = names || '{"de": "Anders"}' WHERE lookup = 'languages' AND id = 'da'`,
		`DELETE FROM lookup WHERE name = 'states'`,
		`DELETE FROM lookup WHERE name = 'labels'`, // which is there before the first label
		`UPDATE lookup_item SET position = 1000 WHERE lookup = 'event-genres' AND id = '1003'`,
	} {
		if _, err := s.db.Pool().Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	sync(change.LookupLanguages, change.LookupStates, change.LookupEventGenres, change.LookupLabels)
	sync()
}
