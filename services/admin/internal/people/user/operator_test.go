package user_test

import (
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/user"
)

func TestCreateUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wanted := newUser(anna, "Anna", "<b>Petersen</b>")
	wanted.PlatformAdmin = true
	_, err := w.CreateUser(t.Context(), wanted)
	wantOK(t, "create", err)
	login, err := w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "login", err)
	if who, err := w.Authenticator.Authenticate(t.Context(), "Bearer "+login.Access); err != nil || !who.PlatformAdmin || who.Locale != "da" {
		t.Errorf("%+v, %v", who, err)
	}
	if login.LastName != "<b>Petersen</b>" {
		t.Errorf("markup in a name is text: %q", login.LastName)
	}
	_, err = w.CreateUser(t.Context(), wanted)
	want(t, "again", err, fault.Conflict, "email_taken")
	_, err = w.CreateUser(t.Context(), user.NewUser{
		Email: "x", Password: "short", DisplayName: "a\nb", FirstName: strings.Repeat("a", 501), LastName: "\x00",
	})
	want(t, "everything is wrong", err, fault.Invalid, "invalid_parameters")
	if n := len(fault.Of(err).Violations); n != 5 {
		t.Errorf("%d fields are named: %v", n, err)
	}
}

func TestPromote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := authtest.User(t, w.db, anna)
	access := w.LogIn(t, w.db, id).Access
	for _, admin := range []bool{true, false} {
		wantOK(t, "promote", w.Promote(t.Context(), "ANNA@example.org", admin))
		if who, err := w.Authenticator.Authenticate(t.Context(), "Bearer "+access); err != nil || who.PlatformAdmin != admin {
			t.Errorf("%+v, %v", who, err)
		}
	}
	want(t, "an unknown address", w.Promote(t.Context(), unknown, true), fault.NotFound, "user_not_found")
	wantOK(t, "signup", w.Signup(from(t, "203.0.113.9"), bert, password, "en"))
	want(t, "an account that is not active", w.Promote(t.Context(), bert, true), fault.Conflict, "user_not_active")
	if got := w.audited(t); got != "user.promote user.demote user.signup" {
		t.Errorf("audited: %s", got)
	}
}

func TestOwnerless(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	annas, berts := authtest.User(t, w.db, anna), authtest.User(t, w.db, bert)
	alone, both := authtest.Organization(t, w.db, "Alone"), authtest.Organization(t, w.db, "Both")
	authtest.Member(t, w.db, alone, annas, permission.All)
	authtest.Member(t, w.db, alone, berts, permission.All&^permission.DeleteOrganization)
	authtest.Member(t, w.db, both, annas, permission.All)
	authtest.Member(t, w.db, both, berts, permission.All)
	ownerless := func(want ...user.Ownerless) {
		t.Helper()
		if got, err := w.Ownerless(t.Context(), "ANNA@example.org"); err != nil || !slices.Equal(got, want) {
			t.Errorf("without owner: %v, %v, want %v", got, err, want)
		}
	}
	ownerless()
	wantOK(t, "deactivate", w.Deactivate(t.Context(), anna, false))
	ownerless(user.Ownerless{UUID: alone, Name: "Alone"})
	wantOK(t, "deactivate", w.Deactivate(t.Context(), bert, false))
	ownerless(user.Ownerless{UUID: alone, Name: "Alone"}, user.Ownerless{UUID: both, Name: "Both"})
	wantOK(t, "back", w.Deactivate(t.Context(), anna, true))
	ownerless()
}

func TestDeactivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	key := authtest.Key(t, w.db, authtest.User(t, w.db, anna), "", 0)
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	wantOK(t, "deactivate", w.Deactivate(t.Context(), anna, false))
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+login.Access)
	want(t, "access", err, fault.Unauthenticated, "session_ended")
	_, err = w.Refresh(ctx, login.Refresh)
	want(t, "refresh", err, fault.Unauthenticated, "session_ended")
	_, err = w.Login(ctx, anna, password)
	want(t, "login", err, fault.Unauthenticated, "invalid_credentials")
	err = w.Signup(ctx, anna, password, "en")
	wantOK(t, "signing up again", err)
	if mails := w.receive(t); len(mails) != 0 {
		t.Errorf("mails to a deactivated user: %v", mails)
	}
	wantOK(t, "back", w.Deactivate(t.Context(), anna, true))
	_, err = w.Refresh(ctx, login.Refresh)
	want(t, "the old session stays closed", err, fault.Unauthenticated, "session_ended")
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+key)
	want(t, "an API key of before", err, fault.Unauthenticated, "api_key_invalid")
	_, err = w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	want(t, "an unknown address", w.Deactivate(t.Context(), unknown, false), fault.NotFound, "user_not_found")
}

func TestJanitor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	_, err = w.Login(ctx, anna, "wrong")
	want(t, "wrong", err, fault.Unauthenticated, "invalid_credentials")
	err = w.Signup(ctx, bert, password, "en")
	wantOK(t, "signup", err)
	w.receive(t)
	janitor := user.NewJanitor(w.db, w.Keys, w.clock.Now, slog.New(slog.NewTextHandler(io.Discard, nil)), moderation.Prune)

	const all = `
SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM refresh_token) + (SELECT count(*) FROM one_time_token)
    + (SELECT count(*) FROM mail_outbox) + (SELECT count(*) FROM app_user) + (SELECT count(*) FROM attempt)`
	before := w.count(t, all)
	wantOK(t, "clean", janitor.Clean(t.Context()))
	if now := w.count(t, all); now != before {
		t.Fatalf("%d rows of %d are left at once", now, before)
	}
	w.clock.Move(9 * 24 * time.Hour)
	wantOK(t, "clean", janitor.Clean(t.Context()))
	if n := w.count(t, "SELECT count(*) FROM app_user WHERE email = $1", bert); n != 0 {
		t.Error("an account that was never activated keeps its address taken")
	}
	next, err := w.Refresh(ctx, login.Refresh)
	wantOK(t, "a session that is still open", err)
	w.clock.Move(31 * 24 * time.Hour)
	wantOK(t, "clean", janitor.Clean(t.Context()))
	if now := w.count(t, all); now != 1 {
		t.Errorf("%d rows are left, want Anna alone", now)
	}
	_, err = w.Refresh(ctx, next.Refresh)
	want(t, "afterwards", err, fault.Unauthenticated, "token_expired")
	_, err = w.Login(ctx, anna, password)
	wantOK(t, "login", err)
}
