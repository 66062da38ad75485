package changes

import (
	"cmp"
	"slices"

	"litfass/pkg/contracts/change"
)

// collector collects what became of entities, each once.
type collector struct {
	filter Filter
	count  int // of items
	of     map[entityKey]*became
	order  []*became // as they changed first
}

type entityKey struct {
	kind change.Kind
	id   string
}

// became is an entity before its first change and after its last one.
type became struct {
	before, after *entity
	last          uint64 // sequence of its last change
	items         []Item
}

func newCollector(f Filter) *collector { return &collector{filter: f, of: map[entityKey]*became{}} }

// add adds a change. It is ErrBeginAgain when what it means cannot be known.
func (c *collector) add(one *published) error {
	if c.filter.outdatedBy(one) {
		return ErrBeginAgain
	}
	if !c.filter.follows(one.kind) {
		return nil
	}
	key := entityKey{one.kind, one.id}
	b := c.of[key]
	if b == nil {
		b = &became{before: one.before}
		c.of[key] = b
		c.order = append(c.order, b)
	}
	b.after, b.last = one.after, one.sequence
	items, err := c.filter.items(b.before, b.after)
	if err != nil {
		return ErrBeginAgain
	}
	c.count += len(items) - len(b.items)
	b.items = items
	return nil
}

// items returns all items in the order of the last changes.
func (c *collector) items() []Item {
	all := make([]Item, 0, c.count)
	slices.SortFunc(c.order, func(a, b *became) int { return cmp.Compare(a.last, b.last) })
	for _, b := range c.order {
		all = append(all, b.items...)
	}
	return all
}
