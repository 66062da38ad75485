package command_test

import (
	"testing"
	"time"

	"litfass/pkg/change"
	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/command"
)

// uses is a stage with events that use its places in every way.
type uses struct {
	*stage
	byEvent, byDate, byOtherDate, draft *catalog.Event
}

func newUses(t *testing.T) *uses {
	t.Helper()
	u := &uses{stage: newStage(t)}
	u.byEvent, u.byDate, u.byOtherDate, u.draft = u.event(), u.event(), u.event(), u.event()
	u.byEvent.SpaceUUID = value.Text(u.space.UUID)
	u.byDate.VenueUUID = value.Text(u.other.UUID)
	u.byDate.Dates[0].VenueUUID, u.byDate.Dates[0].SpaceUUID = value.Text(u.venue.UUID), value.Text(u.space.UUID)
	u.byOtherDate.VenueUUID = value.Text(u.other.UUID)
	u.draft.ReleaseStatus = catalog.StatusDraft
	u.mustSave(u.byEvent, u.byDate, u.byOtherDate, u.draft)
	u.wantOutbox(event(u.byEvent), event(u.byDate), event(u.byOtherDate), organization(u.org))
	return u
}

func event(e *catalog.Event) string { return line(change.KindEvent, e.UUID) }
func venue(v *catalog.Venue) string { return line(change.KindVenue, v.UUID) }

func organization(o *catalog.Organization) string { return line(change.KindOrganization, o.UUID) }

func TestOutboxNamesWhosePublicStateChanged(t *testing.T) {
	t.Parallel()
	u := newUses(t)
	steps := []struct {
		name   string
		change func() command.Entity
		want   []string
	}{
		{"an organization's note", func() command.Entity { u.org.Description = "Neu"; return u.org }, []string{organization(u.org)}},
		{"an organization's name", func() command.Entity { u.org.Name = "Neu"; return u.org }, []string{
			organization(u.org), venue(u.venue), venue(u.other), event(u.byEvent), event(u.byDate), event(u.byOtherDate),
		}},
		{"a venue's note", func() command.Entity { u.venue.Summary = "Neu"; return u.venue }, []string{venue(u.venue)}},
		{"a venue's accessibility", func() command.Entity { u.venue.AccessibilityFlags = pointer(value.Mask(3)); return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a venue's name", func() command.Entity { u.venue.Name = "Neu"; return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a venue's point", func() command.Entity { u.venue.Lat, u.venue.Lon = pointer(1.0), pointer(2.0); return u.venue }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"a space's name", func() command.Entity { u.space.Name = "Neu"; return u.space }, []string{
			venue(u.venue), event(u.byEvent), event(u.byDate),
		}},
		{"an event", func() command.Entity { u.byEvent.Title = "Neu"; return u.byEvent }, []string{event(u.byEvent)}},
		{"a draft", func() command.Entity { u.draft.Title = "Neu"; return u.draft }, nil},
		{"a draft's release", func() command.Entity { u.draft.ReleaseStatus = "released"; return u.draft }, []string{
			event(u.draft), organization(u.org),
		}},
		{"a release taken back", func() command.Entity { u.draft.ReleaseStatus = "review"; return u.draft }, []string{
			event(u.draft), organization(u.org),
		}},
		{"nothing", func() command.Entity { return u.byDate }, nil},
		{"a region", func() command.Entity { return fullRegion() }, []string{line(change.KindRegion, fullRegion().Key())}},
	}
	for _, step := range steps {
		t.Log(step.name)
		u.mustSave(step.change())
		u.wantOutbox(step.want...)
	}
}

func TestMovingAnUnusedSpaceTellsBothVenues(t *testing.T) {
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
		{"released at once", catalog.StatusReleased, nil, false},
		{"released later", catalog.StatusReleased, pointer(time.Now().AddDate(1, 0, 0)), true},
		{"cancelled before its release", catalog.StatusCancelled, pointer(time.Now().AddDate(1, 0, 0)), true},
		{"released in the past", catalog.StatusReleased, pointer(time.Now().AddDate(-1, 0, 0)), false},
		{"draft with a date", catalog.StatusDraft, pointer(time.Now().AddDate(1, 0, 0)), false},
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

func TestDelete(t *testing.T) {
	t.Parallel()
	u := newUses(t)
	ctx, c := t.Context(), u.commands
	u.mustRefuse(c.DeleteOrganization(ctx, u.org.UUID, command.AnyVersion), fault.Conflict)
	u.mustRefuse(c.DeleteVenue(ctx, u.other.UUID, command.AnyVersion), fault.Conflict)
	err := c.DeleteSpace(ctx, u.space.UUID, command.AnyVersion)
	u.mustRefuse(err, fault.Conflict)
	if want := "the space cannot be deleted: it is used by 2 events"; fault.Of(err).Message != want {
		t.Errorf("message is %q, want %q", fault.Of(err).Message, want)
	}
	u.mustRefuse(c.DeleteEvent(ctx, newUUID(), command.AnyVersion), fault.NotFound)
	u.wantOutbox()

	deleted := func(err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		u.wantOutbox(want...)
	}
	deleted(c.DeleteEvent(ctx, u.draft.UUID, command.AnyVersion))
	deleted(c.DeleteEvent(ctx, u.byEvent.UUID, 1), event(u.byEvent), organization(u.org))
	deleted(c.DeleteEvent(ctx, u.byDate.UUID, command.AnyVersion), event(u.byDate), organization(u.org))
	deleted(c.DeleteSpace(ctx, u.space.UUID, command.AnyVersion), venue(u.venue))
	deleted(c.DeleteVenue(ctx, u.venue.UUID, command.AnyVersion), venue(u.venue))
	u.mustRefuse(c.DeleteVenue(ctx, u.other.UUID, command.AnyVersion), fault.Conflict)
	deleted(c.DeleteEvent(ctx, u.byOtherDate.UUID, command.AnyVersion), event(u.byOtherDate), organization(u.org))
	deleted(c.DeleteVenue(ctx, u.other.UUID, command.AnyVersion), venue(u.other))
	deleted(c.DeleteOrganization(ctx, u.org.UUID, command.AnyVersion))

	u.mustSave(fullRegion())
	u.clearOutbox()
	deleted(c.DeleteRegion(ctx, fullRegion().Key(), 1), line(change.KindRegion, fullRegion().Key()))
}

func TestVenueGoesWithItsSpaces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if err := s.commands.DeleteVenue(t.Context(), s.venue.UUID, command.AnyVersion); err != nil {
		t.Fatal(err)
	}
	s.mustRefuse(s.commands.DeleteSpace(t.Context(), s.space.UUID, command.AnyVersion), fault.NotFound)
}

func TestHeldOrganizationKeepsItsHolder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	top := &catalog.Organization{UUID: newUUID(), Name: "Oben"}
	s.org.HoldingOrgUUID = value.Text(top.UUID)
	s.mustSave(top, s.org)
	s.mustRefuse(s.commands.DeleteOrganization(t.Context(), top.UUID, command.AnyVersion), fault.Conflict)
}

func TestSyncLookups(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sync := func(want ...string) {
		t.Helper()
		changed, err := s.commands.SyncLookups(t.Context())
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
		`UPDATE lookup_item SET position = 1000 WHERE lookup = 'event-genres' AND id = '1003'`,
	} {
		if _, err := s.db.Pool().Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	sync(change.LookupLanguages, change.LookupStates, change.LookupEventGenres)
	sync()
}
