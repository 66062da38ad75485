package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth/authtest"
)

// TestDeliveriesOfADeadProcessAreSentAgain: by another one, with the same id, without waiting until
// the attempt would be over.
func TestDeliveriesOfADeadProcessAreSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	other := streamtest.Open(t, w.config)
	hanging, over := make(chan string, 1), make(chan struct{})
	again := make(chan string, 1)
	var first sync.Once
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body) // else the server does not notice that the client is gone
		id, isFirst := request.Header.Get("webhook-id"), false
		first.Do(func() { isFirst = true })
		if !isFirst {
			select {
			case again <- id:
			default:
			}
			return
		}
		hanging <- id
		w.stream.Close()
		<-request.Context().Done()
		close(over)
	}))
	t.Cleanup(hangs.Close)
	hook := w.subscribe(newReceiver(t), func(e *adminapi.WebhookEdit) { e.URL = hangs.URL })
	if _, err := w.hooks.Test(w.as(w.manager), hook.UUID); err != nil {
		t.Fatal(err)
	}
	id := <-hanging
	w.notify(other)
	select {
	case got := <-again:
		if got != id {
			t.Errorf("sent again as %s, not %s", got, id)
		}
	case <-over:
		t.Error("it was not sent again until the attempt ended")
	}
}

const storePending = `
INSERT INTO webhook_delivery (uuid, webhook_uuid, type, entity_id, body, state, created_at, due_at, ended_at)
SELECT gen_random_uuid(), $1, 'webhook.test', gen_random_uuid(), convert_to(repeat('x', $3), 'UTF8'), $4,
    $5, $5::timestamptz + interval '1 hour', $5
FROM generate_series(1, $2)`

func (w *world) store(hook made, count, size int, state string) {
	w.Helper()
	if _, err := w.db.Exec(w.Context(), storePending, hook.UUID, count, size, state, w.now()); err != nil {
		w.Fatal(err)
	}
}

// TestBacklogsAreBounded: by the number of pending deliveries, and by their bytes.
func TestBacklogsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := newReceiver(t)
	many, large, enough := w.subscribe(r, nil), w.subscribe(r, nil), w.subscribe(r, nil)
	w.store(many, 10_001, 10, "pending")
	w.store(large, 65, 1<<20, "pending")
	w.store(enough, 63, 1<<20, "pending")
	w.start()
	for _, hook := range []made{many, large} {
		w.until("a webhook with too much to send ends", func() bool { return w.hook(hook).EndedFor == "backlog" })
	}
	if !w.hook(enough).Active {
		t.Error("a webhook with less to send ended")
	}
}

// TestLogsAreShortened: to the last 500 deliveries, without those that are pending.
func TestLogsAreShortened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t), nil)
	w.store(hook, 700, 10, "delivered")
	w.store(hook, 30, 10, "pending")
	w.start()
	const count = "SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FROM webhook_delivery WHERE webhook_uuid = $1"
	var pending, all int
	shortened := func() bool {
		if err := w.db.QueryRow(t.Context(), count, hook.UUID).Scan(&pending, &all); err != nil {
			t.Fatal(err)
		}
		return pending == 30 && all == 530
	}
	w.until("the log is short at the start", shortened)
	w.store(hook, 100, 10, "delivered")
	event := w.event("Jazz")
	w.write(event)
	w.until("the log is short again after a delivery", func() bool { shortened(); return all == 530 && pending == 30 })
}

// TestAskedDeliveriesAreLimited: tests and repetitions together, of each webhook.
func TestAskedDeliveriesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, other := w.subscribe(newReceiver(t), nil), w.subscribe(newReceiver(t), nil)
	w.store(one, 1, 10, "delivered")
	const most = 600
	for n := range most / 2 {
		_, err := w.hooks.Test(w.as(w.manager), one.UUID)
		if err == nil {
			_, err = w.hooks.Repeat(w.as(w.manager), one.UUID, w.deliveries(one)[0].Number)
		}
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
	if _, err := w.hooks.Test(w.as(w.manager), one.UUID); !fault.Is(err, fault.TooMany) {
		t.Errorf("too many: %v", err)
	}
	if _, err := w.hooks.Test(w.as(w.manager), other.UUID); err != nil {
		t.Errorf("another webhook: %v", err)
	}
	w.later(61 * time.Minute)
	if _, err := w.hooks.Test(w.as(w.manager), one.UUID); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

// TestDeactivatedUsersAreNotNotified: the personal webhook of a deactivated user gets no
// deliveries, that of another user still does.
func TestDeactivatedUsersAreNotNotified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start()
	w.settled()
	r := newReceiver(t)
	own := func(email string) (user int, hook string) {
		user = authtest.User(t, w.db, email)
		made, _, err := w.hooks.Create(w.as(user), "", true, func(e *adminapi.WebhookEdit) { e.Name, e.URL = "Copy", r.server.URL })
		if err != nil {
			t.Fatal(err)
		}
		return user, made.UUID
	}
	_, active := own("active@example.org")
	user, deactivated := own("left@example.org")
	if _, err := w.db.Pool().Exec(t.Context(), `UPDATE app_user SET deactivated_at = now() WHERE id = $1`, user); err != nil {
		t.Fatal(err)
	}
	w.write(w.event("Jazz"))
	w.settled()
	for hook, want := range map[string]int{active: 1, deactivated: 0} {
		var got int
		const query = `SELECT count(*) FROM webhook_delivery WHERE webhook_uuid = $1`
		if err := w.db.QueryRow(t.Context(), query, hook).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d deliveries for a personal webhook, want %d", got, want)
		}
	}
}

// TestWaitingDeliveriesOfDeactivatedUsersStay: a failed delivery for a user who is deactivated
// meanwhile is not repeated, and that for another user is.
func TestWaitingDeliveriesOfDeactivatedUsersStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	active, left := newReceiver(t), newReceiver(t)
	for _, r := range []*receiver{active, left} {
		r.status = func(notification, int) int { return http.StatusInternalServerError }
	}
	w.start()
	w.settled()
	users := map[*receiver]int{}
	for email, r := range map[string]*receiver{"active@example.org": active, "left@example.org": left} {
		users[r] = authtest.User(t, w.db, email)
		_, _, err := w.hooks.Create(w.as(users[r]), "", true, func(e *adminapi.WebhookEdit) { e.Name, e.URL = "Copy", r.server.URL })
		if err != nil {
			t.Fatal(err)
		}
	}
	w.write(w.event("Jazz"))
	failed := func() (count int) {
		const query = `SELECT count(*) FROM webhook_delivery WHERE state = 'pending' AND status = 500 AND NOT sending`
		if err := w.db.QueryRow(t.Context(), query).Scan(&count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	w.until("both deliveries have failed", func() bool { return failed() == 2 })
	if _, err := w.db.Pool().Exec(t.Context(), `UPDATE app_user SET deactivated_at = now() WHERE id = $1`, users[left]); err != nil {
		t.Fatal(err)
	}
	for n, wait := range []time.Duration{6 * time.Second, time.Minute, 6 * time.Minute} {
		w.later(wait)
		w.until("the active user's delivery is repeated", func() bool { return len(active.all()) == n+2 && failed() == 2 })
	}
	if got := len(left.all()); got != 1 {
		t.Errorf("the deactivated user got %d notifications, want the one before", got)
	}
}
