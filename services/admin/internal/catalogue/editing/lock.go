package editing

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// locked are the entities that exist and may be referred to, with the versions at which the
// transaction has locked them, 0 for those that it has written.
type locked map[identity]int64

func (held locked) has(id identity) bool {
	_, exists := held[id]
	return exists
}

// lockAll locks, kind by kind and in the order of the keys, every entity and its references.
// References are locked because a concurrent change of one and this change must see each other: the
// one that commits second enqueues the views of both. So are the organizations of the venues that
// events use: an event makes them public. The order prevents deadlocks.
func lockAll(ctx context.Context, tx pgx.Tx, items []*item) (locked, error) {
	keys, locks := map[rules.Kind]map[string]bool{}, map[rules.Kind]store.Lock{}
	note := func(kind rules.Kind, key string) {
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
	if len(keys[rules.KindEvent]) > 0 {
		owners, err := store.OwnersOfVenues(ctx, tx, slices.Collect(maps.Keys(keys[rules.KindVenue])))
		if err != nil {
			return nil, err
		}
		for _, owner := range owners {
			note(rules.KindOrganization, owner)
		}
	}
	var lists []store.Rows
	for _, kind := range rules.Kinds {
		if len(keys[kind]) > 0 {
			lists = append(lists, store.Rows{Kind: kind, Lock: locks[kind], Keys: slices.Collect(maps.Keys(keys[kind]))})
		}
	}
	held := locked{}
	err := store.LockRows(ctx, tx, lists, func(kind rules.Kind, key string, version int64) {
		held[identity{kind, key}] = version
	})
	return held, err
}
