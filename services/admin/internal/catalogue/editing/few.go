package editing

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// The maximum numbers of portals, lists and series of one organization. Read nodes hold all of them
// in memory. The operator may have more.
const (
	maxPortals = 20
	maxLists   = 100
	maxSeries  = 100

	codePortals = "too_many_portals"
	codeLists   = "too_many_lists"
	codeSeries  = "too_many_series"
)

// fewOf returns the kind.checkAfter of a kind of which an organization has at most so many
// entities. Of simultaneous writes that add one, each counts those of the others.
func fewOf[E rules.Entity](
	most int, code string, table store.Table[E], orgOf func(E) string,
) func(context.Context, pgx.Tx, []diff[E]) error {
	return func(ctx context.Context, tx pgx.Tx, diffs []diff[E]) error {
		grown := map[string]bool{}
		for _, d := range diffs {
			if org := orgOf(d.after); org != "" && (d.created || orgOf(d.before) != org) {
				grown[org] = true
			}
		}
		for _, org := range slices.Sorted(maps.Keys(grown)) {
			has, err := table.CountOf(ctx, tx, org)
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
