package cache

import "slices"

// Extent is the days of the dates of a search, such as 2026-11-20, and the number of these dates.
// Without dates it has no days; Last is also "" if one of the dates has no end.
type Extent struct {
	Criteria
	First, Last string
	Dates       int
}

// extentBytes is the memory of an extent without its criteria.
const extentBytes = 128

// Size returns the bytes of the criteria and the days.
func (e *Extent) Size() int { return extentBytes + e.size }

// Apply invalidates the extent if a date of the search comes, goes or changes otherwise than in its
// rendered entry.
func (e *Extent) Apply(batch *Batch) (Answer, Reason) {
	found := func(c Change) bool { return e.mayFind(c.before) || e.mayFind(c.after) }
	switch {
	case batch.all:
		return nil, batch.reason
	case slices.ContainsFunc(batch.found, found):
		return nil, Altered
	default:
		return e, ""
	}
}

func (e *Extent) compared(batch *Batch) int { return len(batch.found) }
