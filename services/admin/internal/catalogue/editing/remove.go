package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/auth"
)

// remove deletes an entity with its parts. The faults: NotFound for callers outside the
// organization; Forbidden without the permission, and for a wrong password of a user, which is
// checked after permission and version; Stale when the version is not an expected one; Conflict
// with the number of references when the entity is in use.
func remove[E rules.Entity](ctx context.Context, e *Editor, k ownedKind[E], at Target, password string) error {
	return removeAfter(ctx, e, k, at, password, func(context.Context, pgx.Tx, E) error { return nil })
}

// removeAfter is remove after first, in the same transaction, has ended references to the entity,
// whose row is locked.
func removeAfter[E rules.Entity](
	ctx context.Context, e *Editor, k ownedKind[E], at Target, password string,
	first func(ctx context.Context, tx pgx.Tx, entity E) error,
) error {
	err := e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, _, err := k.loadToWrite(ctx, tx, at, k.removeRight)
		return err
	})
	if err != nil {
		return err
	}
	if auth.PrincipalOf(ctx).APIKey == "" { // a key has no password
		if err := e.Confirm(ctx, password); err != nil {
			return err
		}
	}
	return e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error { return k.delete(ctx, tx, e, at, first) })
}

// delete deletes an entity. Its row is locked first, so that no other transaction can add a
// reference until then.
func (k ownedKind[E]) delete(
	ctx context.Context, tx pgx.Tx, e *Editor, at Target, first func(ctx context.Context, tx pgx.Tx, entity E) error,
) error {
	if err := store.LockRow(ctx, tx, k.name, store.ForDelete, at.Key); err != nil {
		return err
	}
	stored, org, err := k.loadToWrite(ctx, tx, at, k.removeRight)
	if err != nil {
		return err
	}
	if err := first(ctx, tx, stored.Entity); err != nil {
		return err
	}
	uses, err := k.table.Uses(ctx, tx, at.Key)
	if err != nil {
		return err
	}
	if uses != (store.Uses{}) {
		return fault.New(fault.Conflict, string(k.name)+"_in_use", "the %s cannot be deleted: %s", k.name, describe(uses))
	}
	if k.release != nil {
		if err := k.release(ctx, tx, at.Key); err != nil {
			return err
		}
	}
	if err := k.table.Delete(ctx, tx, at.Key); err != nil {
		return err
	}
	if err := k.enqueue(ctx, tx, []diff[E]{{key: at.Key, before: stored.Entity}}); err != nil {
		return err
	}
	return e.record(ctx, tx, k.name, "delete", at.Key, []string{org}, stored.Entity, nil)
}
