package node_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meilisearch/meilisearch-go"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/media/imaging"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

const name = "north"

// newNode returns the projector of the world's read node, with a connection of its own.
func newNode(t *testing.T, w *testkit.World, publicURL string) *node.Node {
	t.Helper()
	return node.New(node.Options{
		Name: name, PublicURL: publicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig), Index: w.Index,
		Registry: prometheus.NewRegistry(), Log: w.Log,
	})
}

// start runs a node until stop is called, or the test ends.
func start(t *testing.T, n *node.Node) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// caughtUp waits until the node has nothing left to do.
func caughtUp(t *testing.T, w *testkit.World, n *node.Node) {
	t.Helper()
	testkit.Until(t, "the node to catch up", func() bool {
		last, err := w.Stream.LastSequence(t.Context())
		lag, lagErr := n.Lag(t.Context())
		return err == nil && lagErr == nil && lag.Pending == 0 && lag.Applied >= last
	})
}

func TestEmptyNodeIsFilledAndFollowsTheStream(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 10)...)
	n := newNode(t, w, testkit.PublicURL)
	if err := n.CaughtUp(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("caught up before it began: %v", err)
	}
	start(t, n)
	caughtUp(t, w, n)
	w.MustAgree()
	for _, check := range []func(context.Context) error{n.CaughtUp, n.Connected} {
		if err := check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	w.Publish(testkit.Catalogue(t, 2, 5)...)
	caughtUp(t, w, n)
	w.MustAgree()
}

func TestAppliedSequenceIsSignalled(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	var heard, count atomic.Uint64
	unsubscribe, err := w.Stream.OnApplied(name, func(what applied.Signal) { heard.Store(what.Sequence); count.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	last, err := w.Stream.LastSequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the signal", func() bool { return heard.Load() == last })
	w.MustAgree() // at once: the signal comes after the documents
	before := count.Load()
	testkit.Until(t, "the heartbeat", func() bool { return count.Load() >= before+2 && heard.Load() == last })
}

// A projector that dies between writing and acknowledging leaves everything to its successor.
func TestSuccessorAppliesWhatWasNotAcknowledged(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	stop := start(t, n)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	caughtUp(t, w, n)
	stop()
	w.Publish(testkit.Catalogue(t, 2, 20)...)
	consumer, err := w.Stream.Consumer(t.Context(), stream.Durable(name))
	if err != nil {
		t.Fatal(err)
	}
	a := apply.New(w.Stream.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), w.Stream.DeadLetters("north"), apply.NewMetrics(prometheus.NewRegistry()), w.Log)
	deliveries, err := consumer.Batch(t.Context(), stream.Limits{Messages: 10, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Apply(t.Context(), a.Prepare(deliveries)); err != nil { // written, and then it died
		t.Fatal(err)
	}
	n = newNode(t, w, testkit.PublicURL)
	start(t, n)
	caughtUp(t, w, n)
	w.MustAgree()
}

func TestOneNodeWritesAtATime(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	first, second := newNode(t, w, testkit.PublicURL), newNode(t, w, testkit.PublicURL)
	stop := start(t, first)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	caughtUp(t, w, first)
	start(t, second)
	for revision := range int64(5) {
		w.Publish(testkit.Catalogue(t, revision+2, 5)...)
	}
	stop()
	w.Publish(testkit.Catalogue(t, 9, 5)...)
	caughtUp(t, w, second)
	w.MustAgree()
}

// reads asks the index for everything, again and again, until stop is called, and counts answers
// that fail or lack dates.
func reads(t *testing.T, w *testkit.World, atLeast int64) (stop func() (reads, failed int)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all, failed int
	done := make(chan struct{})
	go func() {
		defer close(done)
		one := int64(1)
		for ctx.Err() == nil {
			answer, err := w.Index.Index(document.Dates).SearchWithContext(ctx, "", &meilisearch.SearchRequest{HitsPerPage: &one, Filter: "start_day > 20000101"})
			if ctx.Err() != nil {
				return
			}
			if all++; err != nil || answer.TotalHits < atLeast {
				failed++
			}
		}
	}()
	return func() (int, int) {
		cancel()
		<-done
		return all, failed
	}
}

// changedCatalogues is the number of catalogues that changes adds. With a bounded number, a
// comparison of everything ends also where the projector is faster than the comparison.
const changedCatalogues = 10

// changes publishes a catalogue, new or again, each time the node has caught up, until stop is
// called.
func changes(t *testing.T, w *testkit.World, n *node.Node) (stop func() (published int)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	published := 0
	done := make(chan error, 1)
	go func() {
		var catalogues [changedCatalogues][]change.Change
		for revision := int64(2); ctx.Err() == nil; revision++ {
			catalogue := &catalogues[revision%changedCatalogues]
			if *catalogue == nil {
				*catalogue = testkit.Catalogue(t, revision, 4)
			}
			for i := range *catalogue {
				(*catalogue)[i].Revision = revision
			}
			if err := w.Stream.Publish(ctx, *catalogue); err != nil && ctx.Err() == nil {
				done <- err
				return
			}
			published++
			for ctx.Err() == nil {
				if lag, err := n.Lag(ctx); err == nil && lag.Pending == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
		}
		done <- nil
	}()
	return func() int {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		return published
	}
}

func TestRebuildWhileReadsAndChangesGoOn(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	w.Publish(testkit.Catalogue(t, 1, 60)...)
	caughtUp(t, w, n)
	before, err := w.Index.Count(t.Context(), document.Dates)
	if err != nil {
		t.Fatal(err)
	}
	stray := testkit.ID()
	w.Put(document.Dates, index.Document{"date_uuid": json.RawMessage(`"` + stray + `"`), "uuid": json.RawMessage(`"` + stray + `"`)})

	stopReads := reads(t, w, before)
	stopChanges := changes(t, w, n)
	phases := map[rebuild.Phase]bool{}
	result, err := newNode(t, w, testkit.PublicURL).Rebuild(t.Context(), func(p rebuild.Progress) { phases[p.Phase] = true })
	if err != nil {
		t.Fatal(err)
	}
	if published := stopChanges(); published == 0 {
		t.Error("nothing changed meanwhile")
	}
	if n, failed := stopReads(); n == 0 || failed > 0 {
		t.Errorf("%d of %d reads failed", failed, n)
	}
	caughtUp(t, w, n)
	w.MustAgree()
	if result.Dates < before || result.Messages < 60 || !phases[rebuild.Filling] || !phases[rebuild.Checking] {
		t.Errorf("result %+v, phases %v", result, phases)
	}
	if d := w.Get(document.Dates, stray); d != nil {
		t.Error("the rebuilt index holds what the stream does not ask for")
	}
	if n, err := w.Index.Aside().Count(t.Context(), document.Dates); err != nil || n <= before {
		t.Errorf("the old index was not kept: %d dates, %v", n, err)
	}
	if dropped, err := n.Prune(t.Context()); err != nil || dropped != len(document.Indexes)+1 {
		t.Errorf("pruned %d: %v", dropped, err)
	}
	w.MustAgree()
}

func TestRebuildWithoutARunningProjector(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 20)...)
	n := newNode(t, w, testkit.PublicURL)
	for range 2 { // the first time there is nothing yet
		if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
			t.Fatal(err)
		}
		w.MustAgree()
	}
	if dropped, err := n.Prune(t.Context()); err != nil || dropped != len(document.Indexes)+1 {
		t.Errorf("pruned %d: %v", dropped, err)
	}
}

func TestRebuildLeavesOutDeadChanges(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	long := strings.Repeat("x", 300)
	refused := change.Region{CountrySlug: long, StateSlug: long, RegionSlug: "x", Geometry: json.RawMessage(`{}`)}
	w.Publish(append(testkit.Catalogue(t, 1, 5), testkit.Change(t, change.KindRegion, refused.ID(), 1, refused))...)
	w.PublishRaw("event."+testkit.ID(), "no change")
	result, err := newNode(t, w, testkit.PublicURL).Rebuild(t.Context(), func(rebuild.Progress) {})
	if err != nil || result.Dead != 2 {
		t.Errorf("%d dead: %v", result.Dead, err)
	}
}

func TestOutdatedIndexIsRebuilt(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	event, date := testkit.ID(), testkit.ID()
	w.Publish(append(testkit.Catalogue(t, 1, 20), testkit.Event(t, event, 1, "a", date))...)
	old := newNode(t, w, "https://old.example")
	stop := start(t, old)
	caughtUp(t, w, old)
	stop()
	image := func(c *index.Client) (path string) {
		err := c.ByID(t.Context(), document.Dates, []string{date}, nil, func(d index.Document) error {
			path = string(testkit.Entry(t, d).ImagePath)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	if got := image(w.Index); got != "https://old.example/api/image/"+event+"/"+imaging.Version(event, imaging.Centre) {
		t.Fatalf("image %q", got)
	}
	stopReads := reads(t, w, 30)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	testkit.Until(t, "the new settings", func() bool {
		state, ok, err := w.Index.State(t.Context())
		return err == nil && ok && state.SettingsHash == document.SettingsHash(project.New(testkit.PublicURL, testkit.TimeZone).Form())
	})
	if all, failed := stopReads(); all == 0 || failed > 0 {
		t.Errorf("%d of %d reads failed", failed, all)
	}
	caughtUp(t, w, n)
	w.MustAgree()
	if got := image(w.Index.Aside()); got != "https://old.example/api/image/"+event+"/"+imaging.Version(event, imaging.Centre) {
		t.Errorf("the old index shows %q", got)
	}
}

func TestCommandsAreRefusedDuringARebuild(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	w.Publish(testkit.Catalogue(t, 1, 100)...)
	caughtUp(t, w, n)
	var refusals atomic.Int32
	var once sync.Once
	_, err := newNode(t, w, testkit.PublicURL).Rebuild(t.Context(), func(p rebuild.Progress) {
		once.Do(func() {
			other := newNode(t, w, testkit.PublicURL)
			_, err := other.Rebuild(t.Context(), func(rebuild.Progress) {})
			_, pruneErr := other.Prune(t.Context())
			for _, err := range []error{err, pruneErr} {
				if err != nil && strings.Contains(err.Error(), node.ErrBusy.Error()) {
					refusals.Add(1)
				}
			}
		})
	})
	if err != nil || refusals.Load() != 2 {
		t.Errorf("%d refusals: %v", refusals.Load(), err)
	}
	w.MustAgree()
}

func TestNodeSurvivesTheDeathOfBothEngines(t *testing.T) {
	t.Parallel()
	nats := streamtest.Start(t, 1<<20)
	w, engine := testkit.WithEngine(t)
	config := stream.Config{URL: nats.URL(), Name: "CATALOG", Replicas: 1}
	s := streamtest.Open(t, config)
	n := node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, config), Index: w.Index,
		Registry: prometheus.NewRegistry(), Log: w.Log,
	})
	start(t, n)
	var dates []string
	publish := func(round int) {
		event, date := testkit.ID(), testkit.ID()
		dates = append(dates, date)
		c := testkit.Event(t, event, 1, fmt.Sprintf("round %d", round), date)
		testkit.Until(t, "the stream to take a change", func() bool {
			return errors.Join(s.Ensure(t.Context()), s.Publish(t.Context(), []change.Change{c})) == nil
		})
	}
	for round := range 2 {
		publish(round)
		nats.Kill()
		engine.Kill()
		time.Sleep(10 * time.Millisecond) // the node is in the middle of its work
		nats.Resume()
		engine.Resume()
	}
	publish(2)
	testkit.Until(t, "all dates", func() bool {
		found := 0
		err := w.Index.ByID(t.Context(), document.Dates, dates, nil, func(index.Document) error { found++; return nil })
		return err == nil && found == len(dates)
	})
}
