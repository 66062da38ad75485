package node_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/dead"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/testkit"
)

// list returns the dead letters, by entity.
func list(t *testing.T, n *node.Node) map[string]dead.Letter {
	t.Helper()
	found := map[string]dead.Letter{}
	err := n.Letters().Each(t.Context(), func(l dead.Letter) error { found[l.ID] = l; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// replay has all dead letters applied again and returns the outcomes, by entity.
func replay(t *testing.T, n *node.Node, which dead.Selection) map[string]dead.Outcome {
	t.Helper()
	found := map[string]dead.Outcome{}
	if err := n.Replay(t.Context(), which, func(r dead.Replayed) { found[r.ID] = r.Outcome }); err != nil {
		t.Fatal(err)
	}
	return found
}

// setAside leaves an event on the stream that a projector could not apply: it is acknowledged, and
// among the dead letters.
func setAside(t *testing.T, w *testkit.World, c change.Change, reason string) {
	t.Helper()
	data, err := c.Encode()
	if err == nil {
		err = w.Stream.DeadLetters(name).PublishDead(t.Context(), data, string(c.Kind), c.ID, reason)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An event that an older program could not apply is applied by the one that runs now. One that is
// still poison stays, with the newest reason, until the stream holds a better one.
func TestDeadChangesAreReplayedByTheRunningProjector(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	poison, fixed := testkit.ID(), testkit.ID()
	w.PublishRaw("event."+poison, `{"kind":"event","id":"`+poison+`","revision":5,"snapshot":{"uuid":7}}`)
	caughtUp(t, w, n)
	good := testkit.Event(t, fixed, 6, "applied after all", testkit.ID())
	w.Publish(good)
	caughtUp(t, w, n)
	setAside(t, w, good, "a defect of the former version")
	w.Drop(document.Events, fixed) // the former version has written nothing
	w.Drop(document.Dates, w.Dates(fixed)...)

	found := list(t, n)
	if len(found) != 2 || found[fixed].Superseded || found[poison].Superseded ||
		!strings.Contains(found[poison].Reason, "cannot unmarshal") || found[poison].Time.IsZero() {
		t.Fatalf("listed %+v", found)
	}
	asking := newNode(t, w, testkit.PublicURL) // as the command does
	outcomes := replay(t, asking, dead.Selection{All: true})
	if len(outcomes) != 2 || outcomes[fixed] != dead.Applied || outcomes[poison] != dead.Dead {
		t.Errorf("outcomes %v", outcomes)
	}
	if found = list(t, n); len(found) != 1 || found[poison].Sequence == 0 {
		t.Fatalf("after the replay: %+v", found)
	}
	if got := len(w.Dates(fixed)); got != 1 {
		t.Errorf("the index holds %d dates of the event", got)
	}
	w.Publish(testkit.Event(t, poison, 7, "repaired"))
	caughtUp(t, w, n)
	w.MustAgree()
	before := testkit.Digest(t, w.Index)
	if found = list(t, n); !found[poison].Superseded {
		t.Errorf("not superseded: %+v", found)
	}
	outcomes = replay(t, asking, dead.Selection{Sequences: []uint64{found[poison].Sequence}})
	if outcomes[poison] != dead.Superseded || len(list(t, n)) > 0 {
		t.Errorf("outcomes %v, left %v", outcomes, list(t, n))
	}
	if after := testkit.Digest(t, w.Index); after != before {
		t.Errorf("a superseded change has altered the index: %s, then %s", before, after)
	}
}

// Without a running projector the command does the work. Entities that the stream no longer holds
// are not brought back, and a change older than the stream's is not applied in its place.
func TestDeadChangesAreReplayedAlone(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	stop := start(t, n)
	caughtUp(t, w, n)
	stop()
	lost, behind := testkit.ID(), testkit.ID()
	setAside(t, w, testkit.Event(t, lost, 3, "not in the stream"), "refused")
	setAside(t, w, testkit.Event(t, behind, 4, "older"), "refused")
	w.Publish(testkit.Event(t, behind, 9, "newer", testkit.ID()))
	setAside(t, w, change.Change{Kind: "no kind", ID: "a b", Revision: 1}, "unreadable")
	if found := list(t, n); len(found) != 3 || found[behind].Superseded {
		t.Fatalf("listed %+v", found)
	}
	outcomes := replay(t, newNode(t, w, testkit.PublicURL), dead.Selection{All: true})
	if outcomes[lost] != dead.Gone || outcomes[behind] != dead.Applied || outcomes["a b"] != dead.Dead {
		t.Errorf("outcomes %v", outcomes)
	}
	w.MustAgree()
	left := list(t, n)
	if len(left) != 1 {
		t.Fatalf("left %+v", left)
	}
	if held := string(w.Get(document.Events, behind)["revision"]); held != "9" {
		t.Errorf("revision %s", held)
	}
	if dropped, err := n.Letters().Drop(t.Context(), dead.Selection{All: true}); dropped != 1 || err != nil {
		t.Errorf("dropped %d, %v", dropped, err)
	}
	if left := list(t, n); len(left) > 0 {
		t.Errorf("left %+v", left)
	}
}

// Two replays at once, while the projector applies newer changes of the same entities: in the end
// the index holds the newest ones, and no letter is left.
func TestDeadChangesAreReplayedWhileChangesGoOn(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	caughtUp(t, w, n)
	all := testkit.Catalogue(t, 1, 4)
	w.Publish(all...)
	for _, c := range all {
		setAside(t, w, c, "a defect of the former version")
	}
	var work errgroup.Group
	work.Go(func() error {
		for revision := int64(2); revision < 20; revision++ {
			newer := slices.Clone(all)
			for i := range newer {
				newer[i].Revision = revision
			}
			if err := w.Stream.Publish(t.Context(), newer); err != nil {
				return err
			}
		}
		return nil
	})
	for range 2 {
		asking := newNode(t, w, testkit.PublicURL)
		work.Go(func() error { return asking.Replay(t.Context(), dead.Selection{All: true}, func(dead.Replayed) {}) })
	}
	if err := work.Wait(); err != nil {
		t.Error(err)
	}
	caughtUp(t, w, n)
	w.MustAgree()
	if left := list(t, n); len(left) > 0 {
		t.Errorf("left %+v", left)
	}
}

// A sequence that is named twice is replayed once.
func TestDeadChangesMayBeNamedTwice(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	event := testkit.Event(t, testkit.ID(), 3, "three", testkit.ID())
	w.Publish(event)
	caughtUp(t, w, n)
	setAside(t, w, event, "a defect of the former version")
	sequence := list(t, n)[event.ID].Sequence
	outcomes := replay(t, newNode(t, w, testkit.PublicURL), dead.Selection{Sequences: []uint64{sequence, sequence}})
	if outcomes[event.ID] != dead.Applied || len(list(t, n)) > 0 {
		t.Errorf("outcomes %v, left %v", outcomes, list(t, n))
	}
}

// A projector that begins holds the lease before it answers: a command of that moment reaches it.
func TestACommandWaitsForAProjectorThatBegins(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	asking := newNode(t, w, testkit.PublicURL)
	attempts := leaseAttempts(t, w)
	starting := make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	var work errgroup.Group
	work.Go(func() error {
		err := w.Stream.HoldLease(ctx, name, "starting", func(ctx context.Context) error {
			close(starting)
			for attempt := range attempts {
				if string(attempt.Data) != "starting" {
					break // no projector answered, so the asking process tries to take its place
				}
			}
			stop, err := w.Stream.Answer("replay."+name, func(_ []byte, say func([]byte)) { say([]byte(`{"done":true}`)) })
			if err != nil {
				return err
			}
			defer stop()
			<-ctx.Done()
			return nil
		})
		return err
	})
	<-starting
	if err := asking.Replay(t.Context(), dead.Selection{All: true}, func(dead.Replayed) {}); err != nil {
		t.Error(err)
	}
	end()
	if err := work.Wait(); err != nil {
		t.Error(err)
	}
}

// leaseAttempts returns what any process writes, or tries to write, to the node's lease.
func leaseAttempts(t *testing.T, w *testkit.World) <-chan *nats.Msg {
	t.Helper()
	conn, err := nats.Connect(w.StreamConfig.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	attempts := make(chan *nats.Msg, 1000)
	if _, err := conn.ChanSubscribe("$KV."+w.StreamConfig.Name+"_LEASES."+name, attempts); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	return attempts
}

func TestUnknownDeadLettersAreNamed(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	caughtUp(t, w, n)
	which := dead.Selection{Sequences: []uint64{77}}
	err := newNode(t, w, testkit.PublicURL).Replay(t.Context(), which, func(dead.Replayed) {})
	if err == nil || !strings.Contains(err.Error(), "77") {
		t.Errorf("replay: %v", err)
	}
	if _, err := n.Letters().Drop(t.Context(), which); err == nil || !strings.Contains(err.Error(), "77") {
		t.Errorf("drop: %v", err)
	}
}
