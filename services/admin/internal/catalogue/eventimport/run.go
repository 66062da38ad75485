package eventimport

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
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
	cast    *contributors
	series  knownSeries
	events  []*fileEvent
	records map[string]record         // of the events, as they were before the import
	stored  store.Found[*rules.Event] // the events of the records
	adding  []string                  // the uuids of new contributors that the present transaction adds
	results []adminapi.ImportEvent    // of events, as far as there was time
	added   map[string]bool           // the uuids of new venues and contributors that are stored

	pictures  []picture
	complete  bool // all events and images of the file were imported
	lastImage struct {
		address string
		file    []byte
	}
	missing     []adminapi.ImportMissing
	missingHeld bool // see Reading.Withdraws
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
	if r.request.isGiven() {
		r.file = r.request.reading.file()
	} else if r.file, err = eventfile.Read(ctx, r.request.data, r.request.options); err != nil {
		return err
	}
	r.earlier, err = r.readEarlier(ctx, r.header())
	return err
}

// named are the possible names of venues in the file, and the towns, by name or postal code, of
// those of which it has only the address.
func (r *run) named() (names, towns []string) {
	add := func(values map[string]string) {
		place := eventfile.PlaceOf(values)
		names = append(names, namesOf(values[eventfile.FieldVenue], place)...)
		if place.HasOnlyAddress() {
			towns = append(towns, place.PostalCode, strings.ToLower(place.City))
		}
	}
	for _, e := range r.file.Events {
		add(e.Values)
		for _, d := range e.Dates {
			if inOtherPlaces(d.Values, e.Values) {
				add(d.Values)
			}
		}
	}
	return names, towns
}

// prepare reads the venues that the file names and the records of earlier imports, and maps the
// events of the file.
func (r *run) prepare(ctx context.Context) error {
	return r.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		if err := r.readPlaces(ctx, tx); err != nil {
			return err
		}
		r.kinds = newKinds(r.chosenKinds())
		if r.series, err = r.readSeries(ctx, tx); err != nil {
			return err
		}
		mapper := mapper{r.places, r.kinds, r.series, r.request.defaults, r.Zone, r.Editor.VideoHosts}
		for i, e := range r.file.Events {
			r.events = append(r.events, mapper.mapEvent(e))
			if r.request.isGiven() {
				r.fillGiven(r.events[i], &r.request.reading.Events[i])
			}
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
		if r.stored, err = store.Events.Read(ctx, tx, events); err != nil {
			return err
		}
		return r.readContributors(ctx, tx)
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
	r.complete = true
	return nil
}

// forget drops what is no longer needed once the events are imported: the images of an import may
// be waited for.
func (r *run) forget() {
	if reading := r.request.reading; reading != nil {
		reading.Data, reading.Pages, reading.Events = nil, nil, nil
	}
	r.request.data, r.request.options.Pages, r.file.Events = nil, nil, nil
	r.events, r.records, r.stored = nil, nil, nil
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
		event, err := r.plan(ctx, w, &results[i])
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
		refused, err := r.Editor.TryEvents(ctx, tried, r.newVenues(batch), r.newContributors(tried))
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
		r.planPicture(w, &results[i], len(r.results)+i)
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
func (r *run) plan(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) (*rules.Event, error) {
	record, known := r.records[w.externalID]
	stored, exists := r.stored[record.EventUUID]
	switch {
	case known && !exists && !r.request.restore:
		result.Action = adminapi.ImportDeleted
		return nil, nil
	case !exists:
		event := w.newEvent(r.org, &r.request.defaults)
		r.fillCreated(w, event, result)
		held, err := r.hold(ctx, w, event, result)
		if held || err != nil {
			return nil, err
		}
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
	m := &merger{last: last, overwrite: r.request.overwrite, today: r.today, display: r.display, vanished: adminapi.MissingKeep}
	if r.request.reading != nil {
		m.vanished = r.request.missing
	}
	return m
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
