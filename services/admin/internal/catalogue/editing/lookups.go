package editing

import (
	"context"
	"reflect"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/catalogue/valueset"
	"litfass/services/admin/internal/publish/outbox"
)

// SyncLookups writes the program's value sets that differ from the stored ones, and returns their
// names.
func (o *Operator) SyncLookups(ctx context.Context) (changed []string, err error) {
	err = o.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := store.LockLookups(ctx, tx); err != nil {
			return err
		}
		stored, err := store.Lookups(ctx, tx)
		if err != nil {
			return err
		}
		changed = nil
		var differing []change.Lookup
		for _, lookup := range valueset.All() {
			if !reflect.DeepEqual(stored[lookup.Name], lookup) {
				differing, changed = append(differing, lookup), append(changed, lookup.Name)
			}
		}
		if _, exists := stored[change.LookupLabels]; !exists { // its items are the labels of the operator
			differing, changed = append(differing, change.Lookup{Name: change.LookupLabels}), append(changed, change.LookupLabels)
		}
		if len(differing) == 0 {
			return nil
		}
		if err := store.WriteLookups(ctx, tx, differing); err != nil {
			return err
		}
		return outbox.Enqueue(ctx, tx, change.KindLookup, changed)
	})
	return changed, err
}
