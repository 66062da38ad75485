package node

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/meilisearch/meilisearch-go"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/dead"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// faulty passes requests on to an engine. Before the one that slow chooses it gives the engine
// work for a while, so that the tasks which follow stay open; the one that fail chooses gets an
// error of the engine's instead. Both choose once.
type faulty struct {
	t          *testing.T
	to         *index.Client // the engine, without faults
	slow, fail func(*http.Request) bool
	slowed     atomic.Bool
	failed     atomic.Bool
}

func (f *faulty) RoundTrip(request *http.Request) (*http.Response, error) {
	if f.slow(request) && f.slowed.CompareAndSwap(false, true) {
		occupy(f.t, f.to)
	}
	if f.slowed.Load() && f.fail(request) && f.failed.CompareAndSwap(false, true) {
		return &http.Response{
			StatusCode: http.StatusForbidden, Request: request, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(`{"message":"no","code":"invalid_api_key","type":"auth","link":""}`)),
		}, nil
	}
	return http.DefaultTransport.RoundTrip(request)
}

// occupy gives the engine a task of about a second, in an index of its own.
func occupy(t *testing.T, engine *index.Client) {
	var lines bytes.Buffer
	for i := range 60_000 {
		fmt.Fprintf(&lines, "{\"id\":%d,\"text\":\"word%d other%d\"}\n", i, i, i*7)
	}
	key := "id"
	work := engine.Engine().Index(engine.Name("work"))
	_, err := work.AddDocumentsNdjsonWithContext(t.Context(), lines.Bytes(), &meilisearch.DocumentOptions{PrimaryKey: &key})
	if err != nil {
		t.Error(err)
	}
}

// open returns the tasks that the engine has still to run and that alter the live indexes.
func open(t *testing.T, engine *index.Client) (names []string) {
	t.Helper()
	answer, err := engine.Engine().GetTasksWithContext(t.Context(), &meilisearch.TasksQuery{
		Statuses: []meilisearch.TaskStatus{meilisearch.TaskStatusEnqueued, meilisearch.TaskStatusProcessing},
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, task := range answer.Results {
		live := task.IndexUID == engine.Name(document.Dates) || task.IndexUID == engine.Name(document.Events)
		if live || task.Type == meilisearch.TaskTypeIndexSwap {
			names = append(names, string(task.Type)+" "+task.IndexUID)
		}
	}
	return names
}

func path(method, end string) func(*http.Request) bool {
	return func(r *http.Request) bool { return r.Method == method && strings.HasSuffix(r.URL.Path, end) }
}

// A write that the engine refuses or does not answer may be done in part, and completed later. The
// query services are made to forget their answers only after that: an answer cached in between
// would stay.
func TestLeftTasksAreDoneBeforeTheyAreSignalled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		slow, fail func(*http.Request) bool
		selfCheck  int
		do         func(t *testing.T, w *testkit.World, n *Node, event string)
	}{
		{
			"an exchange", path(http.MethodPost, "/swap-indexes"), path(http.MethodGet, "/tasks"), 0,
			func(t *testing.T, _ *testkit.World, n *Node, _ string) {
				if _, err := n.rebuild(t.Context(), func(rebuild.Progress) {}); err == nil {
					t.Error("the rebuild does not fail")
				}
			},
		},
		{
			"a replay", path(http.MethodPost, "/dates/documents"), path(http.MethodPost, "/events/documents"), 0,
			func(t *testing.T, w *testkit.World, n *Node, event string) {
				w.Drop(document.Events, event) // so that it does not count as superseded
				if err := n.dead.PublishDead(t.Context(), nil, "event", event, "a defect"); err != nil {
					t.Fatal(err)
				}
				if err := n.replay(t.Context(), dead.Selection{All: true}, func(dead.Replayed) {}); err == nil {
					t.Error("the replay does not fail")
				}
			},
		},
		{
			"a repair", path(http.MethodPost, "/dates/documents"), path(http.MethodPost, "/events/documents"), 50,
			func(t *testing.T, w *testkit.World, _ *Node, event string) { w.Drop(document.Events, event) },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, _ := testkit.WithEngine(t)
			transport := &faulty{t: t, to: w.Index, fail: test.fail}
			var armed atomic.Bool
			transport.slow = func(r *http.Request) bool { return armed.Load() && test.slow(r) }
			n, heard, _ := followed(t, w, index.ConnectVia(w.IndexConfig, transport), test.selfCheck, func() bool {
				return transport.failed.Load()
			})
			event := testkit.ID()
			w.Publish(testkit.Event(t, event, 1, "one", testkit.ID(), testkit.ID()))
			testkit.Until(t, "the event", func() bool {
				lag, err := n.Lag(t.Context())
				return err == nil && lag.Pending == 0 && w.Get(document.Events, event) != nil
			})
			armed.Store(true)
			test.do(t, w, n, event)
			testkit.Until(t, "the signal", func() bool { return heard.Load() != 0 })
			if heard.Load() < 0 {
				t.Error("the signal came while the engine had tasks to run")
			}
		})
	}
}

// followed runs a node until stop is called or the test ends. The first signal, after began returns
// true, that anything may have changed sets heard: to 1, or to -1 when the engine has open tasks.
func followed(
	t *testing.T, w *testkit.World, client *index.Client, selfCheck int, began func() bool,
) (n *Node, heard *atomic.Int32, stop func()) {
	t.Helper()
	n = New(Options{
		Name: "north", PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig), Index: client,
		Registry: prometheus.NewRegistry(), Log: w.Log, SelfCheck: selfCheck,
	})
	heard = &atomic.Int32{}
	send := n.signals.send
	n.signals.send = func(what applied.Signal) {
		if what.Batch != nil && what.Batch.All && began() {
			state := int32(1)
			if left := open(t, w.Index); len(left) > 0 {
				t.Logf("open tasks: %s", strings.Join(left, ", "))
				state = -1
			}
			heard.CompareAndSwap(0, state)
		}
		send(what)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = n.Run(ctx) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return n, heard, stop
}

// A projector that was killed may have left an exchange or a repair in the engine's queue. Its
// successor has the answers forgotten once these are done.
func TestTasksOfAnEarlierProcessAreSignalled(t *testing.T) {
	t.Parallel()
	w, _ := testkit.WithEngine(t)
	filler, _, stop := followed(t, w, w.Index, 0, func() bool { return false })
	w.Publish(testkit.Event(t, testkit.ID(), 1, "one", testkit.ID()))
	testkit.Until(t, "the event", func() bool {
		lag, err := filler.Lag(t.Context())
		state, found, stateErr := w.Index.State(t.Context())
		return err == nil && lag.Pending == 0 && stateErr == nil && found && !state.Filling
	})
	stop()
	occupy(t, w.Index)
	left := testkit.ID()
	_, err := w.Index.AddLines(t.Context(), document.Events, []byte(`{"id":"`+left+`"}`+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, heard, _ := followed(t, w, w.Index, 0, func() bool { return true })
	testkit.Until(t, "the signal", func() bool { return heard.Load() != 0 })
	if heard.Load() < 0 || w.Get(document.Events, left) == nil {
		t.Error("the signal came while the engine had tasks to run")
	}
}
