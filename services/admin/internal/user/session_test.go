package user_test

import (
	"strings"
	"testing"
	"time"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/auth/authtest"
)

func TestRefresh(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	w.clock.Move(16 * time.Minute)
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+login.Access)
	want(t, "the access token is over", err, fault.Unauthenticated, "token_expired")
	next, err := w.other.Refresh(ctx, login.Refresh)
	wantOK(t, "refresh", err)
	if _, err := w.Authenticator.Authenticate(ctx, "Bearer "+next.Access); err != nil || next.ExpiresIn != 15*time.Minute {
		t.Errorf("the new one: %v, for %s", err, next.ExpiresIn)
	}
	for name, token := range map[string]string{
		"an access token": next.Access, "garbage": "garbage", "empty": "", "long": strings.Repeat("x", 10_000),
	} {
		_, err := w.Refresh(ctx, token)
		want(t, name, err, fault.Unauthenticated, "token_invalid")
	}
	w.clock.Move(29 * 24 * time.Hour)
	next, err = w.Refresh(ctx, next.Refresh)
	wantOK(t, "refresh after 29 days", err)
	w.clock.Move(30*24*time.Hour + time.Minute)
	_, err = w.Refresh(ctx, next.Refresh)
	want(t, "refresh after 30 days more", err, fault.Unauthenticated, "token_expired")
}

func TestSpentRefreshTokenEndsItsSession(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	elsewhere, err := w.Login(ctx, anna, password)
	wantOK(t, "another login", err)
	thief, err := w.Refresh(ctx, login.Refresh)
	wantOK(t, "the first one", err)
	_, err = w.other.Refresh(ctx, login.Refresh)
	want(t, "the second one", err, fault.Unauthenticated, "token_reused")
	_, err = w.Refresh(ctx, thief.Refresh)
	want(t, "the first one again", err, fault.Unauthenticated, "session_ended")
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+thief.Access)
	want(t, "their access token", err, fault.Unauthenticated, "session_ended")
	_, err = w.Refresh(ctx, elsewhere.Refresh)
	wantOK(t, "the other login", err)
	if got := w.audited(t); !strings.HasSuffix(got, "user.reuse_refused") {
		t.Errorf("audited: %s", got)
	}
}

func TestLogout(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	id := authtest.User(t, w.db, anna)
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	elsewhere, err := w.Login(ctx, anna, password)
	wantOK(t, "another login", err)
	wantOK(t, "logout", w.Logout(w.as(t, login.Access)))
	_, err = w.other.Authenticator.Authenticate(ctx, "Bearer "+login.Access)
	want(t, "access", err, fault.Unauthenticated, "session_ended")
	_, err = w.Refresh(ctx, login.Refresh)
	want(t, "refresh", err, fault.Unauthenticated, "session_ended")
	if _, err = w.Authenticator.Authenticate(ctx, "Bearer "+elsewhere.Access); err != nil {
		t.Errorf("the other login: %v", err)
	}
	key := auth.WithPrincipal(ctx, auth.Principal{UserID: id, APIKey: "k"})
	want(t, "an API key", w.Logout(key), fault.Forbidden, "login_required")
}

// TestLastActive: a login and a refresh store when the user was last active.
func TestLastActive(t *testing.T) {
	w := newWorld(t)
	ctx := from(t, "203.0.113.9")
	authtest.User(t, w.db, anna)
	seen := func() int {
		return w.count(t, "SELECT count(*) FROM app_user WHERE last_active_at = $1", w.clock.Now())
	}
	login, err := w.Login(ctx, anna, password)
	wantOK(t, "login", err)
	if seen() != 1 {
		t.Error("a login is not stored as activity")
	}
	w.clock.Move(time.Hour)
	_, err = w.Refresh(ctx, login.Refresh)
	wantOK(t, "refresh", err)
	if seen() != 1 {
		t.Error("a refresh is not stored as activity")
	}
}
