package search

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/fresh"
)

// tally is counts of dates as they are kept: how many are found in all, and how many have which
// values. The type summary and facets are made of it.
type tally struct {
	found
	total int
	// grouped says that total counts events. Whether an event is counted still when one of its dates
	// goes, only the engine knows.
	grouped bool
	parts   []part
	// records are the indexes whose records are shown beside the counts.
	records []string
	// version is the one of the index that was counted; "" when it is not known.
	version string
	// write returns the text of the payload.
	write func(*tally) ([]byte, error)

	once    sync.Once
	encoded encoded.Payload
	err     error
}

// part is the counts of the dates that are found by an expression of its own.
type part struct {
	found
	name       string   // of the dimension
	attributes []string // what is counted by
	counts     []map[string]int
	names      map[string]string // of the values, where they cannot be known of other ones
}

// tallyBytes is what a count in a tally costs, about, with its text in all forms of the payload.
const tallyBytes = 48

// Size counts the counts, the payload, and the expressions.
func (t *tally) Size() int {
	size := t.bytes
	for _, p := range t.parts {
		size += p.bytes
		for _, counts := range p.counts {
			for value := range counts {
				size += 2*tallyBytes + 3*len(value) + len(p.names[value])
			}
		}
	}
	return size
}

// payload returns the payload of what the counts are asked for.
func (t *tally) payload() (encoded.Payload, error) {
	t.once.Do(func() {
		data, err := t.write(t)
		if err != nil {
			t.err = err
			return
		}
		t.encoded = encoded.NewPayload(data)
	})
	return t.encoded, t.err
}

// After returns the tally with the dates of the batch counted anew, or nil when the index must be
// asked: a search by words does not know what it finds, and of a tally that was counted while a
// batch was being written it is not known what it holds.
func (t *tally) After(batch *delta.Batch) fresh.Kept {
	if batch.All || slices.ContainsFunc(t.records, batch.Touches) {
		return nil
	}
	if t.version != "" && t.version == batch.After {
		return t // it was counted after the batch
	}
	adjusted, differs := t.with(batch)
	exact := t.version != "" && t.version == batch.Before && batch.After != "" && len(t.words) == 0
	switch {
	case exact && adjusted != nil:
		adjusted.version = batch.After
		return adjusted
	case differs:
		return nil
	default:
		return t
	}
}

// with returns the tally with the dates of a batch counted anew, nil when that cannot be done;
// differs is false when no count can be another one.
func (t *tally) with(batch *delta.Batch) (adjusted *tally, differs bool) {
	adjusted = &tally{
		found: t.found, total: t.total, grouped: t.grouped, parts: slices.Clone(t.parts), records: t.records,
		version: t.version, write: t.write,
	}
	own := make([]bool, len(t.parts))
	for i := range batch.Dates {
		d := &batch.Dates[i]
		if by, comes := t.comes(d); comes {
			if t.grouped {
				return nil, true
			}
			adjusted.total += by
			differs = true
		}
		for n := range adjusted.parts {
			p := &adjusted.parts[n]
			was, is := p.find(d.Before), p.find(d.After)
			if (!was && !is) || (was && is && p.unmoved(d) && p.sameValues(d)) {
				continue
			}
			if differs = true; p.names != nil {
				return nil, true
			}
			if !own[n] {
				own[n], p.counts = true, copied(p.counts)
			}
			p.count(d, was, is)
		}
	}
	return adjusted, differs
}

// comes reports whether a batch makes a date one that is found, or no longer one, or perhaps one by
// other words; by is how many more are found then.
func (t *tally) comes(d *delta.Date) (by int, comes bool) {
	was, is := t.find(d.Before), t.find(d.After)
	switch {
	case is && !was:
		return 1, true
	case was && !is:
		return -1, true
	default:
		return 0, was && !t.unmoved(d)
	}
}

// copied returns a copy of counts, none of them nil, which they are where the engine counted
// nothing.
func copied(counts []map[string]int) []map[string]int {
	own := make([]map[string]int, len(counts))
	for i, c := range counts {
		own[i] = make(map[string]int, len(c)+1)
		maps.Copy(own[i], c)
	}
	return own
}

// count takes a date out of the counts and adds it as it is now.
func (p *part) count(d *delta.Date, was, is bool) {
	for i, attribute := range p.attributes {
		if was {
			add(p.counts[i], valuesOf(d.Before, attribute), -1)
		}
		if is {
			add(p.counts[i], valuesOf(d.After, attribute), 1)
		}
	}
}

func add(counts map[string]int, values []string, by int) {
	for _, value := range values {
		if counts[value] += by; counts[value] == 0 {
			delete(counts, value)
		}
	}
}

func (p *part) sameValues(d *delta.Date) bool {
	return !slices.ContainsFunc(p.attributes, func(attribute string) bool {
		return !slices.Equal(valuesOf(d.Before, attribute), valuesOf(d.After, attribute))
	})
}

// valuesOf returns an attribute's values as the engine names them in counts.
func valuesOf(d *delta.Document, attribute string) []string {
	value := d.Value(attribute)
	if value == nil {
		return nil
	}
	values := slices.Clone(value.Texts)
	for _, n := range value.Numbers {
		values = append(values, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return values
}
