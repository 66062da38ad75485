package node_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// TestLargeEventsAreRebuiltAndRepaired: an event that is written in slices is in a rebuilt index,
// the self-check brings back a date of it, and a successor finds it again on the stream.
func TestLargeEventsAreRebuiltAndRepaired(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	id, dates := testkit.ID(), testkit.IDs(110)
	w.Publish(append(testkit.Catalogue(t, 1, 20), testkit.Large(t, id, 1, "one", dates, nil))...)
	n := node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, SelfCheck: 200,
		Stream: streamtest.Open(t, w.StreamConfig), Index: w.Index, Registry: prometheus.NewRegistry(), Log: w.Log,
	})
	stop := start(t, n)
	caughtUp(t, w, n)
	w.MustAgree()
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
		t.Fatal(err)
	}
	caughtUp(t, w, n)
	w.MustAgree()
	w.Drop(document.Dates, dates[50])
	testkit.Until(t, "the self-check to bring the date back", func() bool { return w.Get(document.Dates, dates[50]) != nil })
	w.Publish(testkit.Large(t, id, 2, "two", dates, nil))
	stop()
	n = newNode(t, w, testkit.PublicURL)
	start(t, n)
	caughtUp(t, w, n)
	w.MustAgree()
}
