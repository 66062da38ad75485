package auth_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

const insertMail = `
INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at)
VALUES ('anna@example.org', 'reset', 'en', now(), now())
RETURNING id`

// tokenIn adds a token in a mail of its own and returns the mail's id.
func tokenIn(t *testing.T, db *postgres.DB, token auth.OneTimeToken, now time.Time) int64 {
	t.Helper()
	if err := db.QueryRow(t.Context(), insertMail).Scan(&token.MailID); err != nil {
		t.Fatal(err)
	}
	token.CreatedAt, token.ExpiresAt = now, now.Add(time.Hour)
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return auth.AddOneTimeToken(ctx, tx, token) })
	return token.MailID
}

// TestOneTimeTokens: a token gets its secret with its mail, a new one each time that is composed
// again, and none once it is used.
func TestOneTimeTokens(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	now := authtest.NewClock().Now()
	user := authtest.User(t, db, "anna@example.org")
	address := tokenIn(t, db, auth.OneTimeToken{Purpose: auth.ForAddress, UserID: user}, now)
	reset := tokenIn(t, db, auth.OneTimeToken{Purpose: auth.ForReset, UserID: user, Secret: "first"}, now)
	issue := func(purpose auth.Purpose, mail int64) (secret string, err error) {
		err = db.InTx(t.Context(), func(tx pgx.Tx) error {
			secret, err = auth.IssueOneTimeToken(t.Context(), tx, purpose, mail, now.Add(2*time.Hour))
			return err
		})
		return secret, err
	}
	stored := func(secret string) (count int) {
		const query = "SELECT count(*) FROM one_time_token WHERE hash = $1"
		if err := db.QueryRow(t.Context(), query, auth.Digest(secret)).Scan(&count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	first, err := issue(auth.ForAddress, address)
	if err != nil || stored(first) != 1 {
		t.Errorf("issue: %d stored, %v", stored(first), err)
	}
	second, err := issue(auth.ForAddress, address)
	if err != nil || stored(first) != 0 || stored(second) != 1 {
		t.Errorf("again: %v", err)
	}
	if _, err := issue(auth.ForActivation, address); !errors.Is(err, auth.ErrTokenUsed) {
		t.Errorf("with another purpose: %v", err)
	}
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error {
		return auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
			Purpose: auth.ForReset, UserID: user, MailID: reset, Secret: "second", CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
	})
	if stored("first") != 0 || stored("second") != 1 {
		t.Error("a mail that is composed again keeps its first secret")
	}
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error {
		return auth.UseUpTokens(ctx, tx, user, now, auth.ForAddress)
	})
	if _, err := issue(auth.ForAddress, address); !errors.Is(err, auth.ErrTokenUsed) {
		t.Errorf("a used token: %v", err)
	}
	var open int
	const unused = "SELECT count(*) FROM one_time_token WHERE used_at IS NULL"
	if err := db.QueryRow(t.Context(), unused).Scan(&open); err != nil || open != 1 {
		t.Errorf("%d tokens of other purposes are unused, %v", open, err)
	}
	authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return auth.DeleteTokens(ctx, tx, user) })
	if stored("second") != 0 {
		t.Error("a token is left")
	}
}

// TestPrune: only rows that expired long ago are deleted.
func TestPrune(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	user := authtest.User(t, db, "anna@example.org")
	tokenIn(t, db, auth.OneTimeToken{Purpose: auth.ForAddress, UserID: user}, clock.Now())
	stack.LogIn(t, db, user)
	limit := auth.Limit{Action: "test", Max: 9, Window: time.Hour}
	if _, err := stack.Limiter.Take(t.Context(), limit, "x", netip.Addr{}); err != nil {
		t.Fatal(err)
	}
	rows := func() (counts [3]int) {
		const query = `
SELECT
    (SELECT count(*) FROM attempt), (SELECT count(*) FROM session), (SELECT count(*) FROM one_time_token)`
		if err := db.QueryRow(t.Context(), query).Scan(&counts[0], &counts[1], &counts[2]); err != nil {
			t.Fatal(err)
		}
		return counts
	}
	for _, step := range []struct {
		move time.Duration
		want [3]int
	}{
		{24 * time.Hour, [3]int{1, 1, 1}},
		{time.Second, [3]int{0, 1, 1}},
		{6*24*time.Hour + time.Hour - time.Second, [3]int{0, 1, 1}},
		{time.Second, [3]int{0, 1, 0}},
		{23*24*time.Hour - time.Second, [3]int{0, 1, 0}},
		{time.Second, [3]int{0, 0, 0}},
	} {
		clock.Move(step.move)
		authtest.InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return auth.Prune(ctx, tx, clock.Now()) })
		if got := rows(); got != step.want {
			t.Errorf("after %s more: attempts, sessions, tokens %v, want %v", step.move, got, step.want)
		}
	}
}
