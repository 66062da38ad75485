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

// Source reads what a map is made of.
type Source interface {
	// Version returns a text that is another one after every change of the index.
	Version(ctx context.Context, index string) (string, error)
	// Venues returns the public venues that have a point.
	Venues(ctx context.Context) ([]Venue, error)
	// Regions returns the GeoJSON geometry of every region.
	Regions(ctx context.Context) (map[params.Region][]byte, error)
}

// reading is how long one question of a Source may take.
const reading = 15 * time.Second

// Store holds the present map and renews it when it is asked for and the index has changed
// meanwhile. Two small questions find out whether it was venues or regions that changed; mostly it
// is neither.
type Store struct {
	source Source
	log    *slog.Logger
	places *cache.Value[*Map]
	last   state // of the last reading; there is never more than one at a time
}

// state is a map with what it was made of.
type state struct {
	places *Map

	venuesVersion, regionsVersion string
	venues                        []Venue
	areas                         map[params.Region]area
}

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time, log *slog.Logger) *Store {
	s := &Store{source: source, log: log}
	s.places = cache.NewValue(signal, now, 0, engine.Upkeep(s.renew), document.Venues, document.Regions)
	return s
}

// Map returns a map that is not older than the signal heard last; without a signal, than a second.
// The error is the source's, or the context's.
func (s *Store) Map(ctx context.Context) (*Map, error) { return s.places.Get(ctx) }

// Allowed returns the venues that lie in the query's circle and in its region; see Map.Allowed.
// Only a query with either needs the map. The errors are those of Map.
func (s *Store) Allowed(ctx context.Context, q params.Query) (filter.Places, error) {
	m, err := s.For(ctx, q)
	if err != nil {
		return filter.Places{}, err
	}
	return m.Allowed(q.Circle, q.Region), nil
}

// For returns the map that a query needs, nil if it needs none. The errors are those of Map.
func (s *Store) For(ctx context.Context, q params.Query) (*Map, error) {
	if q.Circle == nil && q.Region == nil {
		return nil, nil
	}
	return s.Map(ctx)
}

// renew makes and keeps a new state. The map stays the same when neither venues nor regions
// changed.
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

// read brings venues and areas up to date. A version is asked for before what it stands for, so
// that a change in between is read again and never missed.
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
