package node_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// signalComplete says again and again, until stop is called, that a stream is complete.
func signalComplete(t *testing.T, w *testkit.World, identity string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = w.Stream.SignalComplete(stream.Completion{Stream: identity, Sequence: 1, Position: 1})
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() { cancel(); <-done }
}

func identity(t *testing.T, w *testkit.World) string {
	t.Helper()
	identity, err := w.Stream.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return identity
}

// A stream that was lost and recreated starts out empty. The index keeps answering and follows it
// until the relay reports that the new stream is complete. Then the index is rebuilt, since the new
// stream may restart its revisions and does not announce removed entities.
func TestNewStreamReplacesTheIndexOnceItIsComplete(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	event, date, forgotten, added := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	w.Publish(testkit.Event(t, event, 100, "old", date), testkit.Event(t, testkit.ID(), 100, "forgotten", forgotten))
	caughtUp(t, w, n)
	former := identity(t, w)
	stopReads := reads(t, w, 2)
	if err := w.JetStream.DeleteStream(t.Context(), w.StreamConfig.Name); err != nil {
		t.Fatal(err)
	}
	fresh := streamtest.Open(t, w.StreamConfig)
	if err := fresh.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	stopFormer := signalComplete(t, w, former)
	first := []change.Change{testkit.Event(t, event, 1, "new", date), testkit.Event(t, testkit.ID(), 2, "added", added)}
	if err := fresh.Publish(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "a change of the new stream", func() bool { return w.Get(document.Dates, added) != nil })
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err == nil || err.Error() != node.ErrIncomplete.Error() {
		t.Errorf("a rebuild from a stream that may not be complete: %v", err)
	}
	if w.Get(document.Dates, forgotten) == nil || testkit.Entry(t, w.Get(document.Dates, date)).Title != "old" {
		t.Error("the index was replaced before the new stream was complete")
	}
	if all, failed := stopReads(); all == 0 || failed > 0 {
		t.Errorf("%d of %d reads failed or lacked dates", failed, all)
	}
	stopFormer()
	defer signalComplete(t, w, identity(t, w))()
	testkit.Until(t, "the new stream's state", func() bool {
		d := w.Get(document.Dates, date)
		return d != nil && testkit.Entry(t, d).Title == "new" && w.Get(document.Dates, forgotten) == nil
	})
	w.MustAgree()
}

// The command that rebuilds in a process of its own hears the relay as well.
func TestRebuildAloneWaitsForACompleteStream(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	n := newNode(t, w, testkit.PublicURL)
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
		t.Fatal(err)
	}
	before := testkit.Digest(t, w.Index)
	if err := w.JetStream.DeleteStream(t.Context(), w.StreamConfig.Name); err != nil {
		t.Fatal(err)
	}
	w.EnsureStream()
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); !errors.Is(err, node.ErrIncomplete) {
		t.Errorf("a rebuild from a stream that may not be complete: %v", err)
	}
	if testkit.Digest(t, w.Index) != before {
		t.Error("the index is another one")
	}
	defer signalComplete(t, w, identity(t, w))()
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
		t.Error(err)
	}
	w.MustAgree()
}

// replaceStream fills the index by a node, and replaces the stream by another one.
func replaceStream(t *testing.T, w *testkit.World, n *node.Node) {
	t.Helper()
	stop := start(t, n)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	caughtUp(t, w, n)
	testkit.Until(t, "the index is filled", func() bool { return n.Current(t.Context()) == nil })
	stop()
	if err := w.JetStream.DeleteStream(t.Context(), w.StreamConfig.Name); err != nil {
		t.Fatal(err)
	}
	w.EnsureStream()
	w.Publish(testkit.Catalogue(t, 2, 5)...)
}

// rebuilt starts a node and waits for the index of the complete stream, and for its position.
func rebuilt(t *testing.T, w *testkit.World, n *node.Node) {
	t.Helper()
	var position atomic.Uint64
	unsubscribe, err := w.Stream.OnApplied(name, func(s applied.Signal) { position.Store(s.Position) })
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	defer signalComplete(t, w, identity(t, w))()
	start(t, n)
	testkit.Until(t, "the position of the new index", func() bool { return position.Load() == 1 })
	w.MustAgree()
}

// After the exchange a rebuild succeeds, also if later steps fail: the position of the new index is
// known.
func TestFailureAfterTheExchange(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	first := newNode(t, w, testkit.PublicURL)
	replaceStream(t, w, first)
	var failed atomic.Bool
	engine := transport(func(r *http.Request) (*http.Response, error) {
		counts := strings.HasSuffix(r.URL.Path, "/indexes/"+w.Index.Name(document.Dates)+"/stats")
		if counts && first.Current(r.Context()) == nil && failed.CompareAndSwap(false, true) {
			return &http.Response{
				StatusCode: http.StatusInternalServerError, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(`{"message":"no","code":"internal","type":"internal","link":""}`)),
			}, nil
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	registry := prometheus.NewRegistry()
	n := node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig),
		Index: index.ConnectVia(w.IndexConfig, engine), Registry: registry, Log: w.Log,
	})
	rebuilt(t, w, n)
	if !failed.Load() || figure(t, registry, "litfass_projector_rebuild_failures") != 0 || n.Rebuilds(t.Context()) != nil {
		t.Errorf("failed %v, rebuilds: %v", failed.Load(), n.Rebuilds(t.Context()))
	}
}

// An engine may exchange the indexes without an answer: the exchange counts nevertheless.
func TestExchangeWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	replaceStream(t, w, n)
	engine := transport(func(r *http.Request) (*http.Response, error) {
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && strings.HasSuffix(r.URL.Path, "/swap-indexes") {
			answer.Body.Close()
			return nil, errors.New("the connection broke")
		}
		return answer, err
	})
	registry := prometheus.NewRegistry()
	var pauses atomic.Int32
	pause := func(context.Context, time.Duration) error { pauses.Add(1); return nil }
	n = node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig),
		Index: index.ConnectVia(w.IndexConfig, engine), Registry: registry, Log: w.Log,
		Renewal: node.Renewal{First: time.Second, Most: time.Second, Pause: pause},
	})
	rebuilt(t, w, n)
	if failures := figure(t, registry, "litfass_projector_rebuild_failures"); pauses.Load() != 1 || failures != 0 {
		t.Errorf("%d pauses, then %v failures", pauses.Load(), failures)
	}
}
