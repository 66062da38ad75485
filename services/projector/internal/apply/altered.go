package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	// maxEvents, maxDates and maxBytes, of documents, bound the batches whose changes to dates are
	// recorded. For a larger one, as in an import, query services drop all cached answers.
	maxEvents = 1_000
	maxDates  = 2_500
	maxBytes  = 4 << 20
	// maxRecords bounds the ids in a signal.
	maxRecords = 1_000
	// maxRead bounds the bytes of the dates that are read to record their changes, and pageOfDates is
	// the number of them in one answer.
	maxRead     = 4 << 20
	pageOfDates = 50
	// fewDates are so few dates of an event that no two events replace much with them.
	fewDates = 20
)

// indexedDates are the dates of the events of a batch in the index, before the batch is written.
type indexedDates struct {
	events map[string]string // the event's uuid by the date's
	// documents are the dates by uuid; nil when they are too many to be recorded.
	documents map[string]index.Document
	// heavy are the events whose dates have so many bytes that replacing them takes long.
	heavy map[string]bool
}

// errTooMany stops reading dates that are too many to be recorded.
var errTooMany = errors.New("too many dates")

// datesOf reads the dates in the index of the events among changes.
func (a *Applier) datesOf(ctx context.Context, changes []*pending) (indexedDates, error) {
	events, large := eventsOf(changes)
	if !large {
		found, err := a.readDates(ctx, events, nil)
		if !errors.Is(err, errTooMany) {
			found.weigh()
			return found, err
		}
	}
	found, err := a.readDates(ctx, events, idsOfDate)
	if err == nil && a.inSlices {
		found.heavy, err = a.heavyOf(ctx, found.events)
	}
	return found, err
}

// weigh finds the heavy events of dates that are read whole.
func (d *indexedDates) weigh() {
	bytes := map[string]int{}
	d.heavy = map[string]bool{}
	for id, document := range d.documents {
		event := d.events[id]
		bytes[event] += sizeOf(document)
		d.heavy[event] = bytes[event] > largeWeight
	}
	maps.DeleteFunc(d.heavy, func(_ string, heavy bool) bool { return !heavy })
}

var idsOfDate = []string{"uuid", "date_uuid"}

// heavyOf returns the events whose dates, given by uuid with those of their events, have together
// so many bytes that they are to be replaced in slices. It reads one date of each.
func (a *Applier) heavyOf(ctx context.Context, dates map[string]string) (heavy map[string]bool, err error) {
	count, one := map[string]int{}, map[string]string{}
	for date, event := range dates {
		count[event]++
		one[event] = date
	}
	var ids []string
	for event, date := range one {
		if count[event] > fewDates {
			ids = append(ids, date)
		}
	}
	heavy = map[string]bool{}
	for chunk := range slices.Chunk(ids, pageOfDates) {
		err := a.index.ByID(ctx, document.Dates, chunk, nil, func(d index.Document) error {
			var event string
			if err := fields(d, map[string]any{"uuid": &event}); err != nil {
				return fmt.Errorf("document of %s: %w", document.Dates, err)
			}
			if sizeOf(d)*count[event] > largeWeight {
				heavy[event] = true
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return heavy, nil
}

func sizeOf(d index.Document) (bytes int) {
	for _, value := range d {
		bytes += len(value)
	}
	return bytes
}

// eventsOf returns the events among changes, and whether they are too large for their changes to
// dates to be recorded.
func eventsOf(changes []*pending) (events []string, large bool) {
	bytes := 0
	for _, e := range changes {
		if e.change.Kind == change.KindEvent {
			events = append(events, e.id)
			bytes += e.weight
		}
	}
	return events, len(events) > maxEvents || bytes > maxBytes
}

// readDates reads these attributes of the dates of events, or with nil all attributes. It returns
// errTooMany for more than maxDates documents, or more than maxRead of their bytes.
func (a *Applier) readDates(ctx context.Context, events, attributes []string) (indexedDates, error) {
	found, bytes, page := indexedDates{events: map[string]string{}}, 0, int64(index.PageSize)
	if attributes == nil {
		found.documents, page = map[string]index.Document{}, pageOfDates
	}
	for chunk := range slices.Chunk(events, eventsAtOnce) {
		filter := `uuid IN ["` + strings.Join(chunk, `","`) + `"]` // uuids, as Decode has checked
		err := a.index.EachOf(ctx, document.Dates, filter, attributes, page, func(d index.Document) error {
			var event, id string
			if err := fields(d, map[string]any{"uuid": &event, "date_uuid": &id}); err != nil {
				return fmt.Errorf("document of %s: %w", document.Dates, err)
			}
			found.events[id] = event
			if attributes == nil {
				found.documents[id] = d
				bytes += sizeOf(d)
			}
			if len(found.documents) > maxDates || bytes > maxRead {
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
