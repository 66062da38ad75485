// Package portals holds the portals of a read node in memory: what each of them selects, by its
// slug.
package portals

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Portal is what a portal selects, and how the public API shows it.
type Portal struct {
	View publicapi.Portal
	// Query is its filter; nil when it has none.
	Query            *params.Query
	Include, Exclude change.PortalSelection
}

// Set is the portals of one moment.
type Set struct {
	// Version is another number for each other content of a store, from 1.
	Version uint64
	bySlug  map[string]*Portal
}

// Of returns the portal of a slug. The error is an Invalid fault that names the parameter.
func (s *Set) Of(slug string) (*Portal, error) {
	if p := s.bySlug[slug]; p != nil {
		return p, nil
	}
	var violations fault.Violations
	violations.Add("portal", reason.UnknownReference(reason.WordPortal))
	return nil, violations.Err("invalid_parameters", "the request has parameters that are not valid")
}

// Find returns the portal of a slug, nil if there is none.
func (s *Set) Find(slug string) *Portal { return s.bySlug[slug] }

// Source reads the documents of all portals that exist.
type Source func(ctx context.Context) ([]document.Portal, error)

// Store holds the current portals and renews them on demand after a change of the index.
type Store struct {
	source Source
	log    *slog.Logger
	set    *cache.Value[*Set]
	last   *Set // of the last reading; there is never more than one at a time
	digest [sha256.Size]byte
}

// sourceTimeout bounds one question to the index.
const sourceTimeout = 15 * time.Second

// InIndex returns the portals in an engine's index.
func InIndex(e *engine.Engine) Source {
	e = e.Within(sourceTimeout)
	return func(ctx context.Context) ([]document.Portal, error) {
		existing, _ := filter.Compile(filter.Existing())
		return engine.Documents[document.Portal](ctx, e, document.Portals, existing, []string{"id", "revision", "view", "selects"})
	}
}

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time, log *slog.Logger) *Store {
	s := &Store{source: source, log: log}
	s.set = cache.NewValue(signal, now, engine.Upkeep(s.renew), document.Portals)
	return s
}

// Current returns portals that are not older than the signal heard last; without a signal, than a
// second. The error is the source's, or the context's.
func (s *Store) Current(ctx context.Context) (*Set, error) { return s.set.Get(ctx) }

// renew reads the portals. The set stays the same if none changed.
func (s *Store) renew(ctx context.Context) (*Set, error) {
	documents, err := s.source(ctx)
	if err != nil {
		return nil, fmt.Errorf("read portals: %w", err)
	}
	// Where a slug passes from one portal to another, the later change has it.
	slices.SortFunc(documents, func(a, b document.Portal) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.ID, b.ID))
	})
	written, err := json.Marshal(documents)
	if err != nil {
		return nil, fmt.Errorf("digest portals: %w", err)
	}
	if digest := sha256.Sum256(written); s.last == nil || digest != s.digest {
		next := &Set{Version: 1, bySlug: make(map[string]*Portal, len(documents))}
		if s.last != nil {
			next.Version = s.last.Version + 1
		}
		for _, d := range documents {
			if d.View != nil {
				next.bySlug[d.View.Value.Slug] = s.read(d)
			}
		}
		s.last, s.digest = next, digest
	}
	return s.last, nil
}

// read returns the portal of a document. One with a filter that the search does not take selects
// nothing.
func (s *Store) read(d document.Portal) *Portal {
	selects := d.Selects.Value
	p := &Portal{View: d.View.Value, Include: selects.Include, Exclude: selects.Exclude}
	if string(selects.Filter) == "{}" {
		return p
	}
	q, err := params.Events.FromJSON(selects.Filter, 0)
	if err != nil {
		s.log.Error("a portal has a filter that the search does not take and selects nothing", "portal", p.View.Slug, "error", err)
		p.Include, p.Query = change.PortalSelection{}, &params.Query{EventUUIDs: []string{nothing}}
		return p
	}
	p.Query = &q
	return p
}

// nothing is the uuid of no event: not of version 7.
const nothing = "00000000-0000-0000-0000-000000000000"
