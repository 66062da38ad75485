package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/lane"
	"litfass/pkg/contracts/applied"
)

// errorsInSignals are errors that are planted in the changes of batches, by the kind of answers
// that must be found to be stale.
var errorsInSignals = map[string]func() func(*applied.Batch){
	"events": func() func(*applied.Batch) { // an attribute is missing
		return func(batch *applied.Batch) {
			for _, date := range batch.Dates {
				delete(date.Before, "title_key")
				delete(date.After, "title_key")
			}
		}
	},
	"groups":  firstEntries,
	"feeds":   firstEntries,
	"details": firstViews,
	"lists":   firstViews,
	"summary": func() func(*applied.Batch) { // the dates are missing
		return func(batch *applied.Batch) { batch.Dates = nil }
	},
	"facets": func() func(*applied.Batch) { // the names are wrong
		return func(batch *applied.Batch) {
			for _, names := range batch.Names {
				for id := range names {
					names[id] = "a wrong name"
				}
			}
		}
	},
}

// firstEntries keeps the first entry of each date.
func firstEntries() func(*applied.Batch) {
	first := map[string][]string{}
	return func(batch *applied.Batch) {
		for i, date := range batch.Dates {
			if first[date.ID] == nil {
				first[date.ID] = date.Entry
			}
			batch.Dates[i].Entry = first[date.ID]
		}
	}
}

// firstViews keeps the first view of each venue and organization.
func firstViews() func(*applied.Batch) {
	first := map[string]string{}
	return func(batch *applied.Batch) {
		for _, records := range batch.Changed {
			for i, r := range records {
				if first[r.ID] == "" {
					first[r.ID] = r.View
				}
				records[i].View = first[r.ID]
			}
		}
	}
}

// TestNoAnswerIsOlderThanItsPosition: while organizers edit, every public answer shows what was
// edited up to the position that it names. Further query services hear a freshness signal with an
// error planted in it: some of their answers must be found to be stale, else the checker sees
// nothing.
func TestNoAnswerIsOlderThanItsPosition(t *testing.T) {
	edits, answers := lane.Scale(40, 60), lane.Scale(200, 300)
	s := &harness.System{Stack: harness.RunRaced(t, stack.Options{Env: []string{"RATE_LIMITS=off"}})}
	s.Client = client.New(s.URL(), 8)
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(harness.Seed(t), 300, now)
	s.ImportCatalogue(t, catalogue)
	o := s.Organizer(t)
	planted := map[string]string{} // addresses by kind
	for kind, planting := range errorsInSignals {
		_, address, err := s.StartAnother(t.Context(), stack.Query, "READ_NODE=planted-"+kind)
		if err != nil {
			t.Fatal(err)
		}
		planted[kind] = address
		plant(s, t, "planted-"+kind, planting())
	}
	s.AwaitReady(t)

	book := stale.NewBook(catalogue, s.URL(), now)
	editor := stale.NewEditor(book, 1, []string{"Abend", "Nacht", "Konzert", generate.RareWords[0]}, 15)
	searches := searchesOf(book.Dates()[:40])
	honest := stale.NewChecker(book, s.Client, searches)
	wrong := map[string]*stale.Checker{}
	for kind, address := range planted {
		wrong[kind] = stale.NewChecker(book, client.New(address, 4), searches)
		wrong[kind].Fill(t.Context()) // so that the service keeps all answers
	}
	var made atomic.Int64
	var answered atomic.Bool
	group, ctx := errgroup.WithContext(t.Context())
	for range 3 {
		group.Go(func() error {
			for int(made.Add(1)) <= edits || !answered.Load() {
				position, err := sendEdit(ctx, o, editor.Next())
				if err == nil && honest.Counts().All() >= answers {
					err = awaitApplied(ctx, s, position) // wrong answers are looked for: let them last
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	asking, stop := context.WithTimeout(ctx, harness.Patience)
	defer stop()
	var askers sync.WaitGroup
	ask := func(checker *stale.Checker, enough func(stale.Counts) bool) {
		for asking.Err() == nil && !enough(checker.Counts()) {
			checker.Ask(asking)
		}
	}
	for range 2 {
		askers.Go(func() { ask(honest, func(c stale.Counts) bool { return c.All() >= answers }) })
	}
	for kind, checker := range wrong {
		askers.Go(func() { ask(checker, func(c stale.Counts) bool { return c.Old[kind] > 0 }) })
	}
	askers.Wait()
	answered.Store(true)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	counts := honest.Counts()
	if counts.Stale > 0 || counts.Failed > 0 || counts.All() < answers {
		t.Errorf("%d of %d answers are stale, %d failed: %v, %v", counts.Stale, counts.All(), counts.Failed, counts.First, counts.Failure)
	}
	for _, kind := range stale.Kinds {
		if counts.Checked[kind] == 0 {
			t.Errorf("no answer of the kind %s was checked", kind)
		}
	}
	for kind, checker := range wrong {
		found := checker.Counts()
		if found.Old[kind] == 0 {
			t.Errorf("none of %d answers of the kind %s behind a wrong signal is found to be stale", found.Checked[kind], kind)
		}
		t.Logf("behind a wrong signal for %s: %v of %v are stale, first %v", kind, found.Old, found.Checked, found.First)
	}
}

// searchesOf returns searches that find some of the dates, of several kinds.
func searchesOf(dates []*reference.Dated) []reference.Parameters {
	searches := []reference.Parameters{
		{}, {"limit": "5"}, {"release_statuses": "cancelled"}, {"search": generate.RareWords[0], "sort": "start"},
		{"title": "*abend*"}, {"title": "*nacht*"}, {"title": "*konzert*"}, {"title": "*" + generate.RareWords[0] + "*"},
	}
	for i, d := range dates {
		p := reference.Parameters{"start": d.Date.StartDate}
		switch {
		case i%4 == 0:
			p["event_uuids"] = d.Event.UUID
		case i%4 == 1 && len(d.Event.EventTypes) > 0:
			p["event_types"] = fmt.Sprint(d.Event.EventTypes[0].TypeID)
		case i%4 == 2 && d.Place.Venue != nil:
			p["venue_uuids"] = d.Place.Venue.UUID
		default:
			p["org_uuids"] = d.Event.OrgUUID
		}
		searches = append(searches, p)
	}
	return searches
}

// sendEdit sends an edit, which must succeed, and returns its position.
func sendEdit(ctx context.Context, o harness.Organizer, edit stale.Edit) (position uint64, err error) {
	header, err := o.Send(ctx, edit.Method, edit.Path, edit.Body, &map[string]any{})
	if err == nil {
		position = client.Position(header)
		edit.Done(position)
	}
	return position, err
}

// awaitApplied waits until the read node has applied a position.
func awaitApplied(ctx context.Context, s *harness.System, position uint64) error {
	header := client.AtPosition(position)
	for {
		answer, err := s.Client.Do(ctx, http.MethodGet, "/api/events?limit=1", header, nil)
		if err != nil || answer.Status != http.StatusConflict {
			return err
		}
	}
}

// plant repeats the freshness signal of the stack's read node as the signal of another node, with
// an error in the changes of the batches.
func plant(s *harness.System, t *testing.T, node string, spoil func(*applied.Batch)) {
	t.Helper()
	connection, err := nats.Connect(s.NATSURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(connection.Close)
	_, err = connection.Subscribe("catalog-applied.local", func(m *nats.Msg) {
		var signal applied.Signal
		err := json.Unmarshal(m.Data, &signal)
		if err == nil && signal.Batch != nil {
			spoil(signal.Batch)
		}
		data, encodeErr := json.Marshal(signal)
		if err = errors.Join(err, encodeErr); err == nil {
			err = connection.Publish("catalog-applied."+node, data)
		}
		if err != nil && !connection.IsClosed() {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
