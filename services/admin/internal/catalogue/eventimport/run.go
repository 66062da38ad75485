package eventimport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// run is one import.
type run struct {
	*Service
	org     string
	request request
	file    eventfile.File
	today   string

	venues  venues
	events  []*fileEvent
	records map[string]record         // of the events, as they were before the import
	stored  store.Found[*rules.Event] // the events of the records
	results []adminapi.ImportEvent    // of events, as far as there was time
}

// answerTime is the part of a request's time that is reserved for its answer: no event is begun in
// it.
const answerTime = 2 * time.Second

// prepare reads the venues that the file names and the records of earlier imports, and maps the
// events of the file.
func (r *run) prepare(ctx context.Context) error {
	var names []string
	for _, e := range r.file.Events {
		names = append(names, namesOf(e.Values[eventfile.FieldVenue])...)
		for _, d := range e.Dates {
			if text := d.Values[eventfile.FieldVenue]; text != e.Values[eventfile.FieldVenue] {
				names = append(names, namesOf(text)...)
			}
		}
	}
	return r.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		if r.venues, err = readVenues(ctx, tx, r.org, names, r.request.defaults.VenueUUID); err != nil {
			return err
		}
		mapper := mapper{r.venues, r.request.defaults, r.Zone}
		for _, e := range r.file.Events {
			r.events = append(r.events, mapper.mapEvent(e))
		}
		if r.records, err = readRecords(ctx, tx, r.org, r.request.source, r.ids()); err != nil {
			return err
		}
		var events []string
		for _, record := range r.records {
			events = append(events, record.EventUUID)
		}
		r.stored, err = store.Events.Read(ctx, tx, events)
		return err
	})
}

func (r *run) ids() []string {
	ids := make([]string, len(r.events))
	for i, w := range r.events {
		ids[i] = w.externalID
	}
	return ids
}

// importAll imports one event after the other until the request's time ends.
func (r *run) importAll(ctx context.Context) error {
	deadline, limited := ctx.Deadline()
	for _, w := range r.events {
		if limited && time.Until(deadline) < answerTime {
			return nil
		}
		result, err := r.importOne(ctx, w)
		if err != nil {
			return err
		}
		r.results = append(r.results, result)
	}
	return nil
}

// importOne imports one event. Faults of the event become the reasons of its result; the error is
// any other failure.
func (r *run) importOne(ctx context.Context, w *fileEvent) (adminapi.ImportEvent, error) {
	result := adminapi.ImportEvent{
		Number: w.rows[0], Rows: w.rows, ExternalID: w.externalID, Title: w.event.Title, Start: value.Text(w.start()),
		Changes: []adminapi.ImportChange{}, Kept: []adminapi.ImportChange{}, MissingDates: []string{},
	}
	if record, known := r.records[w.externalID]; known {
		result.EventUUID = value.Text(record.EventUUID)
	}
	var err error
	if len(w.reasons) == 0 && !r.unchanged(w, &result) {
		err = r.write(ctx, w, &result)
	}
	if refused := w.refusal(err); refused != nil {
		w.reasons = append(w.reasons, refused...)
		err = nil
	}
	result.Reasons = w.reasons
	if len(w.reasons) > 0 {
		result.Action = adminapi.ImportRefuse
		result.Changes, result.Kept = []adminapi.ImportChange{}, []adminapi.ImportChange{}
	} else {
		result.Reasons = []adminapi.ImportReason{}
	}
	return result, err
}

// unchanged reports whether there is nothing to write for an event, and if so fills its result.
func (r *run) unchanged(w *fileEvent, result *adminapi.ImportEvent) bool {
	record, known := r.records[w.externalID]
	stored, exists := r.stored[record.EventUUID]
	if !known || !exists || stored.Entity.OrgUUID != r.org {
		return false
	}
	event, err := clone(stored.Entity)
	m := r.merger(record)
	if err != nil || m.merge(event, w) != nil || len(m.changes) > 0 || !r.request.dryRun && m.recordChanged() {
		return false
	}
	m.fill(result, adminapi.ImportUnchanged)
	return true
}

// clone returns a copy that shares nothing with the event.
func clone(event *rules.Event) (*rules.Event, error) {
	copied := &rules.Event{}
	data, err := json.Marshal(event)
	if err == nil {
		err = json.Unmarshal(data, copied)
	}
	return copied, err
}

func (r *run) merger(last record) *merger {
	return &merger{last: last, overwrite: r.request.overwrite, today: r.today, display: r.display}
}

// fill sets the action and the differences of a result.
func (m *merger) fill(result *adminapi.ImportEvent, action string) {
	result.Action = action
	result.Changes = append([]adminapi.ImportChange{}, m.changes...)
	result.Kept = append([]adminapi.ImportChange{}, m.kept...)
	result.MissingDates = append([]string{}, m.missing...)
}

// errDryRun rolls back a dry run.
var errDryRun = errors.New("a dry run")

// write creates or changes an event in a transaction.
func (r *run) write(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	err := r.Editor.Within(ctx, func(to editing.Writer) error {
		if err := lock(ctx, to.Tx, r.org, r.request.source, w.externalID); err != nil {
			return err
		}
		records, err := readRecords(ctx, to.Tx, r.org, r.request.source, []string{w.externalID})
		if err != nil {
			return err
		}
		var next record
		if last, known := records[w.externalID]; known {
			next, err = r.update(ctx, to, w, last, result)
		} else {
			next, err = r.create(ctx, to, w, result)
		}
		if err != nil {
			return err
		}
		if r.request.dryRun {
			return errDryRun
		}
		return next.write(ctx, to.Tx, r.org, r.request.source, r.Now())
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

func (r *run) create(
	ctx context.Context, to editing.Writer, w *fileEvent, result *adminapi.ImportEvent,
) (record, error) {
	event := w.newEvent(r.org, &r.request.defaults)
	dates := event.Dates // in the order of the file; the editor sorts its own list
	if _, err := to.CreateEvent(ctx, event); err != nil {
		return record{}, err
	}
	result.Action, result.Changes = adminapi.ImportCreate, []adminapi.ImportChange{}
	if !r.request.dryRun {
		result.EventUUID = value.Text(event.UUID)
	}
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
	return w.record(event, dates), nil
}

func (r *run) update(
	ctx context.Context, to editing.Writer, w *fileEvent, last record, result *adminapi.ImportEvent,
) (record, error) {
	m := r.merger(last)
	_, err := to.UpdateEvent(ctx, editing.Target{Key: last.EventUUID}, func(event *rules.Event) error {
		if event.OrgUUID != r.org {
			return fault.New(fault.Conflict, "event_moved", "the event belongs to another organization now")
		}
		return m.merge(event, w)
	})
	if err != nil {
		return record{}, err
	}
	action := adminapi.ImportUnchanged
	if len(m.changes) > 0 {
		action = adminapi.ImportUpdate
	}
	m.fill(result, action)
	result.EventUUID = value.Text(last.EventUUID)
	return m.next, nil
}

// refusal returns the reasons of a fault that refuses an event, nil for another error.
func (w *fileEvent) refusal(err error) []adminapi.ImportReason {
	var f *fault.Fault
	refusals := []fault.Kind{fault.Invalid, fault.Conflict, fault.Forbidden, fault.NotFound, fault.Stale}
	if !errors.As(err, &f) || !slices.Contains(refusals, f.Kind) {
		return nil
	}
	var reasons []adminapi.ImportReason
	for _, v := range f.Violations {
		reasons = append(reasons, adminapi.ImportReason{Row: w.rowOf(v.Field), Violation: v})
	}
	if len(reasons) == 0 {
		reasons = []adminapi.ImportReason{{Row: w.rows[0], Violation: f.At("")}}
	}
	return reasons
}

// rowOf returns the row of the date that a field such as dates[2] names if each row is one date,
// otherwise the first row.
func (w *fileEvent) rowOf(field string) int {
	var place int
	if _, err := fmt.Sscanf(field, "dates[%d]", &place); err == nil && place < len(w.dates) && len(w.dates) == len(w.rows) {
		return w.dates[place].row
	}
	return w.rows[0]
}

// maxValue is the maximum number of characters of a value in a report.
const maxValue = 300

// display formats a value for people: venues by their names, long texts shortened.
func (r *run) display(name, text string) value.Text {
	if name == eventfile.FieldVenue {
		venue, space, inside := strings.Cut(text, "/")
		text = r.venues.nameOf(venue)
		if inside {
			text += " / " + r.venues.spaceOf(venue, space)
		}
	}
	if runes := []rune(text); len(runes) > maxValue {
		text = string(runes[:maxValue-1]) + "…"
	}
	return value.Text(text)
}
