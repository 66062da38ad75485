package user_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/version"
)

// asUserOf makes a user and returns the context of a request with a session of theirs.
func (w *world) asUserOf(t *testing.T, email string) context.Context {
	t.Helper()
	return w.as(t, w.LogIn(t, w.db, authtest.User(t, w.db, email)).Access)
}

func (w *world) move(ctx context.Context, email string) error {
	_, err := w.ChangeProfile(ctx, version.Expected{}, user.ProfileChange{Email: &email, Password: password})
	return err
}

// mailed sends the due mails and returns the token of the last one to an address, "" without one.
func (w *world) mailed(t *testing.T, recipient string) (token string) {
	t.Helper()
	for _, mail := range w.receive(t) {
		if link, err := url.Parse(mail.Link); err == nil && mail.Recipient == recipient {
			token = link.Query().Get("token")
		}
	}
	return token
}

// TestAddressOfASignup: a signup with the address that was never activated does not keep it from a
// user who opens the link that was mailed there.
func TestAddressOfASignup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address = "begun@example.org"
	wantOK(t, "ask for the address", w.move(w.asUserOf(t, anna), address))
	token := w.mailed(t, address)
	wantOK(t, "a stranger signs up", w.Signup(t.Context(), address, newPassword, ""))
	strangers := w.mailed(t, address)
	wantOK(t, "open the link", w.Activate(t.Context(), activation(token, "")))
	want(t, "the stranger's link", w.Activate(t.Context(), activation(strangers, "")), fault.Invalid, "token_invalid")
	_, err := w.Login(from(t, "203.0.113.9"), address, password)
	wantOK(t, "login", err)
}

// TestAddressOfTwo: of two users who ask for one address, and open the links twice at once, one
// gets it.
func TestAddressOfTwo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address = "shared@example.org"
	var tokens []string
	for _, email := range []string{anna, bert} {
		wantOK(t, email, w.move(w.asUserOf(t, email), address))
		token := w.mailed(t, address)
		tokens = append(tokens, token, token)
	}
	codes := make([]string, len(tokens))
	var group sync.WaitGroup
	for i, token := range tokens {
		group.Go(func() {
			if err := w.Activate(t.Context(), activation(token, "")); err != nil {
				codes[i] = fault.Of(err).StableCode()
			}
		})
	}
	group.Wait()
	slices.Sort(codes)
	if codes[0] != "" || codes[1] == "" || !slices.Contains(codes, "email_taken") {
		t.Errorf("outcomes %q", codes)
	}
	if n := w.count(t, "SELECT count(*) FROM app_user WHERE email = $1", address); n != 1 {
		t.Errorf("%d users have the address", n)
	}
}

func TestAddressChangeIsWithdrawn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address = "new@example.org"
	janitor := user.NewJanitor(w.db, w.Keys, w.clock.Now, slog.New(slog.DiscardHandler), moderation.Prune)
	for name, withdraw := range map[string]func(ctx context.Context, email string) error{
		"another address":  func(ctx context.Context, _ string) error { return w.move(ctx, "newer@example.org") },
		"a new password":   func(ctx context.Context, _ string) error { return w.change(ctx, password, newPassword) },
		"a reset password": func(_ context.Context, email string) error { return w.resetBy(t, email) },
		"deactivated":      func(ctx context.Context, email string) error { return w.Deactivate(ctx, email, false) },
		"too late": func(ctx context.Context, _ string) error {
			w.clock.Move(24 * time.Hour)
			return janitor.Clean(ctx)
		},
	} {
		email := strings.ReplaceAll(name, " ", ".") + "@example.org"
		ctx := w.asUserOf(t, email)
		_, err := w.db.Exec(ctx, "DELETE FROM attempt")
		wantOK(t, name, err)
		wantOK(t, name, w.move(ctx, address))
		token := w.mailed(t, address)
		wantOK(t, name, withdraw(ctx, email))
		want(t, name, w.Activate(ctx, activation(token, "")), fault.Invalid, "token_invalid")
		const pending = "SELECT count(pending_email) FROM app_user WHERE email = $1"
		if got := w.count(t, pending, email); (got == 1) != (name == "another address") {
			t.Errorf("%s: %d addresses are pending", name, got)
		}
	}
}

// resetBy resets the password of a user by mail.
func (w *world) resetBy(t *testing.T, email string) error {
	t.Helper()
	ctx := from(t, "203.0.113.9")
	wantOK(t, "forgot", w.ForgotPassword(ctx, email, ""))
	return w.reset(ctx, w.mailed(t, email), newPassword)
}

// TestMailOfAWithdrawnAddress: it was still in the queue when its user asked for another address.
func TestMailOfAWithdrawnAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := w.asUserOf(t, anna)
	wantOK(t, "one address", w.move(ctx, "first@example.org"))
	wantOK(t, "another one", w.move(ctx, "second@example.org"))
	var recipients []string
	for _, mail := range w.receive(t) {
		recipients = append(recipients, mail.Recipient)
	}
	slices.Sort(recipients)
	if got := strings.Join(recipients, " "); got != anna+" "+anna+" second@example.org" {
		t.Errorf("mails to %s", got)
	}
}

func TestAddressChangesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var users []context.Context
	for n := range 6 {
		users = append(users, w.asUserOf(t, fmt.Sprintf("user%d@example.org", n)))
	}
	for _, address := range []string{bert, unknown} {
		for _, ctx := range users[:5] {
			wantOK(t, address, w.move(ctx, address))
		}
		want(t, "the sixth mail to "+address, w.move(users[5], address), fault.TooMany, "too_many_attempts")
	}
	for n := range 8 {
		wantOK(t, "one of ten", w.move(users[0], fmt.Sprintf("new%d@example.org", n)))
	}
	want(t, "the eleventh", w.move(users[0], "new8@example.org"), fault.TooMany, "too_many_attempts")
	name := "Anna"
	_, err := w.ChangeProfile(users[0], version.Expected{}, user.ProfileChange{FirstName: &name})
	wantOK(t, "another field", err)
}

// TestChangePassword: it ends the other sessions, but not this one, and revokes personal API keys.
func TestChangePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := authtest.User(t, w.db, anna)
	grant, other := w.LogIn(t, w.db, id), w.LogIn(t, w.db, id)
	ctx := w.as(t, grant.Access)
	key := authtest.Key(t, w.db, id, "", 0)
	strangers := authtest.Key(t, w.db, authtest.User(t, w.db, bert), "", 0)
	want(t, "wrong", w.change(ctx, "wrong", newPassword), fault.Forbidden, "wrong_password")
	revoked, err := w.ChangePassword(ctx, password, newPassword)
	if err != nil || revoked != 1 {
		t.Fatalf("change: %v, %d keys were revoked", err, revoked)
	}
	for bearer, ended := range map[string]bool{grant.Access: false, other.Access: true, strangers: false, key: true} {
		_, err := w.Authenticator.Authenticate(ctx, "Bearer "+bearer)
		if (err != nil) != ended {
			t.Errorf("ended %t, want %t: %v", err != nil, ended, err)
		}
	}
	_, err = w.Login(from(t, "203.0.113.9"), anna, newPassword)
	wantOK(t, "login", err)
}

// TestPut: an account that exists gets the password and is active again.
func TestPut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	put := func(text string) (id int) {
		hash, err := w.hasher.Hash(t.Context(), text)
		wantOK(t, "hash", err)
		authtest.InTx(t, w.db, func(ctx context.Context, tx pgx.Tx) error {
			id, err = user.Put(ctx, tx, w.clock.Now(), user.Person{
				Email: anna, PasswordHash: hash, FirstName: "Anna", LastName: "Petersen", Locale: "da",
			})
			return err
		})
		return id
	}
	first := put(password)
	wantOK(t, "deactivate", w.Deactivate(t.Context(), anna, false))
	if second := put(newPassword); second != first {
		t.Errorf("user %d, then %d", first, second)
	}
	login, err := w.Login(from(t, "203.0.113.9"), anna, newPassword)
	wantOK(t, "login", err)
	if login.DisplayName != "Anna Petersen" {
		t.Errorf("logged in as %+v", login.Identity)
	}
}
