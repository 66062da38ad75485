package search

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

const (
	// maxAliases and maxAliasLength bound the memory of the aliases to some 10 MB.
	maxAliases     = 8_192
	maxAliasLength = 1 << 10
)

// QueryString is the query string of a GET, with the day that it calls today and the EndsAfter of
// its query. The zero value is that of a query from elsewhere.
type QueryString struct {
	Raw       string
	Today     params.Day
	EndsAfter int64
}

// aliases maps query strings to the keys of their answers, so that a query with a cached answer
// need not be parsed. Scans of many queries cannot evict the popular ones.
type aliases struct {
	known *lru.TwoQueueCache[alias, target]
}

// alias is a query string of an operation.
type alias struct{ kind, raw string }

// target is the key of an alias, valid on one day, until a date ends, and for one map of places and
// one set of portals and of lists.
type target struct {
	today     params.Day
	endsAfter int64
	places    uint64 // version of the map that it was compiled with; 0: of none
	portals   uint64 // version of the set of portals that it was compiled with; 0: of none
	lists     uint64 // version of the set of lists that it was compiled with; 0: of none
	key       cache.Key
	language  string // of the texts; "" for the original
}

func newAliases() aliases {
	known, err := lru.New2Q[alias, target](maxAliases)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return aliases{known}
}

func (a aliases) remember(kind string, from QueryString, selected selection, key cache.Key, language string) {
	if from.Today != 0 && len(from.Raw) <= maxAliasLength {
		a.known.Add(alias{kind, from.Raw}, target{
			today: from.Today, endsAfter: from.EndsAfter, places: selected.places, portals: selected.portals,
			lists: selected.lists, key: key, language: language,
		})
	}
}

// lookup returns the cached answer to a query string, and the language of its texts; ok is false
// when the query must be parsed.
func lookup[A cache.Answer](ctx context.Context, s *Searcher, kind string, from QueryString) (answer A, language string, ok bool) {
	if len(from.Raw) > maxAliasLength {
		return answer, "", false
	}
	t, known := s.aliases.known.Get(alias{kind, from.Raw})
	if !known || t.today != from.Today || t.endsAfter != from.EndsAfter {
		return answer, "", false
	}
	if t.places != 0 {
		if m, err := s.places.Map(ctx); err != nil || m.Version() != t.places {
			return answer, "", false
		}
	}
	if t.portals != 0 {
		if known, err := s.portals.Current(ctx); err != nil || known.Version != t.portals {
			return answer, "", false
		}
	}
	if t.lists != 0 {
		if known, err := s.lists.Current(ctx); err != nil || known.Version != t.lists {
			return answer, "", false
		}
	}
	answer, ok = cache.Lookup[A](s.cache, kind, t.key)
	return answer, t.language, ok
}

// CachedEvents returns the payload of the event search if it is cached and its query string known;
// ok is false when the query must be parsed.
func (s *Searcher) CachedEvents(ctx context.Context, from QueryString) (payload encoded.Payload, ok bool) {
	page, language, ok := lookup[*cache.Page](ctx, s, "events", from)
	if !ok || page.Empty() { // the hints of an empty page are cached separately
		return encoded.Payload{}, false
	}
	return page.PayloadIn(language), true
}

// CachedSummary is CachedEvents for the type summary.
func (s *Searcher) CachedSummary(ctx context.Context, from QueryString) (payload encoded.Payload, ok bool) {
	tally, _, ok := lookup[*cache.Tally](ctx, s, "summary", from)
	if !ok {
		return encoded.Payload{}, false
	}
	payload, err := tally.Payload()
	return payload, err == nil
}
