package changes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"litfass/pkg/contracts/change"
)

// ties knows the last change of each entity that filters are made of, in a part of the stream.
type ties struct {
	mu   sync.Mutex
	of   string // identity of the stream
	from uint64 // the changes after it,
	upTo uint64 // up to and including this one, are known
	last map[entityKey]uint64
}

// isTie reports whether filters may be made of entities of a kind.
func isTie(kind change.Kind) bool {
	return kind == change.KindPortal || kind == change.KindList || kind == change.KindRegion
}

// tiesPart is how many changes before the known ones are read in one turn. A request waits for the
// turns of others, and what was read stays known when the request ends.
const tiesPart = 2_000

// outdated returns ErrBeginAgain if a filter was another one at a sequence than it is now: what was
// found then is not known, and pages before that change would be of neither filter.
func (l *Log) outdated(ctx context.Context, f Filter, identity string, after, now uint64) error {
	if !f.Tied() || after >= now {
		return nil
	}
	for {
		known, err := l.readTies(ctx, f, identity, after, now)
		if known || err != nil {
			return err
		}
	}
}

// readTies is one turn of outdated. known means that all changes after the sequence are known.
func (l *Log) readTies(ctx context.Context, f Filter, identity string, after, now uint64) (known bool, err error) {
	t := &l.ties
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of != identity {
		t.begin(identity, now)
	}
	if t.upTo < now {
		newer, err := l.tiesBetween(ctx, identity, t.upTo, now)
		switch {
		case err == nil:
			maps.Copy(t.last, newer)
			t.upTo = now
		case errors.Is(err, ErrBeginAgain): // a hole, which may be before the sequence
			t.begin(identity, now)
		default:
			return false, err
		}
	}
	if slices.ContainsFunc(f.ties, func(key entityKey) bool { return t.last[key] > after }) {
		return false, ErrBeginAgain
	}
	if after >= t.from {
		return true, nil
	}
	if _, _, err := l.entryBefore(ctx, identity, after); err != nil { // rather than at the last turn
		return false, err
	}
	from := max(after, t.from-min(t.from, tiesPart))
	older, err := l.tiesBetween(ctx, identity, from, t.from)
	if err != nil {
		return false, err
	}
	maps.Copy(older, t.last)
	t.last, t.from = older, from
	return false, nil
}

func (t *ties) begin(identity string, at uint64) {
	t.of, t.from, t.upTo, t.last = identity, at, at, map[entityKey]uint64{}
}

// tiesBetween returns the last change of each entity that filters are made of, after a sequence and
// up to and including another one.
func (l *Log) tiesBetween(ctx context.Context, identity string, after, upTo uint64) (map[entityKey]uint64, error) {
	last := map[entityKey]uint64{}
	err := l.read(ctx, identity, after, upTo, &reading{}, func(one *published) (bool, error) {
		if isTie(one.kind) {
			last[tieOf(one.kind, one.id)] = one.sequence
		}
		return true, nil
	})
	return last, err
}
