package editing

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// lockSet holds the existing entities that a transaction has locked, each with the version at which
// it was locked, or 0 once the transaction has written it.
type lockSet map[identity]int64

func (l lockSet) has(id identity) bool {
	_, exists := l[id]
	return exists
}

// lockAll locks every entity and its references, kind by kind and in the order of the keys, which
// prevents deadlocks. References are locked because a concurrent change of one and this change must
// see each other: the one that commits second enqueues the views of both. So are the organizations
// of the venues that events use: an event makes them public.
func lockAll(ctx context.Context, tx pgx.Tx, items []*item) (lockSet, error) {
	keys, modes := map[rules.Kind]map[string]bool{}, map[rules.Kind]store.Lock{}
	note := func(kind rules.Kind, key string) {
		if keys[kind] == nil {
			keys[kind] = map[string]bool{}
		}
		keys[kind][key] = true
	}
	for _, it := range items {
		note(it.entity.Kind(), it.entity.Key())
		modes[it.entity.Kind()] = store.ForChange
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
			lists = append(lists, store.Rows{Kind: kind, Lock: modes[kind], Keys: slices.Collect(maps.Keys(keys[kind]))})
		}
	}
	locks := lockSet{}
	err := store.LockRows(ctx, tx, lists, func(kind rules.Kind, key string, version int64) {
		locks[identity{kind, key}] = version
	})
	return locks, err
}
