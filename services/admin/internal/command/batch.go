package command

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
)

// item is one entity on its way through a command.
type item struct {
	entity   Entity
	expected int64
	result   Result

	// Faults speak of an entity as it was given: an event's dates and images in their order before Event.Arrange.
	references    []catalog.Reference
	dates, images []string // the uuids
}

func (i *item) refuse(f *fault.Fault) { i.result = Result{Err: f} }

// check checks the entity by itself and brings it into its stored form.
func (i *item) check() error {
	if err := catalog.CheckValues(i.entity); err != nil {
		return err
	}
	i.references = catalog.References(i.entity)
	event, ok := i.entity.(*catalog.Event)
	if !ok {
		return nil
	}
	for _, date := range event.Dates {
		i.dates = append(i.dates, date.UUID)
	}
	for _, image := range event.Images {
		i.images = append(i.images, image.UUID)
	}
	event.Arrange()
	return nil
}

// identity names an entity within the catalogue.
type identity struct {
	kind catalog.Kind
	key  string
}

func (i *item) identity() identity { return identity{i.entity.Kind(), i.entity.Key()} }

// rounds splits items so that no entity appears twice in a round: its second appearance is saved after the first.
func rounds(items []*item) [][]*item {
	var split [][]*item
	seen := map[identity]int{}
	for _, it := range items {
		round := seen[it.identity()]
		seen[it.identity()]++
		if round == len(split) {
			split = append(split, nil)
		}
		split[round] = append(split[round], it)
	}
	return split
}

// batch saves the items of one round in one transaction.
type batch struct {
	tx    pgx.Tx
	known map[identity]bool // what exists and may be mentioned: the transaction has locked or written it
}

// saveRound saves items together. When the database refuses them, which it does without saying for whose sake, it saves
// them one by one.
func saveRound(ctx context.Context, tx pgx.Tx, items []*item) error {
	known, err := lockAll(ctx, tx, items)
	if err != nil {
		return err
	}
	b := &batch{tx: tx, known: known}
	refused, err := b.attempt(ctx, items)
	if err != nil || refused == nil {
		return err
	}
	for _, it := range items {
		refused, err := b.attempt(ctx, []*item{it})
		if err != nil {
			return err
		}
		if refused == nil {
			continue
		}
		it.refuse(refused)
		if err := explain(ctx, tx, it); err != nil {
			return err
		}
	}
	return nil
}

// attempt saves items behind a savepoint, to which it returns when they are refused.
func (b *batch) attempt(ctx context.Context, items []*item) (refused *fault.Fault, err error) {
	known := maps.Clone(b.known)
	err = pgx.BeginFunc(ctx, b.tx, func(tx pgx.Tx) error {
		inner := batch{tx: tx, known: known}
		for _, it := range items {
			it.result = Result{}
		}
		for _, save := range savers {
			if err := save(ctx, &inner, items); err != nil {
				return err
			}
		}
		return nil
	})
	if refused = refusal(err); refused != nil {
		return refused, nil
	}
	b.known = known
	return nil, err
}

// refusal returns the fault for which a write was refused, by a command or by the database, or nil.
func refusal(err error) *fault.Fault {
	if refused := postgres.Refusal(err); refused != nil {
		return refused
	}
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return fault.Of(err)
	}
	return nil
}

// lockAll locks, kind by kind and in the order of the keys, everything that is saved or mentioned, and returns what of it
// exists. What is only mentioned is locked too, because its change and this one must not miss each other: the one that
// comes second tells the read nodes of both. The order keeps two batches from waiting for each other in a circle.
func lockAll(ctx context.Context, tx pgx.Tx, items []*item) (known map[identity]bool, err error) {
	keys, locks := map[catalog.Kind]map[string]bool{}, map[catalog.Kind]postgres.Lock{}
	note := func(kind catalog.Kind, key string) {
		if keys[kind] == nil {
			keys[kind] = map[string]bool{}
		}
		keys[kind][key] = true
	}
	for _, it := range items {
		note(it.entity.Kind(), it.entity.Key())
		locks[it.entity.Kind()] = postgres.ForChange
		for _, r := range it.references {
			note(r.Kind, r.Key)
		}
	}
	known = map[identity]bool{}
	for _, kind := range catalog.Kinds {
		if len(keys[kind]) == 0 {
			continue
		}
		exist, err := postgres.LockRows(ctx, tx, kind, locks[kind], slices.Collect(maps.Keys(keys[kind])))
		if err != nil {
			return nil, err
		}
		for key := range exist {
			known[identity{kind, key}] = true
		}
	}
	return known, nil
}
