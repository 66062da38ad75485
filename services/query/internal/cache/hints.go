package cache

import (
	"slices"

	"litfass/pkg/chassis/encoded"
)

// Hints is the payload of a search that finds nothing: alternatives that find something.
type Hints struct {
	encoded.Payload

	Search  Criteria   // finds nothing
	Relaxed []Criteria // each without one condition of the search
	// Unworded is the search without its words: its dates are where other spellings were looked up.
	// It is nil where there were no words.
	Unworded *Criteria
}

// Size returns the bytes of the payload and the criteria.
func (h *Hints) Size() int {
	size := h.Payload.Size() + h.Search.size
	for _, c := range h.Relaxed {
		size += c.size
	}
	return size
}

// Apply invalidates the hints if the search may find something, if a relaxed one may find another
// number of dates, or if the dates with other spellings changed.
func (h *Hints) Apply(batch *Batch) (Answer, Reason) {
	if batch.all {
		return nil, batch.reason
	}
	for i := range batch.changes {
		c := &batch.changes[i]
		if h.Search.mayCount(c) || slices.ContainsFunc(h.Relaxed, func(r Criteria) bool { return r.mayCount(c) }) {
			return nil, Counted
		}
		if h.Unworded != nil && (c.reworded || c.rendered) && (h.Unworded.mayFind(c.before) || h.Unworded.mayFind(c.after)) {
			return nil, Words
		}
	}
	return h, ""
}
