package cache

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// maxSilentAge is the maximum age of a value while the signal is silent.
	maxSilentAge = time.Second
	// maxValueAge is the maximum age of a value of an index without changes. It covers writes that no
	// signal reports, such as one that bypasses the projector.
	maxValueAge = time.Minute
	// valueTimeout bounds one load of a value.
	valueTimeout = 15 * time.Second
)

// Value caches one value that many requests need. It is safe for concurrent use; what it returns is
// shared and must not be modified.
type Value[T any] struct {
	signal  *Signal
	indexes []string
	now     func() time.Time
	load    func(ctx context.Context) (T, error)

	cached atomic.Pointer[cachedValue[T]]
	flight flight[*cachedValue[T]]
}

// cachedValue is a value with the moment before its load.
type cachedValue[T any] struct {
	moment
	value T
}

// moment is a point in time with the state of the signal.
type moment struct {
	at         time.Time
	generation uint64
	alive      bool
	position   uint64 // up to which a value loaded now is complete
}

// NewValue returns a value that load reads from these indexes of records on first use. now is the
// clock, time.Now outside of tests.
func NewValue[T any](
	signal *Signal, now func() time.Time, load func(ctx context.Context) (T, error), indexes ...string,
) *Value[T] {
	return &Value[T]{
		signal: signal, indexes: indexes, now: now, load: load,
		flight: flight[*cachedValue[T]]{timeout: valueTimeout},
	}
}

// Get returns a value that is not older than the last signal; in silence, not older than a second.
// Concurrent callers share one load. The error is load's, or the context's.
func (v *Value[T]) Get(ctx context.Context) (T, error) {
	request, least := v.moment(), minPosition(ctx)
	for {
		if l := v.cached.Load(); v.serves(l, request, least) {
			if !l.current(request) {
				lowerPosition(ctx, l.position)
			}
			return l.value, nil
		}
		if _, err := v.flight.do(ctx, "", func(ctx context.Context) (*cachedValue[T], error) {
			return v.reload(ctx, request, least)
		}); err != nil {
			var none T
			return none, err
		}
	}
}

func (v *Value[T]) moment() moment {
	m := moment{at: v.now(), position: v.signal.Position()} // before the generation: it must not promise more
	m.generation, m.alive = v.signal.generation(v.indexes...)
	return m
}

// serves reports whether a value is fresh enough for a request of a moment that needs it to be
// complete up to a position.
func (v *Value[T]) serves(l *cachedValue[T], request moment, least uint64) bool {
	if l == nil {
		return false
	}
	age := request.at.Sub(l.at)
	switch {
	case age <= 0: // loaded since the request arrived
		return true
	case l.position < least && !l.current(request):
		return false
	case !request.alive:
		return age < maxSilentAge
	default:
		return l.current(request) && age < maxValueAge
	}
}

// current reports whether the indexes did not change between the load and a later moment.
func (l *cachedValue[T]) current(request moment) bool {
	return l.alive && request.alive && l.generation >= request.generation
}

// reload loads and caches a value, unless another load ended since the request looked. It notes the
// moment first: a change during the load makes the value outdated at once.
func (v *Value[T]) reload(ctx context.Context, request moment, least uint64) (*cachedValue[T], error) {
	if l := v.cached.Load(); v.serves(l, request, least) {
		return l, nil
	}
	next := &cachedValue[T]{moment: v.moment()}
	var err error
	if next.value, err = v.load(ctx); err != nil {
		return nil, err
	}
	v.cached.Store(next)
	return next, nil
}
