package editing

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

// enqueueNamed enqueues the contributors that the changes may have made public or no longer public.
func enqueueNamed(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) error {
	named := map[string]bool{}
	for _, d := range diffs {
		before, after := namedBy(d.before), namedBy(d.after)
		if reflect.DeepEqual(before, after) {
			continue
		}
		for _, uuid := range slices.Concat(before.contributors, after.contributors) {
			named[uuid] = true
		}
	}
	return outbox.Enqueue(ctx, tx, change.KindContributor, slices.Sorted(maps.Keys(named)))
}

// naming is which contributors an event makes public, if its organization is approved.
type naming struct {
	organization string
	contributors []string // without repeats, in order of their uuids
	release      time.Time
}

// namedBy returns the zero naming for an event that names none or is not of a public status.
func namedBy(e *rules.Event) (n naming) {
	if !isPublic(e) || len(e.Contributors) == 0 {
		return n
	}
	n.organization = e.OrgUUID
	for _, named := range e.Contributors {
		n.contributors = append(n.contributors, named.UUID)
	}
	slices.Sort(n.contributors)
	n.contributors = slices.Compact(n.contributors)
	if e.ReleaseDate != nil {
		n.release = *e.ReleaseDate
	}
	return n
}
