package node_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/testkit"
)

// checking returns a projector that compares as fast as possible, and a function that reads its
// metrics.
func checking(t *testing.T, w *testkit.World) (n *node.Node, metric func(string) float64) {
	t.Helper()
	registry := prometheus.NewRegistry()
	n = node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, SelfCheck: 200, Stream: streamtest.Open(t, w.StreamConfig),
		Index: w.Index, Registry: registry, Log: w.Log,
	})
	return n, func(metric string) float64 {
		t.Helper()
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range families {
			if family.GetName() == "litfass_projector_"+metric {
				m := family.GetMetric()[0]
				return m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
		t.Fatalf("no metric %s", metric)
		return 0
	}
}

// anotherRound waits until everything has been compared once more, from the beginning.
func anotherRound(t *testing.T, metric func(string) float64) {
	t.Helper()
	for range 2 {
		before := metric("selfcheck_round_timestamp_seconds")
		testkit.Until(t, "another round", func() bool { return metric("selfcheck_round_timestamp_seconds") > before })
	}
}

// plant corrupts the index without the projector's knowledge, and returns the number of documents.
func plant(t *testing.T, w *testkit.World, changes []change.Change) int {
	t.Helper()
	var events []string
	for _, c := range changes {
		if c.Kind == change.KindEvent && !c.Gone() && len(w.Dates(c.ID)) > 0 {
			events = append(events, c.ID)
		}
	}
	spoiled := w.Get(document.Dates, w.Dates(events[0])[0])
	spoiled["title"] = json.RawMessage(`"another title"`)
	w.Put(document.Dates, spoiled)
	w.Drop(document.Dates, w.Dates(events[1])[0])
	w.Drop(document.Events, events[2])
	left := w.Get(document.Dates, w.Dates(events[3])[0]) // a date that its event does not have
	left["date_uuid"] = json.RawMessage(`"` + testkit.ID() + `"`)
	w.Put(document.Dates, left)
	stray := w.Get(document.Events, events[0]) // an event of which the stream holds nothing
	id := testkit.ID()
	stray["id"] = json.RawMessage(`"` + id + `"`)
	w.Put(document.Events, stray)
	orphan := w.Get(document.Dates, w.Dates(events[0])[0])
	orphan["uuid"], orphan["date_uuid"] = json.RawMessage(`"`+testkit.ID()+`"`), json.RawMessage(`"`+testkit.ID()+`"`)
	w.Put(document.Dates, orphan)
	return 6
}

// Differences are found, repaired, and counted, and the query services are made to invalidate their
// caches.
func TestSelfCheckRepairsAndCounts(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	changes := testkit.Catalogue(t, 1, 12)
	w.Publish(changes...)
	filler := newNode(t, w, testkit.PublicURL)
	stop := start(t, filler)
	caughtUp(t, w, filler)
	stop()
	planted := plant(t, w, changes)
	if found := w.Differences(); len(found) != planted {
		t.Fatalf("planted %d, and verify finds %s", planted, strings.Join(found, "; "))
	}
	n, metric := checking(t, w)
	var exchanged atomic.Int64
	unsubscribe, err := w.Stream.OnApplied(name, func(what applied.Signal) {
		if what.Batch != nil && what.Batch.All {
			exchanged.Add(1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	start(t, n)
	testkit.Until(t, "the repair", func() bool { return metric("drift_repaired_documents_total") >= float64(planted) })
	anotherRound(t, metric)
	w.MustAgree()
	if got := metric("drift_repaired_documents_total"); got != float64(planted) {
		t.Errorf("counted %v repairs of %d", got, planted)
	}
	if got := metric("drift_documents"); got != 0 {
		t.Errorf("%v documents still differ", got)
	}
	if exchanged.Load() == 0 {
		t.Error("the query services were not made to forget their answers")
	}
}

// counting counts the records with a message.
type counting struct {
	slog.Handler
	message string
	seen    *atomic.Int64
}

// Handle counts the record and passes it on.
func (c counting) Handle(ctx context.Context, record slog.Record) error {
	if record.Message == c.message {
		c.seen.Add(1)
	}
	return c.Handler.Handle(ctx, record)
}

// A record with a greater revision than the stream's cannot be repaired by a change, and is never
// replaced by an older one. It is shown as long as it is there, but tried and logged once.
func TestSelfCheckShowsWhatItCannotRepair(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	var logged atomic.Int64
	w.Log = slog.New(counting{w.Log.Handler(), "the index still differs from the stream", &logged})
	event := testkit.Event(t, testkit.ID(), 5, "five", testkit.ID())
	w.Publish(event)
	n, metric := checking(t, w)
	start(t, n)
	caughtUp(t, w, n)
	ahead := w.Get(document.Events, event.ID)
	ahead["revision"] = json.RawMessage("9")
	w.Put(document.Events, ahead)
	testkit.Until(t, "the difference", func() bool { return metric("drift_documents") == 1 })
	anotherRound(t, metric)
	if held := string(w.Get(document.Events, event.ID)["revision"]); held != "9" || metric("drift_documents") != 1 {
		t.Errorf("the index holds revision %s, and %v documents differ", held, metric("drift_documents"))
	}
	if got := logged.Load(); got != 1 {
		t.Errorf("logged %d times", got)
	}
	w.Publish(testkit.Event(t, event.ID, 10, "ten", testkit.ID()))
	testkit.Until(t, "the next change to mend it", func() bool { return metric("drift_documents") == 0 })
	if got := metric("drift_repaired_documents_total"); got != 0 {
		t.Errorf("counted %v repairs", got)
	}
}

// A change that can never be applied is a dead letter, and no difference, in every round.
func TestSelfCheckLeavesDeadChangesAlone(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n, metric := checking(t, w)
	start(t, n)
	id := testkit.ID()
	w.PublishRaw("event."+id, `{"kind":"event","id":"`+id+`","revision":5,"snapshot":{"uuid":7}}`)
	good := testkit.Event(t, testkit.ID(), 6, "set aside by a former version", testkit.ID())
	w.Publish(good)
	caughtUp(t, w, n)
	w.Drop(document.Dates, w.Dates(good.ID)...)
	setAside(t, w, good, "a defect")
	anotherRound(t, metric)
	before := list(t, n)[good.ID].Sequence
	anotherRound(t, metric)
	if after := list(t, n); len(after) != 2 || after[good.ID].Sequence != before {
		t.Errorf("dead letters %+v", after)
	}
	if got := metric("drift_documents"); got != 0 {
		t.Errorf("%v documents differ", got)
	}
}

// Changes on their way are no differences.
func TestSelfCheckWhileChangesGoOn(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 10)...)
	n, metric := checking(t, w)
	start(t, n)
	caughtUp(t, w, n)
	stop := changes(t, w, n)
	for range 2 {
		anotherRound(t, metric)
	}
	if published := stop(); published < 3 {
		t.Fatalf("only %d changes were published", published)
	}
	if repaired, left := metric("drift_repaired_documents_total"), metric("drift_documents"); repaired+left > 0 {
		t.Errorf("%v differences repaired, %v left", repaired, left)
	}
}
