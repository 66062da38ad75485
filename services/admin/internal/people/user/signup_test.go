package user_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth/authtest"
)

const pageActivate = "/console/activate"

func TestSignupActivateLogin(t *testing.T) {
	t.Parallel()
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
	wantOK(t, "activate", w.other.Activate(ctx, activation(token, password)))
	want(t, "activate again", w.Activate(ctx, activation(token, password)), fault.Invalid, "token_invalid")
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
	t.Parallel()
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
	for i, test := range tests {
		err := w.Signup(from(t, fmt.Sprintf("203.0.113.%d", i)), test.email, test.password, "")
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
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	authtest.User(t, w.db, "gone@example.org")
	wantOK(t, "deactivate", w.Deactivate(t.Context(), "gone@example.org", false))
	wantOK(t, "signup", w.Signup(from(t, "192.0.2.1"), "pending@example.org", password, "en"))
	w.receive(t)
	hashes := w.hasher.Hashes()
	for i, address := range []string{"ANNA@example.org", unknown, "gone@example.org", "pending@example.org"} {
		wantOK(t, address, w.Signup(from(t, "203.0.113.9"), address, newPassword, "de"))
		if did := w.hasher.Hashes() - hashes; did != 0 {
			t.Errorf("%s: %d hashes, want none", address, did)
		}
		if n := w.count(t, "SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL"); n != i+1 {
			t.Errorf("%s: %d mails wait, want %d", address, n, i+1)
		}
	}
	got := map[string]string{}
	for _, mail := range w.receive(t) {
		got[mail.Recipient] = mail.Subject
	}
	wanted := map[string]string{anna: "You already have an account", unknown: "Konto aktivieren", "pending@example.org": "Konto aktivieren"}
	if !maps.Equal(got, wanted) {
		t.Errorf("mails %v, want %v", got, wanted)
	}
	_, err := w.Login(from(t, "203.0.113.9"), anna, newPassword)
	want(t, "the stranger's password", err, fault.Unauthenticated, "invalid_credentials")
	_, err = w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "her own", err)
}

// TestSignupsFloodNoMailbox: also from many networks, and whether or not there is an account. The
// answer beyond the limit of mails is the same.
func TestSignupsFloodNoMailbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for _, address := range []string{anna, unknown} {
		for i := range 10 {
			n := []node{w.node, w.other}[i%2]
			wantOK(t, "signup", n.Signup(from(t, fmt.Sprintf("198.51.100.%d", i)), address, password, ""))
		}
		if mails := len(w.receive(t)); mails != 5 {
			t.Errorf("%s: %d mails, want 5", address, mails)
		}
		want(t, "the eleventh", w.Signup(from(t, "203.0.113.9"), address, password, ""), fault.TooMany, "too_many_attempts")
	}
}

// TestActivationSetsThePassword: a stranger signs up with Anna's address before and after she does.
// Whichever of the mails she opens, the account gets the password that she gives then, and the
// other links are worthless.
func TestActivationSetsThePassword(t *testing.T) {
	t.Parallel()
	for opened := range 3 {
		w := newWorld(t)
		ctx := from(t, "203.0.113.9")
		for _, chosen := range []string{"the stranger's first one", password, "the stranger's second one"} {
			wantOK(t, "signup", w.Signup(ctx, anna, chosen, "en"))
		}
		mails := w.receive(t)
		if accounts := w.count(t, "SELECT count(*) FROM app_user"); accounts != 1 || len(mails) != 3 {
			t.Fatalf("%d accounts, %d mails", accounts, len(mails))
		}
		wantOK(t, "activate", w.Activate(ctx, activation(tokenOf(t, mails[opened], pageActivate), newPassword)))
		for i := range mails {
			err := w.Activate(ctx, activation(tokenOf(t, mails[i], pageActivate), "the stranger's third one"))
			want(t, "a further link", err, fault.Invalid, "token_invalid")
		}
		for i, chosen := range []string{"the stranger's first one", "the stranger's second one", password} {
			_, err := w.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, chosen)
			want(t, chosen, err, fault.Unauthenticated, "invalid_credentials")
		}
		_, err := w.Login(ctx, anna, newPassword)
		wantOK(t, "Anna", err)
	}
}

// TestActivationNeedsAPassword: without a good one nothing happens, and the link stays valid.
func TestActivationNeedsAPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	wantOK(t, "signup", w.Signup(ctx, anna, password, "en"))
	token := w.token(t, pageActivate)
	for _, bad := range []string{"", "short", "password1234", anna} {
		err := w.Activate(ctx, activation(token, bad))
		want(t, bad, err, fault.Invalid, "invalid_parameters")
		if violations := fault.Of(err).Violations; len(violations) != 1 || violations[0].Field != "password" {
			t.Errorf("%q: named %v", bad, violations)
		}
	}
	if n := w.count(t, "SELECT count(*) FROM app_user WHERE activated_at IS NOT NULL"); n != 0 {
		t.Error("the account is active")
	}
	wantOK(t, "the signup's password, confirmed", w.Activate(ctx, activation(token, password)))
	_, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
}

func TestActivationExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	err := w.Signup(ctx, anna, password, "en")
	wantOK(t, "signup", err)
	w.clock.Move(30 * time.Hour) // the mail server was away: the link's time begins when the mail leaves
	token := w.token(t, pageActivate)
	w.clock.Move(24 * time.Hour)
	want(t, "a day later", w.Activate(ctx, activation(token, password)), fault.Invalid, "token_invalid")
	for _, bad := range []string{"x", strings.Repeat("A", 43), strings.Repeat("A", 60_000), "' OR ''='"} {
		want(t, "made up", w.Activate(ctx, activation(bad, password)), fault.Invalid, "token_invalid")
	}
	want(t, "none", w.Activate(ctx, activation("", password)), fault.Invalid, "invalid_parameters")
	err = w.Signup(ctx, anna, password, "en")
	wantOK(t, "signing up again", err)
	wantOK(t, "activate", w.Activate(ctx, activation(w.token(t, pageActivate), password)))
}

func TestMailThatFailsIsSentWithANewLink(t *testing.T) {
	t.Parallel()
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
	wantOK(t, "activate", w.Activate(ctx, activation(w.token(t, pageActivate), password)))
}

func TestActivateOnce(t *testing.T) {
	t.Parallel()
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
			if err := []node{w.node, w.other}[i%2].Activate(ctx, activation(token, password)); err == nil {
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
	t.Parallel()
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
	t.Parallel()
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

// TestRefusedSignupsCount: the limit is one of requests (RULES.md, Limits), per address of the
// client and per mailbox, and malformed addresses share no count.
func TestRefusedSignupsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 10 {
		err := w.Signup(from(t, "203.0.113.9"), fmt.Sprintf("user%d@example.org", i), "short", "")
		want(t, "a bad password", err, fault.Invalid, "invalid_parameters")
		err = w.Signup(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, "short", "")
		want(t, "a bad password", err, fault.Invalid, "invalid_parameters")
		err = w.Signup(from(t, fmt.Sprintf("192.0.2.%d", i)), "anna", password, "")
		want(t, "no address", err, fault.Invalid, "invalid_parameters")
	}
	err := w.Signup(from(t, "203.0.113.9"), bert, password, "")
	want(t, "the eleventh from one address", err, fault.TooMany, "too_many_attempts")
	err = w.Signup(from(t, "203.0.113.10"), anna, password, "")
	want(t, "the eleventh for one mailbox", err, fault.TooMany, "too_many_attempts")
	err = w.Signup(from(t, "203.0.113.10"), "bert", password, "")
	want(t, "the eleventh that is malformed", err, fault.Invalid, "invalid_parameters")
}

// activation is the body that activates an account.
func activation(token, password string) adminapi.Activation {
	return adminapi.Activation{Token: token, Password: password}
}

// TestActivationNamesTheAccount: the bearer of the mail's link says the name of the account; one
// that cannot be stored leaves the token valid.
func TestActivationNamesTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	wantOK(t, "sign up", w.Signup(ctx, "anna@example.org", password, "de"))
	with := activation(w.token(t, pageActivate), password)
	with.DisplayName = "Anna\x00"
	want(t, "a control character", w.Activate(ctx, with), fault.Invalid, "invalid_parameters")
	with.DisplayName = "  Anna Lund "
	wantOK(t, "activate", w.Activate(ctx, with))
	login, err := w.Login(ctx, "anna@example.org", password)
	if err != nil || login.DisplayName != "Anna Lund" {
		t.Errorf("the account is called %q, %v", login.DisplayName, err)
	}
}
