package editing

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// update applies an edit to the current stored entity and returns the result. Of two simultaneous
// edits of different fields both take effect: each sees the values that the other has stored. edit
// may run again when another transaction was first, each time on a fresh copy; it returns further
// results in variables that it sets. The faults: NotFound for a stranger; Forbidden without the
// right to edit, here or where the entity moves to, or without the rights that the edit claims
// elsewhere; Stale when the version is not an expected one; Invalid, naming every bad field;
// Conflict; and the faults of edit.
func update[E rules.Entity](
	ctx context.Context, e *Editor, k ownedKind[E], at Target, edit func(E) error,
) (updated Versioned[E], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		updated, err = updateIn(ctx, tx, e, k, at, edit)
		return err
	})
	return updated, err
}

// updateIn is update within a transaction. The references of the edited entity are known only once
// the edit is made, and rows are locked references first: so the edit is made before the locks are
// taken, and confirmed once they are.
func updateIn[E rules.Entity](
	ctx context.Context, tx pgx.Tx, e *Editor, k ownedKind[E], at Target, edit func(E) error,
) (updated Versioned[E], err error) {
	p, err := k.propose(ctx, tx, e, at, edit)
	if err != nil {
		return updated, err
	}
	locks, err := lockAll(ctx, tx, p.items())
	if err != nil {
		return updated, err
	}
	if p, err = k.confirm(ctx, tx, e, locks, at, edit, p); err != nil {
		return updated, err
	}
	return k.write(ctx, tx, e, locks, p)
}

// proposal is a new entity or the result of an edit: valid, but not stored yet.
type proposal[E rules.Entity] struct {
	stored store.Stored[E] // before the edit; the zero value for a new entity
	item   *item           // the entity after the edit
	orgs   []string        // the organizations that the entity belongs to, before and after
}

// propose makes an edit on a copy of the stored entity. A right that the principal lacks comes
// before everything else for which the edit is refused.
func (k ownedKind[E]) propose(
	ctx context.Context, tx pgx.Tx, e *Editor, at Target, edit func(E) error,
) (p proposal[E], err error) {
	p.orgs = make([]string, 1)
	if p.stored, p.orgs[0], err = k.loadToWrite(ctx, tx, Target{Key: at.Key}, k.editRight); err != nil {
		return p, err
	}
	before := p.stored.Entity
	after, err := clone(before)
	if err != nil {
		return p, err
	}
	stale, refused := at.Expected.Check(string(k.name), p.stored.Version), edit(after)
	if refused == nil && k.checkEdit != nil {
		refused = k.checkEdit(e, before, after)
	}
	if refused == nil {
		p.item, refused = newItem(after)
	}
	if refused == nil && after.Key() != at.Key {
		refused = invalid(k.name, fault.Violations{fault.Violate("uuid", reason.CannotChange)})
	}
	if refused = cmp.Or(stale, refused); refused != nil {
		return p, k.preferRights(ctx, tx, p.orgs[0], before, after, refused)
	}
	return p, nil
}

// items are the entity before and after, for the references of both.
func (p proposal[E]) items() []*item {
	return []*item{{entity: p.stored.Entity, references: rules.References(p.stored.Entity)}, p.item}
}

// confirm checks the rights to a proposal, now that its items are locked, also where the entity
// moves to. If another transaction has changed the entity, or may have changed a part of it that
// the edit changes, it makes the edit again.
func (k ownedKind[E]) confirm(
	ctx context.Context, tx pgx.Tx, e *Editor, locks lockSet, at Target, edit func(E) error, p proposal[E],
) (confirmed proposal[E], err error) {
	id := identity{k.name, at.Key}
	if locks.has(id) && locks[id] == p.stored.Version {
		confirmed = p
		confirmed.orgs[0], err = k.require(ctx, tx, auth.PrincipalOf(ctx), at.Key, k.editRight)
	} else {
		confirmed, err = k.proposeAgain(ctx, tx, e, locks, at, edit, p)
	}
	if err != nil {
		return p, err
	}
	held, err := k.holdStored(ctx, tx, []*item{confirmed.item}, store.Found[E]{at.Key: confirmed.stored})
	if err == nil && held {
		confirmed, err = k.proposeAgain(ctx, tx, e, locks, at, edit, p)
	}
	if err != nil {
		return p, err
	}
	before, after := confirmed.stored.Entity, confirmed.item.entity.(E)
	confirmed.orgs, err = k.requireRights(ctx, tx, confirmed.orgs[0], before, after)
	return confirmed, err
}

// proposeAgain is propose for the edit of an earlier proposal. It returns postgres.ErrRetry when
// the edit now refers to entities that are not locked.
func (k ownedKind[E]) proposeAgain(
	ctx context.Context, tx pgx.Tx, e *Editor, locks lockSet, at Target, edit func(E) error, p proposal[E],
) (again proposal[E], err error) {
	again, err = k.propose(ctx, tx, e, at, edit)
	if err == nil && (!locks.has(identity{k.name, at.Key}) || !p.refersToAllOf(again)) {
		err = postgres.ErrRetry
	}
	return again, err
}

// refersToAllOf reports whether a later proposal of the same edit refers to no further entities.
func (p proposal[E]) refersToAllOf(later proposal[E]) bool {
	known := map[identity]bool{}
	for _, it := range p.items() {
		for _, r := range it.references {
			known[identity{r.Kind, r.Key}] = true
		}
	}
	return !slices.ContainsFunc(later.item.references, func(r rules.Reference) bool {
		return !known[identity{r.Kind, r.Key}]
	})
}

// write saves a proposal whose items are locked, with its warnings and its audit entry.
func (k ownedKind[E]) write(
	ctx context.Context, tx pgx.Tx, e *Editor, locks lockSet, p proposal[E],
) (written Versioned[E], err error) {
	before, after := p.stored.Entity, p.item.entity.(E)
	verb, stored := "create", store.Found[E]{}
	if p.stored.Version > 0 {
		verb, stored[after.Key()] = "update", p.stored
	}
	if k.settle != nil {
		if err := k.settle(ctx, tx, e, before, after); err != nil {
			return written, err
		}
	}
	_, err = trySave(ctx, tx, locks, []*item{p.item}, func(tx pgx.Tx, locks lockSet, items []*item) error {
		return k.save(ctx, tx, locks, items, stored)
	})
	if err = cmp.Or(err, p.item.result.Err); err != nil {
		return written, err
	}
	written = Versioned[E]{Version: p.item.result.Version, Answer: after}
	if k.warn != nil {
		if written.Warnings, err = k.warn(ctx, tx, e, before, after); err != nil {
			return written, err
		}
	}
	if p.item.result.Outcome == Unchanged {
		return written, nil
	}
	if k.auditDiff != nil && verb == "update" {
		before, after = k.auditDiff(before, after)
	}
	return written, e.record(ctx, tx, k.name, verb, after.Key(), p.orgs, before, after)
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
