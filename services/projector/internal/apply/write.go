package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// outcome is the result of an attempt.
type outcome struct {
	unprojectable []deadLetter // changes that have no documents
	postponed     []*pending
	altered       applied.Batch
	version       string // of the index of dates afterwards
}

// attempt writes the changes that are not older than the indexed ones, and waits until the index
// has them.
func (a *Applier) attempt(ctx context.Context, changes []*pending) (outcome, error) {
	s, err := a.start(ctx, changes, nil)
	if err != nil {
		return outcome{}, err
	}
	if err := a.finish(s, a.await(ctx, s.writer.tasks)); err != nil {
		return outcome{}, err
	}
	done := outcome{unprojectable: s.writer.unprojectable, postponed: s.postponed, altered: applied.Batch{All: true}}
	if s.writer.dated != nil {
		done.altered = s.writer.altered(s.dates, s.listed)
	}
	done.version = a.version(ctx)
	return done, nil
}

// started are changes whose tasks the engine has, perhaps in its queue.
type started struct {
	changes, fresh int
	absent         int                          // changes that the indexes have no place for
	postponed      []*pending                   // to be written in slices
	dates          indexedDates                 // before the changes
	listed         map[recordKey]index.Document // before the changes
	writer         *writer
}

// start starts the tasks that write the changes that are not older than the indexed ones. With
// ahead, the engine may not have run the tasks of those yet: what they write counts as indexed.
//
// The engine runs the queued tasks of an interrupted attempt or of a killed projector later. Their
// results cannot be read before, so the first attempt and every one after a failure wait for them;
// their changes are not known.
func (a *Applier) start(ctx context.Context, changes []*pending, ahead *started) (s *started, err error) {
	known := a.settled && ahead == nil
	if !a.settled {
		if err := a.index.Settle(ctx); err != nil {
			return nil, err
		}
	}
	defer func() { a.settled = err == nil }()
	var current current
	var dates indexedDates
	questions, asking := errgroup.WithContext(ctx)
	questions.Go(func() (err error) {
		current, err = a.currentRecords(asking, changes)
		return err
	})
	questions.Go(func() (err error) {
		dates, err = a.datesOf(asking, changes)
		return err
	})
	if err := questions.Wait(); err != nil {
		return nil, err
	}
	if ahead != nil {
		maps.Copy(current.revisions, ahead.writer.revisions)
		maps.Copy(dates.events, ahead.writer.written)
	}
	fresh, absent := current.notOlder(changes)
	fresh, postponed := a.postpone(fresh, dates.heavy)
	w := newWriter(a.index, a.projector, known && dates.documents != nil)
	if err := w.write(ctx, fresh, dates.events); err != nil {
		return nil, err
	}
	return &started{len(changes) - len(postponed), len(fresh), absent, postponed, dates, current.listed, w}, nil
}

// postpone leaves out the events whose dates in the index are so large that replacing them takes
// long, where those are written in slices.
func (a *Applier) postpone(changes []*pending, heavy map[string]bool) (now, later []*pending) {
	if !a.inSlices || len(heavy) == 0 {
		return changes, nil
	}
	for _, e := range changes {
		if e.change.Kind == change.KindEvent && heavy[e.id] {
			later = append(later, e)
		} else {
			now = append(now, e)
		}
	}
	return now, later
}

// finish records that the engine has run the tasks, or with an error that it may not have.
func (a *Applier) finish(s *started, err error) error {
	if err != nil {
		a.settled = false
		return err
	}
	a.metrics.changes.WithLabelValues(resultApplied).Add(float64(s.fresh - len(s.writer.unprojectable)))
	a.metrics.changes.WithLabelValues(resultStale).Add(float64(s.changes - s.fresh - s.absent))
	a.metrics.changes.WithLabelValues(resultAbsent).Add(float64(s.absent))
	return nil
}

// version returns the version of the index of dates; "" when the engine does not report it.
func (a *Applier) version(ctx context.Context) string {
	version, err := a.index.Version(ctx, document.Dates)
	if err != nil {
		a.log.Debug("the version of the index is not known", "error", err)
	}
	return version
}

// recordKey names a record by its index and document id.
type recordKey [2]string

// current are the records of a batch's changes in the index, before the batch is written.
type current struct {
	revisions map[recordKey]int64
	listed    map[recordKey]index.Document // of venues and organizations, unless they are too many
	absent    map[string]bool              // indexes that do not exist
}

// currentRecords reads the records of the entities of changes.
//
// An earlier release may have had no index for an entity. The live indexes stay without until the
// rebuild exchanges them: the engine would create an index without settings and with the latest
// changes only, whose answers would look complete. A deleted index is noticed elsewhere, and filled
// from the beginning of the stream.
func (a *Applier) currentRecords(ctx context.Context, changes []*pending) (current, error) {
	ids := map[string][]string{}
	for _, e := range changes {
		ids[e.index] = append(ids[e.index], e.id)
	}
	found := current{map[recordKey]int64{}, map[recordKey]index.Document{}, map[string]bool{}}
	for name, ids := range ids {
		attributes := []string{"id", "revision"}
		lists := applied.Listed(name) != nil && len(ids) <= maxRecords
		if lists {
			attributes = append(attributes, applied.Listed(name)...)
		}
		err := a.index.ByID(ctx, name, ids, attributes, func(d index.Document) error {
			var id string
			var revision int64
			if err := fields(d, map[string]any{"id": &id, "revision": &revision}); err != nil {
				return fmt.Errorf("document of %s: %w", name, err)
			}
			found.revisions[recordKey{name, id}] = revision
			if lists {
				found.listed[recordKey{name, id}] = d
			}
			return nil
		})
		switch {
		case index.NoIndex(err):
			found.absent[name] = true
		case err != nil:
			return current{}, err
		}
	}
	return found, nil
}

// notOlder returns the changes with at least the indexed revision, 0 for an unknown entity, and the
// number of changes without an index.
func (c current) notOlder(changes []*pending) (fresh []*pending, absent int) {
	fresh = make([]*pending, 0, len(changes))
	for _, e := range changes {
		switch {
		case c.absent[e.index]:
			absent++
		case e.change.Revision >= c.revisions[recordKey{e.index, e.id}]:
			fresh = append(fresh, e)
		}
	}
	return fresh, absent
}

// fields reads attributes of a document.
func fields(d index.Document, into map[string]any) error {
	for name, value := range into {
		if err := json.Unmarshal(d[name], value); err != nil {
			return fmt.Errorf("attribute %s: %w", name, err)
		}
	}
	return nil
}
