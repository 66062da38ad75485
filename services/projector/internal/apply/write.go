package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/change"
	"litfass/pkg/document"
	"litfass/pkg/index"
)

// eventsAtOnce bounds a filter that names events.
const eventsAtOnce = 500

// attempt writes what is not older than what the index holds, and waits until the index has it. It
// returns the changes that have no documents; the others are written.
//
// The engine keeps the tasks of an attempt that broke off, or of a projector that was killed, and
// runs them later. What they would still write cannot be asked for yet, so the first attempt and
// every one after a failure wait for them.
func (a *Applier) attempt(ctx context.Context, changes []*pending) (unprojectable []deadLetter, err error) {
	if !a.settled {
		if err := a.index.Settle(ctx); err != nil {
			return nil, err
		}
	}
	defer func() { a.settled = err == nil }()
	var held revisions
	var dates map[string]string
	questions, asking := errgroup.WithContext(ctx)
	questions.Go(func() (err error) {
		held, err = a.held(asking, changes)
		return err
	})
	questions.Go(func() (err error) {
		dates, err = a.datesOf(asking, changes)
		return err
	})
	if err := questions.Wait(); err != nil {
		return nil, err
	}
	fresh := held.notOlder(changes)
	w := newWriter(a.index, a.projector)
	if err := w.write(ctx, fresh, dates); err != nil {
		return nil, err
	}
	if err := a.await(ctx, w.tasks); err != nil {
		return nil, err
	}
	a.metrics.changes.WithLabelValues(resultApplied).Add(float64(len(fresh) - len(w.unprojectable)))
	a.metrics.changes.WithLabelValues(resultStale).Add(float64(len(changes) - len(fresh)))
	return w.unprojectable, nil
}

// revisions are those that an index holds, by index and document id.
type revisions map[[2]string]int64

// held asks the index which revisions it holds of changes.
func (a *Applier) held(ctx context.Context, changes []*pending) (revisions, error) {
	ids := map[string][]string{}
	for _, e := range changes {
		ids[e.index] = append(ids[e.index], e.id)
	}
	found := revisions{}
	for name, ids := range ids {
		err := a.index.ByID(ctx, name, ids, []string{"id", "revision"}, func(d index.Document) error {
			var id string
			var revision int64
			if err := fields(d, map[string]any{"id": &id, "revision": &revision}); err != nil {
				return fmt.Errorf("document of %s: %w", name, err)
			}
			found[[2]string{name, id}] = revision
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// notOlder returns the changes whose revision is at least the one held. What is not held has
// revision 0.
func (r revisions) notOlder(changes []*pending) []*pending {
	fresh := make([]*pending, 0, len(changes))
	for _, e := range changes {
		if e.change.Revision >= r[[2]string{e.index, e.id}] {
			fresh = append(fresh, e)
		}
	}
	return fresh
}

// datesOf asks the index which dates it holds of the events among changes: the event's uuid by the
// date's.
func (a *Applier) datesOf(ctx context.Context, changes []*pending) (map[string]string, error) {
	var events []string
	for _, e := range changes {
		if e.change.Kind == change.KindEvent {
			events = append(events, e.id)
		}
	}
	found := map[string]string{}
	for chunk := range slices.Chunk(events, eventsAtOnce) {
		filter := `uuid IN ["` + strings.Join(chunk, `","`) + `"]` // uuids, as Decode has checked
		err := a.index.Each(ctx, document.Dates, filter, []string{"uuid", "date_uuid"}, func(d index.Document) error {
			var event, id string
			if err := fields(d, map[string]any{"uuid": &event, "date_uuid": &id}); err != nil {
				return fmt.Errorf("document of %s: %w", document.Dates, err)
			}
			found[id] = event
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
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
