// Package curated holds the lists of a read node in memory: their entries, by their slugs.
package curated

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// List is a selection of events in the order of its editor.
type List struct {
	View      publicapi.List
	ChangedAt string // RFC 3339
	Entries   []change.ListEntry
	// Order is another text for each other order of other entries.
	Order string
	// Events and Dates are what the entries name.
	Events, Dates []string
	places        map[string]int // of the entries, by the uuids of their date or event
}

// Place returns the place of a date of an event in the list: the first of those that its own entry
// and that of its event have. ok is false if it has none.
func (l *List) Place(date, event string) (place int, ok bool) {
	own, isOwn := l.places[date]
	whole, isWhole := l.places[event]
	switch {
	case isOwn && isWhole:
		return min(own, whole), true
	case isOwn:
		return own, true
	default:
		return whole, isWhole
	}
}

// Set is the lists of one moment.
type Set struct {
	// Version is another number for each other content of a store, from 1.
	Version uint64
	bySlug  map[string]*List
}

// Of returns the list of a slug. The error is an Invalid fault that names the parameter.
func (s *Set) Of(slug string) (*List, error) {
	if l := s.bySlug[slug]; l != nil {
		return l, nil
	}
	var violations fault.Violations
	violations.Add("list", reason.UnknownReference(reason.WordList))
	return nil, violations.Err("invalid_parameters", "the request has parameters that are not valid")
}

// Find returns the list of a slug, nil if there is none.
func (s *Set) Find(slug string) *List { return s.bySlug[slug] }

// All returns the lists by name, then slug.
func (s *Set) All() []*List {
	all := make([]*List, 0, len(s.bySlug))
	for _, l := range s.bySlug {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *List) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.View.Name), strings.ToLower(b.View.Name)), cmp.Compare(a.View.Slug, b.View.Slug))
	})
	return all
}

// Source reads the documents of all lists that exist.
type Source func(ctx context.Context) ([]document.List, error)

// Store holds the current lists and renews them on demand after a change of the index.
type Store struct {
	source Source
	set    *cache.Value[*Set]
	last   *Set // of the last reading; there is never more than one at a time
	digest [sha256.Size]byte
}

// sourceTimeout bounds one question to the index.
const sourceTimeout = 15 * time.Second

// InIndex returns the lists in an engine's index.
func InIndex(e *engine.Engine) Source {
	e = e.Within(sourceTimeout)
	return func(ctx context.Context) ([]document.List, error) {
		existing, _ := filter.Compile(filter.Existing())
		attributes := []string{"id", "revision", "changed_at", "view", "entries"}
		return engine.Documents[document.List](ctx, e, document.Lists, existing, attributes)
	}
}

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time) *Store {
	s := &Store{source: source}
	s.set = cache.NewValue(signal, now, engine.Upkeep(s.renew), document.Lists)
	return s
}

// Current returns lists that are not older than the signal heard last; without a signal, than a
// second. The error is the source's, or the context's.
func (s *Store) Current(ctx context.Context) (*Set, error) { return s.set.Get(ctx) }

// renew reads the lists. The set stays the same if none changed.
func (s *Store) renew(ctx context.Context) (*Set, error) {
	documents, err := s.source(ctx)
	if err != nil {
		return nil, fmt.Errorf("read lists: %w", err)
	}
	// Where a slug passes from one list to another, the later change has it.
	slices.SortFunc(documents, func(a, b document.List) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.ID, b.ID))
	})
	written, err := json.Marshal(documents)
	if err != nil {
		return nil, fmt.Errorf("digest lists: %w", err)
	}
	if digest := sha256.Sum256(written); s.last == nil || digest != s.digest {
		next := &Set{Version: 1, bySlug: make(map[string]*List, len(documents))}
		if s.last != nil {
			next.Version = s.last.Version + 1
		}
		for _, d := range documents {
			if d.View != nil {
				next.bySlug[d.View.Value.Slug] = New(d)
			}
		}
		s.last, s.digest = next, digest
	}
	return s.last, nil
}

// New returns the list of a document that exists.
func New(d document.List) *List {
	l := &List{View: d.View.Value, ChangedAt: d.ChangedAt, Entries: d.Entries.Value, places: map[string]int{}}
	var order strings.Builder
	for place, entry := range l.Entries {
		uuid := entry.EventUUID
		if entry.DateUUID != "" {
			uuid = string(entry.DateUUID)
			l.Dates = append(l.Dates, uuid)
		} else {
			l.Events = append(l.Events, uuid)
		}
		if _, known := l.places[uuid]; !known {
			l.places[uuid] = place
		}
		order.WriteString(uuid)
	}
	l.Order = order.String()
	return l
}
