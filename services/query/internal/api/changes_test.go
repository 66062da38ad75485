package api

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/params"
)

const catalogueStream = "CATALOG@2026-11-20T00:00:00Z"

// positionAt returns the position of a sequence of the fixture's stream.
func positionAt(sequence uint64) string {
	return params.Position{Stream: params.Mark(catalogueStream), Sequence: sequence}.String()
}

// journal has one entry, from sequence 7 on.
type journal struct{ entry stream.JournalEntry }

func (j journal) JournalBounds(context.Context) (first, last uint64, ok bool, err error) {
	return 1, 1, true, nil
}

func (j journal) JournalEntry(_ context.Context, at uint64) (entry stream.JournalEntry, ok bool, err error) {
	return j.entry, at == 1, nil
}

func (j journal) Published(context.Context, stream.JournalEntry, uint64) (bool, error) {
	return true, nil
}

// changesFixture returns a log of three changes, 8 to 10: an event, its withdrawal, and a venue.
func changesFixture(t *testing.T, log *slog.Logger) (*changes.Log, *changes.Hub) {
	t.Helper()
	fair := change.Event{
		UUID: eventFair, Organization: change.Organizer{UUID: orgNord, Name: "Kulturverein Nord"}, Title: "Hafenfest", PriceType: "free", ReleaseStatus: "released",
		Dates: []change.Date{{UUID: fairDay, StartDate: "2026-11-20", StartTime: "19:30", ReleaseStatus: "inherited"}},
	}
	encoded := func(kind change.Kind, id string, revision int64, snapshot any) json.RawMessage {
		c, err := change.New(kind, id, revision, snapshot)
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	published := encoded(change.KindEvent, eventFair, 1, fair)
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Session: "s", Position: 70, Stream: catalogueStream, Complete: 10})
	feed := changes.NewLog(journal{stream.JournalEntry{Stream: catalogueStream, After: 7, Changes: []stream.JournalChange{
		{After: published},
		{Before: published, After: encoded(change.KindEvent, eventFair, 2, nil)},
		{After: encoded(change.KindVenue, venueHall, 3, change.Venue{VenueOfEvent: change.VenueOfEvent{UUID: venueHall, Name: "Halle"}, Organization: change.Organizer{UUID: orgNord}})},
	}}}, signal, project.New(publicURL, "Europe/Berlin"), log)
	hub := changes.NewHub(feed, changes.Bounds{All: 2, PerAddress: 1}, time.Now)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = hub.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return feed, hub
}

// TestAStreamGoesOn: a stream begins with the changes after the position of the last event.
func TestAStreamGoesOn(t *testing.T) {
	s := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"}))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api/changes?kind=venues", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Last-Event-ID", positionAt(8))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" || response.Header.Get("Litfass-Position") != "70" {
		t.Fatalf("%d %v", response.StatusCode, response.Header)
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found {
			continue
		}
		var page changes.Page
		if err := json.Unmarshal([]byte(data), &page); err != nil || page.Position != positionAt(10) || len(page.Changes) != 1 || page.Changes[0].UUID != venueHall {
			t.Fatalf("%s, %v", data, err)
		}
		return
	}
	t.Fatal("the stream ended")
}

// TestWaitingEnds: an answer without changes comes when the wait is over, with the same position.
func TestWaitingEnds(t *testing.T) {
	s := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"}))
	began := time.Now()
	response, body := s.do(t, "GET", "/api/changes?wait=1&after="+positionAt(10), "")
	if took := time.Since(began); response.StatusCode != http.StatusOK || !strings.Contains(string(body), `{"changes":[],"position":"`+positionAt(10)+`"`) || took < time.Second {
		t.Errorf("%d %s after %s", response.StatusCode, body, took)
	}
}

// TestChangesOfWordsAreRefused: what words find is not known from a change. They are refused by
// name, also in a stream.
func TestChangesOfWordsAreRefused(t *testing.T) {
	s := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"}))
	for parameter, query := range map[string]string{
		"search": "search=jazz", "q": "q=jazz", "words": "words=jazz", "kind": "kind=dates%2Cvenues", "title": "kind=venues&title=x",
	} {
		s.refusesChanges(t, query, parameter)
	}
}

// TestChangesOfPlacesInAPortalAreRefused: which venues and organizations a portal has is not known
// from a change. They are refused by name, also in a stream.
func TestChangesOfPlacesInAPortalAreRefused(t *testing.T) {
	s := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"}))
	for _, kind := range []string{"venues", "organizations", "contributors", "series"} {
		s.refusesChanges(t, "kind="+kind+"&portal=nord", "portal")
		s.refusesChanges(t, "kind="+kind+"&portal=nord", "portal", "Accept", eventStream)
	}
}

// refusesChanges checks that a query for changes is refused with the name of a parameter.
func (s site) refusesChanges(t *testing.T, query, parameter string, header ...string) {
	t.Helper()
	response, body := s.do(t, "GET", "/api/changes?"+query+"&after="+positionAt(7), "", header...)
	if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"field":"`+parameter+`"`) {
		t.Errorf("%s: %d %s", query, response.StatusCode, body)
	}
}
