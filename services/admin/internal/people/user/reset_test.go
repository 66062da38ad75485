package user_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const pageReset = "/console/reset"

func TestResetPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	id, err := w.CreateUser(t.Context(), newUser(anna, "Anna", ""))
	wantOK(t, "create", err)
	before := []string{}
	for range 2 {
		login, err := w.Login(ctx, anna, password)
		wantOK(t, "login", err)
		before = append(before, login.Access, login.Refresh)
	}
	wantOK(t, "forgot", w.ForgotPassword(ctx, " Anna@example.org", ""))
	mails := w.receive(t)
	if len(mails) != 1 || mails[0].Recipient != anna || !strings.HasPrefix(mails[0].Text, "Hej Anna,") {
		t.Fatalf("mails %+v", mails)
	}
	key := authtest.Key(t, w.db, id, "", 0) // perhaps a stranger's
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+key)
	wantOK(t, "the key", err)
	token := tokenOf(t, mails[0], pageReset)
	err = w.reset(ctx, token, "short")
	want(t, "a bad password", err, fault.Invalid, "invalid_parameters")
	err = w.reset(ctx, token, "anna@example.org")
	want(t, "the address", err, fault.Invalid, "invalid_parameters")
	wantOK(t, "reset", w.other.reset(ctx, token, newPassword))
	want(t, "reset again", w.reset(ctx, token, "another good password"), fault.Invalid, "token_invalid")

	for i := 0; i < len(before); i += 2 {
		_, err := w.Authenticator.Authenticate(ctx, "Bearer "+before[i])
		want(t, "an access token of before", err, fault.Unauthenticated, "session_ended")
		_, err = w.Refresh(ctx, before[i+1])
		want(t, "a refresh token of before", err, fault.Unauthenticated, "session_ended")
	}
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+key)
	want(t, "an API key of before", err, fault.Unauthenticated, "api_key_invalid")
	_, err = w.Login(ctx, anna, password)
	want(t, "the old password", err, fault.Unauthenticated, "invalid_credentials")
	_, err = w.Login(ctx, anna, newPassword)
	wantOK(t, "the new password", err)
	notice := w.receive(t)
	if len(notice) != 1 || notice[0].Subject != "Din adgangskode er ændret" || strings.Contains(notice[0].Link, "token") {
		t.Errorf("notice %+v", notice)
	}
	const audited = "SELECT count(*) FROM audit_entry WHERE action = 'user.reset_password' AND entity_id = $1::text"
	if n := w.count(t, audited, fmt.Sprint(id)); n != 1 {
		t.Errorf("%d audit entries", n)
	}
}

// TestForgotPasswordTellsNothing: the request does the same for every address; only
// the mail differs.
func TestForgotPasswordTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	authtest.User(t, w.db, "gone@example.org")
	wantOK(t, "deactivate", w.Deactivate(t.Context(), "gone@example.org", false))
	err := w.Signup(from(t, "192.0.2.1"), "pending@example.org", password, "en")
	wantOK(t, "signup", err)
	w.receive(t)
	addresses := []string{anna, unknown, "gone@example.org", "pending@example.org"}
	for i, address := range addresses {
		hashes := w.hasher.Hashes()
		wantOK(t, address, w.ForgotPassword(from(t, "203.0.113.9"), address, "de"))
		if n := w.count(t, "SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL"); n != i+1 {
			t.Errorf("%s: %d mails wait, want %d", address, n, i+1)
		}
		if n := w.count(t, "SELECT count(*) FROM one_time_token WHERE purpose = 'reset'"); n != 0 || w.hasher.Hashes() != hashes {
			t.Errorf("%s: the request did more than to queue", address)
		}
	}
	mails := w.receive(t)
	if len(mails) != 1 || mails[0].Recipient != anna || mails[0].Subject != "Neues Passwort setzen" {
		t.Errorf("mails %+v", mails)
	}
	if n := w.count(t, "SELECT count(*) FROM mail_outbox WHERE recipient <> $1 AND template = 'reset'", anna); n != 0 {
		t.Error("addresses of strangers stay in the queue")
	}
	for _, bad := range []string{"", "anna", "anna@example.org\nbcc: x@y.z"} {
		want(t, bad, w.ForgotPassword(from(t, "203.0.113.9"), bad, ""), fault.Invalid, "invalid_parameters")
	}
}

func TestResetExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	wantOK(t, "forgot", w.ForgotPassword(ctx, anna, ""))
	w.clock.Move(3 * time.Hour)
	token := w.token(t, pageReset)
	w.clock.Move(time.Hour)
	want(t, "an hour later", w.reset(ctx, token, newPassword), fault.Invalid, "token_invalid")
	want(t, "made up", w.reset(ctx, strings.Repeat("A", 43), newPassword), fault.Invalid, "token_invalid")
	err := w.reset(ctx, "", "")
	want(t, "nothing", err, fault.Invalid, "invalid_parameters")
	if len(fault.Of(err).Violations) != 2 {
		t.Errorf("named %v", fault.Of(err).Violations)
	}
}

func TestOneResetSpendsTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	wantOK(t, "forgot", w.ForgotPassword(ctx, anna, ""))
	wantOK(t, "forgot again", w.ForgotPassword(ctx, anna, ""))
	mails := w.receive(t)
	if len(mails) != 2 {
		t.Fatalf("%d mails", len(mails))
	}
	wantOK(t, "the second link", w.reset(ctx, tokenOf(t, mails[1], pageReset), newPassword))
	err := w.reset(ctx, tokenOf(t, mails[0], pageReset), "another good password")
	want(t, "the first link", err, fault.Invalid, "token_invalid")
}

func TestResetOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	wantOK(t, "forgot", w.ForgotPassword(ctx, anna, ""))
	token := w.token(t, pageReset)
	var wait sync.WaitGroup
	var mutex sync.Mutex
	won := []string{}
	for i := range 8 {
		chosen := fmt.Sprintf("password of thread number %d", i)
		wait.Go(func() {
			if err := []node{w.node, w.other}[i%2].reset(ctx, token, chosen); err == nil {
				mutex.Lock()
				won = append(won, chosen)
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	if len(won) != 1 {
		t.Fatalf("%d of them set a password", len(won))
	}
	_, err := w.Login(ctx, anna, won[0])
	wantOK(t, "login", err)
}

func TestMailboxIsNotFlooded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for i := range 8 { // from as many addresses
		wantOK(t, "forgot", w.ForgotPassword(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, ""))
	}
	if mails := w.receive(t); len(mails) != 3 {
		t.Errorf("%d mails arrived, want 3", len(mails))
	}
	w.clock.Move(time.Hour)
	wantOK(t, "forgot", w.ForgotPassword(from(t, "203.0.113.9"), anna, ""))
	if mails := w.receive(t); len(mails) != 1 {
		t.Errorf("an hour later %d mails arrived, want 1", len(mails))
	}
}

func TestForgotLimitByAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 10 {
		wantOK(t, "forgot", w.ForgotPassword(from(t, "203.0.113.9"), fmt.Sprintf("u%d@example.org", i), ""))
	}
	err := w.other.ForgotPassword(from(t, "203.0.113.9"), anna, "")
	want(t, "the eleventh", err, fault.TooMany, "too_many_attempts")
}

// TestResetNamesWhatRemains: an intruder's keys and invitations in organizations go on working, so
// the answer and the mail name them. Expired or revoked ones and other users' are not listed.
func TestResetNamesWhatRemains(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	id, other := authtest.User(t, w.db, anna), authtest.User(t, w.db, bert)
	org := authtest.Organization(t, w.db, "Kulturhaus <Nord>")
	authtest.Member(t, w.db, org, id, permission.All)
	authtest.Key(t, w.db, id, "", permission.All)
	authtest.Key(t, w.db, id, org, permission.All)
	authtest.Key(t, w.db, other, org, permission.All)
	authtest.Key(t, w.db, id, org, permission.AddEvent)
	w.exec(t, "UPDATE api_key SET revoked_at = now() WHERE permissions = $1", int64(permission.AddEvent))
	for _, invitation := range []struct {
		email string
		by    int
		until time.Duration
	}{{"cora@example.org", id, time.Hour}, {"dora@example.org", other, time.Hour}, {"elsa@example.org", id, -time.Hour}} {
		w.exec(t, insertInvitation, uuid.Must(uuid.NewV7()), org, invitation.email, invitation.by, w.clock.Now().Add(invitation.until))
	}
	wantOK(t, "forgot", w.ForgotPassword(ctx, anna, ""))
	done, err := w.ResetPassword(ctx, w.token(t, pageReset), newPassword)
	wantOK(t, "reset", err)
	if done.RevokedAPIKeys != 1 || len(done.OrganizationKeys) != 1 || len(done.Invitations) != 1 {
		t.Fatalf("the answer names %+v", done)
	}
	key, sent := done.OrganizationKeys[0], done.Invitations[0]
	if key.OrgUUID != org || key.OrgName != "Kulturhaus <Nord>" || sent.Email != "cora@example.org" || sent.OrgUUID != org {
		t.Errorf("the answer names %+v", done)
	}
	mails := w.receive(t)
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	for _, line := range []string{"API key test (" + key.Prefix + "…) of Kulturhaus", "invitation for cora@example.org to Kulturhaus"} {
		if !strings.Contains(mails[0].Text, "- "+line) || !strings.Contains(mails[0].HTML, "<li>"+line) {
			t.Errorf("the mail does not name %q:\n%s\n%s", line, mails[0].Text, mails[0].HTML)
		}
	}
	if strings.Contains(mails[0].HTML, "<Nord>") || strings.Contains(mails[0].Text, "dora") || strings.Contains(mails[0].Text, "elsa") {
		t.Errorf("the mail:\n%s\n%s", mails[0].Text, mails[0].HTML)
	}
}

const insertInvitation = `
INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, expires_at)
VALUES ($1, $2, $3, 'custom', 0, $4, $5)`

func TestResetForgivesTheLoginLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for i := range 5 {
		_, err := w.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, "wrong")
		want(t, "guess", err, fault.Unauthenticated, "invalid_credentials")
	}
	ctx := from(t, "203.0.113.9")
	wantOK(t, "forgot", w.ForgotPassword(ctx, anna, ""))
	wantOK(t, "reset", w.reset(ctx, w.token(t, pageReset), newPassword))
	_, err := w.Login(ctx, anna, newPassword)
	wantOK(t, "login", err)
}
