package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
)

// The maximum numbers of portals and of lists of one organization. Read nodes hold all of them in
// memory. The operator may have more.
const (
	maxPortals = 20
	maxLists   = 100

	codePortals = "too_many_portals"
	codeLists   = "too_many_lists"
)

// fewOf returns the kind.checkAfter of a kind of which an organization has at most so many
// entities, by the function that counts them.
func fewOf[E rules.Entity](
	most int, code string, count func(ctx context.Context, tx pgx.Tx, org string) (int, error), orgOf func(E) string,
) func(context.Context, pgx.Tx, []diff[E]) error {
	return func(ctx context.Context, tx pgx.Tx, diffs []diff[E]) error {
		for _, d := range diffs {
			org := orgOf(d.after)
			if org == "" || !d.created && orgOf(d.before) == org {
				continue
			}
			has, err := count(ctx, tx, org)
			if err != nil {
				return err
			}
			if has > most {
				return fault.New(fault.Conflict, code, "the organization already has %d of them, which is the maximum", most)
			}
		}
		return nil
	}
}
