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

// edit is the change of one entity: before is nil for a new one, after for a deleted one.
type edit[E rules.Entity] struct {
	key           string
	before, after E
	created       bool
}

// kind is how the entities of one kind are written, for an Editor and for an Operator.
type kind[E rules.Entity] struct {
	name  rules.Kind // in the codes of faults and in the audit
	table store.Table[E]
	// enqueue adds the entities whose public views the edits have changed to the outbox.
	enqueue func(context.Context, pgx.Tx, []edit[E]) error
	// complete gives a new state what it leaves to the stored one, before the two are compared;
	// before is nil when the entity is new. nil where an entity leaves nothing.
	complete func(before, after E) error
	// Rules that depend on other rows, checked before and after the edits are written; nil where
	// there are none.
	checkBefore, checkAfter func(context.Context, pgx.Tx, []edit[E]) error
}

// save compares items with the stored entities, writes those that differ and enqueues their public
// views. It sets the result of each item; an error that is a refusal refuses all of them.
func (k kind[E]) save(ctx context.Context, tx pgx.Tx, held locked, items []*item, stored store.Found[E]) error {
	accepted, edits, err := k.compare(ctx, tx, held, items, stored)
	if err != nil || len(edits) == 0 {
		return err
	}
	versions, err := k.write(ctx, tx, edits, stored)
	if err != nil {
		return err
	}
	for i, it := range accepted {
		it.result = Result{Outcome: Changed, Version: versions[it.entity.Key()]}
		if edits[i].created {
			it.result.Outcome = Created
		}
	}
	return k.enqueue(ctx, tx, edits)
}

func (k kind[E]) write(ctx context.Context, tx pgx.Tx, edits []edit[E], stored store.Found[E]) (store.Versions, error) {
	after := make([]E, len(edits))
	for i, edit := range edits {
		after[i] = edit.after
	}
	if k.checkBefore != nil {
		if err := k.checkBefore(ctx, tx, edits); err != nil {
			return nil, err
		}
	}
	versions, err := k.table.Write(ctx, tx, after, stored)
	if err == nil && k.checkAfter != nil {
		err = k.checkAfter(ctx, tx, edits)
	}
	return versions, err
}

// compare sets the results of items that are refused or unchanged, and returns the others with
// their edits.
func (k kind[E]) compare(
	ctx context.Context, tx pgx.Tx, held locked, items []*item, stored store.Found[E],
) ([]*item, []edit[E], error) {
	venueOf, err := venuesOfMentionedSpaces(ctx, tx, items)
	if err != nil {
		return nil, nil, err
	}
	var accepted []*item
	var edits []edit[E]
	for _, it := range items {
		before, exists := stored[it.entity.Key()]
		if exists && !held.has(it.identity()) {
			return nil, nil, postgres.ErrRetry // created since the rows were locked
		}
		if refused := held.judge(it, venueOf); refused != nil {
			it.refuse(refused)
			continue
		}
		held[it.identity()] = 0
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
		accepted = append(accepted, it)
		edits = append(edits, edit[E]{key: it.entity.Key(), before: before.Entity, after: entity, created: !exists})
	}
	return accepted, edits, nil
}

// judge returns the fault of an item that refers to an entity that does not exist, or nil.
func (held locked) judge(i *item, venueOf map[string]string) *fault.Fault {
	var bad fault.Violations
	for _, r := range i.references {
		switch {
		case !held.has(identity{r.Kind, r.Key}):
			bad.Add(r.Field(), "names no %s", r.Kind)
		case r.Venue != "" && venueOf[r.Key] != r.Venue:
			bad.Add(r.Field(), "names a space of another venue")
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return fault.Of(invalid(i.entity.Kind(), bad))
}

func invalid(kind rules.Kind, bad fault.Violations) error {
	return bad.Err("invalid_"+string(kind), "the "+string(kind)+" is not valid")
}

// venuesOfMentionedSpaces returns the venue of every existing space that the items refer to.
func venuesOfMentionedSpaces(ctx context.Context, tx pgx.Tx, items []*item) (map[string]string, error) {
	var spaces []string
	for _, it := range items {
		for _, r := range it.references {
			if r.Kind == rules.KindSpace {
				spaces = append(spaces, r.Key)
			}
		}
	}
	if len(spaces) == 0 {
		return nil, nil
	}
	return store.VenuesOfSpaces(ctx, tx, spaces)
}
