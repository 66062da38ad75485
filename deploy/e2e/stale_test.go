package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
)

// TestNoAnswerIsOlderThanItsPosition: while organizers edit, every public answer shows what was
// edited up to the position that it names. A second query service hears a freshness signal from
// which an error was planted: its answers must be found to be stale, else the checker sees nothing.
func TestNoAnswerIsOlderThanItsPosition(t *testing.T) {
	const edits, answers = 100, 600
	s := &system{Stack: run(t, stack.Options{Env: []string{"RATE_LIMITS=off"}})}
	s.client = client.New(s.URL(), 8)
	now := time.Now().In(berlin)
	catalogue := generate.Catalogue(seed(t), 300, now)
	s.importCatalogue(t, catalogue)
	o := s.organizer(t)
	_, planted, err := s.StartAnother(t.Context(), stack.Query, "READ_NODE=planted")
	if err != nil {
		t.Fatal(err)
	}
	s.plant(t)
	s.awaitReady(t)

	book := stale.NewBook(catalogue, s.URL(), now)
	editor := stale.NewEditor(book, 1, []string{"Abend", "Nacht", "Konzert", generate.RareWords[0]}, 15)
	searches := searchesOf(book.Dates()[:40])
	honest := stale.NewChecker(book, s.client, searches)
	wrong := stale.NewChecker(book, client.New(planted, 4), searches)
	var made atomic.Int64
	group, ctx := errgroup.WithContext(t.Context())
	for range 3 {
		group.Go(func() error {
			for made.Add(1) <= edits {
				if err := o.make(ctx, editor.Next()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	asking, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var askers sync.WaitGroup
	for _, checker := range []*stale.Checker{honest, honest, wrong, wrong} {
		askers.Go(func() {
			for asking.Err() == nil && checker.Counts().All() < answers {
				checker.Ask(asking)
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	askers.Wait()
	counts := honest.Counts()
	if counts.Stale > 0 || counts.Failed > 0 || counts.All() < answers {
		t.Errorf("%d of %d answers are stale, %d failed: %v, %v", counts.Stale, counts.All(), counts.Failed, counts.First, counts.Failure)
	}
	for _, kind := range []string{"events", "summary", "details", "lists"} {
		if counts.Checked[kind] == 0 {
			t.Errorf("no answer of the kind %s was checked", kind)
		}
	}
	if found := wrong.Counts(); found.Stale == 0 {
		t.Errorf("none of %d answers behind a wrong signal is found to be stale", found.All())
	}
}

// searchesOf returns searches that find some of the dates, of several kinds.
func searchesOf(dates []*reference.Dated) []reference.Parameters {
	searches := []reference.Parameters{
		{}, {"limit": "5"}, {"release_statuses": "cancelled"}, {"search": generate.RareWords[0], "sort": "start"}, {"title": "*abend*"},
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

// make sends an edit, which must succeed.
func (o organizer) make(ctx context.Context, edit stale.Edit) error {
	header, err := o.send(ctx, edit.Method, edit.Path, edit.Body, &map[string]any{})
	if err == nil {
		edit.Done(stale.Position(header))
	}
	return err
}

// plant repeats the freshness signal of the stack's read node as that of another one, wrongly: the
// position grows, but what was applied is never said.
func (s *system) plant(t *testing.T) {
	t.Helper()
	connection, err := nats.Connect(s.NATSURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(connection.Close)
	var first any
	_, err = connection.Subscribe("catalog-applied.local", func(m *nats.Msg) {
		var signal map[string]any
		if err := json.Unmarshal(m.Data, &signal); err != nil {
			t.Error(err)
			return
		}
		if first == nil {
			first = signal["sequence"]
		}
		signal["sequence"] = first
		data, err := json.Marshal(signal)
		if err == nil {
			err = connection.Publish("catalog-applied.planted", data)
		}
		if err != nil && !connection.IsClosed() {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
