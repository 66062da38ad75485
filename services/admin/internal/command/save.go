package command

import (
	"context"
	"reflect"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

// edit is one entity that differs from what is stored; before is nil when it is new.
type edit[E Entity] struct {
	before, after E
	created       bool
}

// operations are what is particular to a kind.
type operations[E Entity] struct {
	read  func(context.Context, pgx.Tx, []string) (postgres.Found[E], error)
	write func(context.Context, pgx.Tx, []E, postgres.Found[E]) (postgres.Versions, error)
	// publish notes in the outbox whose public faces the edits have changed.
	publish func(context.Context, pgx.Tx, []edit[E]) error
}

// savers save the items of one kind each, references first.
var savers = []func(context.Context, *batch, []*item) error{
	saverOf(operations[*catalog.Region]{postgres.Regions, postgres.WriteRegions, publishRegions}),
	saverOf(operations[*catalog.Organization]{postgres.Organizations, writeOrganizations, publishOrganizations}),
	saverOf(operations[*catalog.Venue]{postgres.Venues, postgres.WriteVenues, publishVenues}),
	saverOf(operations[*catalog.Space]{postgres.Spaces, writeSpaces, publishSpaces}),
	saverOf(operations[*catalog.Event]{postgres.Events, postgres.WriteEvents, publishEvents}),
}

// saverOf returns the function that saves those of the items that are of kind E.
func saverOf[E Entity](ops operations[E]) func(context.Context, *batch, []*item) error {
	return func(ctx context.Context, b *batch, items []*item) error {
		var mine []*item
		var keys []string
		for _, it := range items {
			if entity, ok := it.entity.(E); ok {
				mine, keys = append(mine, it), append(keys, entity.Key())
			}
		}
		if len(mine) == 0 {
			return nil
		}
		stored, err := ops.read(ctx, b.tx, keys)
		if err != nil {
			return err
		}
		accepted, edits, err := compare(ctx, b, mine, stored)
		if err != nil || len(edits) == 0 {
			return err
		}
		return ops.save(ctx, b.tx, accepted, edits, stored)
	}
}

// save writes the edits, answers their items and tells the outbox.
func (ops operations[E]) save(ctx context.Context, tx pgx.Tx, items []*item, edits []edit[E], stored postgres.Found[E]) error {
	after := make([]E, len(edits))
	for i, edit := range edits {
		after[i] = edit.after
	}
	versions, err := ops.write(ctx, tx, after, stored)
	if err != nil {
		return err
	}
	for i, it := range items {
		it.result = Result{Outcome: Changed, Version: versions[it.entity.Key()]}
		if edits[i].created {
			it.result.Outcome = Created
		}
	}
	return ops.publish(ctx, tx, edits)
}

// compare answers the items that are refused or change nothing, and returns the others with what they change.
func compare[E Entity](ctx context.Context, b *batch, items []*item, stored postgres.Found[E]) ([]*item, []edit[E], error) {
	venueOf, err := venuesOfMentionedSpaces(ctx, b.tx, items)
	if err != nil {
		return nil, nil, err
	}
	var accepted []*item
	var edits []edit[E]
	for _, it := range items {
		before, exists := stored[it.entity.Key()]
		if exists && !b.known[it.identity()] {
			return nil, nil, postgres.ErrRetry // created since the rows were locked
		}
		if refused := b.judge(it, before.Version, venueOf); refused != nil {
			it.refuse(refused)
			continue
		}
		b.known[it.identity()] = true
		entity := it.entity.(E)
		if exists && reflect.DeepEqual(before.Entity, entity) {
			it.result = Result{Outcome: Unchanged, Version: before.Version}
			continue
		}
		accepted = append(accepted, it)
		edits = append(edits, edit[E]{before: before.Entity, after: entity, created: !exists})
	}
	return accepted, edits, nil
}

// judge returns why an item may not be saved, or nil: somebody else has changed the entity meanwhile, or it mentions what
// does not exist.
func (b *batch) judge(i *item, version int64, venueOf map[string]string) *fault.Fault {
	if i.expected != AnyVersion && i.expected != version {
		return stale(i.entity.Kind())
	}
	var bad fault.Violations
	for _, r := range i.references {
		switch {
		case !b.known[identity{r.Kind, r.Key}]:
			bad.Add(r.Field(), "names no %s", r.Kind)
		case r.Venue != "" && venueOf[r.Key] != r.Venue:
			bad.Add(r.Field(), "names a space of another venue")
		}
	}
	kind := string(i.entity.Kind())
	if err := bad.Err("invalid_"+kind, "the "+kind+" is not valid"); err != nil {
		return fault.Of(err)
	}
	return nil
}

func stale(kind catalog.Kind) *fault.Fault {
	return fault.New(fault.Stale, "stale_"+string(kind), "the %s has changed since it was read", kind)
}

// venuesOfMentionedSpaces returns the venue of every space that the items mention and that exists.
func venuesOfMentionedSpaces(ctx context.Context, tx pgx.Tx, items []*item) (map[string]string, error) {
	var spaces []string
	for _, it := range items {
		for _, r := range it.references {
			if r.Kind == catalog.KindSpace {
				spaces = append(spaces, r.Key)
			}
		}
	}
	if len(spaces) == 0 {
		return nil, nil
	}
	return postgres.VenuesOfSpaces(ctx, tx, spaces)
}
