package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/change"
	"litfass/pkg/fault"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

// DeleteOrganization deletes an organization that neither holds another one nor has venues or events; else it returns a
// Conflict fault that says how many. An unknown uuid is NotFound; another version than the expected one is Stale.
func (c *Commands) DeleteOrganization(ctx context.Context, uuid string, expected int64) error {
	return remove(ctx, c.db, uuid, expected, removalOfOrganization)
}

var removalOfOrganization = removal[*catalog.Organization]{
	kind: catalog.KindOrganization,
	read: postgres.Organizations,
	uses: postgres.UsesOfOrganization,
	drop: postgres.DeleteOrganization,
	// An organization without venues and events is not public, so there is nothing to take back.
	publish: func(context.Context, pgx.Tx, *catalog.Organization) error { return nil },
}

// DeleteVenue deletes a venue with its spaces, unless an event takes place there: Conflict, NotFound and Stale as for
// DeleteOrganization.
func (c *Commands) DeleteVenue(ctx context.Context, uuid string, expected int64) error {
	return remove(ctx, c.db, uuid, expected, removal[*catalog.Venue]{
		kind: catalog.KindVenue,
		read: postgres.Venues,
		uses: postgres.UsesOfVenue,
		drop: postgres.DeleteVenue,
		publish: func(ctx context.Context, tx pgx.Tx, v *catalog.Venue) error {
			return postgres.Enqueue(ctx, tx, change.KindVenue, []string{v.UUID})
		},
	})
}

// DeleteSpace deletes a space, unless an event takes place there: Conflict, NotFound and Stale as for DeleteOrganization.
func (c *Commands) DeleteSpace(ctx context.Context, uuid string, expected int64) error {
	return remove(ctx, c.db, uuid, expected, removal[*catalog.Space]{
		kind: catalog.KindSpace,
		read: postgres.Spaces,
		uses: postgres.UsesOfSpace,
		drop: postgres.DeleteSpace,
		publish: func(ctx context.Context, tx pgx.Tx, s *catalog.Space) error {
			return postgres.Enqueue(ctx, tx, change.KindVenue, []string{s.VenueUUID})
		},
	})
}

// DeleteEvent deletes an event with all its parts: NotFound and Stale as for DeleteOrganization.
func (c *Commands) DeleteEvent(ctx context.Context, uuid string, expected int64) error {
	return remove(ctx, c.db, uuid, expected, removal[*catalog.Event]{
		kind: catalog.KindEvent,
		read: postgres.Events,
		uses: unused,
		drop: postgres.DeleteEvent,
		publish: func(ctx context.Context, tx pgx.Tx, e *catalog.Event) error {
			if !catalog.PublicStatus(e.ReleaseStatus) {
				return nil
			}
			if err := postgres.Enqueue(ctx, tx, change.KindEvent, []string{e.UUID}); err != nil {
				return err
			}
			before := placementOf(e)
			return postgres.EnqueueOwners(ctx, tx, []string{before.organization}, before.venues)
		},
	})
}

// DeleteRegion deletes the region of that key (catalog.Region.Key): NotFound and Stale as for DeleteOrganization.
func (c *Commands) DeleteRegion(ctx context.Context, key string, expected int64) error {
	return remove(ctx, c.db, key, expected, removal[*catalog.Region]{
		kind: catalog.KindRegion,
		read: postgres.Regions,
		uses: unused,
		drop: postgres.DeleteRegion,
		publish: func(ctx context.Context, tx pgx.Tx, r *catalog.Region) error {
			return postgres.Enqueue(ctx, tx, change.KindRegion, []string{r.Key()})
		},
	})
}

// removal is what is particular to the deletion of a kind.
type removal[E Entity] struct {
	kind    catalog.Kind
	read    func(context.Context, pgx.Tx, []string) (postgres.Found[E], error)
	uses    func(context.Context, pgx.Tx, string) (postgres.Uses, error)
	drop    func(context.Context, pgx.Tx, string) error
	publish func(context.Context, pgx.Tx, E) error
}

func unused(context.Context, pgx.Tx, string) (postgres.Uses, error) { return postgres.Uses{}, nil }

func remove[E Entity](ctx context.Context, db *postgres.DB, key string, expected int64, r removal[E]) error {
	return db.InTx(ctx, func(tx pgx.Tx) error { return r.remove(ctx, tx, key, expected) })
}

// remove deletes one entity. Its row is locked first, so that nobody comes to use it meanwhile.
func (r removal[E]) remove(ctx context.Context, tx pgx.Tx, key string, expected int64) error {
	if _, err := postgres.LockRows(ctx, tx, r.kind, postgres.ForDelete, []string{key}); err != nil {
		return err
	}
	found, err := r.read(ctx, tx, []string{key})
	if err != nil {
		return err
	}
	stored, exists := found[key]
	if !exists {
		return fault.New(fault.NotFound, string(r.kind)+"_not_found", "there is no such %s", r.kind)
	}
	if expected != AnyVersion && expected != stored.Version {
		return stale(r.kind)
	}
	uses, err := r.uses(ctx, tx, key)
	if err != nil {
		return err
	}
	if uses != (postgres.Uses{}) {
		return fault.New(fault.Conflict, string(r.kind)+"_in_use", "the %s cannot be deleted: %s", r.kind, describe(uses))
	}
	if err := r.drop(ctx, tx, key); err != nil {
		return err
	}
	return r.publish(ctx, tx, stored.Entity)
}

// describe tells people what uses an entity.
func describe(uses postgres.Uses) string {
	var parts []string
	for _, use := range []struct {
		count int
		one   string
	}{{uses.Organizations, "organization"}, {uses.Venues, "venue"}, {uses.Events, "event"}} {
		switch {
		case use.count == 1:
			parts = append(parts, "1 "+use.one)
		case use.count > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", use.count, use.one))
		}
	}
	return "it is used by " + strings.Join(parts, ", ")
}
