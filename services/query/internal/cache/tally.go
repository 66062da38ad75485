package cache

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"litfass/pkg/chassis/encoded"
)

// Tally counts dates: all that are found, and for some attributes the dates with each value. It is
// the source of type summaries and facets, and a batch patches its counts.
type Tally struct {
	Criteria
	Total int
	// Grouped means that events are counted. Whether an event still counts when one of its dates goes,
	// only the engine knows.
	Grouped bool
	Facets  []Facet
	// Records are the indexes of the records that the payload also shows.
	Records []string
	// Version is the version of the index that was counted; "" when unknown.
	Version string
	// Encode returns the text of the payload.
	Encode func(*Tally) ([]byte, error)

	once    sync.Once
	payload encoded.Payload
	err     error
}

// Facet holds the counts of dates that are found by criteria of its own.
type Facet struct {
	Criteria
	Name       string
	Attributes []string
	Counts     []map[string]int  // by value, for each of the attributes
	Labels     map[string]string // names of the values, where only their records have them
}

// countBytes is the memory of a count with its text in all encodings of the payload, approximately.
const countBytes = 2 * 48

// Size returns the bytes of the counts, the payload and the criteria.
func (t *Tally) Size() int {
	size := t.size
	for _, f := range t.Facets {
		size += f.size
		for _, counts := range f.Counts {
			for value := range counts {
				size += countBytes + 3*len(value) + len(f.Labels[value])
			}
		}
	}
	return size
}

// Payload returns the payload that shows the counts. The error is that of Encode.
func (t *Tally) Payload() (encoded.Payload, error) {
	t.once.Do(func() {
		var data []byte
		if data, t.err = t.Encode(t); t.err == nil {
			t.payload = encoded.NewPayload(data)
		}
	})
	return t.payload, t.err
}

// Apply patches the counts. It invalidates them where only the engine can count: which dates words
// find, and whether counts that were read while a batch was written include it.
func (t *Tally) Apply(batch *Batch) (Answer, Reason) {
	switch {
	case batch.all:
		return nil, batch.reason
	case slices.ContainsFunc(t.Records, batch.touches):
		return nil, Written
	case t.Version != "" && t.Version == batch.after:
		return t, "" // counted after the batch
	}
	patched, differs := t.patch(batch)
	exact := t.Version != "" && t.Version == batch.before && batch.after != "" && len(t.words) == 0
	switch {
	case exact && patched != nil:
		patched.Version = batch.after
		return patched, ""
	case differs:
		return nil, Counted
	default:
		return t, ""
	}
}

// patch returns a copy with the changes of a batch counted, nil where that is not possible; differs
// is false when no count can differ.
func (t *Tally) patch(batch *Batch) (patched *Tally, differs bool) {
	patched = &Tally{
		Criteria: t.Criteria, Total: t.Total, Grouped: t.Grouped, Facets: slices.Clone(t.Facets), Records: t.Records,
		Version: t.Version, Encode: t.Encode,
	}
	copied := make([]bool, len(t.Facets))
	for i := range batch.changes {
		c := &batch.changes[i]
		if t.mayCount(c) {
			if t.Grouped {
				return nil, true
			}
			patched.Total += toInt(t.mayFind(c.after)) - toInt(t.mayFind(c.before))
			differs = true
		}
		for n := range patched.Facets {
			f := &patched.Facets[n]
			before, after := f.mayFind(c.before), f.mayFind(c.after)
			if (!before && !after) || (before && after && f.keepsRelevance(c) && f.sameValues(c)) {
				continue
			}
			if differs = true; t.Grouped || f.Labels != nil {
				return nil, true
			}
			if !copied[n] {
				copied[n], f.Counts = true, cloned(f.Counts)
			}
			f.count(c, before, after)
		}
	}
	return patched, differs
}

func toInt(found bool) int {
	if found {
		return 1
	}
	return 0
}

// cloned returns a copy of counts without nil maps, which the engine returns where it counted
// nothing.
func cloned(counts []map[string]int) []map[string]int {
	clones := make([]map[string]int, len(counts))
	for i, c := range counts {
		clones[i] = make(map[string]int, len(c)+1)
		maps.Copy(clones[i], c)
	}
	return clones
}

// count removes a date from the counts and adds it as it is after the change.
func (f *Facet) count(c *Change, before, after bool) {
	for i, name := range f.Attributes {
		if before {
			add(f.Counts[i], facetValues(c.before, name), -1)
		}
		if after {
			add(f.Counts[i], facetValues(c.after, name), 1)
		}
	}
}

func add(counts map[string]int, values []string, n int) {
	for _, value := range values {
		if counts[value] += n; counts[value] == 0 {
			delete(counts, value)
		}
	}
}

func (f *Facet) sameValues(c *Change) bool {
	return !slices.ContainsFunc(f.Attributes, func(name string) bool {
		return !slices.Equal(facetValues(c.before, name), facetValues(c.after, name))
	})
}

// facetValues returns the values of an attribute as the engine writes them in its counts.
func facetValues(d *Document, name string) []string {
	texts, numbers, _ := d.Values(name)
	values := slices.Clone(texts)
	for _, n := range numbers {
		values = append(values, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return values
}
