package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"litfass/pkg/encoded"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/fresh"
)

// tally is a type summary as it is kept: how many dates are found, in all and by genre and type.
type tally struct {
	found
	total         int
	genres, types map[int]int
	// version is the one of the index that was counted; "" when it is not known.
	version string

	once    sync.Once
	encoded encoded.Payload
	err     error
}

// tallyBytes is what a count in a tally costs, about, with its text in all forms of the payload.
const tallyBytes = 48

// Size counts the counts, the payload, and the expression.
func (t *tally) Size() int { return 2*tallyBytes*(len(t.genres)+len(t.types)) + t.bytes }

// payload returns the payload of the type summary: each list by descending count, then by id.
func (t *tally) payload() (encoded.Payload, error) {
	t.once.Do(func() {
		data, err := json.Marshal(summary{Genres: ordered(t.genres), Types: ordered(t.types), Total: t.total})
		if err != nil {
			t.err = fmt.Errorf("encode a summary: %w", err)
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
	if batch.All {
		return nil
	}
	if t.version != "" && t.version == batch.After {
		return t // it was counted after the batch
	}
	adjusted, differs := t.with(batch)
	exact := t.version != "" && t.version == batch.Before && batch.After != "" && len(t.words) == 0
	switch {
	case exact:
		adjusted.version = batch.After
		return adjusted
	case differs:
		return nil
	default:
		return t
	}
}

// with returns the tally with the dates of a batch counted anew; differs is false when no count can
// be another one.
func (t *tally) with(batch *delta.Batch) (adjusted *tally, differs bool) {
	adjusted = &tally{found: t.found, total: t.total, genres: t.genres, types: t.types, version: t.version}
	for i := range batch.Dates {
		d := &batch.Dates[i]
		was, is := t.find(d.Before), t.find(d.After)
		if (!was && !is) || (was && is && t.unmoved(d) && sameTypes(d.Before, d.After)) {
			continue
		}
		if !differs {
			differs = true
			adjusted.genres, adjusted.types = copied(t.genres), copied(t.types)
		}
		if was {
			adjusted.count(d.Before, -1)
		}
		if is {
			adjusted.count(d.After, 1)
		}
	}
	return adjusted, differs
}

// copied returns a copy of counts; never nil, which they are where the engine counted nothing.
func copied(counts map[int]int) map[int]int {
	own := make(map[int]int, len(counts)+1)
	maps.Copy(own, counts)
	return own
}

// count adds a date to the counts, or takes it out of them.
func (t *tally) count(d *delta.Document, by int) {
	t.total += by
	for _, list := range []struct {
		attribute string
		counts    map[int]int
	}{{"genre_ids", t.genres}, {"type_ids", t.types}} {
		for _, id := range ids(d, list.attribute) {
			if list.counts[id] += by; list.counts[id] == 0 {
				delete(list.counts, id)
			}
		}
	}
}

// ids returns an attribute's integers.
func ids(d *delta.Document, attribute string) []int {
	value := d.Value(attribute)
	if value == nil {
		return nil
	}
	list := make([]int, len(value.Numbers))
	for i, n := range value.Numbers {
		list[i] = int(n)
	}
	return list
}

func sameTypes(a, b *delta.Document) bool {
	return slices.Equal(ids(a, "genre_ids"), ids(b, "genre_ids")) && slices.Equal(ids(a, "type_ids"), ids(b, "type_ids"))
}
