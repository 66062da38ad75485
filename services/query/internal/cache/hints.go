package cache

import (
	"slices"

	"litfass/pkg/chassis/encoded"
)

// Hints is the payload of a search that finds nothing: alternatives that find something.
type Hints struct {
	encoded.Payload

	Search  Criteria // finds nothing
	Relaxed []*Tally // each without one condition of the search
	// Unworded is the search without its words: its dates are where other spellings were looked up.
	// It is nil where there were no words.
	Unworded *Criteria
	// Encode returns the text of the payload of counts.
	Encode func(relaxed []*Tally) ([]byte, error)
}

// Size returns the bytes of the payload and the criteria.
func (h *Hints) Size() int {
	size := h.Payload.Size() + h.Search.size
	for _, t := range h.Relaxed {
		size += t.Size()
	}
	return size
}

// Apply patches the numbers of dates that relaxed searches find. It invalidates the hints if the
// search may find something, or if the dates with other spellings changed.
func (h *Hints) Apply(batch *Batch) (Answer, Reason) {
	if batch.all {
		return nil, batch.reason
	}
	changes := h.changes(batch)
	for i := range changes {
		c := &changes[i]
		if h.Search.mayCount(c) {
			return nil, Altered
		}
		if h.Unworded != nil && (c.reworded || c.rendered) && (h.Unworded.mayFind(c.before) || h.Unworded.mayFind(c.after)) {
			return nil, Words
		}
	}
	next := *h
	next.Relaxed = make([]*Tally, len(h.Relaxed))
	recounted := false
	for i, t := range h.Relaxed {
		relaxed, reason := t.Apply(batch)
		if relaxed == nil {
			return nil, reason
		}
		next.Relaxed[i], _ = relaxed.(*Tally)
		recounted = recounted || next.Relaxed[i].Total != t.Total
	}
	switch {
	case slices.Equal(next.Relaxed, h.Relaxed):
		return h, ""
	case !recounted:
		return &next, ""
	}
	data, err := h.Encode(next.Relaxed)
	if err != nil {
		return nil, Form
	}
	next.Payload = encoded.NewPayload(data)
	return &next, Patched
}

// changes returns the changes of a batch by which the search may find something, or words be
// spelled otherwise.
func (h *Hints) changes(batch *Batch) []Change {
	if h.Unworded == nil && !h.Search.reads(batch) {
		return nil
	}
	return batch.changes
}

func (h *Hints) compared(batch *Batch) int {
	count := len(h.changes(batch))
	for _, t := range h.Relaxed {
		count += t.compared(batch)
	}
	return count
}
