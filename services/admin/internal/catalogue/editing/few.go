package editing

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/quota"
)

// checked is a kind.checkBefore or a kind.checkAfter.
type checked[E rules.Entity] func(context.Context, pgx.Tx, []diff[E]) error

// fewOf returns the kind.checkAfter of a kind of which an owner has at most so many entities, see
// package quota. The operator may have more.
func fewOf[E rules.Entity](thing quota.Thing, ownerOf func(E) string) checked[E] {
	return func(ctx context.Context, tx pgx.Tx, diffs []diff[E]) error {
		added := map[string]int{}
		for _, d := range diffs {
			if owner := ownerOf(d.after); owner != "" && (d.created || ownerOf(d.before) != owner) {
				added[owner]++
			}
		}
		return addAll(ctx, tx, thing, added)
	}
}

// byAccounts returns a check that the writes of operators pass.
func byAccounts[E rules.Entity](check checked[E]) checked[E] {
	return func(ctx context.Context, tx pgx.Tx, diffs []diff[E]) error {
		if auth.PrincipalOf(ctx) == (auth.Principal{}) {
			return nil
		}
		return check(ctx, tx, diffs)
	}
}

// all returns a check that makes several.
func all[E rules.Entity](checks ...checked[E]) checked[E] {
	return func(ctx context.Context, tx pgx.Tx, diffs []diff[E]) error {
		for _, check := range checks {
			if err := check(ctx, tx, diffs); err != nil {
				return err
			}
		}
		return nil
	}
}

// fewImages is fewOf for the images that are added to events.
func fewImages(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	added := map[string]int{}
	for _, d := range diffs {
		count := len(d.after.Images)
		if !d.created {
			count -= len(d.before.Images)
		}
		if count > 0 {
			added[d.after.OrgUUID] += count
		}
	}
	return addAll(ctx, tx, quota.Images, added)
}

// addAll counts what was added by owner, in one order for all transactions.
func addAll(ctx context.Context, tx pgx.Tx, thing quota.Thing, added map[string]int) error {
	for _, owner := range slices.Sorted(maps.Keys(added)) {
		if err := quota.Add(ctx, tx, thing, owner, added[owner]); err != nil {
			return err
		}
	}
	return nil
}
