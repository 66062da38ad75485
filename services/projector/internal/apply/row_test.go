package apply

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/meilisearch/meilisearch-go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/testkit"
)

// row is an applier with the batches that it applies in a row.
type row struct {
	*Applier
	t         *testing.T
	world     *testkit.World
	works     []*work
	taken     int
	completed []*work
}

func newRow(t *testing.T, w *testkit.World) *row {
	t.Helper()
	w.EnsureIndex()
	projector := project.New(testkit.PublicURL, testkit.TimeZone)
	metrics := NewMetrics(prometheus.NewRegistry())
	return &row{Applier: New(w.Stream.Prefix(), w.Index, projector, w.Stream.DeadLetters("north"), metrics, w.Log), t: t, world: w}
}

// add adds a batch of changes, large by further events, which the stream gets.
func (r *row) add(changes ...change.Change) {
	r.t.Helper()
	for range maxEvents + 1 {
		further := testkit.Event(r.t, testkit.ID(), 1, "further")
		r.world.Publish(further)
		changes = append(changes, further)
	}
	var deliveries []stream.Delivery
	for _, c := range changes {
		data, err := c.Encode()
		if err != nil {
			r.t.Fatal(err)
		}
		deliveries = append(deliveries, stream.Delivery{Message: stream.Message{Subject: c.Subject(r.world.Stream.Prefix()), Data: data}})
	}
	r.works = append(r.works, &work{batch: r.Prepare(deliveries)})
}

// another returns the next batch of the row.
func (r *row) another() *work {
	if r.taken == len(r.works) {
		return nil
	}
	r.taken++
	return r.works[r.taken-1]
}

// apply applies the batches and calls each after one is completed.
func (r *row) apply(ctx context.Context, each func()) error {
	for next := r.another(); next != nil; next = r.another() { // what a row leaves begins the next one
		err := r.applyRow(ctx, next, r, func(w *work) {
			r.completed = append(r.completed, w)
			each()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// expectAll fails the test unless the batches were completed in their order, each with the signal
// that anything may have changed.
func (r *row) expectAll() {
	r.t.Helper()
	if !slices.Equal(r.completed, r.works) {
		r.t.Errorf("completed %d batches, not the %d in their order", len(r.completed), len(r.works))
	}
	for i, w := range r.completed {
		if !w.batch.Altered.All {
			r.t.Errorf("batch %d: the signal names changes: %+v", i, w.batch.Altered)
		}
	}
	r.world.MustAgree()
}

// tasks returns the number of tasks of the index of events.
func (r *row) tasks() int {
	r.t.Helper()
	answer, err := r.world.Index.Engine().GetTasksWithContext(r.t.Context(), &meilisearch.TasksQuery{
		IndexUIDS: []string{r.world.Index.Name(document.Events)},
		Types:     []meilisearch.TaskType{meilisearch.TaskTypeDocumentAdditionOrUpdate},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return len(answer.Results)
}

// TestBatchesInARow: the second batch is started before the first one is indexed, and is compared
// with the changes of that.
func TestBatchesInARow(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	r := newRow(t, w)
	newer, gone, loses, gets := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	date, stays, leaves, moves := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	last := []change.Change{
		testkit.Event(t, newer, 7, "newer", date), testkit.Change(t, change.KindEvent, gone, 2, nil),
		testkit.Event(t, loses, 2, "loses", stays), testkit.Event(t, gets, 1, "gets", moves),
	}
	w.Publish(last...)
	r.add(last[0], testkit.Event(t, gone, 1, "gone", testkit.ID()), testkit.Event(t, loses, 1, "loses", stays, leaves, moves))
	r.add(testkit.Event(t, newer, 6, "older", testkit.ID(), date), last[1], last[2], last[3])
	r.add(testkit.Event(t, gone, 1, "older", testkit.ID()), testkit.Event(t, loses, 1, "older", leaves))
	var started []int
	if err := r.apply(t.Context(), func() { started = append(started, r.tasks()) }); err != nil {
		t.Fatal(err)
	}
	r.expectAll()
	if want := []int{2, 3, 3}; !slices.Equal(started, want) {
		t.Errorf("after each batch %v were started, want %v", started, want)
	}
	if got := testutil.ToFloat64(r.metrics.changes.WithLabelValues(resultStale)); got != 3 {
		t.Errorf("%v changes were stale, want 3", got)
	}
}

// TestARefusedChangeInARow: the engine refuses a change of one of two batches, before it runs a
// task or while it has run others of both.
func TestARefusedChangeInARow(t *testing.T) {
	t.Parallel()
	for i, which := range []string{"first", "second"} {
		t.Run("a region of the "+which, func(t *testing.T) {
			t.Parallel()
			long := strings.Repeat("x", 300) // in an id
			region := change.Region{CountrySlug: long, StateSlug: long, RegionSlug: "x", Geometry: json.RawMessage(`{}`)}
			applyRefused(t, i, testkit.Change(t, change.KindRegion, region.ID(), 1, region)).expectAll()
		})
		t.Run("a date of the "+which, func(t *testing.T) {
			t.Parallel()
			event := testkit.Event(t, testkit.ID(), 1, "refused", testkit.ID())
			var snapshot map[string]any
			if err := json.Unmarshal(event.Snapshot, &snapshot); err != nil {
				t.Fatal(err)
			}
			snapshot["dates"].([]any)[0].(map[string]any)["uuid"] = "not an id!"
			event.Snapshot, _ = json.Marshal(snapshot)
			r := applyRefused(t, i, event)
			r.world.Drop(document.Events, event.ID) // its record was not refused
			r.expectAll()
		})
	}
}

// applyRefused applies two batches with versions of an event, one of them with a refused change
// too.
func applyRefused(t *testing.T, which int, refused change.Change) *row {
	t.Helper()
	w := testkit.New(t)
	r := newRow(t, w)
	event, date := testkit.ID(), testkit.ID()
	versions := []change.Change{testkit.Event(t, event, 1, "one", date, testkit.ID()), testkit.Event(t, event, 2, "two", date)}
	w.Publish(versions[1])
	for i, version := range versions {
		if i == which {
			r.add(version, refused)
		} else {
			r.add(version)
		}
	}
	if err := r.apply(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	if got := testutil.ToFloat64(r.metrics.changes.WithLabelValues(resultDead)); got != 1 {
		t.Errorf("%v dead changes, want 1", got)
	}
	return r
}

// TestARowSurvivesTheEnginesDeath: the engine dies with the tasks of the second batch.
func TestARowSurvivesTheEnginesDeath(t *testing.T) {
	t.Parallel()
	w, engine := testkit.WithEngine(t)
	r := newRow(t, w)
	event, date := testkit.ID(), testkit.ID()
	newest := testkit.Event(t, event, 2, "two", date)
	w.Publish(newest)
	r.add(testkit.Event(t, event, 1, "one", date, testkit.ID()))
	r.add(newest)
	err := r.apply(t.Context(), func() {
		if len(r.completed) == 1 {
			engine.Kill()
			engine.Resume()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	r.expectAll()
}

// TestARowThatBrokeOffIsAppliedAgain: of two batches, only the first one is completed. A successor
// gets the second one again.
func TestARowThatBrokeOffIsAppliedAgain(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	r := newRow(t, w)
	event, date := testkit.ID(), testkit.ID()
	newest := testkit.Event(t, event, 2, "two", date)
	w.Publish(newest)
	r.add(testkit.Event(t, event, 1, "one", date, testkit.ID()))
	r.add(newest)
	ctx, stop := context.WithCancel(t.Context())
	if err := r.apply(ctx, stop); !errors.Is(err, context.Canceled) || len(r.completed) != 1 {
		t.Fatalf("%d batches are completed, %v", len(r.completed), err)
	}
	successor := newRow(t, w)
	successor.works = r.works[1:]
	if err := successor.apply(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	successor.expectAll()
}
