// Package slugs holds all entities of an index in the memory of a read node, by their slugs.
package slugs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Kind is a kind of entities E whose documents are D.
type Kind[D, E any] struct {
	Index      string
	Attributes []string    // of documents
	Parameter  string      // of requests, that names a slug
	Word       reason.Word // for an entity
	// Identify returns what orders documents, and the slug; "" of one that does not exist.
	Identify func(d D) (revision int64, id, slug string)
}

// Source reads the documents of all entities that exist.
type Source[D any] func(ctx context.Context) ([]D, error)

// sourceTimeout bounds one question to the index.
const sourceTimeout = 15 * time.Second

// InIndex returns the documents in an engine's index.
func (k Kind[D, E]) InIndex(e *engine.Engine) Source[D] {
	e = e.Within(sourceTimeout)
	return func(ctx context.Context) ([]D, error) {
		existing, _ := filter.Compile(filter.Existing())
		return engine.Documents[D](ctx, e, k.Index, existing, k.Attributes)
	}
}

// Set is the entities of one moment.
type Set[E any] struct {
	// Version is another number for each other content of a store, from 1.
	Version uint64
	bySlug  map[string]*E
	unknown fault.Violations
}

// Of returns the entity of a slug. The error is an Invalid fault that names the parameter.
func (s *Set[E]) Of(slug string) (*E, error) {
	if one := s.bySlug[slug]; one != nil {
		return one, nil
	}
	return nil, s.unknown.Err("invalid_parameters", "the request has parameters that are not valid")
}

// Find returns the entity of a slug, nil if there is none.
func (s *Set[E]) Find(slug string) *E { return s.bySlug[slug] }

// All returns the entities in no order.
func (s *Set[E]) All() iter.Seq[*E] { return maps.Values(s.bySlug) }

// Store holds the current entities and renews them on demand after a change of the index.
type Store[E any] struct{ set *cache.Value[*Set[E]] }

// NewStore returns a store that has read nothing yet. read returns the entity of a document that
// exists. now is the clock, time.Now outside of tests.
func NewStore[D, E any](kind Kind[D, E], source Source[D], read func(D) *E, signal *cache.Signal, now func() time.Time) *Store[E] {
	r := &reader[D, E]{kind: kind, source: source, read: read}
	return &Store[E]{cache.NewValue(signal, now, engine.Upkeep(r.renew), kind.Index)}
}

// Current returns entities that are not older than the signal heard last; without a signal, than a
// second. The error is the source's, or the context's.
func (s *Store[E]) Current(ctx context.Context) (*Set[E], error) { return s.set.Get(ctx) }

// reader reads sets. There is never more than one reading at a time.
type reader[D, E any] struct {
	kind   Kind[D, E]
	source Source[D]
	read   func(D) *E
	last   *Set[E]
	digest [sha256.Size]byte
}

// renew reads the entities. The set stays the same if none changed.
func (r *reader[D, E]) renew(ctx context.Context) (*Set[E], error) {
	documents, err := r.source(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", r.kind.Index, err)
	}
	// Where a slug passes from one entity to another, the later change has it.
	slices.SortFunc(documents, func(a, b D) int {
		revision, id, _ := r.kind.Identify(a)
		other, otherID, _ := r.kind.Identify(b)
		return cmp.Or(cmp.Compare(revision, other), cmp.Compare(id, otherID))
	})
	written, err := json.Marshal(documents)
	if err != nil {
		return nil, fmt.Errorf("digest %s: %w", r.kind.Index, err)
	}
	if digest := sha256.Sum256(written); r.last == nil || digest != r.digest {
		next := &Set[E]{Version: 1, bySlug: make(map[string]*E, len(documents))}
		next.unknown.Add(r.kind.Parameter, reason.UnknownReference(r.kind.Word))
		if r.last != nil {
			next.Version = r.last.Version + 1
		}
		for _, d := range documents {
			if _, _, slug := r.kind.Identify(d); slug != "" {
				next.bySlug[slug] = r.read(d)
			}
		}
		r.last, r.digest = next, digest
	}
	return r.last, nil
}
