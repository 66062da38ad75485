package editing

import (
	"context"
	"reflect"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/postgres"
)

// diff is the difference that a write makes to one entity: before is nil for a new one, after for a
// deleted one.
type diff[E rules.Entity] struct {
	key           string
	before, after E
	created       bool
}

// kind defines how the entities of one kind are written, by an Editor and by an Operator.
type kind[E rules.Entity] struct {
	name  rules.Kind // in the codes of faults and in the audit
	table store.Table[E]
	// enqueue adds the entities whose public views have changed to the outbox.
	enqueue func(context.Context, pgx.Tx, []diff[E]) error
	// complete copies to a new state the values that it leaves to the stored one, before the two are
	// compared; before is nil when the entity is new. nil for kinds without such values.
	complete func(before, after E) error
	// hold locks the parts of stored entities that others write without these, where edits change
	// them. It reports whether it has: they may have changed since they were read. nil for kinds
	// without such parts.
	hold func(context.Context, pgx.Tx, []diff[E]) (held bool, err error)
	// Rules that depend on other rows, checked before and after the entities are written; nil for
	// kinds without such rules.
	checkBefore, checkAfter func(context.Context, pgx.Tx, []diff[E]) error
}

// save writes the items that differ from the stored entities and enqueues the changed public views.
// It sets the result of each item; an error that is a refusal refuses all of them.
func (k kind[E]) save(ctx context.Context, tx pgx.Tx, locks lockSet, items []*item, stored store.Found[E]) error {
	changed, diffs, err := k.compare(ctx, tx, locks, items, stored)
	if err != nil || len(diffs) == 0 {
		return err
	}
	if k.checkBefore != nil {
		if err := k.checkBefore(ctx, tx, diffs); err != nil {
			return err
		}
	}
	entities := make([]E, len(diffs))
	for i, d := range diffs {
		entities[i] = d.after
	}
	versions, err := k.table.Write(ctx, tx, entities, stored)
	if err != nil {
		return err
	}
	if k.checkAfter != nil {
		if err := k.checkAfter(ctx, tx, diffs); err != nil {
			return err
		}
	}
	for i, it := range changed {
		it.result = Result{Outcome: Changed, Version: versions[diffs[i].key]}
		if diffs[i].created {
			it.result.Outcome = Created
		}
	}
	return k.enqueue(ctx, tx, diffs)
}

// compare sets the results of items that are refused or unchanged, and returns the others with
// their diffs.
func (k kind[E]) compare(
	ctx context.Context, tx pgx.Tx, locks lockSet, items []*item, stored store.Found[E],
) (changed []*item, diffs []diff[E], err error) {
	belongs, err := belongingsOf(ctx, tx, items)
	if err != nil {
		return nil, nil, err
	}
	for _, it := range items {
		before, exists := stored[it.entity.Key()]
		if exists && !locks.has(it.identity()) {
			return nil, nil, postgres.ErrRetry // created since the rows were locked
		}
		if refused := it.checkReferences(locks, belongs); refused != nil {
			it.refuse(refused)
			continue
		}
		locks[it.identity()] = 0
		entity := it.entity.(E)
		if k.complete != nil {
			if err := k.complete(before.Entity, entity); err != nil {
				return nil, nil, err
			}
		}
		if exists && reflect.DeepEqual(before.Entity, entity) {
			it.result = Result{Outcome: Unchanged, Version: before.Version}
			continue
		}
		changed = append(changed, it)
		diffs = append(diffs, diff[E]{key: entity.Key(), before: before.Entity, after: entity, created: !exists})
	}
	return changed, diffs, nil
}

// belongings are the venues of spaces and the series of parts that items refer to.
type belongings struct{ venueOf, seriesOf map[string]string }

func belongingsOf(ctx context.Context, tx pgx.Tx, items []*item) (b belongings, err error) {
	var spaces, parts []string
	for _, it := range items {
		for _, r := range it.references {
			if r.Kind == rules.KindSpace {
				spaces = append(spaces, r.Key)
			}
		}
		for _, named := range it.named {
			parts = append(parts, named.Part)
		}
	}
	if len(spaces) > 0 {
		if b.venueOf, err = store.VenuesOfSpaces(ctx, tx, spaces); err != nil {
			return b, err
		}
	}
	if len(parts) > 0 {
		b.seriesOf, err = store.SeriesOfParts(ctx, tx, parts)
	}
	return b, err
}

func invalid(kind rules.Kind, bad fault.Violations) error {
	return bad.Err("invalid_"+string(kind), "the "+string(kind)+" is not valid")
}
