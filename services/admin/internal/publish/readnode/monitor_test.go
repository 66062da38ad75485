package readnode_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/publish/readnode"
)

// fakeStream is a stream whose answers and announcements a test sets.
type fakeStream struct {
	nodes    []stream.ReadNode
	err      error
	serving  func(stream.Serving)
	complete func(stream.Completion)
	// listening is called once both announcements are heard; may be nil.
	listening func()
}

func (r *fakeStream) Connected() bool { return true }

func (r *fakeStream) LastSequence(context.Context) (uint64, error) { return 9, r.err }

func (r *fakeStream) ReadNodes(context.Context) ([]stream.ReadNode, error) { return r.nodes, nil }

func (r *fakeStream) OnServing(fn func(stream.Serving)) (func(), error) {
	r.serving = fn
	return func() { r.serving = nil }, nil
}

func (r *fakeStream) OnComplete(fn func(stream.Completion)) (func(), error) {
	r.complete = fn
	if r.listening != nil {
		r.listening()
	}
	return func() { r.complete = nil }, nil
}

func TestStates(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	now := clock.Now()
	r := &fakeStream{nodes: []stream.ReadNode{
		{Name: "behind", Leased: true, Applied: 7, Pending: 2, Oldest: now.Add(-time.Minute), Heard: now, Dead: 3},
		{Name: "busy", Leased: true, Applied: 7, Pending: 2, Oldest: now.Add(-time.Second), Heard: now},
		{Name: "current", Leased: true, Applied: 9, Heard: now},
		{Name: "down", Applied: 9},
	}}
	m := readnode.New(r, clock.Now)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := m.Run(ctx); err != nil || r.serving != nil || r.complete != nil {
		t.Fatalf("%v, or still listening", err)
	}
	list := func() adminapi.ReadNodes {
		t.Helper()
		shown, err := m.List(t.Context())
		if err != nil || shown.Published != 9 || len(shown.Nodes) != 4 {
			t.Fatalf("%+v, %v", shown, err)
		}
		return shown
	}
	for _, node := range list().Nodes {
		if want := map[string]string{"busy": "current"}[node.Name]; node.State != want && node.State != node.Name {
			t.Errorf("%s is %s", node.Name, node.State)
		}
		if (node.WaitingSince == nil) != (node.Pending == 0) || (node.HeardAt == nil) != (node.Name == "down") || node.Answering != nil {
			t.Errorf("%+v", node)
		}
	}
	if behind := list().Nodes[0]; behind.Applied != 7 || behind.Pending != 2 || behind.Dead != 3 {
		t.Errorf("%+v", behind)
	}
}

// A node has a form once it has applied what was published when the relay announced that form.
func TestFormOfReadNodes(t *testing.T) {
	t.Parallel()
	r := &fakeStream{nodes: []stream.ReadNode{{Name: "far", Applied: 9}, {Name: "near", Applied: 7}}}
	m := readnode.New(r, time.Now)
	listening := make(chan struct{})
	r.listening = func() { close(listening) }
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	<-listening
	for _, step := range []struct {
		heard     stream.Completion
		far, near string
	}{
		{stream.Completion{Sequence: 5}, "", ""},
		{stream.Completion{Sequence: 8, Form: "new"}, "new", ""},
		{stream.Completion{Sequence: 9, Form: "new"}, "new", ""},
		{stream.Completion{Sequence: 9}, "", ""},
		{stream.Completion{Sequence: 7, Form: "former"}, "former", "former"},
	} {
		r.complete(step.heard)
		shown, err := m.List(t.Context())
		if err != nil || shown.Form != step.heard.Form || shown.Nodes[0].Form != step.far || shown.Nodes[1].Form != step.near {
			t.Errorf("%+v: %+v, %v", step.heard, shown, err)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// An announcement of query services is shown for some seconds; a node is ready while one of them
// is.
func TestAnnouncements(t *testing.T) {
	t.Parallel()
	clock := authtest.NewClock()
	s := streamtest.New(t)
	consumer, err := s.Consumer(t.Context(), stream.Durable("north"))
	if err != nil {
		t.Fatal(err)
	}
	consumer.Stop()
	m := readnode.New(s, clock.Now)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	answering := func() (*adminapi.Answering, adminapi.ReadNodes) {
		t.Helper()
		shown, err := m.List(t.Context())
		if err != nil || len(shown.Nodes) != 1 || shown.Nodes[0].Name != "north" || shown.Nodes[0].State != adminapi.ReadNodeDown {
			t.Fatalf("%+v, %v", shown, err)
		}
		return shown.Nodes[0].Answering, shown
	}
	send := func(what stream.Serving) {
		t.Helper()
		if err := errors.Join(s.SignalServing(what), s.SignalComplete(stream.Completion{Position: 44})); err != nil {
			t.Fatal(err)
		}
	}
	awaited := func(position uint64, again func()) *adminapi.Answering {
		t.Helper()
		for deadline := time.Now().Add(streamtest.Patience); time.Now().Before(deadline); again() {
			if heard, shown := answering(); heard != nil && heard.Position == position && shown.Position == 44 {
				return heard
			}
		}
		t.Fatalf("position %d is not heard", position)
		return nil
	}
	awaited(1, func() { send(stream.Serving{Node: "north", Position: 1}) }) // until the monitor listens
	announce := func(what stream.Serving) *adminapi.Answering {
		t.Helper()
		send(what)
		return awaited(what.Position, func() {})
	}
	if heard := announce(stream.Serving{Node: "north", Position: 42, Ready: true}); !heard.Ready || !heard.HeardAt.Equal(clock.Now()) {
		t.Errorf("%+v", heard)
	}
	clock.Move(4 * time.Second)
	if heard := announce(stream.Serving{Node: "north", Position: 43}); !heard.Ready {
		t.Errorf("one of two is not ready: %+v", heard)
	}
	clock.Move(4 * time.Second)
	if heard, _ := answering(); heard == nil || heard.Ready {
		t.Errorf("the ready one is silent: %+v", heard)
	}
	clock.Move(4 * time.Second)
	if heard, shown := answering(); heard != nil || shown.Position != 44 {
		t.Errorf("all are silent: %+v", heard)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestListWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	m := readnode.New(&fakeStream{err: context.DeadlineExceeded}, time.Now)
	if _, err := m.List(t.Context()); !fault.Is(err, fault.Unavailable) || fault.Of(err).StableCode() != "stream_unavailable" {
		t.Errorf("without an answer: %v", err)
	}
}

// A server that is not there is answered at once, not waited for.
func TestAStreamThatIsDown(t *testing.T) {
	t.Parallel()
	s, err := stream.Open(stream.Config{URL: "nats://127.0.0.1:1", Name: "NONE", Replicas: 1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = readnode.New(s, time.Now).List(t.Context())
	if !fault.Is(err, fault.Unavailable) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
