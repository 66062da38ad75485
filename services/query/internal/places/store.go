package places

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"litfass/pkg/document"
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

// Signal tells whether the index may have changed: not between two equal marks that are both alive.
type Signal interface {
	Mark() (mark uint64, alive bool)
}

const (
	// recheck is how old a map may be while no signal is heard.
	recheck = time.Second
	// reading is how long reading a map may take. It goes on when the request that began it gives up.
	reading = 15 * time.Second
)

// Store holds the present map and renews it when it is asked for and the index has changed meanwhile. Two small questions
// tell whether it was venues or regions that changed; mostly it is neither.
type Store struct {
	source Source
	signal Signal
	log    *slog.Logger

	current atomic.Pointer[state]
	flight  singleflight.Group
}

// state is a map with what it was made of and when.
type state struct {
	places *Map
	begun  time.Time // before the versions were asked for
	mark   uint64    // heard before begun
	alive  bool

	venuesVersion, regionsVersion string
	venues                        []Venue
	areas                         map[params.Region]area
}

// NewStore returns a store that has read nothing yet.
func NewStore(source Source, signal Signal, log *slog.Logger) *Store {
	return &Store{source: source, signal: signal, log: log}
}

// Map returns a map that is not older than the signal heard last; without a signal, than a second. The error is the
// source's, or the context's.
func (s *Store) Map(ctx context.Context) (*Map, error) {
	want := s.want()
	for {
		if now := s.current.Load(); want.metBy(now) {
			return now.places, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case result := <-s.flight.DoChan("", s.renew):
			if result.Err != nil {
				return nil, result.Err
			}
		}
	}
}

// Allowed returns the venues that lie in the query's circle and in its region; see Map.Allowed. Only a query with either
// needs the map. The errors are those of Map.
func (s *Store) Allowed(ctx context.Context, circle *params.Circle, name *params.Region) (filter.Places, error) {
	if circle == nil && name == nil {
		return filter.Places{}, nil
	}
	m, err := s.Map(ctx)
	if err != nil {
		return filter.Places{}, err
	}
	return m.Allowed(circle, name), nil
}

// wanted is how fresh a map must be.
type wanted struct {
	now   time.Time
	mark  uint64
	alive bool
}

func (s *Store) want() wanted {
	mark, alive := s.signal.Mark()
	return wanted{now: time.Now(), mark: mark, alive: alive}
}

func (w wanted) metBy(s *state) bool {
	switch {
	case s == nil:
		return false
	case !s.begun.Before(w.now): // read since it was asked for
		return true
	case w.alive:
		return s.alive && s.mark >= w.mark
	default:
		return w.now.Sub(s.begun) < recheck
	}
}

// renew makes and keeps a new state. The map stays the same when neither venues nor regions changed.
func (s *Store) renew() (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), reading)
	defer cancel()
	last := s.current.Load()
	if last == nil {
		last = &state{}
	}
	next := *last
	want := s.want()
	next.begun, next.mark, next.alive = want.now, want.mark, want.alive
	if err := s.read(ctx, &next); err != nil {
		return nil, err
	}
	if next.places == nil || next.venuesVersion != last.venuesVersion || next.regionsVersion != last.regionsVersion {
		next.places = newMap(next.venues, next.areas)
	}
	s.current.Store(&next)
	return nil, nil
}

// read brings venues and areas up to date. A version is asked for before what it stands for, so that a change in between
// is read again and never missed.
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
