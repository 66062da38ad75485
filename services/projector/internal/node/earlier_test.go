package node_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/testkit"
)

// earlier returns a world with the indexes of an earlier release: without series, lists, portals
// and contributors, under other settings. A later change of the stream needs an index of the
// present release.
func earlier(t *testing.T) *testkit.World {
	t.Helper()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 10)...)
	n := newNode(t, w, "https://old.example")
	stop := start(t, n)
	caughtUp(t, w, n)
	testkit.Until(t, "the index is filled", func() bool {
		state, found, err := w.Index.State(t.Context())
		return err == nil && found && !state.Filling
	})
	stop()
	for _, name := range []string{document.Series, document.Lists, document.Portals, document.Contributors} {
		task, err := w.Index.Engine().DeleteIndexWithContext(t.Context(), w.Index.Name(name))
		if err == nil {
			err = w.Index.Wait(t.Context(), task.TaskUID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	series := testkit.ID()
	w.Publish(testkit.Change(t, change.KindSeries, series, 1, change.Series{UUID: series, Slug: "festival", Title: "Festival"}))
	w.Publish(testkit.Change(t, change.KindSeries, testkit.ID(), 1, nil))
	return w
}

// current waits for an index of the present release, and compares the index with the stream.
func current(t *testing.T, w *testkit.World, n *node.Node) {
	t.Helper()
	testkit.Until(t, "the new index", func() bool { return n.Current(t.Context()) == nil })
	caughtUp(t, w, n)
	w.MustAgree()
}

// An index of a release with fewer indexes answers until the new index takes its place. Changes
// meanwhile create no missing index, which would lack settings and older documents.
func TestIndexWithFewerIndexesIsRebuilt(t *testing.T) {
	t.Parallel()
	w := earlier(t)
	var created sync.Map
	seen := transport(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/indexes/"+w.Index.Name(document.Series)+"/documents") {
			swapped := newNode(t, w, testkit.PublicURL).Current(r.Context()) == nil
			created.Store(swapped, r.URL.Path)
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	gated := *w
	gated.Index = index.ConnectVia(w.IndexConfig, seen)
	stopReads := reads(t, w, 10)
	n := newNode(t, &gated, testkit.PublicURL)
	start(t, n)
	current(t, w, n)
	if all, failed := stopReads(); all == 0 || failed > 0 {
		t.Errorf("%d of %d reads failed", failed, all)
	}
	if path, found := created.Load(false); found {
		t.Errorf("%v was written to the index of the earlier release", path)
	}
	if _, err := w.Index.Aside().Count(t.Context(), document.Series); !fault.Is(err, fault.NotFound) {
		t.Errorf("the former set has gained an index: %v", err)
	}
	testkit.Until(t, "the former indexes are deleted", func() bool { // the rebuild may be about to end
		_, err := n.Prune(t.Context())
		return err == nil
	})
	w.MustAgree()
}

type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// refusing is an engine that refuses to swap indexes, for the reason of the moment, until the
// reason is "". pauses receives the wait after each failure; the node goes on after a receive from
// proceed.
type refusing struct {
	mu      sync.Mutex
	reason  string
	pauses  chan time.Duration
	proceed chan struct{}
}

func (r *refusing) because(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reason = reason
}

// RoundTrip implements http.RoundTripper.
func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	r.mu.Lock()
	reason := r.reason
	r.mu.Unlock()
	if reason == "" || !strings.HasSuffix(request.URL.Path, "/swap-indexes") {
		return http.DefaultTransport.RoundTrip(request)
	}
	return &http.Response{
		StatusCode: http.StatusForbidden, Request: request, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"message":"` + reason + ` ` + testkit.ID() + `","code":"invalid_api_key","type":"auth","link":""}`)),
	}, nil
}

// pause is the Pause of a Renewal.
func (r *refusing) pause(ctx context.Context, wait time.Duration) error {
	select {
	case r.pauses <- wait:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-r.proceed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A repeatedly failing rebuild is shown with the last cause, and tried less and less often, also
// when the causes take turns. A success begins anew.
func TestRebuildThatKeepsFailingIsShown(t *testing.T) {
	t.Parallel()
	w := earlier(t)
	r := &refusing{reason: "no", pauses: make(chan time.Duration), proceed: make(chan struct{})}
	registry := prometheus.NewRegistry()
	n := node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig),
		Index: index.ConnectVia(w.IndexConfig, r), Registry: registry, Log: w.Log,
		Renewal: node.Renewal{First: time.Second, Most: 5 * time.Second, Pause: r.pause},
	})
	start(t, n)
	var waits []time.Duration
	failed := func(times float64, shown string) {
		t.Helper()
		waits = append(waits, <-r.pauses)
		if value := figure(t, registry, "litfass_projector_rebuild_failures"); value != times {
			t.Errorf("%v failures, want %v", value, times)
		}
		err := n.Rebuilds(t.Context())
		var detail *fault.Fault
		if (shown == "") != (err == nil) || err != nil && (!errors.As(err, &detail) || !strings.Contains(detail.Message, shown)) {
			t.Errorf("after failure %v: %v", times, err)
		}
	}
	next := func() { r.proceed <- struct{}{} }
	failed(1, "")
	r.because("another")
	next()
	failed(2, "")
	r.because("no")
	next()
	failed(3, "3 times")
	r.because("another")
	next()
	failed(4, "another")
	r.because("")
	next()
	current(t, w, n)
	testkit.Until(t, "no failure", func() bool { return figure(t, registry, "litfass_projector_rebuild_failures") == 0 })
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
}
