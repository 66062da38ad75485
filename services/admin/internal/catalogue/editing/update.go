package editing

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// update applies edit to the entity as it is stored now and returns what it has become. Two updates
// of different fields at once both last: each sees what the other has stored. edit may run again
// when another transaction was first, each time on a copy of its own; further results are the
// variables that it sets. The faults: NotFound for a stranger; Forbidden without the right to edit,
// here or where the entity moves to, or without what the edit claims elsewhere; Stale when the
// version is not an expected one; Invalid, naming every bad field; Conflict; those of edit.
func update[E rules.Entity](
	ctx context.Context, e *Editor, k owned[E], at Target, edit func(E) error,
) (Versioned[E], error) {
	var updated Versioned[E]
	err := e.DB.InKeyedTx(ctx, func(tx pgx.Tx) (err error) {
		updated, err = updateIn(ctx, tx, e, k, at, edit)
		return err
	})
	return updated, err
}

// updateIn is update within a transaction.
func updateIn[E rules.Entity](
	ctx context.Context, tx pgx.Tx, e *Editor, k owned[E], at Target, edit func(E) error,
) (updated Versioned[E], err error) {
	d, err := k.draft(ctx, tx, at, edit)
	if err != nil {
		return updated, err
	}
	// What the edit mentions is known once it is made, and rows are locked references first: only
	// now.
	held, err := lockAll(ctx, tx, d.items())
	if err != nil {
		return updated, err
	}
	if d, err = k.redraft(ctx, tx, held, at, edit, d); err != nil {
		return updated, err
	}
	return k.apply(ctx, tx, e, held, d)
}

// draft is an edit that is made and valid, but not stored.
type draft[E rules.Entity] struct {
	stored store.Stored[E]
	org    string // that the stored entity belongs to
	after  E
	item   *item // of after
}

// draft makes an edit of the entity as it is stored.
func (k owned[E]) draft(ctx context.Context, tx pgx.Tx, at Target, edit func(E) error) (d draft[E], err error) {
	if d.stored, d.org, err = k.reach(ctx, tx, at, k.edit); err != nil {
		return d, err
	}
	if d.after, err = clone(d.stored.Entity); err != nil {
		return d, err
	}
	if err := edit(d.after); err != nil {
		return d, err
	}
	if d.item, err = newItem(d.after); err != nil {
		return d, err
	}
	if d.after.Key() != at.Key {
		return d, invalid(k.name, fault.Violations{{Field: "uuid", Reason: "cannot be changed"}})
	}
	return d, nil
}

// redraft asks for the right again, now that the rows are locked, and makes the edit anew if
// another transaction has changed the entity since the draft. It returns postgres.ErrRetry when the
// new one mentions what is not locked.
func (k owned[E]) redraft(
	ctx context.Context, tx pgx.Tx, held locked, at Target, edit func(E) error, d draft[E],
) (draft[E], error) {
	entity := identity{k.name, at.Key}
	if held.has(entity) && held[entity] == d.stored.Version {
		var err error
		d.org, err = k.require(ctx, tx, auth.PrincipalOf(ctx), at.Key, k.edit)
		return d, err
	}
	again, err := k.draft(ctx, tx, at, edit)
	if err == nil && (!held.has(entity) || !d.mentionsAllOf(again)) {
		err = postgres.ErrRetry
	}
	return again, err
}

// clone returns a copy that shares nothing with the entity.
func clone[E rules.Entity](entity E) (E, error) {
	var copied E
	data, err := json.Marshal(entity)
	if err == nil {
		err = json.Unmarshal(data, &copied)
	}
	return copied, err
}

// items are the entity before and after, for what both mention.
func (d draft[E]) items() []*item {
	return []*item{{entity: d.stored.Entity, references: rules.References(d.stored.Entity)}, d.item}
}

// mentionsAllOf reports whether a later draft of the same edit mentions nothing else.
func (d draft[E]) mentionsAllOf(later draft[E]) bool {
	mentioned := map[identity]bool{}
	for _, it := range d.items() {
		for _, r := range it.references {
			mentioned[identity{r.Kind, r.Key}] = true
		}
	}
	return !slices.ContainsFunc(later.item.references, func(r rules.Reference) bool {
		return !mentioned[identity{r.Kind, r.Key}]
	})
}

// apply asks for what a draft takes in other organizations and stores it.
func (k owned[E]) apply(ctx context.Context, tx pgx.Tx, e *Editor, held locked, d draft[E]) (Versioned[E], error) {
	org, err := k.requireMove(ctx, tx, d.org, d.stored.Entity, d.after)
	if err != nil {
		return Versioned[E]{}, err
	}
	if err := k.requireClaims(ctx, tx, org, d.stored.Entity, d.after); err != nil {
		return Versioned[E]{}, err
	}
	if err := k.requireExtra(ctx, tx, []string{d.org, org}, d.stored.Entity, d.after); err != nil {
		return Versioned[E]{}, err
	}
	if err := k.saveAlone(ctx, tx, held, d.item, store.Found[E]{d.after.Key(): d.stored}); err != nil {
		return Versioned[E]{}, err
	}
	updated := Versioned[E]{Version: d.item.result.Version, Answer: d.after}
	if updated.Warnings, err = k.warnings(ctx, tx, e, d.stored.Entity, d.after); err != nil {
		return updated, err
	}
	if d.item.result.Outcome == Unchanged {
		return updated, nil
	}
	before, after := d.stored.Entity, d.after
	if k.audited != nil {
		before, after = k.audited(before, after)
	}
	return updated, e.record(ctx, tx, k.name, "update", d.after.Key(), []string{d.org, org}, before, after)
}

// saveAlone saves one item and returns the fault that refuses it.
func (k kind[E]) saveAlone(ctx context.Context, tx pgx.Tx, held locked, it *item, stored store.Found[E]) error {
	save := func(tx pgx.Tx, held locked, items []*item) error { return k.save(ctx, tx, held, items, stored) }
	if err := attemptOne(ctx, tx, held, it, save); err != nil {
		return err
	}
	return it.result.Err
}
