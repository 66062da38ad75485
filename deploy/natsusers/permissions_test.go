package natsusers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/natsusers"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
)

const (
	event = "00000000-0000-7000-8000-000000000001"
	other = "00000000-0000-7000-8000-000000000002"
)

func published(id string, revision int64) change.Change {
	return change.Change{Kind: change.KindEvent, ID: id, Revision: revision, Snapshot: json.RawMessage(`{}`)}
}

// TestServicesMayDoTheirWork lets each service do with the stream what it does in a running system.
func TestServicesMayDoTheirWork(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin, projector, query := s.as(natsusers.Admin), s.as(natsusers.Projector), s.as(natsusers.Query)
	adminPublishes(t, admin)
	projectorApplies(t, projector)
	queryListens(t, query, admin, projector)
	nodes, err := admin.ReadNodes(t.Context())
	if err != nil || len(nodes) != 1 || nodes[0].Dead != 1 {
		t.Errorf("admin sees the read nodes %+v, %v", nodes, err)
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if log := s.log.String(); strings.Contains(log, "violation") {
		t.Errorf("the services say:\n%s", log)
	}
}

func adminPublishes(t *testing.T, admin *stream.Stream) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	must(t,
		admin.Ensure(ctx), admin.Ensure(ctx),
		admin.Publish(ctx, []change.Change{published(event, 1)}),
		admin.Publish(ctx, []change.Change{published(event, 2)}), // compared with the former
		admin.PublishKeys(ctx, []change.Key{{Hash: strings.Repeat("0", 64), Revision: 3, Tier: "standard"}}),
		admin.SignalComplete(stream.Completion{Sequence: 2}),
		admin.Offer(ctx, "deliver", []string{"one"}),
	)
	_, err := admin.OnComplete(func(stream.Completion) {})
	must(t, err)
	_, err = admin.OnServing(func(stream.Serving) {})
	must(t, err)
	_, _, err = admin.Keys(ctx)
	must(t, err)
	_, err = admin.LastRevision(ctx)
	must(t, err)
	_, err = admin.Walk(ctx, func(uint64, change.Change) error { return nil })
	must(t, err)
	followed := errors.New("followed")
	err = admin.Share(ctx, "webhooks", stream.Limits{Messages: 1, Bytes: 1}, func(context.Context, []stream.Delivery) error { return followed })
	if !errors.Is(err, followed) {
		t.Errorf("the shared consumer: %v", err)
	}
	must(t, admin.Work(ctx, "deliver", 1, func(_ context.Context, _ stream.Item, done func()) { done(); stop() }))
}

func projectorApplies(t *testing.T, projector *stream.Stream) {
	t.Helper()
	ctx := t.Context()
	must(t, projector.AwaitEnsured(ctx), projector.HoldLease(ctx, "here", "one", func(ctx context.Context) error {
		consumer, err := projector.Consumer(ctx, stream.Durable("here"))
		if err != nil {
			return err
		}
		defer consumer.Stop()
		batch, err := consumer.Batch(ctx, stream.Limits{Messages: 1, Bytes: 1})
		consumer.Ack(batch)
		return err
	}))
	letters := projector.DeadLetters("here")
	must(t, letters.PublishDead(ctx, []byte("{}"), "event", event, "a test"), letters.PublishDead(ctx, []byte("{}"), "event", other, "a test"),
		letters.Each(ctx, func(letter stream.DeadLetter) error {
			if letter.ID == other {
				return letters.Remove(ctx, letter.Sequence)
			}
			return nil
		}))
	if _, found, err := projector.Progress(ctx, stream.Durable("here")); err != nil || !found {
		t.Errorf("its progress: %v, %v", found, err)
	}
	if _, found, err := projector.Last(ctx, change.KindEvent, event); err != nil || !found {
		t.Errorf("the last change: %v, %v", found, err)
	}
	_, err := projector.Walk(ctx, func(uint64, change.Change) error { return nil })
	must(t, err)
	_, err = projector.OnComplete(func(stream.Completion) {})
	must(t, err)
	stop, err := projector.Answer("rebuild.here", func(_ []byte, say func([]byte)) { say([]byte("done")) })
	must(t, err)
	defer stop()
	hear(t, projector, "rebuild.here")
	must(t, projector.Forget(ctx, stream.Durable("here")+"-rebuild"))
}

// hear asks a process and expects a line.
func hear(t *testing.T, s *stream.Stream, name string) {
	t.Helper()
	err := s.Ask(t.Context(), name, nil, func(line []byte) (bool, error) { return string(line) == "done", nil })
	must(t, err)
}

func queryListens(t *testing.T, query, admin, projector *stream.Stream) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopAnswers, err := admin.Answer("report", func(_ []byte, say func([]byte)) { say([]byte("done")) })
	must(t, err)
	defer stopAnswers()
	hear(t, query, "report")
	signals, servings, keys := make(chan struct{}, 1), make(chan struct{}, 1), make(keyListener, 1)
	_, err = query.OnApplied("here", func(applied.Signal) { signals <- struct{}{} })
	must(t, err)
	_, err = query.OnServing(func(stream.Serving) { servings <- struct{}{} })
	must(t, err)
	hear(t, query, "report") // now the server knows the subscriptions
	must(t, projector.SignalApplied("here", applied.Signal{Sequence: 2}), query.SignalServing(stream.Serving{Node: "here"}))
	go func() { _ = query.FollowKeys(ctx, keys) }()
	for what, heard := range map[string]<-chan struct{}{"the freshness signal": signals, "a query service": servings, "the keys": keys} {
		select {
		case <-heard:
		case <-time.After(streamtest.Patience):
			t.Errorf("query does not hear %s", what)
		}
	}
	_, last, found, err := query.JournalBounds(ctx)
	if err != nil || !found || last == 0 {
		t.Fatalf("the journal: %d, %v, %v", last, found, err)
	}
	entry, found, err := query.JournalEntry(ctx, last)
	if err != nil || !found {
		t.Fatalf("an entry of the journal: %v, %v", found, err)
	}
	if same, err := query.Published(ctx, entry, entry.After+1); err != nil || !same {
		t.Errorf("what the entry says was published: %v, %v", same, err)
	}
}

// keyListener hears of one key.
type keyListener chan struct{}

func (l keyListener) Replace(keys []change.Key) {
	if len(keys) == 1 {
		l <- struct{}{}
	}
}

func (keyListener) Change(change.Key) {}

// TestServicesMayDoNothingElse sends for each user what only another one may send, or none.
func TestServicesMayDoNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t)
	admin := s.as(natsusers.Admin)
	must(t, admin.Ensure(t.Context()), admin.Publish(t.Context(), []change.Change{published(event, 1)}))
	projector := s.as(natsusers.Projector)
	consumer, err := projector.Consumer(t.Context(), stream.Durable("here"))
	must(t, err)
	consumer.Stop()
	s.writesNothing(natsusers.Projector, "catalog.event."+other)
	operator, err := nats.Connect(s.OperatorURL())
	must(t, err)
	t.Cleanup(operator.Close)
	js, err := jetstream.New(operator)
	must(t, err)

	foreign := []string{
		"catalog.event." + event, "catalog.event." + other, "catalog-changes", "catalog-keys." + strings.Repeat("1", 64), "catalog-complete",
		"catalog-work.deliver.one", "$JS.API.STREAM.CREATE.OTHER", "$JS.API.STREAM.UPDATE.CATALOG", "_INBOX.operator.a", "_INBOX.admin.a",
		"$JS.API.STREAM.DELETE.CATALOG", "$JS.API.STREAM.PURGE.CATALOG", "$JS.API.STREAM.MSG.DELETE.CATALOG", "$JS.API.STREAM.DELETE.CATALOG_KEYS",
		"$JS.API.STREAM.RESTORE.CATALOG", "$JS.API.STREAM.SNAPSHOT.CATALOG_KEYS",
		"$JS.API.CONSUMER.DELETE.CATALOG_KEYS.other", "$JS.API.CONSUMER.CREATE.CATALOG_KEYS.own", "$JS.API.CONSUMER.CREATE.CATALOG_CHANGES.own",
	}
	tried := map[string][]string{
		natsusers.Projector: append(foreign, "catalog-serving", "catalog-ask.report"),
		natsusers.Query: append(foreign, "catalog-applied.here", "catalog-dead.here.event."+event, "catalog-ask.rebuild.here",
			"$KV.CATALOG_LEASES.here", "_INBOX.projector.a", "$JS.API.CONSUMER.DELETE.CATALOG."+stream.Durable("here"),
			"$JS.API.CONSUMER.CREATE.CATALOG.own", "$JS.API.CONSUMER.MSG.NEXT.CATALOG."+stream.Durable("here"),
			"$JS.ACK.CATALOG."+stream.Durable("here")+".1.1.1.1.1"),
		natsusers.Admin: {
			"$JS.API.STREAM.DELETE.CATALOG", "$JS.API.STREAM.PURGE.CATALOG", "$JS.API.STREAM.CREATE.OTHER", "_INBOX.projector.a",
			"$KV.CATALOG_LEASES.here", "catalog-applied.here",
		},
	}
	for user, subjects := range tried {
		s.refuses(user, subjects)
	}
	s.hearsNothing(natsusers.Query, "_INBOX.admin.>", "catalog-ask.>", "$KV.>", ">")
	s.hearsNothing(natsusers.Projector, "_INBOX.query.>", "catalog-ask.report", "catalog-keys.>", ">")
	kept, err := js.Stream(t.Context(), "CATALOG")
	must(t, err)
	if state := kept.CachedInfo().State; state.LastSeq != 1 || state.Msgs != 1 || state.Consumers != 1 {
		t.Errorf("the stream is not as it was: %+v", state)
	}
}

// TestServerNeedsEveryPassword: a server of which one password is missing does not start, rather
// than to admit everyone.
func TestServerNeedsEveryPassword(t *testing.T) {
	t.Parallel()
	s := prepare(t, map[string]string{natsusers.Admin: "a"})
	if err := s.process.Start(t.Context()); err == nil {
		t.Error("it starts")
	}
}

// TestServicesWaitForTheirPassword: a service that the server refuses is connected as soon as the
// server has its password, without a restart.
func TestServicesWaitForTheirPassword(t *testing.T) {
	t.Parallel()
	s := start(t)
	rightly := maps.Clone(s.Passwords)
	s.Passwords[natsusers.Query] = "former"
	must(t, s.process.Kill())
	s.process = s.Process()
	t.Cleanup(func() { _ = s.process.Kill() })
	must(t, s.process.Start(t.Context()))
	query := s.open(natsusers.Query)
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(20 * time.Millisecond) {
		log, err := os.ReadFile(s.LogFile)
		must(t, err)
		if bytes.Count(log, []byte("authentication error")) > 3 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it gives up:\n%s", log)
		}
	}
	must(t, s.process.Kill())
	s.Passwords = rightly
	again := s.Process()
	t.Cleanup(func() { _ = again.Kill() })
	must(t, again.Start(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), streamtest.Patience)
	defer cancel()
	must(t, query.Await(ctx))
}
