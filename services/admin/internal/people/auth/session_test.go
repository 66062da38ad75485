package auth_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

// rotate is one refresh, as the use case does it.
func rotate(ctx context.Context, db *postgres.DB, stack authtest.Stack, refresh string) (auth.Grant, bool, error) {
	next, err := stack.Sessions.Continue(ctx, refresh)
	if err != nil {
		return next, false, err
	}
	var reused bool
	err = db.InTx(ctx, func(tx pgx.Tx) error {
		reused, err = stack.Sessions.Rotate(ctx, tx, refresh, next)
		return err
	})
	return next, reused, err
}

func TestRefreshTokensAreSpentOnce(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	grant := stack.LogIn(t, db, authtest.User(t, db, "anna@example.org"))
	other := stack.LogIn(t, db, authtest.User(t, db, "bert@example.org"))
	newest := grant
	for range 5 {
		clock.Move(time.Hour)
		next, reused, err := rotate(t.Context(), db, stack, newest.Refresh)
		if err != nil || reused || next.Refresh == newest.Refresh || next.SessionID != grant.SessionID {
			t.Fatalf("refresh: reused %t, %v", reused, err)
		}
		if _, err := stack.Authenticator.Authenticate(t.Context(), "Bearer "+next.Access); err != nil {
			t.Fatalf("the new access token: %v", err)
		}
		newest = next
	}
	if _, reused, err := rotate(t.Context(), db, stack, grant.Refresh); err != nil || !reused {
		t.Fatalf("a spent token: reused %t, %v", reused, err)
	}
	if _, _, err := rotate(t.Context(), db, stack, newest.Refresh); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the newest token of a session that was revoked: %v", err)
	}
	if _, err := stack.Authenticator.Authenticate(t.Context(), "Bearer "+newest.Access); fault.Of(err).Code != "session_ended" {
		t.Errorf("its access token: %v", err)
	}
	if _, reused, err := rotate(t.Context(), db, stack, other.Refresh); err != nil || reused {
		t.Errorf("another session suffers: %t, %v", reused, err)
	}
}

// TestRefreshesAtOnceStayOneSession sends one token many times at once, through two pools: each
// request gets tokens of the same session that work, until the token comes once more after the
// grace of 10 seconds (RULES.md, Accounts).
func TestRefreshesAtOnceStayOneSession(t *testing.T) {
	t.Parallel()
	db, address := storetest.New(t)
	second, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	grant := stack.LogIn(t, db, authtest.User(t, db, "anna@example.org"))
	var mutex sync.Mutex
	var won []auth.Grant
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			pool := []*postgres.DB{db, second}[i%2]
			next, reused, err := rotate(t.Context(), pool, stack, grant.Refresh)
			mutex.Lock()
			defer mutex.Unlock()
			if err == nil && !reused && next.SessionID == grant.SessionID {
				won = append(won, next)
			}
		})
	}
	wait.Wait()
	if len(won) != 16 {
		t.Fatalf("%d of 16 got tokens", len(won))
	}
	var last auth.Grant
	for _, one := range won {
		next, reused, err := rotate(t.Context(), db, stack, one.Refresh)
		if err != nil || reused {
			t.Fatalf("a pair of the family does not continue it: reused %t, %v", reused, err)
		}
		last = next
	}
	clock.Move(11 * time.Second)
	if _, reused, err := rotate(t.Context(), db, stack, grant.Refresh); err != nil || !reused {
		t.Fatalf("the token comes again after the grace: reused %t, %v", reused, err)
	}
	if _, _, err := rotate(t.Context(), db, stack, last.Refresh); fault.Of(err).StableCode() != "session_ended" {
		t.Errorf("the session lives on after its token came again: %v", err)
	}
}

// TestGraceBeginsWithTheFirstUse: a token that is sent every few seconds does not stay valid.
func TestGraceBeginsWithTheFirstUse(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	grant := stack.LogIn(t, db, authtest.User(t, db, "anna@example.org"))
	for i := range 3 { // at 0, 5 and 10 seconds
		if _, reused, err := rotate(t.Context(), db, stack, grant.Refresh); err != nil || reused {
			t.Fatalf("use %d: reused %t, %v", i, reused, err)
		}
		clock.Move(5 * time.Second)
	}
	if _, reused, err := rotate(t.Context(), db, stack, grant.Refresh); err != nil || !reused {
		t.Errorf("15 seconds after the first use: reused %t, %v", reused, err)
	}
}

func TestTokensDoNotPassForOneAnother(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	stack := authtest.NewStack(t, db, authtest.NewClock())
	grant := stack.LogIn(t, db, authtest.User(t, db, "anna@example.org"))
	if _, err := stack.Authenticator.Authenticate(t.Context(), "Bearer "+grant.Refresh); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a refresh token as access token: %v", err)
	}
	if _, _, err := rotate(t.Context(), db, stack, grant.Access); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("an access token as refresh token: %v", err)
	}
}

func TestRefreshTokenEnds(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	user := authtest.User(t, db, "anna@example.org")
	ends := map[string]func(ctx context.Context, tx pgx.Tx, grant auth.Grant) error{
		"logout": func(ctx context.Context, tx pgx.Tx, grant auth.Grant) error {
			return stack.Sessions.End(ctx, tx, grant.SessionID, auth.EndedByLogout)
		},
		"a new password": func(ctx context.Context, tx pgx.Tx, grant auth.Grant) error {
			return stack.Sessions.EndAll(ctx, tx, user, auth.EndedByPassword)
		},
		"deactivation": func(ctx context.Context, tx pgx.Tx, _ auth.Grant) error {
			_, err := tx.Exec(ctx, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", user)
			return err
		},
	}
	for _, name := range []string{"logout", "a new password", "deactivation"} {
		grant := stack.LogIn(t, db, user)
		authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return ends[name](ctx, tx, grant) })
		if _, err := stack.Authenticator.Authenticate(t.Context(), "Bearer "+grant.Access); fault.Of(err).Code != "session_ended" {
			t.Errorf("access after %s: %v", name, err)
		}
		if _, _, err := rotate(t.Context(), db, stack, grant.Refresh); fault.Of(err).Code != "session_ended" {
			t.Errorf("refresh after %s: %v", name, err)
		}
	}
	other := stack.LogIn(t, db, authtest.User(t, db, "bert@example.org"))
	clock.Move(month + 16*time.Second)
	if _, _, err := rotate(t.Context(), db, stack, other.Refresh); fault.Of(err).Code != "token_expired" {
		t.Errorf("after 30 days: %v", err)
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"Bearer abc": "abc", "bearer abc": "abc", " Bearer  abc ": "abc"} {
		if got, err := auth.Bearer(header); err != nil || got != want {
			t.Errorf("%q: %q, %v", header, got, err)
		}
	}
	for header, code := range map[string]string{
		"": "token_missing", "abc": "token_invalid", "Bearer": "token_invalid", "Bearer ": "token_invalid",
		"Basic YTpi": "token_invalid", "Token abc": "token_invalid",
	} {
		if _, err := auth.Bearer(header); fault.Of(err).Code != code {
			t.Errorf("%q: %v, want %s", header, err, code)
		}
	}
}
