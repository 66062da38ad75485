package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/publish/outbox"
	"litfass/services/admin/internal/publish/verify"
)

// formed is the stream of a program whose event snapshots have another form: without venues, as in
// an earlier release.
type formed struct {
	*stream.Stream
	published atomic.Int64 // changes
}

func (f *formed) Publish(ctx context.Context, changes []change.Change) error {
	f.published.Add(int64(len(changes)))
	former := make([]change.Change, len(changes))
	for i, c := range changes {
		if former[i] = c; c.Kind != change.KindEvent || c.Gone() {
			continue
		}
		var snapshot map[string]json.RawMessage
		if err := json.Unmarshal(c.Snapshot, &snapshot); err != nil {
			return err
		}
		delete(snapshot, "venues")
		former[i].Snapshot, _ = json.Marshal(snapshot)
	}
	return f.Stream.Publish(ctx, former)
}

// countedStream counts the changes that are published to it.
type countedStream struct {
	*stream.Stream
	limit     int64 // of changes, from which on it fails; 0: none
	published atomic.Int64
	full      atomic.Bool
}

func (c *countedStream) Publish(ctx context.Context, changes []change.Change) error {
	if c.limit > 0 && c.published.Load() >= c.limit {
		c.full.Store(true)
		return errors.New("full")
	}
	c.published.Add(int64(len(changes)))
	return c.Stream.Publish(ctx, changes)
}

// formerForms are the forms of an earlier release.
func formerForms() outbox.Forms {
	forms := maps.Clone(outbox.CurrentForms())
	forms[change.KindEvent] = "former"
	return forms
}

// startFormer runs a relay of an earlier release.
func (f *filled) startFormer(prepare ...func(*outbox.Relay)) (publisher *formed, stop func()) {
	publisher = &formed{Stream: f.stream}
	_, stop = f.startRelay(outbox.RelayOptions{
		Stream: publisher, Refill: f.refill, Now: time.Now, Forms: formerForms(),
	}, prepare...)
	return publisher, stop
}

// startCurrent runs a relay of this program.
func (f *filled) startCurrent() (publisher *countedStream, stop func()) { return f.startLimited(0) }

// startLimited is startCurrent with a stream that fails after so many changes.
func (f *filled) startLimited(limit int64) (publisher *countedStream, stop func()) {
	publisher = &countedStream{Stream: f.stream, limit: limit}
	_, stop = f.startRelay(outbox.RelayOptions{Stream: publisher, Refill: f.refill, Now: time.Now})
	return publisher, stop
}

// newFormer returns a world whose events were published by an earlier release, with or without
// knowledge of forms.
func newFormer(t *testing.T, events int, knowsForms bool) *filled {
	t.Helper()
	f := newFilled(t, events)
	f.exec(`DELETE FROM snapshot_form`)
	_, stop := f.startFormer()
	f.untilUniform()
	stop()
	if !knowsForms {
		f.exec(`DELETE FROM snapshot_form`)
		f.exec(`UPDATE relay_stream SET form_identity = NULL, form_sequence = NULL`)
	}
	return f
}

// untilUniform waits until nothing is left to be published in the current form.
func (f *filled) untilUniform() {
	f.t.Helper()
	f.until("everything is published in the current form", func() bool {
		var forms int
		if err := f.db.QueryRow(f.t.Context(), `SELECT count(*) FROM snapshot_form`).Scan(&forms); err != nil {
			f.t.Fatal(err)
		}
		kinds, err := outbox.OtherForms(f.t.Context(), f.db)
		if err != nil {
			f.t.Fatal(err)
		}
		return forms > 0 && len(kinds) == 0 && f.outbox().Pending == 0
	})
}

// differences returns how many entities differ between database and stream.
func (f *filled) differences() (count int) {
	f.t.Helper()
	v := verify.Verifier{DB: f.db, Stream: f.stream, Wait: streamtest.Patience}
	if _, err := v.Run(f.t.Context(), func(verify.Difference) { count++ }); err != nil {
		f.t.Fatal(err)
	}
	return count
}

// Events that an earlier release has published are published again in the form of this one, without
// any command; the next relay of this release publishes nothing.
func TestEarlierFormIsRepublished(t *testing.T) {
	t.Parallel()
	for name, knowsForms := range map[string]bool{"with forms": true, "without forms": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFormer(t, 50, knowsForms)
			if f.differences() != 50 {
				t.Fatalf("%d events differ before", f.differences())
			}
			_, stop := f.startCurrent()
			f.until("the forms are recorded", func() bool { return f.hasForms(outbox.CurrentForms()) })
			f.untilUniform()
			stop()
			if differences := f.differences(); differences != 0 {
				t.Errorf("%d events differ", differences)
			}
			next, stop := f.startCurrent()
			f.write(f.event("an edit"))
			f.untilEmpty()
			f.untilUniform()
			stop()
			if published := next.published.Load(); published > 3 {
				t.Errorf("the next relay published %d changes", published)
			}
		})
	}
}

// hasForms reports whether a relay with these forms has run.
func (f *filled) hasForms(forms outbox.Forms) bool {
	f.t.Helper()
	var found bool
	const query = `SELECT EXISTS (SELECT FROM snapshot_form WHERE kind = 'event' AND digest = $1)`
	if err := f.db.QueryRow(f.t.Context(), query, forms[change.KindEvent]).Scan(&found); err != nil {
		f.t.Fatal(err)
	}
	return found
}

// An earlier release that leads again, as while services are upgraded one after another, publishes
// its edits in its form and nothing else; this one then publishes these edits again and nothing
// else. Neither begins from the start.
func TestFormsDoNotTakeTurns(t *testing.T) {
	t.Parallel()
	f := newFormer(t, 30, true)
	_, stop := f.startCurrent()
	f.until("the forms are recorded", func() bool { return f.hasForms(outbox.CurrentForms()) })
	f.untilUniform()
	stop()
	for range 3 {
		f.leadFormer()
		current, stop := f.startCurrent()
		f.until("the edit is published again", func() bool { return current.published.Load() > 0 && f.outbox().Pending == 0 })
		f.untilUniform()
		stop()
		if published := current.published.Load(); published > 3 {
			t.Errorf("%d changes were published again", published)
		}
		if differences := f.differences(); differences != 0 {
			t.Errorf("%d events differ", differences)
		}
	}
}

// leadFormer lets a relay of an earlier release publish one edit.
func (f *filled) leadFormer() {
	f.t.Helper()
	f.events[0].Title += "!"
	f.write(f.events[0])
	before := f.formRecord()
	former, stop := f.startFormer()
	f.until("the edit is published", func() bool { return f.title(f.events[0].UUID) == f.events[0].Title })
	f.untilEmpty()
	stop()
	if published := former.published.Load(); published > 3 {
		f.t.Errorf("the earlier release published %d changes", published)
	}
	if after := f.formRecord(); after != before {
		f.t.Errorf("the mark of the current form moved from %d to %d", before, after)
	}
}

func (f *filled) formRecord() (sequence int64) {
	f.t.Helper()
	const query = `SELECT form_sequence FROM relay_stream`
	if err := f.db.QueryRow(f.t.Context(), query).Scan(&sequence); err != nil {
		f.t.Fatal(err)
	}
	return sequence
}

// After a rollback the earlier release publishes everything in its form again once no process of
// the later one has run for a while.
func TestRollbackRepublishes(t *testing.T) {
	t.Parallel()
	f := newFormer(t, 5, true)
	_, stop := f.startCurrent()
	f.until("the forms are recorded", func() bool { return f.hasForms(outbox.CurrentForms()) })
	f.untilUniform()
	stop()
	f.exec(`UPDATE snapshot_form SET seen_at = now() - interval '1 hour'`)
	former, stop := f.startFormer()
	f.until("all events are published again", func() bool { return former.published.Load() >= 5 })
	f.untilUniform()
	stop()
	if differences := f.differences(); differences != 5 {
		t.Errorf("%d of 5 events are in the earlier form", differences)
	}
}

// A leader of an earlier release publishes everything in its form without a restart once the later
// form has been abandoned.
func TestLeaderNoticesThatItsFormsAreCurrent(t *testing.T) {
	t.Parallel()
	f := newFormer(t, 5, true)
	_, stop := f.startCurrent()
	f.until("the forms are recorded", func() bool { return f.hasForms(outbox.CurrentForms()) })
	f.untilUniform()
	stop()
	former, stop := f.startFormer((*outbox.Relay).TouchFormsAlways)
	f.events[0].Title += "!"
	f.write(f.events[0])
	f.until("the earlier release leads", func() bool { return f.title(f.events[0].UUID) == f.events[0].Title })
	f.untilEmpty()
	before := former.published.Load()
	f.exec(`UPDATE snapshot_form SET seen_at = now() - interval '1 hour' WHERE digest <> $1 AND kind = 'event'`,
		formerForms()[change.KindEvent])
	f.until("all events are published again", func() bool { return former.published.Load() >= before+5 })
	f.untilUniform()
	stop()
	if differences := f.differences(); differences != 5 {
		t.Errorf("%d of 5 events are in the earlier form", differences)
	}
}

// A relay that is killed while it publishes again leaves the rest to the next one.
func TestRepublishingContinues(t *testing.T) {
	t.Parallel()
	f := newFormer(t, 200, true)
	first, stop := f.startLimited(3 * outbox.RepublishedRows)
	f.until("some are published again", first.full.Load)
	f.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'litfass-relay'`)
	stop()
	before := first.published.Load()
	if err := f.db.QueryRow(t.Context(), `SELECT FROM snapshot_form WHERE after > ''`).Scan(); err != nil {
		t.Errorf("no progress is recorded: %v", err)
	}
	second, stop := f.startCurrent()
	f.untilUniform()
	stop()
	if sum := before + second.published.Load(); before >= 200 || sum > 200+3*outbox.RepublishedRows {
		t.Errorf("%d and %d changes for 200 events", before, second.published.Load())
	}
	if differences := f.differences(); differences != 0 {
		t.Errorf("%d events differ", differences)
	}
}

// Edits overtake: while thousands of events are published again, an edit waits for one batch of
// them at most.
func TestEditsOvertakeRepublishing(t *testing.T) {
	t.Parallel()
	f := newFormer(t, 300, true)
	current, _ := f.startCurrent()
	f.until("publishing again has begun", func() bool { return current.published.Load() > 0 })
	for range 5 {
		f.events[299].Title += "!"
		f.write(f.events[299])
		before, err := f.stream.LastSequence(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.until("the edit is published", func() bool { return f.title(f.events[299].UUID) == f.events[299].Title })
		message, _, err := f.stream.Last(t.Context(), change.KindEvent, f.events[299].UUID)
		if err != nil {
			t.Fatal(err)
		}
		if others := int64(message.Sequence) - int64(before); others > 2*outbox.RepublishedRows+3 {
			t.Errorf("%d changes were published before an edit", others)
		}
	}
	f.untilUniform()
	if differences := f.differences(); differences != 0 {
		t.Errorf("%d events differ", differences)
	}
}

// The digest of a form depends on the layout of no query and on each kind's own fields.
func TestFormsOfKinds(t *testing.T) {
	t.Parallel()
	forms := outbox.CurrentForms()
	if len(forms) != len(change.Kinds) {
		t.Fatalf("%d forms", len(forms))
	}
	seen := map[string]bool{}
	for kind, digest := range forms {
		if seen[digest] || len(digest) != 16 {
			t.Errorf("%s has the form %q", kind, digest)
		}
		seen[digest] = true
	}
	if outbox.CurrentForms().Digest() != forms.Digest() || formerForms().Digest() == forms.Digest() {
		t.Error("the digest of all forms is not that of each")
	}
}
