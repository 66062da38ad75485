package faults

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

const (
	planted = "planted by a test"
	unknown = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c" // the uuid of no entity
)

// testPlantedInStream changes, removes and adds messages without the relay. "admin verify" names
// each, and "admin republish" repairs stream and index.
func testPlantedInStream(s *harness.System, t *testing.T, c *reference.Catalogue) {
	stream := s.Catalog(t)
	ref := s.Reference(c)
	altered, newer, withdrawn := severalEvents(ref)
	removed := c.Venues[0].UUID
	alter := func(event string, change func(m *harness.Message)) {
		m, _ := stream.Last(t, "catalog.event."+event)
		change(&m)
		stream.PublishMessage(t, "catalog.event."+m.ID, m)
	}
	alter(altered, func(m *harness.Message) { m.Snapshot["title"] = planted })
	alter(newer, func(m *harness.Message) { m.Snapshot["title"], m.Revision = planted, m.Revision+1_000_000 })
	alter(withdrawn, func(m *harness.Message) { m.Snapshot, m.Revision = nil, m.Revision+1 })
	alter(altered, func(m *harness.Message) {
		m.ID, m.Snapshot["uuid"], m.Snapshot["title"], m.Snapshot["dates"] = unknown, unknown, planted, []any{}
	})
	_, sequence := stream.Last(t, "catalog.venue."+removed)
	if err := stream.Stream.DeleteMsg(t.Context(), sequence); err != nil {
		t.Fatal(err)
	}

	finds(s, t, stack.Admin, altered, newer, withdrawn, removed, unknown)
	s.MustRun(t, stack.Admin, "republish")
	s.AwaitReady(t)
	s.Verify(t)
	k := harness.NewChecker(s.Client, ref)
	for _, p := range []reference.Parameters{
		{"event_uuids": strings.Join([]string{altered, newer, withdrawn, unknown}, ","), "limit": "200"}, {"title": planted},
	} {
		if err := k.Check(t.Context(), generate.Query{Parameters: p}); err != nil {
			t.Errorf("after the repair: %v", err)
		}
	}
}

// severalEvents returns three different public events.
func severalEvents(r *reference.Reference) (one, two, three string) {
	var uuids []string
	for _, d := range r.Dates() {
		if !slices.Contains(uuids, d.Event.UUID) {
			uuids = append(uuids, d.Event.UUID)
		}
	}
	return uuids[0], uuids[len(uuids)/2], uuids[len(uuids)-1]
}

// finds runs a verification that must fail and name every difference.
func finds(s *harness.System, t *testing.T, service string, names ...string) {
	t.Helper()
	output, exit, err := s.RunCommand(t.Context(), service, "verify")
	if err != nil || exit != 1 {
		t.Errorf("%s verify: exit code %d, %v, want 1", service, exit, err)
	}
	for _, name := range names {
		if !strings.Contains(output, name) {
			t.Errorf("%s verify does not name %s:\n%s", service, name, harness.Tail(output))
		}
	}
}

// testPlantedInIndex removes, changes and adds documents without the projector. "projector verify"
// names each, and "projector rebuild" repairs the index while reads succeed. No outdated answer
// remains.
func testPlantedInIndex(s *harness.System, t *testing.T, c *reference.Catalogue) {
	k := harness.NewChecker(s.Client, s.Reference(c))
	dates := k.Ref.Dates()
	gone, altered, key := dates[0], dates[len(dates)/2], dates[len(dates)-1]
	eventGone, _, _ := severalEvents(k.Ref)
	for _, plant := range []struct{ method, path, body string }{
		{http.MethodDelete, "/indexes/dates/documents/" + gone.Date.UUID, ""},
		{http.MethodPut, "/indexes/dates/documents", plantedEntry(s, t, altered.Date.UUID)},
		{http.MethodPut, "/indexes/dates/documents", `[{"date_uuid":"` + key.Date.UUID + `","start_key":202001010000}]`},
		{http.MethodPut, "/indexes/dates/documents", `[{"date_uuid":"` + unknown + `","start_day":20200101}]`},
		{http.MethodDelete, "/indexes/venues/documents/" + c.Venues[0].UUID, ""},
		{http.MethodDelete, "/indexes/events/documents/" + eventGone, ""},
		{http.MethodPut, "/indexes/regions/documents", `[{"id":"deutschland_sachsen_markt","view":"{\"name\":\"x\"}"}]`},
	} {
		s.ChangeIndex(t, plant.method, plant.path, plant.body)
	}
	finds(s, t, stack.Projector, gone.Date.UUID, altered.Date.UUID+": different in entry.", "entry.title", key.Date.UUID, unknown, c.Venues[0].UUID, eventGone, "sachsen")

	asked := generate.Query{Parameters: reference.Parameters{"event_uuids": altered.Event.UUID}}
	if err := k.Check(t.Context(), asked); err == nil {
		t.Error("a planted title is not shown: the test plants nothing")
	}
	failed := readDuring(s, t, func() { s.MustRun(t, stack.Projector, "rebuild") })
	if failed != nil {
		t.Errorf("a read during the rebuild: %v", failed)
	}
	// The query service may hear of the swap only after the command has ended.
	harness.Await(t, "what was asked before the rebuild", func() error { return k.Check(t.Context(), asked) })
	s.AwaitReady(t)
	s.Verify(t)
	s.Compare(t, c, 3, 50)
}

// testLostStream deletes the stream while everything runs. The relay fills a new one and the index
// is rebuilt from it without any command; no read is empty meanwhile.
func testLostStream(s *harness.System, t *testing.T, c *reference.Catalogue) {
	catalog := s.Catalog(t)
	built, err := builtFrom(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	failed := readDuring(s, t, func() {
		if err := catalog.DeleteStream(t.Context(), "CATALOG"); err != nil {
			t.Fatal(err)
		}
		harness.Await(t, "an index of the new stream", func() error {
			now, err := builtFrom(t.Context(), s)
			if err != nil {
				return err
			}
			if now == built {
				return errors.New("the index is that of " + now)
			}
			return nil
		})
	})
	if failed != nil {
		t.Errorf("a read after the loss: %v", failed)
	}
	s.AwaitReady(t)
	s.Verify(t)
	s.Compare(t, c, 5, 20)
}

// builtFrom returns which stream the index was built from.
func builtFrom(ctx context.Context, s *harness.System) (string, error) {
	var state struct {
		Stream string `json:"stream"`
	}
	err := s.Engine(ctx, http.MethodGet, "/indexes/meta/documents/state", "", &state)
	return state.Stream, err
}

// plantedEntry returns the documents that give a date the entry that it has with another title.
func plantedEntry(s *harness.System, t *testing.T, date string) string {
	t.Helper()
	type document struct {
		ID    string `json:"date_uuid"`
		Entry string `json:"entry"`
	}
	var d document
	if err := s.Engine(t.Context(), http.MethodGet, "/indexes/dates/documents/"+date+"?fields=date_uuid,entry", "", &d); err != nil {
		t.Fatal(err)
	}
	d.Entry = regexp.MustCompile(`"title":"(?:[^"\\]|\\.)*"`).ReplaceAllString(d.Entry, `"title":"`+planted+`"`)
	data, err := json.Marshal([]document{d})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// readDuring reads continuously while the work runs, and returns the first failed or empty read.
func readDuring(s *harness.System, t *testing.T, work func()) error {
	t.Helper()
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			page, err := s.Client.Search(t.Context(), generate.Query{Parameters: reference.Parameters{"offset": strconv.Itoa(n % 100)}})
			if err == nil && len(page.Events) == 0 {
				err = errors.New("nothing is found")
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	work()
	close(done)
	return <-ended
}
