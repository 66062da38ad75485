package inbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
)

// send sends a message to a user and returns its id.
func (w *world) send(t *testing.T, from, to, subject string) int {
	t.Helper()
	id, err := w.Send(w.as(t, from), inbox.NewMessage{UserID: w.users[to], Subject: subject, Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) received(t *testing.T, who string) []adminapi.Message {
	t.Helper()
	list, err := w.Messages(w.as(t, who), firstPage)
	if err != nil {
		t.Fatal(err)
	}
	return list.Messages
}

func TestReplyGoesToTheSenderAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked, err := w.Send(w.as(t, "neighbour"), inbox.NewMessage{OrgUUID: w.org, Subject: "Hall?", Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	reply := func(who string, to int, subject string) (int, error) {
		return w.Reply(w.as(t, who), to, inbox.NewReply{Subject: subject, Message: "Yes."})
	}
	answer, err := reply("editor", asked, "")
	if err != nil {
		t.Fatal(err)
	}
	got := w.received(t, "neighbour")
	if len(got) != 1 || got[0].ID != answer || got[0].Subject != "Re: Hall?" || *got[0].ReplyTo != asked ||
		got[0].OrgUUID != "" || *got[0].FromUserID != w.users["editor"] {
		t.Errorf("received %+v", got)
	}
	if len(w.received(t, "owner")) != 1 {
		t.Error("the reply went to another recipient of the message")
	}
	for given, stored := range map[string]string{"": "Re: Hall?", "Monday": "Monday"} {
		again, err := reply("neighbour", answer, given)
		if got := w.received(t, "editor")[0]; err != nil || got.ID != again || got.Subject != stored {
			t.Errorf("subject %q became %+v, %v", given, got, err)
		}
	}
	for _, who := range []string{"viewer", "neighbour"} { // neither a stranger to the message nor its sender
		if _, err := reply(who, asked, ""); code(err) != "message_not_found" {
			t.Errorf("reply by %s: %v", who, err)
		}
	}
	if _, err := w.Reply(w.as(t, "editor"), asked, inbox.NewReply{Message: " "}); code(err) != "invalid_parameters" {
		t.Errorf("an empty reply: %v", err)
	}
	key := auth.WithPrincipal(t.Context(), auth.Principal{UserID: w.users["editor"], APIKey: "k"})
	if _, err := w.Reply(key, asked, inbox.NewReply{Message: "x"}); code(err) != "login_required" {
		t.Errorf("an API key: %v", err)
	}
}

func TestReplyKeepsTheLengthOfSubjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := w.send(t, "editor", "viewer", strings.Repeat("ü", 500))
	if _, err := w.Reply(w.as(t, "viewer"), long, inbox.NewReply{Message: "x"}); err != nil {
		t.Fatal(err)
	}
	if got := w.received(t, "editor")[0].Subject; got != "Re: "+strings.Repeat("ü", 496) {
		t.Errorf("subject %s", got)
	}
}

// Replies and messages count together.
func TestRepliesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.send(t, "viewer", "editor", "x")
	reply := func() error {
		_, err := w.Reply(w.as(t, "editor"), first, inbox.NewReply{Message: "x"})
		return err
	}
	w.send(t, "editor", "viewer", "x")
	codes := count(atOnce(35, reply))
	if codes[""] != 29 || codes["too_many_attempts"] != 6 {
		t.Errorf("replies at once: %v", codes)
	}
	w.clock.Move(10*time.Minute + time.Second)
	w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["viewer"])
	if err := reply(); code(err) != "no_recipient" {
		t.Errorf("a deactivated sender: %v", err)
	}
}

// Sender and recipients delete a message each for themselves; the row goes with the last of them.
func TestMessageIsDeletedForOneself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, err := w.Send(w.as(t, "neighbour"), inbox.NewMessage{OrgUUID: w.org, Subject: "x", Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteMessage(w.as(t, "viewer"), id); code(err) != "message_not_found" {
		t.Errorf("a message of others: %v", err)
	}
	key := auth.WithPrincipal(t.Context(), auth.Principal{UserID: w.users["editor"], APIKey: "k"})
	if err := w.DeleteMessage(key, id); code(err) != "login_required" {
		t.Errorf("an API key: %v", err)
	}
	holders := []string{"owner", "neighbour", "manager", "editor"} // the second one sent it
	for i, who := range holders {
		for _, other := range holders[i:] {
			if other != "neighbour" && len(w.received(t, other)) != 1 {
				t.Errorf("%s lost the message before deleting it", other)
			}
		}
		if err := w.DeleteMessage(w.as(t, who), id); err != nil {
			t.Fatal(err)
		}
		if err := w.DeleteMessage(w.as(t, who), id); code(err) != "message_not_found" {
			t.Errorf("deleted twice by %s: %v", who, err)
		}
		if who != "neighbour" && len(w.received(t, who)) != 0 {
			t.Errorf("%s still has the message", who)
		}
		if left := w.count(t, "SELECT count(*) FROM message"); left != min(1, len(holders)-1-i) {
			t.Errorf("%d messages are stored after %s", left, who)
		}
	}
}

// The last two holders delete their copies at once: the message is not left without any.
func TestMessageIsDeletedByTwoAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 20 {
		w.send(t, "owner", "editor", "x")
	}
	for _, message := range w.received(t, "editor") {
		next := make(chan string, 2)
		next <- "owner"
		next <- "editor"
		for _, err := range atOnce(2, func() error { return w.DeleteMessage(w.as(t, <-next), message.ID) }) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	if left := w.count(t, "SELECT count(*) FROM message"); left != 0 {
		t.Errorf("%d messages are left without a holder", left)
	}
}

const waiting = `
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database()
    AND wait_event_type = 'Lock'
    AND query LIKE '%INSERT INTO message_recipient%'`

// A recipient who deletes their account while a message to them is stored is like one who did
// before.
func TestRecipientLeavesMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gone := w.users["viewer"]
	tx, err := w.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	for _, statement := range []string{"DELETE FROM membership WHERE user_id = $1", "DELETE FROM app_user WHERE id = $1"} {
		if _, err := tx.Exec(t.Context(), statement, gone); err != nil {
			t.Fatal(err)
		}
	}
	sent := make(chan error)
	ctx := w.as(t, "editor")
	go func() {
		_, err := w.Send(ctx, inbox.NewMessage{UserID: gone, Subject: "x", Message: "x"})
		sent <- err
	}()
	for w.count(t, waiting) == 0 { // until it waits for the account
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; code(err) != "user_not_found" {
		t.Errorf("sent to a deleted account: %v", err)
	}
}

// Messages stay with their recipients when the sender's account is deleted.
func TestForgetKeepsMessagesOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.send(t, "viewer", "editor", "kept")
	w.send(t, "editor", "viewer", "kept by its sender")
	dropped := w.send(t, "owner", "viewer", "dropped")
	if err := w.DeleteMessage(w.as(t, "owner"), dropped); err != nil {
		t.Fatal(err)
	}
	err := w.db.InTx(t.Context(), func(tx pgx.Tx) error { return inbox.Forget(t.Context(), tx, w.users["viewer"]) })
	if err != nil {
		t.Fatal(err)
	}
	got := w.received(t, "editor")
	if len(got) != 1 || got[0].Subject != "kept" || got[0].FromUserID != nil || got[0].FromDisplayName != "" {
		t.Errorf("received %+v", got)
	}
	if _, err := w.Reply(w.as(t, "editor"), got[0].ID, inbox.NewReply{Message: "x"}); code(err) != "no_recipient" {
		t.Errorf("a reply to a deleted account: %v", err)
	}
	if left := w.count(t, "SELECT count(*) FROM message"); left != 2 {
		t.Errorf("%d messages are stored, want 2", left)
	}
}

func (w *world) count(t *testing.T, query string) (n int) {
	t.Helper()
	if err := w.db.Pool().QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
