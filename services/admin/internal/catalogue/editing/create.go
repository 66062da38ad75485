package editing

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// create adds a new entity, which has its uuid already. The faults: NotFound where it would belong
// to a stranger; Forbidden without the right to add there, or without the rights that it claims
// elsewhere; Invalid, naming every bad field; Conflict.
func create[E rules.Entity](
	ctx context.Context, e *Editor, k ownedKind[E], entity E,
) (created Versioned[E], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		created, err = createIn(ctx, tx, e, k, entity, nil)
		return err
	})
	return created, err
}

// RefuseNew returns the Forbidden fault of a right that the principal lacks for adding an entity,
// and else the fault for which it is refused: rights come before content (RULES.md, Rights).
func (e *Editor) RefuseNew(ctx context.Context, entity rules.Entity, refused error) error {
	return e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		switch entity := entity.(type) {
		case *rules.Organization:
			if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
				return err
			}
			return organizations.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Venue:
			return venues.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Space:
			return spaces.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Event:
			return events.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Series:
			return manySeries.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Contributor:
			return contributors.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.Portal:
			return portals.preferRights(ctx, tx, "", nil, entity, refused)
		case *rules.List:
			return lists.preferRights(ctx, tx, "", nil, entity, refused)
		}
		return refused
	})
}

// createIn is create within a transaction. refused is a fault of the entity that is known already,
// nil for none.
func createIn[E rules.Entity](
	ctx context.Context, tx pgx.Tx, e *Editor, k ownedKind[E], entity E, refused error,
) (created Versioned[E], err error) {
	var none E
	it, err := newItem(entity)
	if err = cmp.Or(refused, err); err != nil {
		return created, k.preferRights(ctx, tx, "", none, entity, err)
	}
	locks, err := lockAll(ctx, tx, []*item{it})
	if err != nil {
		return created, err
	}
	orgs, err := k.requireRights(ctx, tx, "", none, entity)
	if err != nil {
		return created, err
	}
	return k.write(ctx, tx, e, locks, proposal[E]{item: it, orgs: orgs})
}
