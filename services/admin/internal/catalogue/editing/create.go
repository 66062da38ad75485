package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// create adds a new entity, which has its uuid already. The faults: NotFound where it would belong
// to a stranger; Forbidden without the right to add there, or without what it claims elsewhere;
// Invalid, naming every bad field; Conflict.
func create[E rules.Entity](ctx context.Context, e *Editor, k owned[E], entity E) (Versioned[E], error) {
	it, err := newItem(entity)
	if err != nil {
		return Versioned[E]{}, err
	}
	var created Versioned[E]
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		created, err = k.insert(ctx, tx, e, it)
		return err
	})
	return created, err
}

// insert stores a new entity, after it has locked what it mentions.
func (k owned[E]) insert(ctx context.Context, tx pgx.Tx, e *Editor, it *item) (created Versioned[E], err error) {
	held, err := lockAll(ctx, tx, []*item{it})
	if err != nil {
		return created, err
	}
	entity := it.entity.(E)
	org := entity.Key()
	if home := k.home(entity); home != it.identity() { // a new organization is its own home, and has no rights yet
		if org, err = requireAt(ctx, tx, home, k.add); err != nil {
			return created, atField(err, homeFields[home.kind])
		}
	}
	var none E
	if err := k.requireClaims(ctx, tx, org, none, entity); err != nil {
		return created, err
	}
	if err := k.requireExtra(ctx, tx, []string{org}, none, entity); err != nil {
		return created, err
	}
	if err := k.saveAlone(ctx, tx, held, it, store.Found[E]{}); err != nil {
		return created, err
	}
	created = Versioned[E]{Version: it.result.Version, Answer: entity}
	if created.Warnings, err = k.warnings(ctx, tx, e, none, entity); err != nil {
		return created, err
	}
	return created, e.record(ctx, tx, k.name, "create", entity.Key(), []string{org}, nil, entity)
}
