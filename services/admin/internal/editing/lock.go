package editing

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/store"
)

// locked are the entities that exist and may be referred to: the transaction has locked or written
// them.
type locked map[identity]bool

// lockAll locks, kind by kind and in the order of the keys, every entity and its references.
// References are locked because a concurrent change of one and this change must see each other: the
// one that commits second enqueues the views of both. So are the organizations of the venues that
// events use: an event makes them public. The order prevents deadlocks.
func lockAll(ctx context.Context, tx pgx.Tx, items []*item) (locked, error) {
	keys, locks := map[catalog.Kind]map[string]bool{}, map[catalog.Kind]store.Lock{}
	note := func(kind catalog.Kind, key string) {
		if keys[kind] == nil {
			keys[kind] = map[string]bool{}
		}
		keys[kind][key] = true
	}
	for _, it := range items {
		note(it.entity.Kind(), it.entity.Key())
		locks[it.entity.Kind()] = store.ForChange
		for _, r := range it.references {
			note(r.Kind, r.Key)
		}
	}
	if len(keys[catalog.KindEvent]) > 0 {
		owners, err := store.OwnersOfVenues(ctx, tx, slices.Collect(maps.Keys(keys[catalog.KindVenue])))
		if err != nil {
			return nil, err
		}
		for _, owner := range owners {
			note(catalog.KindOrganization, owner)
		}
	}
	held := locked{}
	for _, kind := range catalog.Kinds {
		if len(keys[kind]) == 0 {
			continue
		}
		exist, err := store.LockRows(ctx, tx, kind, locks[kind], slices.Collect(maps.Keys(keys[kind])))
		if err != nil {
			return nil, err
		}
		for _, key := range exist {
			held[identity{kind, key}] = true
		}
	}
	return held, nil
}
