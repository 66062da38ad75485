package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// testKilledWithQueuedWork kills the projector while its writes still wait in the engine's queue,
// after another client's task. Meanwhile the event is withdrawn. The next projector must not rely
// on its reads of the index before that queue is empty: nothing of the event may remain.
func testKilledWithQueuedWork(s *harness.System, t *testing.T, c *reference.Catalogue) {
	event := &reference.Event{
		UUID: "0197a1b2-c3d4-7e5f-8a6b-00000000aaaa", OrgUUID: c.Organizations[0].UUID, Title: "withdrawn soon", PriceType: "free",
		OnlineLink: "https://example.org", ReleaseStatus: "released",
		Dates: []*reference.Date{{UUID: "0197a1b2-c3d4-7e5f-8a6b-00000000bbbb", StartDate: "2026-05-01", AllDay: true, ReleaseStatus: "inherited"}},
	}
	only := &reference.Catalogue{Events: []*reference.Event{event}}
	queue(s, t, event)
	projector := s.Process(stack.Projector)
	if err := projector.Kill(); err != nil {
		t.Fatal(err)
	}
	event.ReleaseStatus = "draft"
	s.ImportCatalogue(t, only)
	stream := s.Catalog(t)
	harness.Await(t, "the event is gone from the stream", func() error {
		if m, _ := stream.Last(t, "catalog.event."+event.UUID); m.Snapshot != nil {
			return errors.New("it is still there")
		}
		return nil
	})
	if err := queued(t.Context(), s, "dates"); err != nil {
		t.Logf("the engine was faster than the test, which shows less now: %v", err)
	}
	if err := projector.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.AwaitReady(t)
	harness.Await(t, "the engine's queue is empty", func() error {
		if queued(t.Context(), s, "dates,occupation") == nil {
			return errors.New("it is not")
		}
		return nil
	})
	s.Verify(t)
	var answer any
	if err := s.Engine(t.Context(), http.MethodDelete, "/indexes/occupation", "", &answer); err != nil {
		t.Fatal(err)
	}
}

// queue imports an event so that its date waits in the engine's queue. When the import takes longer
// than what the engine is occupied with, it is tried again, with another title and more of that.
func queue(s *harness.System, t *testing.T, event *reference.Event) {
	t.Helper()
	const attempts, documents = 10, 20_000
	title := event.Title
	for attempt := range attempts {
		event.Title = fmt.Sprintf("%s (%d)", title, attempt)
		occupyEngine(s, t, (attempt+1)*documents)
		s.ImportCatalogue(t, &reference.Catalogue{Events: []*reference.Event{event}})
		waits := false
		harness.Await(t, "the date is in the engine's queue, or in the index", func() error {
			if waits = queued(t.Context(), s, "dates") == nil; waits {
				return nil
			}
			return shows(t.Context(), s, event.UUID, event.Title, 1)
		})
		if waits {
			return
		}
	}
	t.Fatalf("the engine was faster than the import %d times", attempts)
}

// occupyEngine gives the engine a task in an index of the test. 20,000 documents take it several
// seconds.
func occupyEngine(s *harness.System, t *testing.T, count int) {
	t.Helper()
	words := make([]string, 5000)
	for i := range words {
		words[i] = fmt.Sprintf("w%x", rand.Uint32())
	}
	var documents strings.Builder
	for i := range count {
		fmt.Fprintf(&documents, `{"id":%d,"text":"`, i)
		for range 40 {
			documents.WriteString(words[rand.IntN(len(words))] + " ")
		}
		documents.WriteString("\"}\n")
	}
	var answer any
	if err := s.EngineAs(t.Context(), "application/x-ndjson", http.MethodPost, "/indexes/occupation/documents", documents.String(), &answer); err != nil {
		t.Fatal(err)
	}
}

// queued returns nil while a task of one of the indexes waits in the engine's queue or runs.
func queued(ctx context.Context, s *harness.System, indexes string) error {
	var tasks struct {
		Results []struct{} `json:"results"`
	}
	if err := s.Engine(ctx, http.MethodGet, "/tasks?statuses=enqueued,processing&indexUids="+indexes, "", &tasks); err != nil {
		return err
	}
	if len(tasks.Results) == 0 {
		return errors.New("nothing is queued")
	}
	return nil
}
