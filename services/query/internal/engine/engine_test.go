package engine

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
)

const emptyAnswer = `{"hits":[],"query":"","processingTimeMs":0,"limit":20,"offset":0,"estimatedTotalHits":0}`

// engineAt returns an engine whose HTTP answers come from the handler.
func engineAt(t *testing.T, timeout time.Duration, answer http.HandlerFunc) *Engine {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	engine, err := Connect(index.Config{URL: server.URL}, timeout)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// TestBrokenConnectionsCostNoRequest: after a restart of the engine, every idle connection is
// broken.
func TestBrokenConnectionsCostNoRequest(t *testing.T) {
	const idle = 20
	var asked, waiting atomic.Int32
	together := make(chan struct{})
	engine := engineAt(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		switch n := asked.Add(1); {
		case n <= idle: // answered only when all have arrived, so that each has a separate connection
			if waiting.Add(1) == idle {
				close(together)
			}
			<-together
		case n <= 2*idle:
			panic(http.ErrAbortHandler) // closes the connection without an answer
		}
		_, _ = w.Write([]byte(emptyAnswer))
	})
	engine, err := engine.Limited(idle)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range idle {
		all.Go(func() {
			if _, err := engine.Search(t.Context(), document.Dates, Question{Limit: 20}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if data, err := engine.Search(t.Context(), document.Dates, Question{Limit: 20}); err != nil || string(data) != emptyAnswer {
		t.Errorf("over broken connections: %s, %v", data, err)
	}
	if n := asked.Load(); n != 2*idle+1 {
		t.Errorf("asked %d times, want %d", n, 2*idle+1)
	}
}

func TestAnEngineThatIsNotThereIsUnavailable(t *testing.T) {
	engine, err := Connect(index.Config{URL: "http://127.0.0.1:1"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Search(t.Context(), document.Dates, Question{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v", err)
	}
	if _, err := Connect(index.Config{URL: "elsewhere"}, time.Minute); err == nil {
		t.Error("an address that is none is taken")
	}
}

// TestTheEngineMayBeAskedOverTLS: the certificate of the test's server is not trusted, which only a
// client of TLS notices.
func TestTheEngineMayBeAskedOverTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	engine, err := Connect(index.Config{URL: server.URL + "/below"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Search(t.Context(), document.Dates, Question{}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error %v", err)
	}
}

func TestAnEngineThatDoesNotAnswerInTimeIsUnavailable(t *testing.T) {
	release := make(chan struct{})
	engine := engineAt(t, 50*time.Millisecond, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	_, err := engine.Count(t.Context(), document.Dates, Counting{})
	if f := fault.Of(err); f.Kind != fault.Unavailable || f.RetryAfter <= 0 {
		t.Errorf("%v, retry after %v", err, f.RetryAfter)
	}
}

func TestARequestThatWasGivenUpIsNotAFailureOfTheEngine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	engine := engineAt(t, time.Minute, func(http.ResponseWriter, *http.Request) { t.Error("the engine is asked") })
	if _, err := engine.Search(ctx, document.Dates, Question{Limit: 20}); !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v", err)
	}
}

func TestWhatTheEngineRefusesIsReportedByKind(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   fault.Kind
	}{
		{400, `{"message":"bad filter","code":"invalid_search_filter","type":"invalid_request"}`, fault.Internal},
		{400, `{"message":"Attribute ` + "`x`" + ` is not filterable.","code":"invalid_document_filter","type":"invalid_request"}`, fault.Unavailable},
		{403, `{"message":"bad key","code":"invalid_api_key","type":"auth"}`, fault.Unavailable},
		{404, `{"message":"no index","code":"index_not_found","type":"invalid_request"}`, fault.Unavailable},
		{503, `{"message":"busy","code":"too_many_search_requests","type":"system"}`, fault.Unavailable},
		{500, `oops`, fault.Unavailable},
	} {
		engine := engineAt(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(test.status)
			_, _ = w.Write([]byte(test.body))
		})
		if _, err := engine.Search(t.Context(), document.Dates, Question{Limit: 20}); fault.Of(err).Kind != test.want || err == nil {
			t.Errorf("%d %s: %v, want %s", test.status, test.body, err, test.want)
		}
	}
}
