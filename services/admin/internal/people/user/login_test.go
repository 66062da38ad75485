package user_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, err := w.CreateUser(t.Context(), newUser(anna, "Anna", "Petersen"))
	wantOK(t, "create", err)
	for _, email := range []string{anna, "  ANNA@Example.org "} {
		login, err := w.Login(from(t, "203.0.113.9"), email, password)
		wantOK(t, email, err)
		if login.Identity.UserID != id || login.FirstName != "Anna" || login.LastName != "Petersen" ||
			login.Locale != "da" || login.Theme != "auto" || login.DisplayName != "" {
			t.Errorf("profile %+v", login.Identity)
		}
		if _, err := w.other.Authenticator.Authenticate(t.Context(), "Bearer "+login.Access); err != nil {
			t.Errorf("another node refuses the token: %v", err)
		}
	}
	if got := w.audited(t); got != "user.create user.login user.login" {
		t.Errorf("audited: %s", got)
	}
	const traced = "SELECT count(*) FROM audit_entry WHERE actor_user_id = $1 AND host(address) = '203.0.113.9' AND request_id = 'request-1'"
	if n := w.count(t, traced, id); n != 2 {
		t.Errorf("%d logins can be traced, want 2", n)
	}
	if n := w.count(t, "SELECT count(*) FROM session WHERE user_agent = 'a test' AND used_at = $1", w.clock.Now()); n != 2 {
		t.Errorf("%d sessions", n)
	}
}

// TestLoginTellsNothing compares every way to fail: the answer is the same, and so is the work, one
// password hash and one counted attempt.
func TestLoginTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	err := w.Signup(from(t, "192.0.2.1"), "pending@example.org", password, "en")
	wantOK(t, "signup", err)
	authtest.User(t, w.db, "gone@example.org")
	wantOK(t, "deactivate", w.Deactivate(t.Context(), "gone@example.org", false))
	tries := []struct{ name, email, password string }{
		{"unknown address", unknown, password},
		{"wrong password", anna, "wrong " + password},
		{"never activated, right password", "pending@example.org", password},
		{"deactivated, right password", "gone@example.org", password},
		{"deactivated, wrong password", "gone@example.org", "wrong"},
		{"no address at all", "anna", password},
		{"half of SQL", "' OR 1=1 --", password},
		{"wild card", "%@example.org", password},
		{"very long", strings.Repeat("a", 10_000) + "@example.org", strings.Repeat("b", 10_000)},
	}
	var first string
	for i, try := range tries {
		hashes := w.hasher.Hashes()
		attempts := w.count(t, "SELECT count(*) FROM attempt WHERE NOT pending AND action = 'login'")
		_, err := w.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), try.email, try.password)
		want(t, try.name, err, fault.Unauthenticated, "invalid_credentials")
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first {
			t.Errorf("%s: %q differs from %q", try.name, err, first)
		}
		if did := w.hasher.Hashes() - hashes; did != 1 {
			t.Errorf("%s: %d hashes, want 1", try.name, did)
		}
		if now := w.count(t, "SELECT count(*) FROM attempt WHERE NOT pending AND action = 'login'"); now != attempts+1 {
			t.Errorf("%s: %d attempts were counted, want 1", try.name, now-attempts)
		}
	}
	if n := w.count(t, "SELECT count(*) FROM session"); n != 0 {
		t.Errorf("%d sessions were opened", n)
	}
}

func TestLoginNamesEveryMissingField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Login(t.Context(), "", "")
	want(t, "nothing", err, fault.Invalid, "invalid_parameters")
	if violations := fault.Of(err).Violations; len(violations) != 2 {
		t.Errorf("named: %v", violations)
	}
}

func TestLoginLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for i := range 5 { // from five addresses, through both processes
		n := []node{w.node, w.other}[i%2]
		_, err := n.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, "wrong")
		want(t, "guess", err, fault.Unauthenticated, "invalid_credentials")
	}
	for i, n := range []node{w.node, w.other} {
		hashes := n.hasher.Hashes()
		_, err := n.Login(from(t, fmt.Sprintf("203.0.113.%d", i)), anna, password)
		want(t, "the sixth, though right", err, fault.TooMany, "too_many_attempts")
		if wait := fault.Of(err).RetryAfter; wait != 5*time.Minute {
			t.Errorf("retry after %s", wait)
		}
		if n.hasher.Hashes() != hashes {
			t.Error("a refused attempt was hashed")
		}
	}
	w.clock.Move(5 * time.Minute)
	_, err := w.Login(from(t, "203.0.113.1"), anna, password)
	wantOK(t, "five minutes later", err)
}

func TestLoginLimitByAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for i := range 5 { // as many strangers, known or not
		_, err := w.Login(from(t, "203.0.113.9"), fmt.Sprintf("guess%d@example.org", i), "wrong")
		want(t, "guess", err, fault.Unauthenticated, "invalid_credentials")
	}
	_, err := w.other.Login(from(t, "203.0.113.9"), anna, password)
	want(t, "the sixth from one address", err, fault.TooMany, "too_many_attempts")
	_, err = w.other.Login(from(t, "203.0.113.10"), anna, password)
	wantOK(t, "from elsewhere", err)
}

// TestGuessesAtOnceAreFive sends many through both processes before any has ended.
func TestGuessesAtOnceAreFive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	var mutex sync.Mutex
	var wait sync.WaitGroup
	kinds := map[fault.Kind]int{}
	for i := range 30 {
		wait.Go(func() {
			_, err := []node{w.node, w.other}[i%2].Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, "wrong")
			mutex.Lock()
			defer mutex.Unlock()
			kinds[fault.Of(err).Kind]++
		})
	}
	wait.Wait()
	if kinds[fault.Unauthenticated] != 5 || kinds[fault.TooMany] != 25 {
		t.Errorf("outcomes %v, want 5 wrong and 25 too many", kinds)
	}
}

// TestSuccessfulLoginsCount: the limit is one of attempts, with any outcome (RULES.md, Limits).
func TestSuccessfulLoginsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	for i := range 5 {
		email := fmt.Sprintf("colleague%d@example.org", i)
		authtest.User(t, w.db, email)
		_, err := w.Login(from(t, "203.0.113.9"), email, password)
		wantOK(t, "from one address", err)
		_, err = w.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, password)
		wantOK(t, "to one account", err)
	}
	_, err := w.other.Login(from(t, "203.0.113.9"), bert, password)
	want(t, "the sixth from one address", err, fault.TooMany, "too_many_attempts")
	_, err = w.other.Login(from(t, "198.51.100.9"), anna, password)
	want(t, "the sixth to one account", err, fault.TooMany, "too_many_attempts")
	if wait := fault.Of(err).RetryAfter; wait != 5*time.Minute {
		t.Errorf("retry after %s", wait)
	}
	w.clock.Move(5 * time.Minute)
	_, err = w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "five minutes later", err)
}

// TestMalformedAddressesShareNoCount: they name no account, so only the client's address counts.
func TestMalformedAddressesShareNoCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 10 {
		_, err := w.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), fmt.Sprintf("no address %d", i), password)
		want(t, "a malformed address", err, fault.Unauthenticated, "invalid_credentials")
	}
	for i := range 5 {
		_, err := w.Login(from(t, "203.0.113.9"), fmt.Sprintf("no address %d", i), password)
		want(t, "from one address", err, fault.Unauthenticated, "invalid_credentials")
	}
	_, err := w.Login(from(t, "203.0.113.9"), "no address", password)
	want(t, "the sixth from one address", err, fault.TooMany, "too_many_attempts")
}

func TestLoginRenewsOutdatedHash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	stronger := w.start(t, w.db, auth.Params{Memory: 128, Time: 1, Threads: 1})
	_, err := stronger.Login(from(t, "203.0.113.9"), anna, "wrong")
	want(t, "wrong password", err, fault.Unauthenticated, "invalid_credentials")
	const renewed = "SELECT count(*) FROM app_user WHERE password_hash LIKE '$argon2id$v=19$m=128,%'"
	if n := w.count(t, renewed); n != 0 {
		t.Error("a wrong password renewed the hash")
	}
	for range 2 {
		_, err = stronger.Login(from(t, "203.0.113.9"), anna, password)
		wantOK(t, "login", err)
	}
	if n := w.count(t, renewed); n != 1 {
		t.Error("the hash was not renewed")
	}
	_, err = w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "a node with the former parameters", err)
}

func TestLoginsWithoutAHashAreNotCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	service := w.service(auth.NewHasher(authtest.Params, 0, 10*time.Millisecond), w.db) // a hasher without any place
	for range 6 {
		_, err := service.Login(from(t, "203.0.113.9"), anna, password)
		want(t, "busy", err, fault.Unavailable, "busy")
	}
	_, err := w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "afterwards", err)
}

func TestConfirmPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := authtest.User(t, w.db, anna)
	ctx := w.as(t, w.LogIn(t, w.db, id).Access)
	for range 6 {
		wantOK(t, "right, which does not count", w.ConfirmPassword(ctx, password))
	}
	want(t, "missing", w.ConfirmPassword(ctx, ""), fault.Invalid, "invalid_parameters")
	for range 5 {
		want(t, "wrong", w.ConfirmPassword(ctx, "wrong"), fault.Forbidden, "wrong_password")
	}
	want(t, "the sixth", w.ConfirmPassword(ctx, password), fault.TooMany, "too_many_attempts")
	key := auth.WithPrincipal(ctx, auth.Principal{UserID: id, APIKey: "k"})
	want(t, "an API key", w.ConfirmPassword(key, password), fault.Forbidden, "login_required")
}

// TestConfirmationsCountAsLogins: together they are five, so that a stolen token is no way to five
// more guesses.
func TestConfirmationsCountAsLogins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := w.as(t, w.LogIn(t, w.db, authtest.User(t, w.db, anna)).Access)
	for i := range 3 {
		want(t, "confirmation", w.ConfirmPassword(ctx, "wrong"), fault.Forbidden, "wrong_password")
		if i == 2 {
			break
		}
		_, err := w.other.Login(from(t, fmt.Sprintf("198.51.100.%d", i)), anna, "wrong")
		want(t, "login", err, fault.Unauthenticated, "invalid_credentials")
	}
	_, err := w.Login(from(t, "198.51.100.9"), anna, password)
	want(t, "the sixth is a login", err, fault.TooMany, "too_many_attempts")
	want(t, "the sixth is a confirmation", w.other.ConfirmPassword(ctx, password), fault.TooMany, "too_many_attempts")
}

func TestDatabaseGoneIsNoWrongPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gone, err := postgres.Open(t.Context(), "postgres://unknown@127.0.0.1:1/none")
	wantOK(t, "open", err)
	defer gone.Close()
	_, err = w.service(w.hasher, gone).Login(from(t, "203.0.113.9"), anna, password)
	if err == nil || fault.Is(err, fault.Unauthenticated) {
		t.Errorf("got %v", err)
	}
}
