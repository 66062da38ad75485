package queue

// ring are lanes that take turns.
type ring[T any] struct {
	lanes map[string][]*entry[T]
	turns []string // lanes with entries, the next one first
	count int      // entries that have not left
}

func (r *ring[T]) len() int { return r.count }

func (r *ring[T]) add(e *entry[T]) {
	if r.lanes == nil {
		r.lanes = map[string][]*entry[T]{}
	}
	lane := e.item.Lane
	if len(r.lanes[lane]) == 0 {
		r.turns = append(r.turns, lane)
	}
	r.lanes[lane] = append(r.lanes[lane], e)
	e.in = r
	r.count++
}

// leave takes an entry out of its ring, where its place stays empty.
func (e *entry[T]) leave() {
	if e.in != nil {
		e.in.count--
	}
	e.in, e.item = nil, nil
}

// first returns the item that take would return. The ring must have one.
func (r *ring[T]) first() *Item[T] {
	for {
		lane := r.turns[0]
		if e := r.lanes[lane][0]; e.item != nil {
			return e.item
		}
		r.drop(false)
	}
}

// take removes the first item, and ends the turn of its lane.
func (r *ring[T]) take() Item[T] {
	item := *r.first()
	r.count--
	r.drop(true)
	return item
}

// drop removes the first entry of the lane whose turn it is; with turn, the next one has its turn.
func (r *ring[T]) drop(turn bool) {
	lane := r.turns[0]
	entries := r.lanes[lane]
	entries[0] = nil
	entries = entries[1:]
	switch {
	case len(entries) == 0:
		delete(r.lanes, lane)
		r.turns = r.turns[1:]
		return
	case turn:
		r.turns = append(r.turns[1:], lane)
	}
	r.lanes[lane] = entries
}
