package editing

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// saveFunc saves items in a transaction.
type saveFunc func(tx pgx.Tx, locks lockSet, items []*item) error

// saveBatch locks the items and their references and saves the items: together or, when the
// database refuses that without naming the item at fault, one by one.
func saveBatch(ctx context.Context, tx pgx.Tx, items []*item) error {
	locks, err := lockAll(ctx, tx, items)
	if err != nil {
		return err
	}
	save := func(tx pgx.Tx, locks lockSet, items []*item) error {
		for _, saveKind := range savers {
			if err := saveKind(ctx, tx, locks, items); err != nil {
				return err
			}
		}
		return nil
	}
	for _, round := range rounds(items) {
		saved, err := trySave(ctx, tx, locks, round, save)
		if err != nil {
			return err
		}
		if saved || len(round) == 1 {
			continue
		}
		for _, it := range round {
			if _, err := trySave(ctx, tx, locks, []*item{it}, save); err != nil {
				return err
			}
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

// savers save the items of one kind each, in the order of rules.Kinds.
var savers = []func(context.Context, pgx.Tx, lockSet, []*item) error{
	regions.saveKind, organizations.saveKind, venues.saveKind, spaces.saveKind, labels.saveKind,
	manySeries.saveKind, contributors.saveKind, events.saveKind, portals.saveKind, lists.saveKind,
}

// saveKind saves the items of this kind and ignores the others.
func (k kind[E]) saveKind(ctx context.Context, tx pgx.Tx, locks lockSet, items []*item) error {
	var ofKind []*item
	var keys []string
	for _, it := range items {
		if entity, ok := it.entity.(E); ok {
			ofKind, keys = append(ofKind, it), append(keys, entity.Key())
		}
	}
	if len(ofKind) == 0 {
		return nil
	}
	stored, err := k.table.Read(ctx, tx, keys)
	if err != nil {
		return err
	}
	if held, err := k.holdStored(ctx, tx, ofKind, stored); err != nil {
		return err
	} else if held {
		if stored, err = k.table.Read(ctx, tx, keys); err != nil {
			return err
		}
	}
	return k.save(ctx, tx, locks, ofKind, stored)
}

// holdStored is hold for the items that are stored already.
func (k kind[E]) holdStored(ctx context.Context, tx pgx.Tx, items []*item, stored store.Found[E]) (held bool, err error) {
	if k.hold == nil {
		return false, nil
	}
	var diffs []diff[E]
	for _, it := range items {
		if before, exists := stored[it.entity.Key()]; exists {
			diffs = append(diffs, diff[E]{key: it.entity.Key(), before: before.Entity, after: it.entity.(E)})
		}
	}
	return k.hold(ctx, tx, diffs)
}

// trySave saves items after a savepoint, and rolls back to it when they are refused. The refusal of
// a single item is its result.
func trySave(
	ctx context.Context, tx pgx.Tx, locks lockSet, items []*item, save saveFunc,
) (saved bool, err error) {
	trial := maps.Clone(locks)
	for _, it := range items {
		it.result = Result{}
	}
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return save(tx, trial, items) })
	refused := refusal(err)
	if refused == nil {
		maps.Copy(locks, trial)
		return err == nil, err
	}
	if len(items) > 1 {
		return false, nil
	}
	it := items[0]
	it.refuse(refused)
	if it.entity.Kind() != rules.KindEvent || refused.Kind != fault.Conflict {
		return false, nil
	}
	foreign, err := store.ForeignParts(ctx, tx, it.entity.Key(), it.parts())
	if len(foreign) > 0 {
		it.refuseForeign(foreign)
	}
	return false, err
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
