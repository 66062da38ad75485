package stale

// history has the first version of an entity and the results of its edits. The edits of one entity
// follow one another: only the last may be without a position.
type history[T any] struct {
	versions []version[T]
}

type version[T any] struct {
	value    *T
	position uint64
	answered bool // the position is known
}

// of returns a history without edits. Its version holds at every position.
func of[T any](value *T) *history[T] {
	return &history[T]{[]version[T]{{value: value, answered: true}}}
}

// last returns the version of the entity after all edits.
func (h *history[T]) last() *T { return h.versions[len(h.versions)-1].value }

// begin adds an edit that is about to be sent.
func (h *history[T]) begin(value *T) {
	h.versions = append(h.versions, version[T]{value: value})
}

// end notes the position of the last edit.
func (h *history[T]) end(position uint64) {
	last := &h.versions[len(h.versions)-1]
	last.position, last.answered = position, true
}

// at returns the versions that an answer of a position may show: the version of the last edit up to
// the position, and all later ones.
func (h *history[T]) at(position uint64) []*T {
	first := len(h.versions) - 1
	for !h.versions[first].answered || h.versions[first].position > position {
		first--
	}
	values := make([]*T, 0, len(h.versions)-first)
	for _, v := range h.versions[first:] {
		values = append(values, v.value)
	}
	return values
}
