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

// update applies an edit to the current stored entity and returns the result. Of two simultaneous
// edits of different fields both take effect: each sees the values that the other has stored. edit
// may run again when another transaction was first, each time on a fresh copy; it returns further
// results in variables that it sets. The faults: NotFound for a stranger; Forbidden without the
// right to edit, here or where the entity moves to, or without the rights that the edit claims
// elsewhere; Stale when the version is not an expected one; Invalid, naming every bad field;
// Conflict; those of edit.
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
	p, err := k.propose(ctx, tx, at, edit)
	if err != nil {
		return updated, err
	}
	locks, err := lockAll(ctx, tx, p.items())
	if err != nil {
		return updated, err
	}
	return k.accept(ctx, tx, e, locks, at, edit, p)
}

// proposal is the result of an edit: valid, but not stored yet.
type proposal[E rules.Entity] struct {
	stored store.Stored[E]
	org    string // that the stored entity belongs to
	item   *item  // the entity after the edit
}

// propose makes an edit on a copy of the stored entity.
func (k ownedKind[E]) propose(
	ctx context.Context, tx pgx.Tx, at Target, edit func(E) error,
) (p proposal[E], err error) {
	if p.stored, p.org, err = k.load(ctx, tx, at, k.editRight); err != nil {
		return p, err
	}
	after, err := clone(p.stored.Entity)
	if err != nil {
		return p, err
	}
	if err := edit(after); err != nil {
		return p, err
	}
	if k.checkEdit != nil {
		if err := k.checkEdit(p.stored.Entity, after); err != nil {
			return p, err
		}
	}
	if p.item, err = newItem(after); err != nil {
		return p, err
	}
	if after.Key() != at.Key {
		return p, invalid(k.name, fault.Violations{{Field: "uuid", Reason: "cannot be changed"}})
	}
	return p, nil
}

// items are the entity before and after, for the references of both.
func (p proposal[E]) items() []*item {
	return []*item{{entity: p.stored.Entity, references: rules.References(p.stored.Entity)}, p.item}
}

// accept stores a proposal whose items are locked. It checks the right again and, if another
// transaction has changed the entity since, makes the edit again; it returns postgres.ErrRetry when
// that refers to entities that are not locked.
func (k ownedKind[E]) accept(
	ctx context.Context, tx pgx.Tx, e *Editor, locks lockSet, at Target, edit func(E) error, p proposal[E],
) (updated Versioned[E], err error) {
	id := identity{k.name, at.Key}
	if locks.has(id) && locks[id] == p.stored.Version {
		p.org, err = k.require(ctx, tx, auth.PrincipalOf(ctx), at.Key, k.editRight)
	} else {
		first := p
		if p, err = k.propose(ctx, tx, at, edit); err == nil && (!locks.has(id) || !first.refersToAllOf(p)) {
			err = postgres.ErrRetry
		}
	}
	if err != nil {
		return updated, err
	}
	after := p.item.entity.(E)
	// To move an entity between organizations takes the right in both (RULES.md, Rights).
	org, home := p.org, k.home(after)
	if k.home(p.stored.Entity) != home {
		if org, err = requireAt(ctx, tx, home, k.editRight); err != nil {
			return updated, atField(err, homeFields[home.kind])
		}
	}
	return k.write(ctx, tx, e, locks, p.item, p.stored, []string{p.org, org})
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

// write saves an item whose rows are locked, with its warnings and its audit entry. stored is the
// zero value for a new entity; orgs are the organizations that the entity belongs to, before and
// after. It checks the further rights that the difference takes.
func (k ownedKind[E]) write(
	ctx context.Context, tx pgx.Tx, e *Editor, locks lockSet, it *item, stored store.Stored[E], orgs []string,
) (written Versioned[E], err error) {
	before, after := stored.Entity, it.entity.(E)
	verb, found := "create", store.Found[E]{}
	if stored.Version > 0 {
		verb, found[after.Key()] = "update", stored
	}
	if err := k.requireClaims(ctx, tx, orgs[len(orgs)-1], before, after); err != nil {
		return written, err
	}
	if err := k.requireExtraRight(ctx, tx, orgs, before, after); err != nil {
		return written, err
	}
	err = saveOne(ctx, tx, locks, it, func(tx pgx.Tx, locks lockSet, items []*item) error {
		return k.save(ctx, tx, locks, items, found)
	})
	if err != nil {
		return written, err
	}
	if it.result.Err != nil {
		return written, it.result.Err
	}
	written = Versioned[E]{Version: it.result.Version, Answer: after}
	if k.warn != nil {
		if written.Warnings, err = k.warn(ctx, tx, e, before, after); err != nil {
			return written, err
		}
	}
	if it.result.Outcome == Unchanged {
		return written, nil
	}
	if k.auditDiff != nil && verb == "update" {
		before, after = k.auditDiff(before, after)
	}
	return written, e.record(ctx, tx, k.name, verb, after.Key(), orgs, before, after)
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
