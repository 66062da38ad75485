package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

func served(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return New(server.URL+"/", "key", 5*time.Second)
}

func TestReads(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RequestURI() != "/api/events?city=K%C3%B6ln&limit=2" || r.Header.Get("X-API-Key") != "key" || r.Header.Get("Litfass-Position") != "7" {
			t.Errorf("asked %s with %v", r.URL.RequestURI(), r.Header)
		}
		w.Header().Set("ETag", `W/"t"`)
		w.Header().Set("Litfass-Position", "9")
		if r.Header.Get("If-None-Match") == `W/"t"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"n":3}}`))
	})
	reads := c.Reads(7)
	var data struct{ N int }
	parameters := url.Values{"city": {"Köln"}, "limit": {"2"}, "empty": {""}}
	if err := reads.Data(t.Context(), "/api/events", parameters, &data); err != nil || data.N != 3 {
		t.Fatalf("read %+v: %v", data, err)
	}
	want := Read{Target: "/api/events?city=K%C3%B6ln&limit=2", Tag: `W/"t"`, Position: 9}
	if made := reads.Sources(); len(made) != 1 || made[0] != want {
		t.Errorf("made %+v, want %+v", made, want)
	}
	answer, err := c.Do(t.Context(), want.Target, want.Tag, 7)
	if err != nil || !answer.Unchanged() || answer.Position != 9 {
		t.Errorf("again: %+v, %v", answer, err)
	}
}

// TestReadsAfterARestart: no read fails because the query service was replaced, which closes the
// idle connections.
func TestReadsAfterARestart(t *testing.T) {
	const readers = 20
	var reading sync.WaitGroup
	reading.Add(readers)
	var apart atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if !apart.Load() { // so that each read opens a connection
			reading.Done()
			reading.Wait()
		}
	}))
	t.Cleanup(server.Close)
	c := New(server.URL, "", time.Minute)
	var answered sync.WaitGroup
	for range readers {
		answered.Go(func() {
			if _, err := c.Do(t.Context(), "/api/events", "", 0); err != nil {
				t.Error(err)
			}
		})
	}
	answered.Wait()
	apart.Store(true)
	server.CloseClientConnections()
	if _, err := c.Do(t.Context(), "/api/events", "", 0); err != nil {
		t.Error(err)
	}
}

// TestBrokenAnswersAreAskedForTwice: a query service that breaks every answer is asked once more,
// not again and again.
func TestBrokenAnswersAreAskedForTwice(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = w.Write([]byte("{"))
		},
		"too long":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("a", 20<<10)) },
		"not a HTTP": func(w http.ResponseWriter, _ *http.Request) { hangUp(w, "nonsense") },
	} {
		var asked atomic.Int64
		c := served(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			broken(w, r)
		})
		if _, err := c.Do(t.Context(), "/api/events", "", 0); !fault.Is(err, fault.Unavailable) || asked.Load() > 2 {
			t.Errorf("%s: asked %d times: %v", name, asked.Load(), err)
		}
	}
}

// hangUp writes a text in place of an answer and closes the connection.
func hangUp(w http.ResponseWriter, text string) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = connection.Write([]byte(text))
	_ = connection.Close()
}

// TestFailures: a refusal of the API is the same fault here, and all else is one of the site's own.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		kind   fault.Kind
		field  string
	}{
		{400, `{"error":"bad","code":"invalid_parameters","details":[{"field":"limit","reason":"is 0"}]}`, fault.Invalid, "limit"},
		{404, `{"error":"none","code":"not_found"}`, fault.NotFound, ""},
		{429, `{"error":"slow","code":"too_many_requests","retry_after":3}`, fault.TooMany, ""},
		{500, `{"error":"broken","code":"internal"}`, fault.Unavailable, ""},
		{404, `<html>`, fault.Unavailable, ""},
		{401, `{"error":"who","code":"unauthenticated"}`, fault.Unavailable, ""},
	} {
		c := served(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(test.status)
			_, _ = w.Write([]byte(test.body))
		})
		var none any
		reads := c.Reads(0)
		err := reads.Data(t.Context(), "/x", nil, &none)
		f := fault.Of(err)
		if err == nil || f.Kind != test.kind || len(reads.Sources()) != 0 {
			t.Errorf("%d %s: got %v", test.status, test.body, err)
		}
		if test.field != "" && (len(f.Violations) != 1 || f.Violations[0].Field != test.field) {
			t.Errorf("violations %+v", f.Violations)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if err := New(gone.URL, "", time.Second).Check(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a service that is away: %v", err)
	}
}

// TestValidate: many reads are validated in one request, and an answer that does not fit is none.
func TestValidate(t *testing.T) {
	body, status, position := "", http.StatusOK, "9"
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(r.Body)
		if want := `{"answers":[{"path":"/api/events?city=Kiel","etag":"W/\"a\""},{"path":"/api/venues","etag":"W/\"b\""}]}`; err != nil || string(asked) != want ||
			r.Method != http.MethodPost || r.URL.Path != "/api/validate" || r.Header.Get("Litfass-Position") != "7" || r.Header.Get("X-API-Key") != "key" {
			t.Errorf("asked %s %s with %v: %s, %v", r.Method, r.URL, r.Header, asked, err)
		}
		w.Header().Set("Litfass-Position", position)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
	reads := []Read{{Target: "/api/events?city=Kiel", Tag: `W/"a"`}, {Target: "/api/venues", Tag: `W/"b"`}}
	body = `{"data":{"answers":[{"status":"unchanged","expires":"2026-11-26T20:00:00Z"},{"status":"unknown"}]}}`
	got, reached, err := c.Validate(t.Context(), reads, 7)
	want := []Validated{{"unchanged", time.Date(2026, 11, 26, 20, 0, 0, 0, time.UTC)}, {Status: "unknown"}}
	if err != nil || reached != 9 || !slices.Equal(got, want) {
		t.Errorf("%+v, %d, %v", got, reached, err)
	}
	for _, test := range []struct {
		body     string
		status   int
		position string
	}{
		{body, http.StatusNotFound, "9"}, {body, http.StatusOK, ""}, {`{"data":{"answers":[{"status":"unchanged"}]}}`, http.StatusOK, "9"}, {`<`, http.StatusOK, "9"},
		{`{"data":{"answers":[{"status":"unchanged","expires":"soon"},{"status":"unknown"}]}}`, http.StatusOK, "9"},
	} {
		body, status, position = test.body, test.status, test.position
		if _, _, err := c.Validate(t.Context(), reads, 7); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
