package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/app/demo"
	"litfass/services/admin/internal/catalogue/catalogfile"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// world is a part of the demo catalogue in a database and, relayed, in a stream.
type world struct {
	t      *testing.T
	db     *postgres.DB
	addr   string // of the database
	stream *stream.Stream
	url    string
	public []string // uuids of public events
	draft  string   // uuid of one that is not
	hidden string   // uuid of an organization that is not public
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, address := storetest.New(t)
	config := streamtest.Config(t)
	w := &world{t: t, db: db, addr: address, stream: streamtest.Open(t, config), url: config.URL}
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	made := demo.Generate(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	made.Events = made.Events[:batchSize+20] // more than one batch
	for _, e := range made.Events {
		if rules.PublicStatus(e.ReleaseStatus) {
			w.public = append(w.public, e.UUID)
		} else {
			w.draft = e.UUID
		}
	}
	hidden := &rules.Organization{UUID: uuid.Must(uuid.NewV7()).String(), Name: "Neu"}
	w.hidden = hidden.UUID
	if _, err := catalogfile.Save(t.Context(), editing.NewOperator(db), append(made.Entities(), hidden), func(int) {}); err != nil {
		t.Fatal(err)
	}
	w.enqueue(change.KindLookup, change.LookupEventTypes)
	return w
}

func (w *world) enqueue(kind change.Kind, ids ...string) {
	w.t.Helper()
	err := w.db.InTx(w.t.Context(), func(tx pgx.Tx) error { return outbox.Enqueue(w.t.Context(), tx, kind, ids) })
	if err != nil {
		w.t.Fatal(err)
	}
}

// relay runs a relay until stop is called or the test ends.
func (w *world) relay() (r *outbox.Relay, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	refill := func(ctx context.Context) error {
		_, err := Republisher{DB: w.db, Stream: w.stream}.Run(ctx, Scope{})
		return err
	}
	r = outbox.NewRelay(outbox.RelayOptions{
		DB: w.db, Stream: w.stream, Release: editing.ReleaseDue, Refill: refill,
		Withdraw: Republisher{DB: w.db, Stream: w.stream}.Withdraw, Log: streamtest.Log(w.t), Now: time.Now,
	})
	var running sync.WaitGroup
	running.Go(func() { _ = r.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	w.t.Cleanup(stop)
	return r, stop
}

// differences verifies and returns the differences, in order.
func (w *world) differences() []string {
	w.t.Helper()
	var found []string
	verifier := Verifier{DB: w.db, Stream: w.stream, Wait: streamtest.Patience}
	counts, err := verifier.Run(w.t.Context(), func(d Difference) { found = append(found, d.String()) })
	if err != nil {
		w.t.Fatal(err)
	}
	total := 0
	for _, c := range counts {
		total += c.Different
	}
	if total != len(found) {
		w.t.Errorf("%d differences counted, %d reported", total, len(found))
	}
	if counts[change.KindEvent].Compared != len(w.public) {
		w.t.Errorf("%d events compared, %d are public", counts[change.KindEvent].Compared, len(w.public))
	}
	slices.Sort(found)
	return found
}

func (w *world) republish(scope Scope) Done {
	w.t.Helper()
	done, err := (Republisher{DB: w.db, Stream: w.stream}).Run(w.t.Context(), scope)
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

// plant puts a message into the stream past the relay.
func (w *world) plant(subject string, data []byte) {
	w.t.Helper()
	if _, err := streamtest.JetStream(w.t, w.url).Publish(w.t.Context(), w.stream.Prefix()+"."+subject, data); err != nil {
		w.t.Fatal(err)
	}
}

// plantChange plants a change of far too great a revision.
func (w *world) plantChange(kind change.Kind, id string, snapshot any) {
	w.t.Helper()
	c, err := change.New(kind, id, 1_000_000, snapshot)
	if err != nil {
		w.t.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	w.plant(string(kind)+"."+id, data)
}

func (w *world) held(id string) change.Event {
	w.t.Helper()
	message, _, err := w.stream.Last(w.t.Context(), change.KindEvent, id)
	if err != nil {
		w.t.Fatal(err)
	}
	c, err := change.Decode(message.Data)
	if err != nil {
		w.t.Fatal(err)
	}
	event, err := change.Read[change.Event](c)
	if err != nil {
		w.t.Fatal(err)
	}
	return event
}

func (w *world) remove(id string) {
	w.t.Helper()
	message, _, err := w.stream.Last(w.t.Context(), change.KindEvent, id)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.stream.Remove(w.t.Context(), message.Sequence); err != nil {
		w.t.Fatal(err)
	}
}

func TestFindsPlantedDifferencesAndRepairsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relay()
	w.republish(Scope{}) // the template's value sets never went through the outbox
	if found := w.differences(); len(found) > 0 {
		t.Fatalf("differences before any was planted: %v", found)
	}

	edited := w.held(w.public[0])
	edited.Title, edited.Dates = "edited", edited.Dates[:0]
	w.plantChange(change.KindEvent, w.public[0], edited)
	w.remove(w.public[1])
	w.plantChange(change.KindEvent, w.public[2], nil)
	w.plantChange(change.KindEvent, w.draft, map[string]string{"title": "leaked"})
	w.plantChange(change.KindOrganization, w.hidden, change.Organization{UUID: w.hidden, Name: "leaked"})
	w.plantChange(change.KindRegion, "atlantis.atlantis.atlantis", change.Region{Name: "Atlantis"})
	w.plant("event."+w.public[3], []byte("junk"))
	w.plant("event.junk", []byte("{}"))
	misfiled, _, err := w.stream.Last(t.Context(), change.KindEvent, w.public[4])
	if err != nil {
		t.Fatal(err)
	}
	w.plant("event."+w.public[5], misfiled.Data)

	want := []string{
		"event " + w.public[0] + ": differs in dates, title",
		"event " + w.public[1] + ": is missing in the stream",
		"event " + w.public[2] + ": is gone in the stream but public",
		"event " + w.draft + ": is in the stream but not public",
		"organization " + w.hidden + ": is in the stream but not public",
		"region atlantis.atlantis.atlantis: is in the stream but not public",
		"event " + w.public[3] + ": the stream holds a message that is no change: change is not valid JSON: invalid character 'j' looking for beginning of value",
		"event " + w.public[5] + ": the stream holds a message that is no change: it speaks of event " + w.public[4],
		w.stream.Prefix() + ".event.junk: the stream holds a message that is no change: change of  \"\" has revision 0",
	}
	slices.Sort(want)
	if got := w.differences(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	if done := w.republish(Scope{}); done.Removed != 3 {
		t.Errorf("%d messages removed", done.Removed)
	}
	if got := w.differences(); len(got) > 0 {
		t.Errorf("left after republishing:\n%s", strings.Join(got, "\n"))
	}
}

func TestRepublishOfOneEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relay()
	w.republish(Scope{})
	w.differences()
	for _, id := range w.public[:2] {
		edited := w.held(id)
		edited.Title = "edited"
		w.plantChange(change.KindEvent, id, edited)
	}
	if done := w.republish(Scope{Kind: change.KindEvent, ID: w.public[0]}); done.Enqueued != 1 {
		t.Errorf("%d entities enqueued", done.Enqueued)
	}
	if got := w.differences(); len(got) != 1 || !strings.Contains(got[0], w.public[1]) {
		t.Errorf("differences %v", got)
	}
}

// Without a relay the outbox stays full: verify reports that and does not call a change in flight a
// difference.
func TestWaitsForTheOutbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	verifier := Verifier{DB: w.db, Stream: w.stream, Wait: 10 * time.Millisecond}
	_, err := verifier.Run(t.Context(), func(d Difference) { t.Error(d) })
	if err == nil || !strings.Contains(err.Error(), "does the relay run?") {
		t.Errorf("error %v", err)
	}
}

// Changes that go on while it looks are no differences.
func TestChangesUnderWayAreNoDifferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relay()
	w.republish(Scope{})
	w.differences()
	ctx, cancel := context.WithCancel(t.Context())
	verifier := Verifier{DB: w.db, Stream: w.stream, Wait: streamtest.Patience}
	var writer sync.WaitGroup
	writer.Go(func() { // everything changes again and again, no faster than it can be published
		const rename = `WITH renamed AS (UPDATE event SET title = $2 WHERE uuid = $1::text::uuid)
			INSERT INTO outbox (kind, entity_id) VALUES ('event', $1)`
		for pass := 0; ctx.Err() == nil; pass++ {
			for _, id := range w.public {
				if _, err := w.db.Pool().Exec(t.Context(), rename, id, fmt.Sprint("Title ", pass)); err != nil {
					t.Error(err)
				}
			}
			if err := verifier.settle(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	for _, kind := range change.Kinds {
		if _, err := verifier.comparePublic(t.Context(), kind, func(d Difference) { t.Error(d) }); err != nil {
			t.Error(err)
		}
	}
	cancel()
	writer.Wait()
}

// TestWhenItChangedIsNoDifference: changes of older versions do not say it.
func TestWhenItChangedIsNoDifference(t *testing.T) {
	t.Parallel()
	now := change.Organization{UUID: "1", Name: "Verein", ChangedAt: "2026-11-20T18:30:00Z"}
	before := now
	before.ChangedAt = ""
	for _, streamed := range []any{now, before} {
		data, err := json.Marshal(streamed)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.Replace(data, []byte(`,"changed_at":null`), nil, 1)
		if what := compareContent(now, data); what != "" {
			t.Errorf("%s %s", data, what)
		}
	}
	if what := compareContent(now, []byte(`{"uuid":"1","changed_at":"2026-11-20T18:30:00Z"}`)); !strings.Contains(what, "name") {
		t.Errorf("without a name: %q", what)
	}
}
