package apply

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
)

// writer makes the documents of changes and starts the tasks that write them. The engine runs the
// tasks of an index in the order of their start, which gives the order that the package comment
// promises. Dates are sent as soon as they fill a task: the dates of a whole batch would take many
// times the memory of its changes.
type writer struct {
	index         *index.Client
	projector     project.Projector
	tasks         []int64
	unprojectable []deadLetter // changes that have no documents

	dates    lines
	entities map[string]*lines            // by index
	written  map[string]string            // dates: the event's uuid by the date's
	events   map[string]bool              // whose dates were written
	recorded map[string][]string          // ids of the records written, by index
	names    map[string]map[string]string // of the venues, organizations and contributors among them
	// revisions are those of the records written.
	revisions map[recordKey]int64
	// dated are the written dates by uuid, and listed the written venues and organizations; nil when
	// they are not recorded.
	dated  map[string]index.Document
	listed map[recordKey]index.Document
}

// newWriter returns a writer, which with recording remembers the dates that it writes.
func newWriter(client *index.Client, projector project.Projector, recording bool) *writer {
	w := &writer{
		index: client, projector: projector,
		entities: map[string]*lines{}, written: map[string]string{}, events: map[string]bool{},
		recorded: map[string][]string{}, names: map[string]map[string]string{document.Venues: {}, document.Organizations: {}, document.Contributors: {}},
		revisions: map[recordKey]int64{},
	}
	if recording {
		w.dated, w.listed = map[string]index.Document{}, map[recordKey]index.Document{}
	}
	return w
}

// write starts the tasks that write changes and the tasks that delete the events' former dates.
// indexed are the events' dates in the index: the event's uuid by the date's.
func (w *writer) write(ctx context.Context, changes []*pending, indexed map[string]string) error {
	for _, e := range changes {
		documents, err := w.project(e)
		if err != nil {
			w.unprojectable = append(w.unprojectable, e.because(err))
			continue
		}
		w.revisions[recordKey{e.index, e.id}] = e.change.Revision
		if err := w.add(ctx, documents); err != nil {
			return err
		}
	}
	if err := w.send(ctx, document.Dates, &w.dates); err != nil {
		return err
	}
	started, err := w.index.Delete(ctx, document.Dates, w.surplus(indexed))
	if w.tasks = append(w.tasks, started...); err != nil {
		return err
	}
	for _, settings := range document.Indexes {
		if lines := w.entities[settings.Name]; lines != nil {
			if err := w.send(ctx, settings.Name, lines); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) project(e *pending) (project.Documents, error) {
	c, err := change.Decode(e.message.Data)
	if err != nil {
		return project.Documents{}, err
	}
	return w.projector.Project(c)
}

// add adds the documents of one change and sends the dates that fill a task.
func (w *writer) add(ctx context.Context, documents project.Documents) error {
	for i := range documents.Dates {
		d := &documents.Dates[i]
		line, err := w.dates.add(d)
		if err != nil {
			return err
		}
		w.written[d.DateUUID] = d.UUID
		if w.dated != nil && len(w.dated) <= maxDates {
			if w.dated[d.DateUUID], err = parse(line); err != nil {
				return fmt.Errorf("read the document of date %s: %w", d.DateUUID, err)
			}
		}
	}
	if documents.Index == document.Events {
		w.events[documents.ID] = true
	}
	if w.entities[documents.Index] == nil {
		w.entities[documents.Index] = &lines{}
	}
	line, err := w.entities[documents.Index].add(documents.Record)
	if err != nil {
		return err
	}
	if w.listed != nil && len(w.listed) <= maxRecords && applied.Listed(documents.Index) != nil {
		if w.listed[recordKey{documents.Index, documents.ID}], err = parse(line); err != nil {
			return fmt.Errorf("read the document of %s %s: %w", documents.Index, documents.ID, err)
		}
	}
	w.recorded[documents.Index] = append(w.recorded[documents.Index], documents.ID)
	if names := w.names[documents.Index]; names != nil {
		names[documents.ID] = documents.Name
	}
	if len(w.dates.full) > 0 {
		return w.send(ctx, document.Dates, &w.dates)
	}
	return nil
}

// send starts a task for each part, and forgets them.
func (w *writer) send(ctx context.Context, name string, lines *lines) error {
	for _, part := range lines.parts() {
		task, err := w.index.AddLines(ctx, name, part)
		if err != nil {
			return err
		}
		w.tasks = append(w.tasks, task)
	}
	lines.clear()
	return nil
}

// surplus returns the indexed dates that no event has any more.
func (w *writer) surplus(indexed map[string]string) []string {
	var gone []string
	for id, event := range indexed {
		if _, stays := w.written[id]; w.events[event] && !stays {
			gone = append(gone, id)
		}
	}
	return gone
}

// lines are documents, one a line, in parts of the size of a task.
type lines struct {
	full [][]byte
	last bytes.Buffer
}

// add appends a document and returns its line, which is valid until the next one is added.
func (l *lines) add(document any) (line []byte, err error) {
	from := l.last.Len()
	encoder := json.NewEncoder(&l.last)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	line = l.last.Bytes()[from:]
	if l.last.Len() >= index.TaskBytes {
		l.full = append(l.full, l.last.Bytes())
		l.last = bytes.Buffer{}
	}
	return line, nil
}

func (l *lines) clear() { *l = lines{} }

// parts returns everything that was added.
func (l *lines) parts() [][]byte {
	if l.last.Len() == 0 {
		return l.full
	}
	return append(l.full, l.last.Bytes())
}
