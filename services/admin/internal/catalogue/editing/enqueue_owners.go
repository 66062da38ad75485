package editing

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

// placement identifies the organizations that an event makes public: its own, and the owners of its
// venues.
type placement struct {
	organization string
	venues       []string // without repeats, in order
	release      time.Time
}

// placementOf returns the zero placement for an event that is not of a public status.
func placementOf(e *rules.Event) placement {
	if e == nil || !rules.PublicStatus(e.ReleaseStatus) {
		return placement{}
	}
	p := placement{organization: e.OrgUUID, venues: []string{string(e.VenueUUID)}}
	for _, date := range e.Dates {
		p.venues = append(p.venues, string(date.VenueUUID))
	}
	slices.Sort(p.venues)
	p.venues = slices.DeleteFunc(slices.Compact(p.venues), func(uuid string) bool { return uuid == "" })
	if e.ReleaseDate != nil {
		p.release = *e.ReleaseDate
	}
	return p
}

// enqueueOwnersOfEvents enqueues the organizations that the changes may have made public or no
// longer public.
func enqueueOwnersOfEvents(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	var placed, organizations, venues []string
	for _, d := range diffs {
		before, after := placementOf(d.before), placementOf(d.after)
		if reflect.DeepEqual(before, after) {
			continue
		}
		placed = append(placed, d.key)
		if before.organization != "" {
			organizations, venues = append(organizations, before.organization), append(venues, before.venues...)
		}
	}
	if err := outbox.EnqueueOwners(ctx, tx, organizations, venues); err != nil {
		return err
	}
	return outbox.EnqueueOwnersOfEvents(ctx, tx, placed)
}

// enqueueOwnersOfVenues enqueues the organizations between which venues have moved.
func enqueueOwnersOfVenues(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Venue]) error {
	var venues, organizations []string
	for _, d := range diffs {
		if d.before != nil && d.after != nil && d.before.OrgUUID != d.after.OrgUUID {
			venues = append(venues, d.key, d.key)
			organizations = append(organizations, d.before.OrgUUID, d.after.OrgUUID)
		}
	}
	return outbox.EnqueueOwnersOfMovedVenues(ctx, tx, venues, organizations)
}
