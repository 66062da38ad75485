package apply

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
)

const (
	// sliceTime is the time that the engine should take for a slice: others wait for as long.
	sliceTime = 250 * time.Millisecond
	// leastTask is the time that the engine takes for any task.
	leastTask = 10 * time.Millisecond

	// The bytes of the documents of a slice. A smaller slice than the least takes hardly less time:
	// the engine adds each new word to its lists, for one document as for many.
	firstSlice, leastSlice, mostSlice = 128 << 10, 96 << 10, 4 << 20
)

// sliced is a large event that is written in slices: first the dates that do not take place as
// planned, then the others, then the dates that it has no more are deleted, and at last its record
// is written, which has its revision. The record of an event that is gone comes first.
type sliced struct {
	item      queued
	documents project.Documents
	gone      []string // dates of it in the index that are to be deleted
	next      int      // date to be written next
	recorded  bool     // the record is written
	former    int      // bytes of a date in the index; 0 without any
	bytes     int      // of the documents of the next slice, those that it writes or replaces
	began     time.Time
}

// read reads the message of a large event again, unless it is in memory. known is false for a
// message that the stream has no more; replaced then says that a newer one is on its way.
func (f *follower) read(ctx context.Context, item queued) (known, replaced bool, err error) {
	w := item.Payload
	if w.message.Data != nil {
		return true, false, nil
	}
	err = f.retry(ctx, "read a large event", func() (err error) {
		m, ok, newer, err := f.stream.At(ctx, w.message.Sequence, w.message.Subject)
		if known, replaced = ok, newer; ok {
			w.message = m
		}
		return err
	})
	return known, replaced, err
}

// beginSliced reads the documents of a large event and the dates that it has in the index. It
// returns nil for a change that is not to be written: an older one, or one without documents.
func (f *follower) beginSliced(ctx context.Context, item queued) (*sliced, error) {
	e := item.Payload.pending
	s := &sliced{item: item, bytes: firstSlice, began: time.Now()}
	err := f.retry(ctx, "read what is indexed of a large event", func() error {
		if err := f.settle(ctx); err != nil {
			return err
		}
		current, err := f.currentRecords(ctx, []*pending{e})
		if err != nil {
			return err
		}
		if fresh, absent := current.notOlder([]*pending{e}); len(fresh) == 0 {
			result := resultStale
			if absent > 0 {
				result = resultAbsent
			}
			f.metrics.changes.WithLabelValues(result).Inc()
			s = nil
			return nil
		}
		dates, err := f.readDates(ctx, []string{e.id}, idsOfDate)
		if err != nil {
			return err
		}
		if s.former, err = f.sizeOfOne(ctx, dates.events); err != nil {
			return err
		}
		return s.read(f.projector, dates.events)
	})
	if unusable := (unprojectableError{}); errors.As(err, &unusable) {
		return nil, f.setAside(ctx, e.because(unusable.error))
	}
	return s, err
}

// sizeOfOne returns the bytes of one of the dates in the index; 0 without any.
func (f *follower) sizeOfOne(ctx context.Context, dates map[string]string) (bytes int, err error) {
	ids := slices.Sorted(maps.Keys(dates))
	err = f.index.ByID(ctx, document.Dates, ids[:min(1, len(ids))], nil, func(d index.Document) error {
		bytes = sizeOf(d)
		return nil
	})
	return bytes, err
}

// unprojectableError is the error of a change that has no documents.
type unprojectableError struct{ error }

// read makes the documents; indexed are the event's dates in the index.
func (s *sliced) read(projector project.Projector, indexed map[string]string) error {
	c, err := change.Decode(s.item.Payload.message.Data)
	if err == nil {
		s.documents, err = projector.Project(c)
	}
	if err != nil {
		return unprojectableError{err}
	}
	slices.SortStableFunc(s.documents.Dates, func(a, b document.Date) int {
		return cmp.Compare(rank(a), rank(b))
	})
	stays := make(map[string]bool, len(s.documents.Dates))
	for _, d := range s.documents.Dates {
		stays[d.DateUUID] = true
	}
	for id := range indexed {
		if !stays[id] {
			s.gone = append(s.gone, id)
		}
	}
	slices.Sort(s.gone)
	return nil
}

func rank(d document.Date) int {
	if altered(d.ReleaseStatus) {
		return 0
	}
	return 1
}

// writeSlice writes the next slice of an event. It returns its changes for the signal, and whether
// it was the last one.
func (f *follower) writeSlice(ctx context.Context, s *sliced) (altered applied.Batch, last bool, err error) {
	switch {
	case !s.recorded && len(s.documents.Dates) == 0:
		last, err = len(s.gone) == 0, f.writeRecord(ctx, s)
	case s.next < len(s.documents.Dates):
		altered, err = f.writeDates(ctx, s)
	case len(s.gone) > 0:
		altered, err = f.deleteDates(ctx, s)
		last = s.recorded && len(s.gone) == 0
	default:
		last, err = true, f.writeRecord(ctx, s)
	}
	if last || s.recorded && altered.Dates == nil { // counts of events compare their dates with each other
		altered = anything
	}
	return altered, last, err
}

// anything means that anything may have changed.
var anything = applied.Batch{All: true}

// writeDates writes as many of the dates as a slice has.
func (f *follower) writeDates(ctx context.Context, s *sliced) (applied.Batch, error) {
	var lines bytes.Buffer
	after, ids, size := map[string]applied.Attributes{}, []string{}, 0
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, d := range s.documents.Dates[s.next:] {
		from := lines.Len()
		if err := encoder.Encode(d); err != nil {
			return applied.Batch{}, fmt.Errorf("encode document: %w", err)
		}
		if size += max(lines.Len()-from, s.former); len(ids) > 0 && size > s.bytes {
			lines.Truncate(from)
			break
		}
		parsed, err := parse(lines.Bytes()[from:])
		if err != nil {
			return applied.Batch{}, fmt.Errorf("read the document of date %s: %w", d.DateUUID, err)
		}
		ids, after[d.DateUUID] = append(ids, d.DateUUID), parsed
	}
	altered, took, err := f.exchange(ctx, ids, after, func() ([]int64, error) {
		task, err := f.index.AddLines(ctx, document.Dates, lines.Bytes())
		return []int64{task}, err
	})
	if err == nil {
		s.next += len(ids)
		s.bytes = adapted(s.bytes, took)
	}
	return altered, err
}

// deleteDates deletes as many of the dates that left as a slice has.
func (f *follower) deleteDates(ctx context.Context, s *sliced) (applied.Batch, error) {
	ids := s.gone[:min(max(s.bytes/max(s.former, 1), 1), len(s.gone), index.PageSize)]
	altered, took, err := f.exchange(ctx, ids, nil, func() ([]int64, error) {
		return f.index.Delete(ctx, document.Dates, ids)
	})
	if err == nil {
		s.gone = s.gone[len(ids):]
		s.bytes = adapted(s.bytes, took)
	}
	return altered, err
}

// exchange replaces dates by others or by nothing and returns what that changes for searches, and
// how long the engine took.
func (f *follower) exchange(
	ctx context.Context, ids []string, after map[string]applied.Attributes, start func() ([]int64, error),
) (altered applied.Batch, took time.Duration, err error) {
	err = f.retry(ctx, "write a slice of a large event", func() error {
		known := f.settled
		if err := f.settle(ctx); err != nil {
			return err
		}
		before, few, err := f.datesBefore(ctx, ids)
		if err != nil {
			return err
		}
		if altered = anything; known && few {
			altered = applied.Batch{Dates: applied.Changes(before, after)}
		}
		took, err = f.run(ctx, start)
		return err
	})
	return altered, took, err
}

// run starts tasks and waits for the engine to complete them.
func (f *follower) run(ctx context.Context, start func() ([]int64, error)) (took time.Duration, err error) {
	began := time.Now()
	tasks, err := start()
	if err == nil {
		err = f.await(ctx, tasks)
	}
	f.settled = err == nil
	return time.Since(began), err
}

// settle waits for tasks that others, or failed attempts, have left in the engine.
func (f *follower) settle(ctx context.Context) error {
	if f.settled {
		return nil
	}
	err := f.index.Settle(ctx)
	f.settled = err == nil
	return err
}

// datesBefore reads dates. few is false when they have too many bytes to be read, by the size of
// the first one.
func (f *follower) datesBefore(ctx context.Context, ids []string) (found map[string]index.Document, few bool, err error) {
	found, few = map[string]index.Document{}, true
	keep := func(d index.Document) error {
		var id string
		if err := fields(d, map[string]any{"date_uuid": &id}); err != nil {
			return fmt.Errorf("document of %s: %w", document.Dates, err)
		}
		found[id] = d
		few = few && sizeOf(d)*len(ids) <= 2*mostSlice
		return nil
	}
	if err := f.index.ByID(ctx, document.Dates, ids[:1], nil, keep); err != nil || !few {
		return nil, few, err
	}
	return found, few, f.index.ByID(ctx, document.Dates, ids[1:], nil, keep)
}

// writeRecord writes the record of an event.
func (f *follower) writeRecord(ctx context.Context, s *sliced) error {
	var line lines
	data, err := line.add(s.documents.Record)
	if err != nil {
		return err
	}
	err = f.retry(ctx, "write a large event", func() error {
		if err := f.settle(ctx); err != nil {
			return err
		}
		_, err := f.run(ctx, func() ([]int64, error) {
			task, err := f.index.AddLines(ctx, s.documents.Index, data)
			return []int64{task}, err
		})
		return err
	})
	s.recorded = err == nil
	return err
}

// adapted returns the bytes of a slice that takes the engine sliceTime, given those of a slice that
// took another time; at most twice as many.
func adapted(bytes int, took time.Duration) int {
	next := int(float64(bytes) * float64(sliceTime) / float64(max(took, leastTask)))
	return min(max(next, leastSlice, bytes/4), mostSlice, 2*bytes)
}
