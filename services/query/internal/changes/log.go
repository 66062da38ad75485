package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// Journal is the journal of changes; implemented by stream.Stream.
type Journal interface {
	JournalBounds(ctx context.Context) (first, last uint64, ok bool, err error)
	JournalEntry(ctx context.Context, sequence uint64) (entry stream.JournalEntry, ok bool, err error)
	Published(ctx context.Context, entry stream.JournalEntry, upTo uint64) (bool, error)
}

const (
	// maxScanned bounds the changes that one answer looks at; pageWork bounds it further.
	maxScanned = 2_000
	// maxKnown bounds the beginnings of entries in memory.
	maxKnown = 10_000
)

// Log reads changes. It is safe for concurrent use.
type Log struct {
	journal   Journal // nil: there is none
	signal    *cache.Signal
	projector project.Projector
	log       *slog.Logger
	ties      ties
	memory    memory
	requests  *turns // of requests for a page
	streams   *turns // of streams that catch up

	mu     sync.Mutex
	last   cache.Complete    // that was known
	begins map[uint64]uint64 // of entries by their sequence in the journal
	// beginsOf is the identity of the stream of begins.
	beginsOf string
}

// NewLog returns a log of the changes in a journal, nil for none, as far as the index of the
// signal's read node is complete.
func NewLog(journal Journal, signal *cache.Signal, projector project.Projector, log *slog.Logger) *Log {
	return &Log{
		journal: journal, signal: signal, projector: projector, log: log, begins: map[uint64]uint64{},
		memory: memory{limit: memoryBytes}, requests: newTurns(false), streams: newTurns(true),
	}
}

// Now returns the position of all that the index is complete up to. The fault is Unavailable while
// that is not known.
func (l *Log) Now() (at params.Position, complete cache.Complete, err error) {
	complete = l.signal.Complete()
	if l.journal == nil || complete.Sequence == 0 || complete.Stream == "" {
		return at, complete, errUnknown()
	}
	return params.Position{Stream: params.Mark(complete.Stream), Sequence: complete.Sequence}, complete, nil
}

// reached is Now, or while that is not known, as after the start of a projector, what was known
// last: changes do not become unknown again.
func (l *Log) reached() (at params.Position, complete cache.Complete, err error) {
	at, complete, err = l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.last = complete
	case l.last.Sequence > 0:
		return params.Position{Stream: params.Mark(l.last.Stream), Sequence: l.last.Sequence}, l.last, nil
	}
	return at, complete, err
}

// Page returns the changes after a position, about as many as limit: the dates of an event are not
// parted. One that found fewer within the bound of its work has More. It is ErrBeginAgain when the
// changes are not known.
func (l *Log) Page(ctx context.Context, f Filter, from params.Position, limit int) (Page, error) {
	return l.page(ctx, l.requests, f, from, limit)
}

// page is Page in a turn.
func (l *Log) page(ctx context.Context, of *turns, f Filter, from params.Position, limit int) (Page, error) {
	now, complete, err := l.reached()
	if err != nil {
		return Page{}, err
	}
	if from.Stream != now.Stream {
		return Page{}, ErrBeginAgain
	}
	if err := l.outdated(ctx, f, complete.Stream, from.Sequence, now.Sequence); err != nil {
		return Page{}, err
	}
	page := Page{Changes: []Item{}, at: from}
	c, r, scanned := newCollector(f), &reading{remember: true}, 0
	leave, err := of.take(ctx)
	if err != nil {
		return Page{}, err
	}
	defer func() { leave(page.work) }()
	err = l.read(ctx, complete.Stream, from.Sequence, now.Sequence, r, func(one *published) (bool, error) {
		made, err := c.add(one)
		if made > 0 {
			l.memory.resize(one)
		}
		if page.work = r.work + c.work; err != nil {
			return false, err
		}
		page.at.Sequence, scanned = one.sequence, scanned+1
		return c.count < limit && scanned < maxScanned && page.work < pageWork, nil
	})
	if err != nil {
		return Page{}, err
	}
	page.More = page.at.Sequence < now.Sequence
	page.Changes, page.Position = c.items(), page.at.String()
	return page, nil
}

// reading is how changes are read one after another.
type reading struct {
	remember bool // what is read
	work     int  // of reading the journal
	// entry is the one at a place in the journal, which comes next; read if at is not 0.
	entry stream.JournalEntry
	at    uint64
}

// read passes the changes after a sequence to fn, up to and including upTo, until it returns false.
func (l *Log) read(
	ctx context.Context, identity string, after, upTo uint64, r *reading, fn func(*published) (more bool, err error),
) error {
	for after < upTo {
		changes := []*published{l.memory.get(identity, after+1)}
		if changes[0] == nil {
			var err error
			if changes, err = l.load(ctx, identity, after, upTo, r); err != nil {
				return err
			}
		}
		for _, one := range changes {
			more, err := fn(one)
			if err != nil || !more {
				return err
			}
			after = one.sequence
		}
	}
	return nil
}

// load reads the changes after a sequence from the journal: those of the first entry that has some.
func (l *Log) load(ctx context.Context, identity string, after, upTo uint64, r *reading) (changes []*published, err error) {
	at, entry := r.at, r.entry
	if at == 0 || entry.After > after {
		at, entry, err = l.entryBefore(ctx, identity, after)
	}
	for err == nil {
		next, exists, failed := l.journal.JournalEntry(ctx, at+1)
		if failed != nil {
			return nil, unavailable(failed)
		}
		end := entry.End()
		if exists {
			end = min(end, next.After)
		}
		switch {
		case after < end && (entry.Stream != identity || entry.Void > 0):
			return nil, ErrBeginAgain
		case after < end:
			if !exists {
				again, err := l.confirmed(ctx, at, entry, min(end, upTo))
				if err != nil {
					return nil, err
				}
				if again {
					continue
				}
			}
			if r.at = 0; exists {
				r.at, r.entry = at+1, next
			}
			return l.decode(entry, after, min(end, upTo), r)
		case !exists || next.After > after:
			return nil, ErrBeginAgain
		}
		at, entry = at+1, next
	}
	return nil, err
}

// confirmed returns ErrBeginAgain for the last entry of the journal if its changes up to a sequence
// were not published as it has them: its publisher may be about to say so, which a client that had
// them would not hear of. again means that there is an entry after it meanwhile, which says it.
func (l *Log) confirmed(ctx context.Context, at uint64, entry stream.JournalEntry, upTo uint64) (again bool, err error) {
	holds, err := l.journal.Published(ctx, entry, upTo)
	if err != nil {
		return false, unavailable(err)
	}
	if holds {
		return false, nil
	}
	_, again, err = l.journal.JournalEntry(ctx, at+1)
	switch {
	case err != nil:
		return false, unavailable(err)
	case !again:
		return false, ErrBeginAgain
	}
	return true, nil
}

// entryBefore returns the last entry that begins at a sequence of a stream or before it, and its
// place in the journal. Entries of an earlier stream are before all of this one.
func (l *Log) entryBefore(ctx context.Context, identity string, sequence uint64) (at uint64, entry stream.JournalEntry, err error) {
	first, last, ok, err := l.journal.JournalBounds(ctx)
	if err != nil {
		return 0, entry, unavailable(err)
	}
	if !ok {
		return 0, entry, errUnknown()
	}
	low, high := first, last+1 // the first entry that begins after it is from low to high
	for low < high {
		middle := low + (high-low)/2
		begin, err := l.beginOf(ctx, identity, middle)
		if err != nil {
			return 0, entry, err
		}
		if begin > sequence {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if low == first {
		return 0, entry, ErrBeginAgain
	}
	entry, exists, err := l.journal.JournalEntry(ctx, low-1)
	switch {
	case err != nil:
		return 0, entry, unavailable(err)
	case !exists || entry.Stream != identity || entry.After > sequence:
		return 0, entry, ErrBeginAgain
	}
	return low - 1, entry, nil
}

// beginOf returns the sequence of a stream after which an entry begins; 0 of one that is gone
// meanwhile, and of one of another stream.
func (l *Log) beginOf(ctx context.Context, identity string, at uint64) (uint64, error) {
	l.mu.Lock()
	if l.beginsOf != identity {
		clear(l.begins)
		l.beginsOf = identity
	}
	begin, known := l.begins[at]
	l.mu.Unlock()
	if known {
		return begin, nil
	}
	entry, exists, err := l.journal.JournalEntry(ctx, at)
	if err != nil {
		return 0, unavailable(err)
	}
	if !exists {
		return 0, nil
	}
	if begin = entry.After; entry.Stream != identity {
		begin = 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.begins) >= maxKnown {
		clear(l.begins)
	}
	if l.beginsOf == identity {
		l.begins[at] = begin
	}
	return begin, nil
}

// decode returns the changes of an entry after a sequence, up to and including upTo.
func (l *Log) decode(entry stream.JournalEntry, after, upTo uint64, r *reading) ([]*published, error) {
	var changes []*published
	size := 0
	for sequence := max(after, entry.After) + 1; sequence <= upTo; sequence++ {
		one := entry.Changes[sequence-entry.After-1]
		c, err := change.Decode(one.After)
		if err != nil {
			l.log.Warn("a change in the journal cannot be read", "sequence", sequence, "error", err)
			return nil, ErrBeginAgain
		}
		p := &published{sequence: sequence, kind: c.Kind, id: c.ID}
		p.before, p.after = l.entityOf(one.Before), l.entityOf(one.After)
		changes, size = append(changes, p), size+p.size()
	}
	r.work += readingWork(size)
	if !r.remember {
		return changes, nil
	}
	return l.memory.add(entry.Stream, changes), nil
}

func (l *Log) entityOf(message json.RawMessage) *entity {
	e := &entity{projector: l.projector, message: message}
	e.size.Store(int64(len(message)))
	return e
}

func unavailable(err error) error {
	return fault.Wrap(fmt.Errorf("read the journal: %w", err), fault.Unavailable, "changes_unavailable",
		"the changes are not known now; try again later")
}
