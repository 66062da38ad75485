package apply_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meilisearch/meilisearch-go"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/testkit"
)

// setup returns an applier for a world's live indexes, and its figures.
func setup(t *testing.T, w *testkit.World) (*apply.Applier, *prometheus.Registry) {
	t.Helper()
	w.EnsureIndex()
	registry := prometheus.NewRegistry()
	return apply.New(w.Stream.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), w.Stream.DeadLetters("north"), apply.NewMetrics(registry), w.Log), registry
}

// deliver applies changes as one batch, as if they had come from the stream.
func deliver(t *testing.T, w *testkit.World, a *apply.Applier, changes ...change.Change) {
	t.Helper()
	var messages []stream.Message
	for _, c := range changes {
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, stream.Message{Subject: c.Subject(w.Stream.Prefix()), Data: data})
	}
	deliverMessages(t, a, messages...)
}

func deliverMessages(t *testing.T, a *apply.Applier, messages ...stream.Message) {
	t.Helper()
	var deliveries []stream.Delivery
	for i, m := range messages {
		m.Sequence = uint64(i + 1)
		deliveries = append(deliveries, stream.Delivery{Message: m})
	}
	if err := a.Apply(t.Context(), a.Prepare(deliveries)); err != nil {
		t.Fatal(err)
	}
}

func expectFigures(t *testing.T, registry *prometheus.Registry, want string) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, family := range families {
		if family.GetName() == "litfass_projector_changes_total" {
			for _, metric := range family.GetMetric() {
				got = append(got, fmt.Sprintf("%s=%v", metric.GetLabel()[0].GetValue(), metric.GetCounter().GetValue()))
			}
		}
	}
	if figures := strings.Join(got, " "); figures != want {
		t.Errorf("figures %s, want %s", figures, want)
	}
}

func TestWhatIsAppliedIsWhatTheStreamAsksFor(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, registry := setup(t, w)
	changes := testkit.Catalogue(t, 1, 40)
	w.Publish(changes...)
	deliver(t, w, a, changes...)
	w.MustAgree()
	expectFigures(t, registry, "absent=0 applied=46 dead=0 stale=0 superseded=0")
}

func TestReplayingEverythingChangesNothing(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	first, second := testkit.Catalogue(t, 1, 30), testkit.Catalogue(t, 2, 10)
	deliver(t, w, a, first...)
	deliver(t, w, a, second...)
	want := testkit.Digest(t, w.Index)
	deliver(t, w, a, slices.Concat(first, second)...)
	all := slices.Concat(second, first, first)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	deliver(t, w, a, all[:len(all)/2]...)
	deliver(t, w, a, all[len(all)/2:]...)
	if got := testkit.Digest(t, w.Index); got != want {
		t.Errorf("after replaying: %s, before: %s", got, want)
	}
}

func TestOlderChangesAreDropped(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, registry := setup(t, w)
	event, gone, date := testkit.ID(), testkit.ID(), testkit.ID()
	deliver(t, w, a, testkit.Event(t, event, 7, "new", date), testkit.Change(t, change.KindEvent, gone, 7, nil))
	want := testkit.Digest(t, w.Index)
	deliver(t, w, a, testkit.Event(t, event, 6, "old", date, testkit.ID()), testkit.Event(t, gone, 6, "old", testkit.ID()))
	deliver(t, w, a, testkit.Change(t, change.KindEvent, event, 5, nil))
	if got := testkit.Digest(t, w.Index); got != want {
		t.Errorf("after older changes: %s, before: %s", got, want)
	}
	expectFigures(t, registry, "absent=0 applied=2 dead=0 stale=3 superseded=0")
}

func TestOlderChangeInTheSameBatchIsSuperseded(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, registry := setup(t, w)
	event, date := testkit.ID(), testkit.ID()
	newest := testkit.Event(t, event, 3, "newest", date)
	w.Publish(newest)
	deliver(t, w, a, testkit.Event(t, event, 2, "older", testkit.ID()), newest, testkit.Event(t, event, 1, "oldest"))
	w.MustAgree()
	expectFigures(t, registry, "absent=0 applied=1 dead=0 stale=0 superseded=2")
}

// A batch that broke off may have written anything but the record: the same change repairs it.
func TestEqualRevisionIsAppliedAgain(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	event, date := testkit.ID(), testkit.ID()
	c := testkit.Event(t, event, 3, "whole", date)
	w.Publish(c)
	deliver(t, w, a, c)
	broken := w.Get(document.Dates, date)
	broken["entry"] = json.RawMessage(`"broken"`)
	w.Put(document.Dates, broken)
	deliver(t, w, a, c)
	w.MustAgree()
}

func TestDatesThatLeftAreDeleted(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	event, other := testkit.ID(), testkit.ID()
	stays, leaves, comes, moves := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	untouched := testkit.Event(t, testkit.ID(), 1, "untouched", testkit.ID())
	deliver(t, w, a, untouched, testkit.Event(t, event, 1, "a", stays, leaves, moves), testkit.Event(t, other, 1, "b"))
	changed, received := testkit.Event(t, event, 2, "a", stays, comes), testkit.Event(t, other, 2, "b", moves)
	w.Publish(untouched, changed, received)
	deliver(t, w, a, received, changed)
	if got, want := w.Dates(event), slices.Sorted(slices.Values([]string{stays, comes})); !slices.Equal(got, want) {
		t.Errorf("dates %v, want %v", got, want)
	}
	w.MustAgree()
	tombstone := testkit.Change(t, change.KindEvent, event, 3, nil)
	w.Publish(tombstone)
	deliver(t, w, a, tombstone)
	if got := w.Dates(event); len(got) > 0 {
		t.Errorf("dates %v of an event that is gone", got)
	}
	w.MustAgree()
}

func TestDeadChangesDoNotBlockTheOthers(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, registry := setup(t, w)
	good := testkit.Catalogue(t, 1, 9)
	long := strings.Repeat("x", 300)
	refused := change.Region{CountrySlug: long, StateSlug: long, RegionSlug: "x", Geometry: json.RawMessage(`{}`)} // an id too long for the engine
	wrong := testkit.ID()
	prefix := w.Stream.Prefix()
	messages := []stream.Message{
		{Subject: prefix + ".event.a-b", Data: []byte(`{"kind":`)},
		{Subject: prefix + ".venue." + wrong, Data: []byte(`{"kind":"event","id":"` + wrong + `","revision":1}`)},
		{Subject: prefix + ".event." + wrong, Data: []byte(`{"kind":"event","id":"` + wrong + `","revision":1,"snapshot":{"uuid":7}}`)},
	}
	for i, c := range append(good, testkit.Change(t, change.KindRegion, refused.ID(), 1, refused)) {
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		messages = slices.Insert(messages, i%3, stream.Message{Subject: c.Subject(prefix), Data: data})
	}
	w.Publish(good...)
	deliverMessages(t, a, messages...)
	w.MustAgree()
	dead, err := w.JetStream.Stream(t.Context(), w.StreamConfig.Name+"_DEAD")
	if err != nil {
		t.Fatal(err)
	}
	for subject, reason := range map[string]string{
		"event.a-b":            "not valid JSON",
		"venue." + wrong:       "lies on",
		"event." + wrong:       "cannot unmarshal",
		"region." + long[:200]: "is invalid",
	} {
		if len(subject) > 200 {
			subject = "region." + refused.ID()[:200]
		}
		msg, err := dead.GetLastMsgForSubject(t.Context(), prefix+"-dead.north."+subject)
		if err != nil {
			t.Errorf("%.40s: %v", subject, err)
			continue
		}
		if got := msg.Header.Get(stream.ReasonHeader); !strings.Contains(got, reason) {
			t.Errorf("%.40s: reason %.200q, want %q", subject, got, reason)
		}
	}
	expectFigures(t, registry, "absent=0 applied=15 dead=4 stale=0 superseded=0")
}

// flakyDeadLetters fails some times before it works.
type flakyDeadLetters struct{ failures int }

func (g *flakyDeadLetters) PublishDead(context.Context, []byte, string, string, string) error {
	if g.failures--; g.failures >= 0 {
		return errors.New("the stream is down")
	}
	return nil
}

func TestDeadLettersThatAreDownAreRetried(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.EnsureIndex()
	registry := prometheus.NewRegistry()
	a := apply.New(w.Stream.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), &flakyDeadLetters{failures: 2}, apply.NewMetrics(registry), w.Log)
	deliverMessages(t, a, stream.Message{Subject: "x", Data: []byte("{")})
	expectFigures(t, registry, "absent=0 applied=0 dead=1 stale=0 superseded=0")
}

func TestIndexThatWasDeletedIsNotFilledWithoutSettings(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a := apply.New(w.Stream.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), w.Stream.DeadLetters("north"), apply.NewMetrics(prometheus.NewRegistry()), w.Log)
	data, err := testkit.Event(t, testkit.ID(), 1, "x").Encode()
	if err != nil {
		t.Fatal(err)
	}
	c, err := change.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	batch := a.Prepare([]stream.Delivery{{Message: stream.Message{Subject: c.Subject(w.Stream.Prefix()), Data: data}}})
	if err := a.Apply(t.Context(), batch); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestFollowSurvivesTheEnginesDeath(t *testing.T) {
	t.Parallel()
	w, engine := testkit.WithEngine(t)
	a, _ := setup(t, w)
	w.Publish(testkit.Catalogue(t, 1, 3000)...)
	last, err := w.Stream.LastSequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := w.Stream.Consumer(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer consumer.Stop()
	ctx, stop := context.WithCancel(t.Context())
	done, applied := make(chan error, 1), make(chan uint64, 100)
	go func() {
		done <- a.Follow(ctx, w.Stream, consumer, &sync.Mutex{}, func(b *apply.Batch) { applied <- b.Sequence })
	}()
	testkit.Until(t, "the engine to work on our dates", func() bool {
		answer, err := w.Index.Engine().GetTasksWithContext(t.Context(), &meilisearch.TasksQuery{
			IndexUIDS: []string{w.Index.Name(document.Dates)}, Types: []meilisearch.TaskType{meilisearch.TaskTypeDocumentAdditionOrUpdate},
			Statuses: []meilisearch.TaskStatus{meilisearch.TaskStatusEnqueued, meilisearch.TaskStatusProcessing},
		})
		return err == nil && len(answer.Results) > 0
	})
	engine.Kill()
	w.Publish(testkit.Catalogue(t, 2, 3)...)
	engine.Resume()
	for sequence := range applied {
		if sequence >= last+9 {
			break
		}
	}
	w.MustAgree()
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("follow ended with %v", err)
	}
}

func TestFollowSurvivesTheStreamsDeath(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	w := testkit.New(t)
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.EnsureIndex()
	a := apply.New(s.Prefix(), w.Index, project.New(testkit.PublicURL, testkit.TimeZone), s.DeadLetters("north"), apply.NewMetrics(prometheus.NewRegistry()), w.Log)
	consumer, err := s.Consumer(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer consumer.Stop()
	ctx, stop := context.WithCancel(t.Context())
	done, applied := make(chan error, 1), make(chan uint64, 100)
	go func() {
		done <- a.Follow(ctx, s, consumer, &sync.Mutex{}, func(b *apply.Batch) { applied <- b.Sequence })
	}()
	var changes []change.Change
	for round := range 3 {
		event := testkit.Event(t, testkit.ID(), 1, "x", testkit.ID())
		changes = append(changes, event)
		testkit.Until(t, "the stream to take a change", func() bool { return s.Publish(t.Context(), []change.Change{event}) == nil })
		for sequence := range applied {
			if sequence == uint64(round+1) {
				break
			}
		}
		server.Kill()
		server.Resume()
	}
	stop()
	<-done
	for _, c := range changes {
		if n := len(w.Dates(c.ID)); n != 1 {
			t.Errorf("%d dates of %s", n, c.ID)
		}
	}
}
