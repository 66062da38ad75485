package eventimport

import (
	"context"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// write creates or changes an event in a transaction, and before it the new venues and contributors
// that it is the first one to need: an event that is refused adds none.
func (r *run) write(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	err := r.writeIn(ctx, w, result)
	if err == nil {
		for _, made := range r.places.of(w) {
			r.added[made.UUID] = true
		}
		for _, id := range r.adding {
			r.added[id] = true
		}
	}
	return err
}

func (r *run) writeIn(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	return r.Editor.Within(ctx, func(to editing.Writer) error {
		r.adding = nil
		if err := lock(ctx, to.Tx, r.org, r.request.source, w.externalID); err != nil {
			return err
		}
		records, err := readRecords(ctx, to.Tx, r.org, r.request.source, []string{w.externalID})
		if err != nil {
			return err
		}
		last, known := records[w.externalID]
		if _, exists := r.stored[last.EventUUID]; !exists && last.EventUUID == r.records[w.externalID].EventUUID {
			known = false // it was deleted, and is to be restored
		}
		for _, made := range r.places.of(w) {
			if !r.added[made.UUID] {
				added := *made
				if err := to.CreateVenue(ctx, &added); err != nil {
					return err
				}
			}
		}
		var next record
		if known {
			next, err = r.update(ctx, to, w, last, result)
		} else {
			next, err = r.create(ctx, to, w, result)
		}
		if err != nil {
			return err
		}
		return next.write(ctx, to.Tx, r.org, r.request.source, w.origin, r.Now())
	})
}

func (r *run) create(
	ctx context.Context, to editing.Writer, w *fileEvent, result *adminapi.ImportEvent,
) (record, error) {
	event := w.newEvent(r.org, &r.request.defaults)
	dates := event.Dates // in the order of the file; the editor sorts its own list
	if err := r.addContributors(ctx, to, event); err != nil {
		return record{}, err
	}
	if _, err := to.CreateEvent(ctx, event, w.translate); err != nil {
		return record{}, err
	}
	r.fillCreated(w, event, result)
	result.EventUUID = value.Text(event.UUID)
	return w.record(event, dates), nil
}

// fillCreated sets the action and the values of the result of a new event.
func (r *run) fillCreated(w *fileEvent, event *rules.Event, result *adminapi.ImportEvent) {
	result.Action, result.Changes = adminapi.ImportCreate, []adminapi.ImportChange{}
	for _, f := range fields {
		if text := f.read(event); text != "" {
			change := adminapi.ImportChange{Field: f.name, After: r.display(f.name, text)}
			result.Changes = append(result.Changes, change)
		}
	}
	for i := range w.dates {
		change := adminapi.ImportChange{Field: fieldDates, After: r.display(fieldDates, w.dates[i].text(&w.dates[i].date))}
		result.Changes = append(result.Changes, change)
	}
}

func (r *run) update(
	ctx context.Context, to editing.Writer, w *fileEvent, last record, result *adminapi.ImportEvent,
) (record, error) {
	m := r.merger(last)
	_, err := to.UpdateEvent(ctx, editing.Target{Key: last.EventUUID}, func(event *rules.Event) error {
		if event.OrgUUID != r.org {
			return errMoved()
		}
		if err := m.merge(event, w); err != nil {
			return err
		}
		return r.addContributors(ctx, to, event)
	})
	if err != nil {
		return record{}, err
	}
	m.fill(result)
	result.EventUUID = value.Text(last.EventUUID)
	return m.next, nil
}
