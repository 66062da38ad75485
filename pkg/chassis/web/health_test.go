package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/web"
)

func TestHealth(t *testing.T) {
	var mu sync.Mutex
	var state error
	s := start(t, web.Options{Ready: []web.Check{
		{Name: "engine", Run: func(context.Context) error { mu.Lock(); defer mu.Unlock(); return state }},
		{Name: "stream", Run: func(context.Context) error { return nil }},
	}}, nil)
	for _, test := range []struct {
		state  error
		status int
		body   string
	}{
		{nil, 200, `{"status":"ok","checks":{"engine":"ok","stream":"ok"}}`},
		{errors.New("dial 10.1.2.3"), 503, `{"status":"unavailable","checks":{"engine":"not available","stream":"ok"}}`},
		{fault.New(fault.Unavailable, "", "12 changes behind"), 503, `{"status":"unavailable","checks":{"engine":"12 changes behind","stream":"ok"}}`},
	} {
		mu.Lock()
		state = test.state
		mu.Unlock()
		got := s.do(t, "GET", "/readyz", nil)
		if got.StatusCode != test.status || got.body != test.body {
			t.Errorf("got %d %s, want %d %s", got.StatusCode, got.body, test.status, test.body)
		}
		if live := s.do(t, "GET", "/livez", nil); live.StatusCode != http.StatusOK {
			t.Errorf("livez: %d", live.StatusCode)
		}
	}
}

func TestDetailsDoNotMakeAServiceUnready(t *testing.T) {
	s := start(t, web.Options{Ready: []web.Check{
		{Name: "rebuild", Detail: true, Run: func(context.Context) error {
			return fault.New(fault.Unavailable, "", "failed 3 times")
		}},
	}}, nil)
	got := s.do(t, "GET", "/readyz", nil)
	if want := `{"status":"ok","checks":{"rebuild":"failed 3 times"}}`; got.StatusCode != http.StatusOK || got.body != want {
		t.Errorf("got %d %s, want %s", got.StatusCode, got.body, want)
	}
}

func TestReadyDoesNotWaitForAHangingCheck(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	s := start(t, web.Options{Ready: []web.Check{
		{Name: "engine", Run: func(context.Context) error { <-release; return nil }},
	}}, nil)
	if got := s.do(t, "GET", "/readyz", nil); got.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("got %d %s", got.StatusCode, got.body)
	}
}

func TestBuildIsShown(t *testing.T) {
	s := start(t, web.Options{}, nil)
	build := run.ReadBuild()
	want := fmt.Sprintf(`{"status":"ok","version":%q,"commit":%q,"date":%q}`, build.Version, build.Commit, build.Date)
	if live := s.do(t, "GET", "/livez", nil); live.body != want {
		t.Errorf("livez: %s, want %s", live.body, want)
	}
	metric := fmt.Sprintf(`litfass_build_info{commit=%q,date=%q,goversion=%q,version=%q} 1`, build.Commit, build.Date, build.Go, build.Version)
	if metrics := s.do(t, "GET", "/metrics", nil); !strings.Contains(metrics.body, metric) {
		t.Errorf("metrics lack %s", metric)
	}
}
