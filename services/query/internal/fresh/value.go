package fresh

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// unheard is how old a value may be while the signal is silent.
	unheard = time.Second
	// oldest bounds the age of what is kept although the signal says that nothing changed: for what
	// no signal says, such as a document that was written behind the projector's back.
	oldest = time.Minute
	// reading bounds one reading of a value.
	reading = 15 * time.Second
)

// Value keeps one value. It is safe for concurrent use; what it returns is shared and must not be
// changed.
type Value[T any] struct {
	signal  *Signal
	indexes []string
	now     func() time.Time
	slack   time.Duration
	load    func(ctx context.Context) (T, error)

	kept   atomic.Pointer[kept[T]]
	flight flight[*kept[T]]
}

// kept is a value with the moment before it was read.
type kept[T any] struct {
	moment
	value T
}

// moment is a time with what the signal said then.
type moment struct {
	at    time.Time
	mark  uint64
	alive bool
	// position is that up to which a value read now is complete, and least the one up to which the
	// request that asks now needs it.
	position, least uint64
}

// NewValue returns a value that load reads from these indexes of records when it is first asked
// for. slack is how old the value may be although the index has changed since, so that a stream of
// changes does not make every request read it anew. now is the clock, time.Now outside of tests.
func NewValue[T any](
	signal *Signal, now func() time.Time, slack time.Duration, load func(ctx context.Context) (T, error),
	indexes ...string,
) *Value[T] {
	return &Value[T]{
		signal: signal, indexes: indexes, now: now, slack: slack, load: load, flight: flight[*kept[T]]{timeout: reading},
	}
}

// Get returns a value that is not older than the signal heard last, or than the slack; without a
// signal, than a second. Several who ask at the same time wait for one reading. The error is
// load's, or the context's.
func (v *Value[T]) Get(ctx context.Context) (T, error) {
	asked := v.moment()
	asked.least = leastOf(ctx)
	for {
		if k := v.kept.Load(); v.serves(k, asked) {
			if !k.current(asked) {
				lower(ctx, k.position)
			}
			return k.value, nil
		}
		if _, err := v.flight.do(ctx, "", func(ctx context.Context) (*kept[T], error) {
			return v.read(ctx, asked)
		}); err != nil {
			var none T
			return none, err
		}
	}
}

func (v *Value[T]) moment() moment {
	m := moment{at: v.now(), position: v.signal.Position()} // before the mark: it may not promise more
	m.mark, m.alive = v.signal.Mark(v.indexes...)
	return m
}

// serves reports whether a kept value is fresh enough for a request of the moment asked.
func (v *Value[T]) serves(k *kept[T], asked moment) bool {
	if k == nil {
		return false
	}
	age := asked.at.Sub(k.at)
	switch {
	case age <= 0: // read since it was asked for
		return true
	case k.position < asked.least && !k.current(asked):
		return false
	case age < v.slack:
		return true
	case !asked.alive:
		return age < unheard
	default:
		return k.current(asked) && age < oldest
	}
}

// current reports whether the index has not changed between the reading and the moment asked.
func (k *kept[T]) current(asked moment) bool {
	return k.alive && asked.alive && k.mark >= asked.mark
}

// read reads and keeps a value, unless another reading ended since the request looked. The moment
// is noted before: what changes meanwhile makes the value old at once.
func (v *Value[T]) read(ctx context.Context, asked moment) (*kept[T], error) {
	if k := v.kept.Load(); v.serves(k, asked) {
		return k, nil
	}
	next := &kept[T]{moment: v.moment()}
	var err error
	if next.value, err = v.load(ctx); err != nil {
		return nil, err
	}
	v.kept.Store(next)
	return next, nil
}
