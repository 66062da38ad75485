// Package command holds what may be done to the catalogue: save and delete organizations, venues, spaces, events and
// regions, one by one or many at a time.
//
// Every command checks what it is given, compares it with what is stored, writes what differs, and notes in the same
// transaction whose public face has changed (the outbox). Nothing here publishes anything: the relay does. Every command
// may be repeated; the second time it changes nothing.
package command

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

// Entity is one thing of the catalogue: a *catalog.Region, *catalog.Organization, *catalog.Venue, *catalog.Space or
// *catalog.Event.
type Entity = catalog.Entity

// Outcome is what saving an entity has done.
type Outcome string

// The outcomes. A refused entity has none.
const (
	Created   Outcome = "created"
	Changed   Outcome = "changed"
	Unchanged Outcome = "unchanged"
)

// Result is the answer to one entity of a batch: either an outcome or the *fault.Fault that refused it.
type Result struct {
	Outcome Outcome
	Version int64 // of the entity, as it now is
	Err     error
}

// AnyVersion is the expected version of a writer who does not care what others have written meanwhile.
const AnyVersion int64 = 0

// Commands are the commands on one database.
type Commands struct {
	db *postgres.DB
}

// New returns the commands on a database.
func New(db *postgres.DB) *Commands { return &Commands{db: db} }

// Save creates or changes the entities of a batch, of any kinds, in one transaction. An entity may refer to one that
// comes earlier in the same batch; of several entities with one key the last one wins. The entities are normalized in
// place. A refused entity has its fault in its result and does not keep the others from being saved. The error is for
// what concerns the whole batch, such as a database that cannot be reached: then nothing is saved.
func (c *Commands) Save(ctx context.Context, batch []Entity) ([]Result, error) {
	items := make([]*item, len(batch))
	for i, entity := range batch {
		items[i] = &item{entity: entity, expected: AnyVersion}
	}
	if err := c.save(ctx, items); err != nil {
		return nil, err
	}
	results := make([]Result, len(items))
	for i, it := range items {
		results[i] = it.result
	}
	return results, nil
}

// SaveOrganization creates or changes an organization. With an expected version other than AnyVersion it changes only the
// organization of that version; otherwise it returns a Stale fault. Invalid names every bad field.
func (c *Commands) SaveOrganization(ctx context.Context, o *catalog.Organization, expected int64) (Result, error) {
	return c.saveOne(ctx, o, expected)
}

// SaveVenue is SaveOrganization for a venue.
func (c *Commands) SaveVenue(ctx context.Context, v *catalog.Venue, expected int64) (Result, error) {
	return c.saveOne(ctx, v, expected)
}

// SaveSpace is SaveOrganization for a space. A space that an event uses cannot move to another venue: Conflict.
func (c *Commands) SaveSpace(ctx context.Context, s *catalog.Space, expected int64) (Result, error) {
	return c.saveOne(ctx, s, expected)
}

// SaveEvent is SaveOrganization for an event with all its parts. What the event does not name is removed.
func (c *Commands) SaveEvent(ctx context.Context, e *catalog.Event, expected int64) (Result, error) {
	return c.saveOne(ctx, e, expected)
}

// SaveRegion is SaveOrganization for a region.
func (c *Commands) SaveRegion(ctx context.Context, r *catalog.Region, expected int64) (Result, error) {
	return c.saveOne(ctx, r, expected)
}

func (c *Commands) saveOne(ctx context.Context, entity Entity, expected int64) (Result, error) {
	one := &item{entity: entity, expected: expected}
	if err := c.save(ctx, []*item{one}); err != nil {
		return Result{}, err
	}
	return one.result, one.result.Err
}

// save checks the items by themselves, then those that pass together with the database.
func (c *Commands) save(ctx context.Context, items []*item) error {
	sound := make([]*item, 0, len(items))
	for _, it := range items {
		if err := it.check(); err != nil {
			it.refuse(fault.Of(err))
			continue
		}
		sound = append(sound, it)
	}
	if len(sound) == 0 {
		return nil
	}
	return c.db.InTx(ctx, func(tx pgx.Tx) error { return saveRounds(ctx, tx, sound) })
}

func saveRounds(ctx context.Context, tx pgx.Tx, items []*item) error {
	for _, round := range rounds(items) {
		if err := saveRound(ctx, tx, round); err != nil {
			return err
		}
	}
	return nil
}
