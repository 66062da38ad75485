package places

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Source reads the data of a map.
type Source interface {
	// Version returns a text that differs after every change of the index.
	Version(ctx context.Context, index string) (string, error)
	// Venues returns the public venues that have a point.
	Venues(ctx context.Context) ([]Venue, error)
	// Regions returns the GeoJSON geometry of every region.
	Regions(ctx context.Context) (map[params.Region][]byte, error)
}

// sourceTimeout bounds one question to a Source.
const sourceTimeout = 15 * time.Second

// Store holds the current map and renews it on demand after a change of the index. Two cheap
// questions find out whether venues or regions changed; mostly neither did.
type Store struct {
	source Source
	log    *slog.Logger
	places *cache.Value[*Map]
	last   state // of the last reading; there is never more than one at a time
}

// state is a map with the data that it was made of.
type state struct {
	places *Map

	venuesVersion, regionsVersion string
	venues                        []Venue
	areas                         map[params.Region]area
}

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time, log *slog.Logger) *Store {
	s := &Store{source: source, log: log}
	s.places = cache.NewValue(signal, now, engine.Upkeep(s.renew), document.Venues, document.Regions)
	return s
}

// Map returns a map that is not older than the signal heard last; without a signal, than a second.
// The error is the source's, or the context's.
func (s *Store) Map(ctx context.Context) (*Map, error) { return s.places.Get(ctx) }

// Allowed returns the venues in the query's circle and region; see Map.Allowed. Only a query with
// either needs the map. It returns the errors of Map.
func (s *Store) Allowed(ctx context.Context, q params.Query) (filter.Places, error) {
	m, err := s.For(ctx, q)
	if err != nil {
		return filter.Places{}, err
	}
	return m.Allowed(q.Circle, q.Region), nil
}

// For returns the map for a query, nil if it needs none. It returns the errors of Map.
func (s *Store) For(ctx context.Context, q params.Query) (*Map, error) {
	if q.Circle == nil && q.Region == nil {
		return nil, nil
	}
	return s.Map(ctx)
}

// renew makes a new state. The map stays the same if neither venues nor regions changed.
func (s *Store) renew(ctx context.Context) (*Map, error) {
	next := s.last
	if err := s.read(ctx, &next); err != nil {
		return nil, err
	}
	if next.places == nil || next.venuesVersion != s.last.venuesVersion || next.regionsVersion != s.last.regionsVersion {
		next.places = newMap(next.venues, next.areas)
		next.places.version = s.last.places.Version() + 1
	}
	s.last = next
	return next.places, nil
}

// read updates venues and areas. It reads a version before the data, so that a change in between is
// read twice and never missed.
func (s *Store) read(ctx context.Context, next *state) error {
	version, err := s.source.Version(ctx, document.Venues)
	if err == nil && version != next.venuesVersion {
		next.venues, err = s.source.Venues(ctx)
		next.venuesVersion = version
	}
	if err != nil {
		return fmt.Errorf("read the places of venues: %w", err)
	}
	version, err = s.source.Version(ctx, document.Regions)
	if err == nil && version != next.regionsVersion {
		next.areas, err = s.regions(ctx)
		next.regionsVersion = version
	}
	if err != nil {
		return fmt.Errorf("read regions: %w", err)
	}
	return nil
}

func (s *Store) regions(ctx context.Context) (map[params.Region]area, error) {
	geometries, err := s.source.Regions(ctx)
	if err != nil {
		return nil, err
	}
	areas, unreadable := parseRegions(geometries)
	for name, err := range unreadable {
		s.log.Error("a region has no readable geometry and finds nothing", "region", name, "error", err)
	}
	return areas, nil
}
