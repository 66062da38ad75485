package editing

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// saveRounds locks what the items mention, and saves them one round after the other.
func saveRounds(ctx context.Context, tx pgx.Tx, items []*item) error {
	held, err := lockAll(ctx, tx, items)
	if err != nil {
		return err
	}
	for _, round := range rounds(items) {
		if err := saveRound(ctx, tx, held, round); err != nil {
			return err
		}
	}
	return nil
}

// rounds splits items so that no entity appears twice in a round: its second appearance is saved
// after the first.
func rounds(items []*item) [][]*item {
	var split [][]*item
	seen := map[identity]int{}
	for _, it := range items {
		round := seen[it.identity()]
		seen[it.identity()]++
		if round == len(split) {
			split = append(split, nil)
		}
		split[round] = append(split[round], it)
	}
	return split
}

// saveRound saves items together. When the database refuses the batch, which does not name the item
// at fault, it saves them one by one.
func saveRound(ctx context.Context, tx pgx.Tx, held locked, items []*item) error {
	saveKinds := func(tx pgx.Tx, held locked, items []*item) error {
		for _, save := range savers {
			if err := save(ctx, tx, held, items); err != nil {
				return err
			}
		}
		return nil
	}
	refused, err := attempt(ctx, tx, held, items, saveKinds)
	if err != nil || refused == nil {
		return err
	}
	for _, it := range items {
		if err := attemptOne(ctx, tx, held, it, saveKinds); err != nil {
			return err
		}
	}
	return nil
}

// savers save the items of one kind each, in the order of rules.Kinds.
var savers = []func(context.Context, pgx.Tx, locked, []*item) error{
	regions.saveMine, organizations.saveMine, venues.saveMine, spaces.saveMine, events.saveMine,
}

// saveMine saves the items of this kind.
func (k kind[E]) saveMine(ctx context.Context, tx pgx.Tx, held locked, items []*item) error {
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
	stored, err := k.table.Read(ctx, tx, keys)
	if err != nil {
		return err
	}
	return k.save(ctx, tx, held, mine, stored)
}

// attempt saves items after a savepoint, and rolls back to it when they are refused.
func attempt(
	ctx context.Context, tx pgx.Tx, held locked, items []*item, save func(pgx.Tx, locked, []*item) error,
) (refused *fault.Fault, err error) {
	trial := maps.Clone(held)
	for _, it := range items {
		it.result = Result{}
	}
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return save(tx, trial, items) })
	if refused = refusal(err); refused != nil {
		return refused, nil
	}
	maps.Copy(held, trial)
	return nil, err
}

// attemptOne is attempt for one item. A refusal becomes the item's result.
func attemptOne(
	ctx context.Context, tx pgx.Tx, held locked, it *item, save func(pgx.Tx, locked, []*item) error,
) error {
	refused, err := attempt(ctx, tx, held, []*item{it}, save)
	if err != nil || refused == nil {
		return err
	}
	it.refuse(refused)
	if it.entity.Kind() != rules.KindEvent || refused.Kind != fault.Conflict {
		return nil
	}
	foreign, err := store.ForeignParts(ctx, tx, it.entity.Key(), it.parts())
	if err != nil || len(foreign) == 0 {
		return err
	}
	it.refuseForeign(foreign)
	return nil
}

// refusal returns the fault of a write that a rule of this package or the database refused, or nil.
func refusal(err error) *fault.Fault {
	if refused := store.Refusal(err); refused != nil {
		return refused
	}
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return fault.Of(err)
	}
	return nil
}
