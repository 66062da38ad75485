package changes

import (
	"bytes"
	"cmp"
	"slices"

	"litfass/pkg/contracts/change"
)

// collector collects what became of entities, each once.
type collector struct {
	filter Filter
	count  int // of items
	work   int // documents that were made
	of     map[entityKey]*became
	order  []*became // as they changed first
}

type entityKey struct {
	kind change.Kind
	id   string
}

func newCollector(f Filter) *collector { return &collector{filter: f, of: map[entityKey]*became{}} }

// add adds a change. It is ErrBeginAgain when what it means cannot be known. made is how many
// documents were made of it, which it keeps.
func (c *collector) add(one *published) (made int, err error) {
	if c.filter.outdatedBy(one) {
		return 0, ErrBeginAgain
	}
	if !c.filter.follows(one.kind) {
		return 0, nil
	}
	defer func() { c.work += made }()
	key := entityKey{one.kind, one.id}
	b := c.of[key]
	if b == nil {
		from, of, err := c.filter.found(one.before)
		if made = of; err != nil {
			return made, ErrBeginAgain
		}
		b = &became{from: byUUID(from), to: from}
		c.of[key] = b
		c.order = append(c.order, b)
	}
	to, of, err := c.filter.found(one.after)
	if made += of; err != nil {
		return made, ErrBeginAgain
	}
	c.count -= len(b.altered)
	b.turn(to)
	c.count += len(b.altered)
	b.last = one.sequence
	return made, nil
}

// items returns all items in the order of the last changes.
func (c *collector) items() []Item {
	all := make([]Item, 0, c.count)
	slices.SortFunc(c.order, func(a, b *became) int { return cmp.Compare(a.last, b.last) })
	for _, b := range c.order {
		all = b.appendItems(all)
	}
	return all
}

// became is what the search shows of an entity before its first change and after its last one. An
// entry that differed in between is an item also if it is now as it was before: a reader who begins
// with a full read may have read it meanwhile.
type became struct {
	from    map[string]shown
	to      []shown
	altered []shown // in the state in which they differed first
	last    uint64  // sequence of the last change
}

// turn goes on to the next state.
func (b *became) turn(to []shown) {
	former := byUUID(b.to)
	for _, one := range to {
		if earlier, was := former[one.UUID]; !was || !one.equals(earlier) {
			b.alter(one)
		}
		delete(former, one.UUID)
	}
	for _, one := range b.to {
		if _, gone := former[one.UUID]; gone {
			b.alter(one)
		}
	}
	b.to = to
}

func (b *became) alter(one shown) {
	if !slices.ContainsFunc(b.altered, func(other shown) bool { return other.UUID == one.UUID }) {
		b.altered = append(b.altered, one)
	}
}

// appendItems appends an item for each altered entry, those that left last.
func (b *became) appendItems(items []Item) []Item {
	left := byUUID(b.altered)
	for _, one := range b.to {
		if _, altered := left[one.UUID]; !altered {
			continue
		}
		delete(left, one.UUID)
		one.Change = Entered
		if _, was := b.from[one.UUID]; was {
			one.Change = Changed
		}
		items = append(items, Item(one))
	}
	for _, one := range b.altered {
		if _, gone := left[one.UUID]; gone {
			items = append(items, Item{Change: Left, UUID: one.UUID, EventUUID: one.EventUUID})
		}
	}
	return items
}

// shown is an Item without its change.
type shown Item

func (s shown) equals(other shown) bool {
	return s.DateCount == other.DateCount && bytes.Equal(s.Entry, other.Entry)
}

func byUUID(all []shown) map[string]shown {
	of := make(map[string]shown, len(all))
	for _, one := range all {
		of[one.UUID] = one
	}
	return of
}
