package search

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

const (
	// mostSpellings and longestSpelling bound the memory of what is remembered to some 10 MB.
	mostSpellings   = 8_192
	longestSpelling = 1 << 10
)

// Spelling is how a query is written: the query string of a GET, and the day that it calls today.
// The zero Spelling is that of a query which comes from elsewhere.
type Spelling struct {
	Raw   string
	Today params.Day
}

// spellings remembers which answers spellings ask for, so that a query whose answer is kept need
// not be read. It remembers no answers: whether one is still kept, the cache says. What is asked
// for once cannot drive out what is asked for often.
type spellings struct {
	known *lru.TwoQueueCache[spelled, meaning]
}

// spelled is a spelling for an operation.
type spelled struct{ kind, raw string }

// meaning is what a spelling means as long as it is the same day, and the same places are there.
type meaning struct {
	today  params.Day
	places uint64 // version of the map of places that it was compiled with; 0: it needs none
	key    fresh.Key
}

func newSpellings() spellings {
	known, err := lru.New2Q[spelled, meaning](mostSpellings)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return spellings{known}
}

func (s spellings) remember(kind string, as Spelling, places uint64, key fresh.Key) {
	if as.Today != 0 && len(as.Raw) <= longestSpelling {
		s.known.Add(spelled{kind, as.Raw}, meaning{today: as.Today, places: places, key: key})
	}
}

// again returns the kept answer to a query by its spelling; ok is false when the query must be
// read.
func again[K fresh.Kept](ctx context.Context, s *Searcher, kind string, as Spelling) (answer K, ok bool) {
	if len(as.Raw) > longestSpelling {
		return answer, false
	}
	m, known := s.spellings.known.Get(spelled{kind, as.Raw})
	if !known || m.today != as.Today || !s.sameMap(ctx, m.places) {
		return answer, false
	}
	return fresh.Again[K](s.kept, kind, m.key)
}

// sameMap reports whether a version of the map of places is the present one.
func (s *Searcher) sameMap(ctx context.Context, version uint64) bool {
	if version == 0 {
		return true
	}
	present, err := s.places.Map(ctx)
	return err == nil && present.Version() == version
}

// EventsAgain returns the payload of the event search if it is kept and known by its spelling; ok
// is false when the query must be read.
func (s *Searcher) EventsAgain(ctx context.Context, as Spelling) (payload encoded.Payload, ok bool) {
	kept, ok := again[*listing](ctx, s, "events", as)
	if !ok || kept.isEmpty() { // an empty page has hints, which are kept apart
		return encoded.Payload{}, false
	}
	return kept.payload, true
}

// SummaryAgain is EventsAgain for the type summary.
func (s *Searcher) SummaryAgain(ctx context.Context, as Spelling) (payload encoded.Payload, ok bool) {
	kept, ok := again[*tally](ctx, s, "summary", as)
	if !ok {
		return encoded.Payload{}, false
	}
	payload, err := kept.payload()
	return payload, err == nil
}
