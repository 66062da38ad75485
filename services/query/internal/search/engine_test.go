package search

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/fault"
	"litfass/pkg/index"
)

const emptyAnswer = `{"hits":[],"query":"","processingTimeMs":0,"limit":20,"offset":0,"estimatedTotalHits":0}`

// engineAt returns an engine that is asked over HTTP and answers as the handler does.
func engineAt(t *testing.T, timeout time.Duration, answer http.HandlerFunc) *Engine {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return NewEngine(index.Connect(index.Config{URL: server.URL}), timeout)
}

func TestABrokenConnectionIsTriedOnceMore(t *testing.T) {
	var asked atomic.Int32
	breaking := func(times int32) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) <= times {
				panic(http.ErrAbortHandler) // closes the connection without an answer
			}
			_, _ = w.Write([]byte(emptyAnswer))
		}
	}
	if data, err := engineAt(t, time.Minute, breaking(1)).Dates(t.Context(), Page{Limit: 20}); err != nil || string(data) != string(NoDates()) {
		t.Errorf("broken once: %s, %v", data, err)
	}
	asked.Store(0)
	if _, err := engineAt(t, time.Minute, breaking(9)).Dates(t.Context(), Page{Limit: 20}); !fault.Is(err, fault.Unavailable) || asked.Load() != 2 {
		t.Errorf("always broken: %v after %d questions", err, asked.Load())
	}
}

func TestAnEngineThatDoesNotAnswerInTimeIsUnavailable(t *testing.T) {
	release := make(chan struct{})
	engine := engineAt(t, 50*time.Millisecond, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	_, err := engine.Summary(t.Context(), "", "")
	if f := fault.Of(err); f.Kind != fault.Unavailable || f.RetryAfter <= 0 {
		t.Errorf("%v, retry after %v", err, f.RetryAfter)
	}
}

func TestARequestThatIsGivenUpIsNotAFailureOfTheEngine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	engine := engineAt(t, time.Minute, func(http.ResponseWriter, *http.Request) { cancel(); <-release })
	defer close(release)
	if _, err := engine.Dates(ctx, Page{Limit: 20}); !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v", err)
	}
}

func TestWhatTheEngineRefusesIsToldByKind(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   fault.Kind
	}{
		{400, `{"message":"bad filter","code":"invalid_search_filter","type":"invalid_request"}`, fault.Internal},
		{403, `{"message":"bad key","code":"invalid_api_key","type":"auth"}`, fault.Unavailable},
		{404, `{"message":"no index","code":"index_not_found","type":"invalid_request"}`, fault.Unavailable},
		{503, `{"message":"busy","code":"too_many_search_requests","type":"system"}`, fault.Unavailable},
		{500, `oops`, fault.Unavailable},
	} {
		engine := engineAt(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(test.status)
			_, _ = w.Write([]byte(test.body))
		})
		if _, err := engine.Dates(t.Context(), Page{Limit: 20}); fault.Of(err).Kind != test.want || err == nil {
			t.Errorf("%d %s: %v, want %s", test.status, test.body, err, test.want)
		}
	}
}
