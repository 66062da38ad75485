package webhook_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/draft"
	"litfass/services/admin/internal/publish/outbox"
)

// TestChangesAreDelivered: what becomes public, changes and is withdrawn, signed, and nothing else.
func TestChangesAreDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(w.event("Before"))
	w.start()
	w.settled()
	r := newReceiver(t)
	hook := w.subscribe(r, nil)
	event := w.event("Jazz")
	w.write(event)
	w.awaitTypes(r, "event.published")
	event.Title = "More jazz"
	w.write(event)
	w.awaitTypes(r, "event.published event.updated")
	err := w.db.InTx(t.Context(), func(tx pgx.Tx) error { // as a refill of the stream does
		return outbox.Enqueue(t.Context(), tx, change.KindEvent, []string{event.UUID})
	})
	if err != nil {
		t.Fatal(err)
	}
	w.settled()
	event.ReleaseStatus = rules.StatusDraft
	w.write(event)
	w.awaitTypes(r, "event.published event.updated event.withdrawn")
	ids := map[string]bool{}
	for i, n := range r.all() {
		ids[n.id] = true
		if err := verifySignature(n, hook.secret); err != nil {
			t.Error(err)
		}
		if want := []string{"Jazz", "More jazz", ""}[i]; n.Data.UUID != event.UUID || n.Data.Title != want {
			t.Errorf("%s: %s", n.Type, n.body)
		}
	}
	if len(ids) != 3 {
		t.Errorf("ids %v", ids)
	}
	w.until("the deliveries are noted", func() bool {
		return !slices.ContainsFunc(w.deliveries(hook), func(d adminapi.WebhookDelivery) bool {
			return d.State != "delivered" || d.Status == nil || *d.Status != http.StatusNoContent
		})
	})
}

// TestWebhooksShareBodies: each webhook gets each change once, in order, also those of others.
func TestWebhooksShareBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	w.settled()
	receivers := []*receiver{newReceiver(t), newReceiver(t), newReceiver(t), newReceiver(t)}
	for _, r := range receivers {
		w.subscribe(r, func(e *adminapi.WebhookEdit) {
			e.Types = []string{draft.Saved, "event.published", "event.updated"}
		})
	}
	event := w.event("Secret")
	event.ReleaseStatus = rules.StatusDraft
	w.write(event)
	w.awaitTypes(receivers[0], "draft.saved")
	event.Title, event.ReleaseStatus = "Known", rules.StatusReleased
	w.write(event)
	w.awaitTypes(receivers[0], "draft.saved event.published")
	event.Title = "Better known"
	w.write(event)
	for _, r := range receivers {
		w.awaitTypes(r, "draft.saved event.published event.updated")
		for i, n := range r.all() {
			if first := receivers[0].all()[i]; string(n.body) != string(first.body) || (r != receivers[0] && n.id == first.id) {
				t.Errorf("%s: got %s, another webhook %s", n.id, n.body, first.body)
			}
		}
	}
}

// TestDraftsAreDeliveredToMembers: and only to webhooks of the organization that ask for them.
func TestDraftsAreDeliveredToMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	all, public := newReceiver(t), newReceiver(t)
	w.subscribe(all, func(e *adminapi.WebhookEdit) {
		e.Types = []string{draft.Saved, draft.Deleted, "event.published", "event.withdrawn"}
	})
	w.subscribe(public, nil)
	event := w.event("Secret")
	event.ReleaseStatus = rules.StatusDraft
	w.write(event)
	w.awaitTypes(all, "draft.saved")
	event.Title, event.ReleaseStatus = "Known", rules.StatusReleased
	w.write(event)
	w.awaitTypes(all, "draft.saved event.published")
	w.settled() // else the release, announced late, would find a draft again
	event.ReleaseStatus = rules.StatusDraft
	w.write(event)
	w.settled()
	w.until("the draft is back", func() bool { // in either order
		got := all.types()
		if strings.Count(got, " ") > 3 {
			t.Fatalf("got %s", got)
		}
		return strings.Count(got, " ") == 3
	})
	w.awaitTypes(public, "event.published event.withdrawn")
	if all.all()[0].Data.Title != "Secret" {
		t.Errorf("%s", all.all()[0].body)
	}
	var bad fault.Violations
	_, _, err := w.hooks.Create(w.as(w.manager), "", true, func(e *adminapi.WebhookEdit) {
		e.Name, e.URL, e.Types = "x", "https://example.org/", []string{draft.Saved}
	})
	if fault.Is(err, fault.Invalid) {
		bad = fault.Of(err).Violations
	}
	if len(bad) != 1 || bad[0].Field != "types" {
		t.Errorf("drafts for a user: %v", err)
	}
}

// TestFilters: what enters a filter is published to the webhook, what leaves it is withdrawn.
func TestFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	tagged, kiel := newReceiver(t), newReceiver(t)
	w.subscribe(tagged, func(e *adminapi.WebhookEdit) { e.Filter = adminapi.WebhookFilter{Tags: []string{"Jazz", "blues"}} })
	w.subscribe(kiel, func(e *adminapi.WebhookEdit) {
		e.Filter = adminapi.WebhookFilter{Cities: []string{"KIEL"}, Countries: []string{"deu"}}
		e.Types = []string{"venue.updated", "event.updated", "event.withdrawn"}
	})
	event := w.event("Concert")
	w.write(event)
	w.settled()
	event.Tags = []string{"jazz"}
	w.write(event)
	w.awaitTypes(tagged, "event.published")
	event.Subtitle = "live"
	w.write(event)
	w.awaitTypes(tagged, "event.published event.updated")
	event.Tags = nil
	w.write(event)
	w.awaitTypes(tagged, "event.published event.updated event.withdrawn")
	if last := tagged.all()[2]; last.Data.UUID != event.UUID || last.Data.Title != "" {
		t.Errorf("the event that left shows %s", last.body)
	}
	w.write(&rules.Venue{UUID: w.venue, OrgUUID: w.org, Name: "Schmiede", Use: adminapi.VenueOpen, City: "Eckernförde", Country: "DEU"})
	w.until("the event has left the town", func() bool { return len(kiel.all()) == 4 })
	if last := kiel.all()[3]; last.Type != "event.withdrawn" {
		t.Errorf("in Kiel: %s", kiel.types())
	}
}

// TestFailuresAreRepeated: with the same id, and before later changes of the entity; other entities
// go ahead.
func TestFailuresAreRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReceiver(t)
	first, second := w.event("First"), w.event("Second")
	r.status = func(n notification, again int) int {
		if n.Data.UUID == first.UUID && again < 2 {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	}
	w.start()
	hook := w.subscribe(r, nil)
	w.write(first)
	w.until("the first attempt failed", func() bool { return len(r.all()) == 1 })
	first.Title = "First, changed"
	w.write(first, second)
	w.until("the other event is delivered", func() bool { return len(r.all()) == 2 })
	w.until("the failure is noted", func() bool {
		failed := w.deliveries(hook)[len(w.deliveries(hook))-1]
		return failed.State == "pending" && failed.Problem == "status" && *failed.Status == 500 && failed.Answer == "no thanks"
	})
	w.later(6 * time.Second)
	w.until("the second failure is noted", func() bool { // it is due later than a delivery that is being sent
		failed := w.deliveries(hook)[len(w.deliveries(hook))-1]
		return len(r.all()) == 3 && failed.DueAt.After(w.now().Add(30*time.Second))
	})
	w.later(61 * time.Second)
	w.until("all is delivered", func() bool { return len(r.all()) == 5 })
	var titles []string
	for _, n := range r.all() {
		titles = append(titles, n.Data.Title)
	}
	if want := []string{"First", "Second", "First", "First", "First, changed"}; !slices.Equal(titles, want) {
		t.Errorf("got %q, want %q", titles, want)
	}
	if all := r.all(); all[0].id != all[2].id || all[0].id != all[3].id || all[0].id == all[4].id {
		t.Error("an attempt has another id, or a change has not")
	}
}

// TestBusyReceiversGetTheirPause: a receiver that asks for a pause is not sent the delivery
// earlier, although failures are repeated after a few seconds.
func TestBusyReceiversGetTheirPause(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			w, r := newWorld(t), newReceiver(t)
			r.wait = "7200"
			r.status = func(_ notification, again int) int {
				if again == 0 {
					return status
				}
				return http.StatusOK
			}
			w.start()
			hook := w.subscribe(r, nil)
			w.write(w.event("First"))
			var failed adminapi.WebhookDelivery
			w.until("the failure is noted", func() bool {
				all := w.deliveries(hook)
				if len(all) == 1 {
					failed = all[0]
				}
				return failed.Status != nil && *failed.Status == status && failed.State == "pending"
			})
			if pause := failed.DueAt.Sub(w.now()); pause < time.Hour {
				t.Errorf("the next attempt is due in %s", pause)
			}
			w.later(3 * time.Hour)
			w.until("it is delivered", func() bool { return len(r.all()) == 2 })
		})
	}
}

func (w *world) mails() (mails int) {
	w.Helper()
	const count = "SELECT count(*) FROM mail_outbox WHERE template = 'webhook_ended' AND recipient = 'manager@example.org'"
	if err := w.db.QueryRow(w.Context(), count).Scan(&mails); err != nil {
		w.Fatal(err)
	}
	return mails
}

func (w *world) hook(hook made) adminapi.Webhook {
	w.Helper()
	shown, err := w.hooks.Get(w.as(w.manager), hook.UUID)
	if err != nil {
		w.Fatal(err)
	}
	return shown
}

// TestEnds: by the status 410 at once, by failures after three days; the owner gets one mail. A
// webhook that ended sends nothing until it is made active again.
func TestEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gone, failing := newReceiver(t), newReceiver(t)
	gone.status = func(notification, int) int { return http.StatusGone }
	broken := true
	failing.status = func(notification, int) int {
		if broken {
			return http.StatusBadGateway
		}
		return http.StatusOK
	}
	w.start()
	left := w.subscribe(gone, nil)
	w.write(w.event("One"), w.event("Two"))
	w.until("the webhook ended", func() bool { return w.hook(left).EndedFor == "gone" })
	w.settled()
	if got := len(gone.all()); got != 1 || w.mails() != 1 {
		t.Errorf("%d notifications, %d mails", got, w.mails())
	}
	hook := w.subscribe(failing, nil)
	event := w.event("Three")
	w.write(event)
	var noted time.Time // the last attempt
	for w.hook(hook).Active {
		w.until("an attempt is noted", func() bool {
			list := w.deliveries(hook)
			return len(list) == 1 && list[0].EndedAt != nil && !list[0].EndedAt.Equal(noted)
		})
		noted = *w.deliveries(hook)[0].EndedAt
		w.later(15 * time.Hour)
	}
	if got := w.hook(hook); got.EndedFor != "failing" || got.Pending != 1 || w.mails() != 2 {
		t.Errorf("ended for %q with %d pending, %d mails", got.EndedFor, got.Pending, w.mails())
	}
	w.write(w.event("Four"))
	w.settled()
	failing.mu.Lock()
	broken = false
	before := len(failing.got)
	failing.mu.Unlock()
	active := func(e *adminapi.WebhookEdit) { e.Active = true }
	if _, err := w.hooks.Update(w.as(w.manager), hook.UUID, anyVersion, active); err != nil {
		t.Fatal(err)
	}
	w.until("it goes on", func() bool { return w.hook(hook).Pending == 0 })
	if after := failing.all()[before:]; len(after) != 1 || after[0].Data.UUID != event.UUID {
		t.Errorf("%d notifications", len(after))
	}
}

// TestSecretsOverlap: both secrets sign for a day.
func TestSecretsOverlap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	r := newReceiver(t)
	hook := w.subscribe(r, nil)
	_, newer, err := w.hooks.Rotate(w.as(w.manager), hook.UUID)
	if err != nil {
		t.Fatal(err)
	}
	var stored bool
	const find = "SELECT count(*) > 0 FROM webhook w WHERE position($1::bytea IN secret) > 0 OR position($1::bytea IN old_secret) > 0"
	if err := w.db.QueryRow(t.Context(), find, []byte(newer[6:])).Scan(&stored); err != nil || stored {
		t.Errorf("the secret is stored as it is: %v", err)
	}
	for _, older := range []bool{true, false} {
		count := len(r.all())
		if _, err := w.hooks.Test(w.as(w.manager), hook.UUID); err != nil {
			t.Fatal(err)
		}
		w.until("the test arrives", func() bool { return len(r.all()) > count })
		n := r.all()[count]
		if err := verifySignature(n, newer); err != nil {
			t.Error(err)
		}
		if err := verifySignature(n, hook.secret); (err == nil) != older {
			t.Errorf("with the secret before, %v: %v", older, err)
		}
		w.later(25 * time.Hour)
	}
}

// TestRepeat: a delivery of the log is sent again with its id.
func TestRepeat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	r := newReceiver(t)
	hook := w.subscribe(r, nil)
	w.write(w.event("Jazz"))
	w.until("it is delivered", func() bool { list := w.deliveries(hook); return len(list) == 1 && list[0].State == "delivered" })
	if _, err := w.hooks.Repeat(w.as(w.manager), hook.UUID, w.deliveries(hook)[0].Number); err != nil {
		t.Fatal(err)
	}
	w.until("it is delivered again", func() bool { return len(r.all()) == 2 })
	if all := r.all(); all[0].id != all[1].id || string(all[0].body) != string(all[1].body) {
		t.Error("another id or body")
	}
	if _, err := w.hooks.Repeat(w.as(w.manager), hook.UUID, 1<<40); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown delivery: %v", err)
	}
}
