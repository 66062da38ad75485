package litfass_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	litfass "litfass/deploy/clients/go"
)

// service is a fake one that gives answers one after the other.
type service struct {
	*litfass.Client
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	replies  []http.HandlerFunc
}

func fake(t *testing.T, replies ...http.HandlerFunc) *service {
	t.Helper()
	s := &service{replies: replies}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.Client = litfass.New(server.URL + "/")
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	if len(s.replies) == 0 {
		s.mu.Unlock()
		http.Error(w, "there is no answer to "+r.URL.String(), http.StatusTeapot)
		return
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	s.mu.Unlock()
	reply(w, r)
}

// asked returns the addresses of the requests.
func (s *service) asked() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		all = append(all, strings.TrimSuffix(r.Method+" "+r.URL.String()+" "+r.Header.Get("Last-Event-ID"), " "))
	}
	return all
}

func ok(data string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Litfass-Position", "4711")
		fmt.Fprintf(w, `{"data": %s}`, data)
	}
}

func refuse(status int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error": "refused", "code": "for_test", "request_id": "r", "details": [{"field": "limit", "reason": "is too large"}]}`)
	}
}

// hang does not answer until the client is gone.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// stream sends events and stays open, or breaks off.
func stream(open bool, events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range events {
			fmt.Fprint(w, event)
			w.(http.Flusher).Flush()
		}
		if open {
			hang(w, r)
		}
		panic(http.ErrAbortHandler)
	}
}

func left(position, uuid string) string {
	return fmt.Sprintf("id: %s\nevent: changes\ndata: {\"changes\": [{\"change\": \"left\", \"uuid\": %q, \"entry\": null}], \"position\": %q}\n\n",
		position, uuid, position)
}

func begin(position string) http.HandlerFunc {
	return ok(fmt.Sprintf(`{"changes": [], "position": %q, "more": false}`, position))
}

func TestRequests(t *testing.T) {
	s := fake(t, ok(`{"events": [], "last_event_date_uuid": null}`), ok(`{"total": 3, "facets": {}}`))
	page, err := s.At("4700").Search(t.Context(), litfass.Search{
		Filter: litfass.Filter{Tags: []string{"a", "b"}, Categories: []int{1, 2}, NotOver: true, Lat: new(54.8)}, Paged: litfass.Paged{Limit: 5},
	})
	if err != nil || page.Position != "4711" || s.requests[0].Header.Get("Litfass-Position") != "4700" {
		t.Errorf("%+v, %v", page, err)
	}
	long := litfass.FacetsQuery{Filter: litfass.Filter{EventUUIDs: slices.Repeat([]string{"0192f0a0-0000-7000-8000-000000000001"}, 200)}}
	if facets, err := s.Facets(t.Context(), long); err != nil || facets.Total != 3 {
		t.Errorf("%+v, %v", facets, err)
	}
	want := []string{"GET /api/events?categories=1%2C2&lat=54.8&limit=5&not_over=true&tags=a%2Cb", "POST /api/events/facets"}
	if got := s.asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	var body litfass.FacetsQuery
	if err := json.Unmarshal([]byte(s.bodies[1]), &body); err != nil || len(body.EventUUIDs) != 200 {
		t.Errorf("sent %s, %v", s.bodies[1], err)
	}
}

func TestErrors(t *testing.T) {
	for status, kind := range map[int]litfass.Kind{
		400: litfass.Invalid, 404: litfass.NotFound, 409: litfass.NotYetApplied, 410: litfass.BeginAgain,
		429: litfass.TooManyRequests, 500: litfass.Unexpected, 502: litfass.Unavailable, 503: litfass.Unavailable,
	} {
		s := fake(t, refuse(status))
		s.Retries = 0
		_, err := s.Venue(t.Context(), "x")
		var failure *litfass.Error
		if !errors.As(err, &failure) || failure.Kind != kind || failure.Status != status || failure.RequestID != "r" ||
			failure.Details[0].Field != "limit" || !strings.Contains(err.Error(), "limit is too large") {
			t.Errorf("%d: %+v", status, err)
		}
	}
}

func TestRetries(t *testing.T) {
	reset := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	for name, c := range map[string]struct {
		replies []http.HandlerFunc
		asked   int
		kind    litfass.Kind
	}{
		"what may pass":           {[]http.HandlerFunc{reset, refuse(503), ok(`{}`)}, 3, ""},
		"what cannot":             {[]http.HandlerFunc{refuse(404)}, 1, litfass.NotFound},
		"the last one":            {[]http.HandlerFunc{refuse(503), refuse(503), refuse(503)}, 3, litfass.Unavailable},
		"a long wait":             {[]http.HandlerFunc{refuse(429, "Retry-After", "3600")}, 1, litfass.TooManyRequests},
		"an answer of others":     {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }}, 1, litfass.Unexpected},
		"an answer that is late":  {[]http.HandlerFunc{hang, hang, hang}, 3, litfass.TimedOut},
		"a time in an old header": {[]http.HandlerFunc{refuse(503, "Retry-After", "Fri, 20 Nov 2020 18:30:00 GMT"), ok(`{}`)}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := fake(t, c.replies...)
			s.Retries = 2
			if c.kind == litfass.TimedOut {
				s.Timeout = 20 * time.Millisecond
			}
			_, err := s.Venue(t.Context(), "x")
			var failure *litfass.Error
			if errors.As(err, &failure); (err == nil) != (c.kind == "") || err != nil && failure.Kind != c.kind {
				t.Errorf("got %v, want %q", err, c.kind)
			}
			if got := s.asked(); len(got) != c.asked {
				t.Errorf("asked %q", got)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	s := fake(t, refuse(429, "Retry-After", "1"), ok(`{}`))
	began := time.Now()
	if _, err := s.Venue(t.Context(), "x"); err != nil || time.Since(began) < time.Second {
		t.Errorf("answered after %s, %v", time.Since(began), err)
	}
}

func TestContext(t *testing.T) {
	for _, reply := range []http.HandlerFunc{hang, refuse(429, "Retry-After", "60")} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		s := fake(t, reply)
		if _, err := s.Venue(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
}

func TestDates(t *testing.T) {
	s := fake(t,
		ok(`{"events": [{"date_uuid": "a"}, {"date_uuid": "b"}], "last_event_start_at": "2027-01-01T20:00", "last_event_date_uuid": "b"}`),
		ok(`{"events": [{"date_uuid": "c"}]}`), refuse(400))
	var uuids []string
	for date, err := range s.Dates(t.Context(), litfass.Search{Paged: litfass.Paged{Limit: 2, Offset: 5}}) {
		if err != nil {
			t.Fatal(err)
		}
		uuids = append(uuids, date.DateUUID)
	}
	want := []string{
		"GET /api/events?limit=2&offset=5",
		"GET /api/events?last_event_date_uuid=b&last_event_start_at=2027-01-01T20%3A00&limit=2",
	}
	if got := s.asked(); !slices.Equal(uuids, []string{"a", "b", "c"}) || !slices.Equal(got, want) {
		t.Errorf("%q by %q", uuids, got)
	}
	for _, err := range s.Dates(t.Context(), litfass.Search{}) {
		if err == nil {
			t.Error("no error")
		}
	}
}

func TestChanges(t *testing.T) {
	s := fake(t, begin("a-0"),
		stream(false, "retry: 3000\n\n", left("a-1", "one"), strings.TrimSuffix(left("a-2", "lost"), "\n")),
		refuse(503),
		stream(false, left("a-2", "two"), ": idle\r\nid: a-3\r\n\r\n"),
		stream(true, "id: a-3\n\n", left("a-4", "three")))
	var positions, uuids []string
	for page, err := range s.Changes(t.Context(), litfass.ChangesQuery{Filter: litfass.Filter{City: "Kiel"}}) {
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, page.Position)
		for _, change := range page.Changes {
			uuids = append(uuids, change.UUID)
		}
		if len(uuids) == 3 {
			break
		}
	}
	if want := []string{"a-0", "a-1", "a-2", "a-3", "a-4"}; !slices.Equal(positions, want) || !slices.Equal(uuids, []string{"one", "two", "three"}) {
		t.Errorf("%q at %q", uuids, positions)
	}
	const city = "GET /api/changes?city=Kiel "
	want := []string{"GET /api/changes", city + "a-0", city + "a-1", city + "a-1", city + "a-3"}
	if got := s.asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}

func TestPoll(t *testing.T) {
	s := fake(t, begin("a-1"), refuse(502), begin("a-2"), refuse(410))
	var err error
	for _, err = range s.Changes(t.Context(), litfass.ChangesQuery{After: "a-0", Poll: true, Kind: litfass.Venues}) {
	}
	if !errors.Is(err, litfass.ErrBeginAgain) {
		t.Errorf("ended with %v", err)
	}
	if got := s.asked(); got[3] != "GET /api/changes?after=a-2&kind=venues&limit=1000&wait=30" {
		t.Errorf("asked %q", got)
	}
}

func TestChangesEnd(t *testing.T) {
	for name, c := range map[string]struct {
		reply http.HandlerFunc
		is    error
	}{
		"a position that is not known": {refuse(410), litfass.ErrBeginAgain},
		"the same within a stream":     {stream(true, "event: begin_again\ndata: {}\n\n"), litfass.ErrBeginAgain},
		"the context":                  {stream(true, "id: a-0\n\n"), context.DeadlineExceeded},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		for _, err := range fake(t, c.reply).Changes(ctx, litfass.ChangesQuery{After: "a-0"}) {
			if !errors.Is(err, c.is) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, err := range fake(t, begin("a-1")).Changes(t.Context(), litfass.ChangesQuery{After: "a-0"}) {
		var failure *litfass.Error
		if !errors.As(err, &failure) || failure.Kind != litfass.Unexpected {
			t.Errorf("an answer that is no stream: %v", err)
		}
	}
}

// venues returns an answer with the venues of the numbers.
func venues(from, to int) http.HandlerFunc {
	var all []string
	for n := from; n < to; n++ {
		all = append(all, fmt.Sprintf(`{"uuid": "%03d", "name": "%03d"}`, n, n))
	}
	return ok(`{"venues": [` + strings.Join(all, ",") + `], "total": 500}`)
}

// TestVenuesThatShift: a venue that goes while pages are read hides none of the others.
func TestVenuesThatShift(t *testing.T) {
	s := fake(t, begin("a-1"), venues(0, 200), venues(200, 390), venues(1, 201), venues(200, 390), begin("a-1"))
	var store litfass.Memory
	if err := s.Refresh(t.Context(), litfass.ChangesQuery{Kind: litfass.Venues}, &store); err != nil {
		t.Fatal(err)
	}
	if entries := store.Entries(); len(entries) != 389 || entries["200"].Change != litfass.Entered {
		t.Errorf("%d venues, that which moved to the page before: %+v", len(entries), entries["200"])
	}
	if got := s.asked(); got[2] != "GET /api/venues?limit=200&offset=199" || s.requests[2].Header.Get("Litfass-Position") != "4711" {
		t.Errorf("asked %q", got)
	}
}

// TestCopyBeginsAgain, and goes on from its position.
func TestCopyBeginsAgain(t *testing.T) {
	found := ok(`{"events": [{"search_rank": 1, "uuid": "e", "date_uuid": "d", "venue_lat": 54.7900000000001}]}`)
	s := fake(t, begin("a-1"), ok(`{"events": []}`), refuse(410), begin("b-1"), found, begin("b-2"), begin("b-3"))
	var store litfass.Memory
	for _, want := range []string{"b-2", "b-3"} {
		err := s.Refresh(t.Context(), litfass.ChangesQuery{}, &store)
		if position, _ := store.Position(t.Context()); err != nil || position != want {
			t.Errorf("at %s, want %s: %v", position, want, err)
		}
	}
	entry := store.Entries()["d"]
	if entry.EventUUID != "e" || string(entry.Entry) != `{"date_uuid":"d","uuid":"e","venue_lat":54.7900000000001}` {
		t.Errorf("%+v %s", entry, entry.Entry)
	}
}

// broken is a store that is full.
type broken struct{ litfass.Memory }

var errFull = errors.New("the disk is full")

func (*broken) Apply(context.Context, []litfass.Change, string) error { return errFull }

func TestStoreFails(t *testing.T) {
	s := fake(t, begin("a-1"), ok(`{"events": []}`), stream(true, left("a-2", "one")))
	if err := s.Mirror(t.Context(), litfass.ChangesQuery{}, &broken{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	var store litfass.Memory
	err := fake(t, begin("a-1"), refuse(400)).Refresh(t.Context(), litfass.ChangesQuery{}, &store)
	if position, _ := store.Position(t.Context()); err == nil || position != "" {
		t.Errorf("at %q, %v", position, err)
	}
	for _, kind := range []string{litfass.Organizations, litfass.Contributors, litfass.AllSeries} {
		if err := fake(t).Refresh(t.Context(), litfass.ChangesQuery{Kind: kind}, &store); err == nil {
			t.Errorf("a copy of %s, of which there is no list of all", kind)
		}
	}
}
