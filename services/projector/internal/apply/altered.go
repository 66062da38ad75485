package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

const (
	// eventsAtOnce bounds a filter that names events.
	eventsAtOnce = 500
	// maxEvents, maxDates and maxBytes, of messages, bound the batches whose changes to dates are
	// recorded. For a larger one, as in an import, query services drop all cached answers.
	maxEvents = 1_000
	maxDates  = 2_500
	maxBytes  = 4 << 20
	// maxRecords bounds the ids in a signal.
	maxRecords = 1_000
)

// indexedDates are the dates of the events of a batch in the index, before the batch is written.
type indexedDates struct {
	events map[string]string // the event's uuid by the date's
	// documents are the dates by uuid; nil when they are too many to be recorded.
	documents map[string]index.Document
}

// errTooMany stops reading dates that are too many to be recorded.
var errTooMany = errors.New("too many dates")

// datesOf reads the dates in the index of the events among changes.
func (a *Applier) datesOf(ctx context.Context, changes []*pending) (indexedDates, error) {
	events, large := eventsOf(changes)
	if !large {
		found, err := a.readDates(ctx, events, nil)
		if !errors.Is(err, errTooMany) {
			return found, err
		}
	}
	return a.readDates(ctx, events, []string{"uuid", "date_uuid"})
}

// eventsOf returns the events among changes, and whether they are too large for their changes to
// dates to be recorded.
func eventsOf(changes []*pending) (events []string, large bool) {
	bytes := 0
	for _, e := range changes {
		if e.change.Kind == change.KindEvent {
			events = append(events, e.id)
			bytes += len(e.message.Data)
		}
	}
	return events, len(events) > maxEvents || bytes > maxBytes
}

// readDates reads these attributes of the dates of events, or with nil all attributes. It returns
// errTooMany for more than maxDates documents.
func (a *Applier) readDates(ctx context.Context, events, attributes []string) (indexedDates, error) {
	found := indexedDates{events: map[string]string{}}
	if attributes == nil {
		found.documents = map[string]index.Document{}
	}
	for chunk := range slices.Chunk(events, eventsAtOnce) {
		filter := `uuid IN ["` + strings.Join(chunk, `","`) + `"]` // uuids, as Decode has checked
		err := a.index.Each(ctx, document.Dates, filter, attributes, func(d index.Document) error {
			var event, id string
			if err := fields(d, map[string]any{"uuid": &event, "date_uuid": &id}); err != nil {
				return fmt.Errorf("document of %s: %w", document.Dates, err)
			}
			found.events[id] = event
			if attributes == nil {
				found.documents[id] = d
			}
			if len(found.documents) > maxDates {
				return errTooMany
			}
			return nil
		})
		if err != nil {
			return indexedDates{}, err
		}
	}
	return found, nil
}

// altered returns the changes that a writer made, compared with the dates and records before it.
func (w *writer) altered(before indexedDates, listed map[recordKey]index.Document) applied.Batch {
	if before.documents == nil || len(w.revisions) > maxRecords || len(w.dated) > maxDates {
		return applied.Batch{All: true}
	}
	documents := map[string]applied.Attributes{}
	for id, event := range before.events {
		if w.events[event] || w.dated[id] != nil {
			documents[id] = before.documents[id]
		}
	}
	changed := map[string][]applied.Record{}
	for key, after := range w.listed {
		name, id := key[0], key[1]
		changed[name] = append(changed[name], applied.RecordChange(name, id, listed[key], after))
	}
	return applied.Batch{
		Records: w.recorded, Names: w.names, Changed: changed, Dates: applied.Changes(documents, w.dated), Whole: true,
	}
}

// parse reads a written document, a line of JSON.
func parse(line []byte) (d index.Document, err error) {
	err = json.Unmarshal(line, &d)
	return d, err
}
