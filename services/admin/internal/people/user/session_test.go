package user_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/paging"
)

func TestRefresh(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	wantOK(t, "the same token from another tab", err)
	w.clock.Move(11 * time.Second)
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
	t.Parallel()
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
	t.Parallel()
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

// TestSessions: a user sees their open sessions and ends one of them; another user's are unknown.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	authtest.User(t, w.db, anna)
	strangers := w.LogIn(t, w.db, authtest.User(t, w.db, bert))
	first, err := w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "login", err)
	w.clock.Move(time.Minute)
	second, err := w.Login(from(t, "203.0.113.9"), anna, password)
	wantOK(t, "another login", err)
	ctx := w.as(t, first.Access)
	list := func() adminapi.Sessions {
		t.Helper()
		shown, err := w.other.ListSessions(ctx, paging.Page{Limit: 50})
		wantOK(t, "list", err)
		return shown
	}
	shown := list()
	if shown.TotalCount != 2 || len(shown.Sessions) != 2 {
		t.Fatalf("sessions %+v", shown)
	}
	for i, login := range []user.Login{second, first} {
		got := shown.Sessions[i]
		if got.UUID != login.SessionID || got.Current != (i == 1) || got.UserAgent != "a test" || got.UsedAt.IsZero() {
			t.Errorf("session %+v", got)
		}
	}
	for name, id := range map[string]string{"another user's": strangers.SessionID, "unknown": uuid.Must(uuid.NewV7()).String()} {
		want(t, name, w.EndSession(ctx, id), fault.NotFound, "session_not_found")
	}
	wantOK(t, "end", w.EndSession(ctx, second.SessionID))
	want(t, "end again", w.EndSession(ctx, second.SessionID), fault.NotFound, "session_not_found")
	_, err = w.Authenticator.Authenticate(ctx, "Bearer "+second.Access)
	want(t, "the ended one's access token", err, fault.Unauthenticated, "session_ended")
	_, err = w.Refresh(ctx, second.Refresh)
	want(t, "the ended one's refresh token", err, fault.Unauthenticated, "session_ended")
	if shown = list(); shown.TotalCount != 1 || shown.Sessions[0].UUID != first.SessionID {
		t.Errorf("sessions %+v", shown)
	}
	w.clock.Move(31 * 24 * time.Hour)
	if shown = list(); shown.TotalCount != 0 || len(shown.Sessions) != 0 {
		t.Errorf("expired ones are listed: %+v", shown)
	}
}
