package node

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/projector/internal/testkit"
)

// An index is marked from its creation until it holds the contents that the stream had at its
// creation, also when the projector ends in between. An index that was full once is never marked
// again.
func TestIndexIsMarkedUntilItIsFilled(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 10)...)
	newNode := func() *Node {
		return New(Options{
			Name: "north", PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: w.Stream, Index: w.Index,
			Registry: prometheus.NewRegistry(), Log: w.Log,
		})
	}
	marked := func() bool {
		t.Helper()
		state, found, err := w.Index.State(t.Context())
		if err != nil || !found {
			t.Fatalf("state: %v, %v", found, err)
		}
		return state.Filling
	}
	for range 2 { // the second takes over from one that ended
		if found, err := newNode().prepare(t.Context()); err != nil || found.outdated {
			t.Fatalf("prepare: %+v, %v", found, err)
		}
		if !marked() {
			t.Error("an empty index counts as filled")
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- newNode().Run(ctx) }()
	testkit.Until(t, "the index is filled", func() bool { return !marked() })
	w.MustAgree()
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	w.Publish(testkit.Catalogue(t, 2, 10)...)
	if found, err := newNode().prepare(t.Context()); err != nil || found.outdated || marked() {
		t.Errorf("an index that lags: %+v, %v, marked %v", found, err, marked())
	}
}
