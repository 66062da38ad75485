package user_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth/authtest"
)

const pageActivate = "/app/activate/account"

func TestSignupActivateLogin(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	err := w.Signup(ctx, " Anna@Example.ORG ", password, "da")
	wantOK(t, "signup", err)
	mails := w.receive(t)
	if len(mails) != 1 || mails[0].Recipient != anna || mails[0].Subject != "Aktivér din konto" {
		t.Fatalf("mails %+v", mails)
	}
	token := tokenOf(t, mails[0], pageActivate)
	if n := w.count(t, "SELECT count(*) FROM one_time_token WHERE position($1::bytea IN hash) > 0", []byte(token)); n != 0 {
		t.Error("the token is stored as it is")
	}
	_, err = w.Login(ctx, anna, password)
	want(t, "login before activation", err, fault.Unauthenticated, "invalid_credentials")
	wantOK(t, "activate", w.other.Activate(ctx, token))
	want(t, "activate again", w.Activate(ctx, token), fault.Unauthenticated, "token_invalid")
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	if login.Identity.UserID == 0 || login.Locale != "da" {
		t.Errorf("profile %+v", login.Identity)
	}
	if got := w.audited(t); got != "user.signup user.activate user.login" {
		t.Errorf("audited: %s", got)
	}
}

func TestSignupNamesEveryBadField(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		email, password string
		fields          string
	}{
		{"", "", "email password"},
		{"anna", "short", "email password"},
		{anna, "password1234", "password"},
		{anna, anna, "password"},
		{"anna@example.org\r\nBcc: x@example.org", password, "email"},
		{"Anna <anna@example.org>", password, "email"},
		{"anna@example.org,bert@example.org", password, "email"},
		{"\"a b\"@example.org", password, "email"},
		{"anna@", password, "email"},
		{"@example.org", password, "email"},
		{"anna@exa mple.org", password, "email"},
		{"änna@example.org", password, "email"},
		{strings.Repeat("a", 250) + "@example.org", password, "email"},
		{"anna@-example.org", password, "email"},
	}
	for _, test := range tests {
		err := w.Signup(from(t, "203.0.113.9"), test.email, test.password, "")
		want(t, test.email, err, fault.Invalid, "invalid_parameters")
		named := []string{}
		for _, violation := range fault.Of(err).Violations {
			named = append(named, violation.Field)
		}
		if got := strings.Join(named, " "); got != test.fields {
			t.Errorf("%q, %q: named %s, want %s", test.email, test.password, got, test.fields)
		}
	}
	if n := w.count(t, "SELECT (SELECT count(*) FROM app_user) + (SELECT count(*) FROM mail_outbox)"); n != 0 {
		t.Errorf("%d rows were stored", n)
	}
}

// TestSignupTellsNothing: the outcome and the work are the same for every address; only
// the mail differs.
func TestSignupTellsNothing(t *testing.T) {
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	authtest.User(t, w.db, "gone@example.org")
	wantOK(t, "deactivate", w.Deactivate(t.Context(), "gone@example.org", false))
	wantOK(t, "signup", w.Signup(from(t, "192.0.2.1"), "pending@example.org", password, "en"))
	w.receive(t)
	for i, address := range []string{"ANNA@example.org", unknown, "gone@example.org", "pending@example.org"} {
		hashes := w.hasher.Hashes()
		wantOK(t, address, w.Signup(from(t, "203.0.113.9"), address, newPassword, "de"))
		if did := w.hasher.Hashes() - hashes; did != 1 {
			t.Errorf("%s: %d hashes, want 1", address, did)
		}
		if n := w.count(t, "SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL"); n != i+1 {
			t.Errorf("%s: %d mails wait, want %d", address, n, i+1)
		}
	}
	got := map[string]string{}
	for _, mail := range w.receive(t) {
		got[mail.Recipient] = mail.Subject
	}
	wanted := map[string]string{anna: "You have an account already", unknown: "Konto aktivieren", "pending@example.org": "Konto aktivieren"}
	if !maps.Equal(got, wanted) {
		t.Errorf("mails %v, want %v", got, wanted)
	}
	_, err := w.Login(from(t, "203.0.113.9"), anna, newPassword)
	want(t, "the stranger's password", err, fault.Unauthenticated, "invalid_credentials")
	_, err = w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "her own", err)
}

// TestSignupsFloodNoMailbox: also from many networks, and whether or not there is an account.
func TestSignupsFloodNoMailbox(t *testing.T) {
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for _, address := range []string{anna, unknown} {
		for i := range 5 {
			n := []node{w.node, w.other}[i%2]
			wantOK(t, "signup", n.Signup(from(t, fmt.Sprintf("198.51.100.%d", i)), address, password, ""))
		}
		want(t, "the sixth", w.Signup(from(t, "203.0.113.9"), address, password, ""), fault.TooMany, "too_many_attempts")
	}
}

// TestSignupBySomebodyElse: a stranger signs up with Anna's address before and after she does.
// Whichever of the mails she uses, the account gets the password of that mail's signup, and the
// other links are worthless.
func TestSignupBySomebodyElse(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	wantOK(t, "stranger", w.Signup(ctx, anna, "the stranger's first one", "en"))
	wantOK(t, "Anna", w.Signup(ctx, anna, password, "en"))
	wantOK(t, "stranger again", w.Signup(ctx, anna, "the stranger's second one", "en"))
	mails := w.receive(t)
	if accounts := w.count(t, "SELECT count(*) FROM app_user"); accounts != 1 || len(mails) != 3 {
		t.Fatalf("%d accounts, %d mails", accounts, len(mails))
	}
	wantOK(t, "activate", w.Activate(ctx, tokenOf(t, mails[1], pageActivate)))
	for _, i := range []int{0, 2} {
		want(t, "a stranger's link", w.Activate(ctx, tokenOf(t, mails[i], pageActivate)), fault.Unauthenticated, "token_invalid")
	}
	_, err := w.Login(ctx, anna, "the stranger's second one")
	want(t, "the stranger", err, fault.Unauthenticated, "invalid_credentials")
	_, err = w.Login(ctx, anna, password)
	wantOK(t, "Anna", err)
}

func TestActivationExpires(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	err := w.Signup(ctx, anna, password, "en")
	wantOK(t, "signup", err)
	w.clock.Move(30 * time.Hour) // the mail server was away: the link's time begins when the mail leaves
	token := w.token(t, pageActivate)
	w.clock.Move(24 * time.Hour)
	want(t, "a day later", w.Activate(ctx, token), fault.Unauthenticated, "token_invalid")
	for _, bad := range []string{"x", strings.Repeat("A", 43), strings.Repeat("A", 60_000), "' OR ''='"} {
		want(t, "made up", w.Activate(ctx, bad), fault.Unauthenticated, "token_invalid")
	}
	want(t, "none", w.Activate(ctx, ""), fault.Invalid, "invalid_parameters")
	err = w.Signup(ctx, anna, password, "en")
	wantOK(t, "signing up again", err)
	wantOK(t, "activate", w.Activate(ctx, w.token(t, pageActivate)))
}

func TestMailThatFailsIsSentWithANewLink(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	err := w.Signup(ctx, anna, password, "en")
	wantOK(t, "signup", err)
	w.box.down = true
	if mails := w.receive(t); len(mails) != 0 {
		t.Fatal("a mail arrived")
	}
	w.box.down = false
	w.clock.Move(time.Minute)
	wantOK(t, "activate", w.Activate(ctx, w.token(t, pageActivate)))
}

func TestActivateOnce(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	err := w.Signup(ctx, anna, password, "en")
	wantOK(t, "signup", err)
	token := w.token(t, pageActivate)
	var wait sync.WaitGroup
	var mutex sync.Mutex
	activated := 0
	for i := range 10 {
		wait.Go(func() {
			if err := []node{w.node, w.other}[i%2].Activate(ctx, token); err == nil {
				mutex.Lock()
				activated++
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	if activated != 1 {
		t.Errorf("activated %d times", activated)
	}
}

func TestSignupsAtOnce(t *testing.T) {
	w := newWorld(t)
	var wait sync.WaitGroup
	for i := range 5 {
		wait.Go(func() {
			if err := []node{w.node, w.other}[i%2].Signup(from(t, "203.0.113.9"), anna, password, "en"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := w.count(t, "SELECT count(*) FROM app_user"); n != 1 {
		t.Errorf("%d accounts", n)
	}
}

func TestSignupLimit(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		err := []node{w.node, w.other}[i%2].Signup(from(t, "203.0.113.9"), fmt.Sprintf("user%d@example.org", i), password, "")
		wantOK(t, "signup", err)
	}
	for _, n := range []node{w.node, w.other} {
		err := n.Signup(from(t, "203.0.113.9"), anna, password, "")
		want(t, "the eleventh", err, fault.TooMany, "too_many_attempts")
		if wait := fault.Of(err).RetryAfter; wait != 10*time.Minute {
			t.Errorf("retry after %s", wait)
		}
	}
	err := w.Signup(from(t, "203.0.113.10"), anna, password, "")
	wantOK(t, "from elsewhere", err)
}
