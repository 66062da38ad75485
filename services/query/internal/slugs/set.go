package slugs

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"litfass/services/query/internal/params"
)

// Set is the rows of one moment.
type Set struct {
	// Version is another number for each other content of a store, from 1.
	Version uint64
	bySlug  map[string]*Row
	byID    []identified // in order

	mu      sync.Mutex
	ordered map[string][]placed // by language
}

// identified is a row with its own id, or that of one of its parts.
type identified struct {
	id  uuid.UUID
	row *Row
}

// placed is a row with its place in the order of names.
type placed struct {
	params.Place
	row *Row
}

// newSet returns the set of rows. Of equal slugs the last row has it.
func newSet(rows []*Row) *Set {
	s := &Set{Version: 1, bySlug: make(map[string]*Row, len(rows)), ordered: map[string][]placed{}}
	for _, row := range rows {
		s.bySlug[row.Slug] = row
	}
	for row := range s.All() {
		for _, text := range append([]string{row.UUID}, row.Parts...) {
			if id, err := uuid.Parse(text); err == nil {
				s.byID = append(s.byID, identified{id, row})
			}
		}
		row.Parts = nil // which byID has, in less memory
	}
	slices.SortFunc(s.byID, func(a, b identified) int { return slices.Compare(a.id[:], b.id[:]) })
	return s
}

// Find returns the row of a slug, nil if there is none.
func (s *Set) Find(slug string) *Row { return s.bySlug[slug] }

// Identified returns the row of a uuid, or of the uuid of a part; nil if there is none.
func (s *Set) Identified(text string) *Row {
	id, err := uuid.Parse(text)
	if err != nil {
		return nil
	}
	at, found := slices.BinarySearchFunc(s.byID, id, func(one identified, id uuid.UUID) int { return slices.Compare(one.id[:], id[:]) })
	if !found {
		return nil
	}
	return s.byID[at].row
}

// Len returns the number of rows.
func (s *Set) Len() int { return len(s.bySlug) }

// All returns the rows in no order.
func (s *Set) All() iter.Seq[*Row] { return maps.Values(s.bySlug) }

// After returns the rows that follow a place, nil for all, in the order of their names in a
// language, "" for the original, then of their slugs, each with its place.
func (s *Set) After(language string, after *params.Place) iter.Seq2[params.Place, *Row] {
	rows := s.in(language)
	if after != nil {
		at, found := slices.BinarySearchFunc(rows, *after, func(one placed, place params.Place) int { return one.Compare(place) })
		if found {
			at++
		}
		rows = rows[at:]
	}
	return func(yield func(params.Place, *Row) bool) {
		for _, one := range rows {
			if !yield(one.Place, one.row) {
				return
			}
		}
	}
}

// in returns the rows in the order of their names in a language. Orders are made once for a set.
func (s *Set) in(language string) []placed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rows, made := s.ordered[language]; made {
		return rows
	}
	rows := make([]placed, 0, len(s.bySlug))
	for row := range s.All() {
		rows = append(rows, placed{params.PlaceOf(row.Name(language), row.Slug), row})
	}
	slices.SortFunc(rows, func(a, b placed) int { return a.Compare(b.Place) })
	s.ordered[language] = rows
	return rows
}
