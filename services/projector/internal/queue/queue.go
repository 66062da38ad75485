// Package queue orders the changes that wait to be written: the work of one organization takes its
// turn, and never the place of another. It is a data structure without locks, clocks and engines.
//
// Changes wait in rings of lanes. A lane has the changes of one organization in their order, and
// the lanes of a ring take turns. Changes that take something back come before others, and large
// events, which are written in slices, wait in rings of their own.
package queue

// Item is a change that waits.
type Item[T any] struct {
	Key      string // of the entity
	Lane     string // of the organization
	Revision int64
	Weight   int  // bytes of its documents, about
	Held     int  // bytes that it holds in memory while it waits
	Urgent   bool // it takes something back
	Large    bool // it is written in slices
	Payload  T
}

// Queue are the changes that wait. The zero value is empty.
type Queue[T any] struct {
	waiting map[string]*entry[T]
	small   [2]ring[T] // urgent ones first
	large   [2]ring[T]
	held    int
}

// entry is an item in its lane; one without an item has left.
type entry[T any] struct {
	item *Item[T]
	in   *ring[T] // nil: it is parked
}

// Len returns the number of items that wait, parked ones included.
func (q *Queue[T]) Len() int { return len(q.waiting) }

// Held returns the bytes that they hold in memory.
func (q *Queue[T]) Held() int { return q.held }

// Add adds an item. Of two items of an entity only the newer one waits, in the place of the one
// before where that waits in the same ring; the other one is returned.
func (q *Queue[T]) Add(item Item[T]) (superseded *Item[T]) {
	if q.waiting == nil {
		q.waiting = map[string]*entry[T]{}
	}
	to := q.ringOf(&item)
	known := q.waiting[item.Key]
	if known != nil {
		if superseded = known.item; superseded.Revision > item.Revision {
			return &item
		}
		q.held += item.Held - superseded.Held
		if known.in == to && superseded.Lane == item.Lane {
			known.item = &item
			return superseded
		}
		known.leave()
	} else {
		q.held += item.Held
	}
	added := &entry[T]{item: &item}
	q.waiting[item.Key] = added
	to.add(added)
	return superseded
}

// Park adds an item that is not taken before a newer one of its entity comes, which supersedes it.
func (q *Queue[T]) Park(item Item[T]) {
	if q.waiting == nil {
		q.waiting = map[string]*entry[T]{}
	}
	if q.waiting[item.Key] == nil {
		q.held += item.Held
		q.waiting[item.Key] = &entry[T]{item: &item}
	}
}

// Waits returns the item of an entity that waits; nil for none.
func (q *Queue[T]) Waits(key string) *Item[T] {
	if known := q.waiting[key]; known != nil {
		return known.item
	}
	return nil
}

// Limits bound what is taken together. One item is always taken.
type Limits struct {
	Items, Weight int
}

// Small takes the next small items: at most half of the weight for urgent ones where others wait.
func (q *Queue[T]) Small(limits Limits) (taken []Item[T]) {
	urgent, weight := limits, 0
	if q.small[1].len() > 0 {
		urgent.Items, urgent.Weight = (limits.Items+1)/2, limits.Weight/2
	}
	for i, limits := range []Limits{urgent, limits} {
		for len(taken) < limits.Items && q.small[i].len() > 0 {
			next := q.small[i].first()
			if len(taken) > 0 && weight+next.Weight > limits.Weight {
				break
			}
			weight += next.Weight
			taken = append(taken, q.take(&q.small[i]))
		}
	}
	return taken
}

// Waiting returns the numbers of small items, and of large ones, urgent and not, that may be taken.
func (q *Queue[T]) Waiting() (small, urgent, large int) {
	return q.small[0].len() + q.small[1].len(), q.large[0].len(), q.large[1].len()
}

// Large takes the next large item, an urgent one or another; ok is false when none waits.
func (q *Queue[T]) Large(urgent bool) (taken Item[T], ok bool) {
	from := &q.large[place(urgent)]
	if from.len() == 0 {
		return taken, false
	}
	return q.take(from), true
}

func (q *Queue[T]) take(from *ring[T]) Item[T] {
	item := from.take()
	delete(q.waiting, item.Key)
	q.held -= item.Held
	return item
}

func (q *Queue[T]) ringOf(item *Item[T]) *ring[T] {
	if item.Large {
		return &q.large[place(item.Urgent)]
	}
	return &q.small[place(item.Urgent)]
}

func place(urgent bool) int {
	if urgent {
		return 0
	}
	return 1
}

// urgentInARow is the number of urgent slices before another one gets its turn.
const urgentInARow = 3

// Share decides between urgent slices and others. The zero value begins with an urgent one.
type Share struct{ row int }

// Urgent reports whether the next slice is an urgent one, where there are urgent ones, others, or
// both.
func (s *Share) Urgent(urgent, others bool) bool {
	if !urgent || others && s.row >= urgentInARow {
		s.row = 0
		return false
	}
	s.row++
	return true
}
