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
	// mostEvents and mostDates bound the batches of which it is noted what they alter. The dates of
	// larger ones are not read, and query services read again what they keep.
	mostEvents = 100
	mostDates  = 1_000
	// mostRecords bounds the ids in a signal.
	mostRecords = 1_000
)

// held are the dates that the index holds of the events of a batch, before it is written.
type held struct {
	events map[string]string // the event's uuid by the date's
	// documents are the whole dates by uuid; nil when they are too many to be noted.
	documents map[string]index.Document
}

// errTooMany ends reading dates that are too many to be noted.
var errTooMany = errors.New("too many dates")

// datesOf asks the index which dates it holds of the events among changes.
func (a *Applier) datesOf(ctx context.Context, changes []*pending) (held, error) {
	var events []string
	for _, e := range changes {
		if e.change.Kind == change.KindEvent {
			events = append(events, e.id)
		}
	}
	if len(events) <= mostEvents {
		found, err := a.readDates(ctx, events, nil)
		if !errors.Is(err, errTooMany) {
			return found, err
		}
	}
	return a.readDates(ctx, events, []string{"uuid", "date_uuid"})
}

// readDates reads these attributes of the dates of events, or all of them for at most mostDates;
// the error is then errTooMany.
func (a *Applier) readDates(ctx context.Context, events, attributes []string) (held, error) {
	found := held{events: map[string]string{}}
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
			if len(found.documents) > mostDates {
				return errTooMany
			}
			return nil
		})
		if err != nil {
			return held{}, err
		}
	}
	return found, nil
}

// altered returns what a writer has altered, of which before holds the dates as they were.
func (w *writer) altered(before held) applied.Batch {
	if before.documents == nil || w.records() > mostRecords || len(w.dated) > mostDates {
		return applied.Batch{All: true}
	}
	batch := applied.Batch{Records: w.recorded}
	ids := map[string]bool{}
	for id := range w.dated {
		ids[id] = true
	}
	for id, event := range before.events {
		if w.events[event] {
			ids[id] = true
		}
	}
	for id := range ids {
		if date, differs := applied.Compare(id, before.documents[id], w.dated[id]); differs {
			batch.Dates = append(batch.Dates, date)
		}
	}
	return batch
}

func (w *writer) records() (count int) {
	for _, ids := range w.recorded {
		count += len(ids)
	}
	return count
}

// note keeps the document of a date that is written, a line of JSON.
func (w *writer) note(id string, line []byte) error {
	var d index.Document
	if err := json.Unmarshal(line, &d); err != nil {
		return fmt.Errorf("read the document of date %s: %w", id, err)
	}
	w.dated[id] = d
	return nil
}
