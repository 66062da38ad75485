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
	"litfass/pkg/contracts/change"
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

	earlier earlier // the choices of the last such file
	places  *places
	kinds   *kinds
	events  []*fileEvent
	records map[string]record         // of the events, as they were before the import
	stored  store.Found[*rules.Event] // the events of the records
	results []adminapi.ImportEvent    // of events, as far as there was time
	added   map[string]bool           // the uuids of new venues that are stored

	lastImage struct {
		address string
		file    []byte
	}
	missing []adminapi.ImportMissing
}

// answerTime is the part of a request's time that is reserved for its answer: no event is begun in
// it.
const answerTime = 2 * time.Second

// read reads the file, with the mapping of the last such file unless the request has one.
func (r *run) read(ctx context.Context) (err error) {
	r.request.options.Earlier = func(columns []string) (map[string]string, string, error) {
		found, err := r.readEarlier(ctx, headerOf(eventfile.FormatCSV, columns))
		return found.Mapping, found.DateOrder, err
	}
	if r.file, err = eventfile.Read(r.request.data, r.request.options); err != nil {
		return err
	}
	r.earlier, err = r.readEarlier(ctx, r.header())
	return err
}

// names are the possible names of venues in the file.
func (r *run) names() (names []string) {
	add := func(values map[string]string) {
		if text := values[eventfile.FieldVenue]; text != "" {
			names = append(names, namesOf(text, eventfile.PlaceOf(values))...)
		}
	}
	for _, e := range r.file.Events {
		add(e.Values)
		for _, d := range e.Dates {
			if d.Values[eventfile.FieldVenue] != e.Values[eventfile.FieldVenue] {
				add(d.Values)
			}
		}
	}
	return names
}

// prepare reads the venues that the file names and the records of earlier imports, and maps the
// events of the file.
func (r *run) prepare(ctx context.Context) error {
	return r.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		if err := r.readPlaces(ctx, tx); err != nil {
			return err
		}
		r.kinds = newKinds(r.chosenKinds())
		mapper := mapper{r.places, r.kinds, r.request.defaults, r.Zone}
		for _, e := range r.file.Events {
			r.events = append(r.events, mapper.mapEvent(e))
		}
		if err := r.places.requireNew(ctx, tx); err != nil {
			return err
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

// dryBatch is the number of events that a dry run tries at once.
const dryBatch = 100

// importAll imports one event after the other until the request's time ends. A dry run tries many
// at once.
func (r *run) importAll(ctx context.Context) error {
	size := 1
	if r.request.dryRun {
		size = dryBatch
	}
	for batch := range slices.Chunk(r.events, size) {
		if r.late(ctx) {
			return nil
		}
		results, err := r.importBatch(ctx, batch)
		if err != nil {
			return err
		}
		r.results = append(r.results, results...)
	}
	return nil
}

// late reports whether only the time is left that the answer needs.
func (r *run) late(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return limited && time.Until(deadline) < answerTime
}

// importBatch imports events. Faults of an event become the reasons of its result; the error is any
// other failure.
func (r *run) importBatch(ctx context.Context, batch []*fileEvent) ([]adminapi.ImportEvent, error) {
	results := make([]adminapi.ImportEvent, len(batch))
	var tried []*rules.Event
	var places []int
	for i, w := range batch {
		results[i] = adminapi.ImportEvent{
			Number: w.rows[0], Rows: w.rows, ExternalID: w.externalID, Title: w.event.Title, Start: value.Text(w.start()),
			Changes: []adminapi.ImportChange{}, Kept: []adminapi.ImportChange{}, MissingDates: []string{},
			Notes: w.notes,
		}
		if len(w.reasons) > 0 {
			continue
		}
		event, err := r.plan(w, &results[i])
		if err == nil && event != nil && !r.request.dryRun {
			err = r.write(ctx, w, &results[i])
		}
		if err := w.refuseBy(err); err != nil {
			return nil, err
		}
		if err == nil && event != nil && r.request.dryRun {
			tried, places = append(tried, event), append(places, i)
		}
	}
	if len(tried) > 0 {
		refused, err := r.Editor.TryEvents(ctx, tried, r.newVenues(batch))
		if err != nil {
			return nil, err
		}
		for n, i := range places {
			if err := batch[i].refuseBy(refused[n]); err != nil {
				return nil, err
			}
		}
	}
	for i, w := range batch {
		if err := r.importImage(ctx, w, &results[i]); err != nil {
			return nil, err
		}
		results[i].Reasons = append([]adminapi.ImportReason{}, w.reasons...)
		if len(w.reasons) > 0 {
			results[i].Action = adminapi.ImportRefuse
			results[i].Changes, results[i].Kept = []adminapi.ImportChange{}, []adminapi.ImportChange{}
		}
	}
	return results, nil
}

// plan fills the result of an event by the state before the import, and returns the event to write,
// nil if there is nothing to write.
func (r *run) plan(w *fileEvent, result *adminapi.ImportEvent) (*rules.Event, error) {
	record, known := r.records[w.externalID]
	stored, exists := r.stored[record.EventUUID]
	switch {
	case known && !exists && !r.request.restore:
		result.Action = adminapi.ImportDeleted
		return nil, nil
	case !exists:
		event := w.newEvent(r.org, &r.request.defaults)
		r.fillCreated(w, event, result)
		return event, nil
	}
	result.EventUUID = value.Text(record.EventUUID)
	if stored.Entity.OrgUUID != r.org {
		return nil, errMoved()
	}
	event, err := clone(stored.Entity)
	if err != nil {
		return nil, err
	}
	m := r.merger(record)
	if err := m.merge(event, w); err != nil {
		return nil, err
	}
	m.fill(result)
	if len(m.changes) == 0 && (r.request.dryRun || !m.recordChanged()) {
		return nil, nil
	}
	return event, nil
}

func errMoved() error {
	return fault.New(fault.Conflict, "event_moved", "the event belongs to another organization now")
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
func (m *merger) fill(result *adminapi.ImportEvent) {
	result.Action = adminapi.ImportUnchanged
	if len(m.changes) > 0 {
		result.Action = adminapi.ImportUpdate
	}
	result.Changes = append([]adminapi.ImportChange{}, m.changes...)
	result.Kept = append([]adminapi.ImportChange{}, m.kept...)
	result.MissingDates = append([]string{}, m.missing...)
}

// newVenues returns the new venues of events.
func (r *run) newVenues(batch []*fileEvent) (list []*rules.Venue) {
	for _, w := range batch {
		for _, made := range r.places.of(w) {
			if !slices.Contains(list, made) {
				list = append(list, made)
			}
		}
	}
	return list
}

// write creates or changes an event in a transaction, and before it the new venues that it is the
// first one to need: an event that is refused adds none.
func (r *run) write(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	err := r.writeIn(ctx, w, result)
	if err == nil {
		for _, made := range r.places.of(w) {
			r.added[made.UUID] = true
		}
	}
	return err
}

func (r *run) writeIn(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	return r.Editor.Within(ctx, func(to editing.Writer) error {
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
		return next.write(ctx, to.Tx, r.org, r.request.source, r.Now())
	})
}

func (r *run) create(
	ctx context.Context, to editing.Writer, w *fileEvent, result *adminapi.ImportEvent,
) (record, error) {
	event := w.newEvent(r.org, &r.request.defaults)
	dates := event.Dates // in the order of the file; the editor sorts its own list
	if _, err := to.CreateEvent(ctx, event); err != nil {
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
		return m.merge(event, w)
	})
	if err != nil {
		return record{}, err
	}
	m.fill(result)
	result.EventUUID = value.Text(last.EventUUID)
	return m.next, nil
}

// refuseBy adds the reasons of a fault that refuses the event, and returns any other error.
func (w *fileEvent) refuseBy(err error) error {
	why, err := refusal(err)
	for _, v := range why {
		w.reasons = append(w.reasons, adminapi.ImportReason{Row: w.rowOf(v.Field), Violation: v})
	}
	return err
}

// refusal returns the reasons of a fault that refuses an event, or any other error.
func refusal(err error) (why []fault.Violation, other error) {
	var f *fault.Fault
	refusals := []fault.Kind{fault.Invalid, fault.Conflict, fault.Forbidden, fault.NotFound, fault.Stale}
	switch {
	case !errors.As(err, &f) || !slices.Contains(refusals, f.Kind):
		return nil, err
	case len(f.Violations) == 0:
		return []fault.Violation{f.At("")}, nil
	}
	return f.Violations, nil
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
		text = r.places.venues.nameOf(venue)
		if inside {
			text += " / " + r.places.venues.spaceOf(venue, space)
		}
	}
	switch name {
	case eventfile.FieldKind:
		text = nameOfKinds(change.LookupEventTypes, text)
	case eventfile.FieldCategories:
		text = nameOfKinds(change.LookupCategories, text)
	}
	if runes := []rune(text); len(runes) > maxValue {
		text = string(runes[:maxValue-1]) + "…"
	}
	return value.Text(text)
}
