package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
)

// create adds a new entity, which has its uuid already. The faults: NotFound where it would belong
// to a stranger; Forbidden without the right to add there, or without the rights that it claims
// elsewhere; Invalid, naming every bad field; Conflict.
func create[E rules.Entity](
	ctx context.Context, e *Editor, k ownedKind[E], entity E,
) (created Versioned[E], err error) {
	it, err := newItem(entity)
	if err != nil {
		return created, err
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		created, err = createIn(ctx, tx, e, k, it)
		return err
	})
	return created, err
}

// createIn is create within a transaction, for an item that is valid.
func createIn[E rules.Entity](
	ctx context.Context, tx pgx.Tx, e *Editor, k ownedKind[E], it *item,
) (created Versioned[E], err error) {
	locks, err := lockAll(ctx, tx, []*item{it})
	if err != nil {
		return created, err
	}
	org := it.entity.Key()
	if home := k.home(it.entity.(E)); home != it.identity() { // a new organization is its own home, without rights yet
		if org, err = requireAt(ctx, tx, home, k.addRight); err != nil {
			return created, atField(err, homeFields[home.kind])
		}
	}
	return k.write(ctx, tx, e, locks, proposal[E]{item: it, orgs: []string{org}})
}
