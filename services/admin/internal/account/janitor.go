package account

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
	"litfass/services/admin/internal/postgres"
)

const (
	janitorEvery = 10 * time.Minute
	janitorAgain = 30 * time.Second    // after a failure
	keepAttempts = 24 * time.Hour      // longer than any limit looks back
	keepTokens   = 7 * 24 * time.Hour  // after they expired
	keepMails    = 30 * 24 * time.Hour // after they were sent or given up
)

// Janitor rotates the signing keys by age and deletes what nobody needs any more.
type Janitor struct {
	db   *postgres.DB
	keys *auth.Keyring
	now  auth.Clock
	log  *slog.Logger
}

// NewJanitor returns a janitor. Every node may have one.
func NewJanitor(db *postgres.DB, keys *auth.Keyring, now auth.Clock, log *slog.Logger) *Janitor {
	return &Janitor{db, keys, now, log}
}

// Run works now and every ten minutes until ctx ends. It returns nil: a failure is logged and the work done again soon.
func (j *Janitor) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		pause := janitorEvery
		if err := j.Clean(ctx); err != nil && ctx.Err() == nil {
			pause = janitorAgain
			j.log.Warn("cleaning up failed", "again_in", pause.String(), "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

// Clean does the work once.
func (j *Janitor) Clean(ctx context.Context) error {
	kid, rotated, err := j.keys.Maintain(ctx)
	if err != nil {
		return err
	}
	if rotated {
		j.log.Info("new signing key", "kid", kid)
	}
	return j.db.InTx(ctx, func(tx pgx.Tx) error { return j.prune(ctx, tx, j.now()) })
}

// What nobody needs any more. An account that was never activated goes with its last link: its address is free again. So
// does another address that a user has asked for.
const (
	deleteAttempts = `
DELETE FROM attempt
WHERE at < $1`

	deleteSessions = `
DELETE FROM session
WHERE expires_at < $1`

	deleteTokens = `
DELETE FROM one_time_token
WHERE expires_at < $1`

	forgetPendingAddresses = `
UPDATE app_user u
SET pending_email = NULL, updated_at = $1, version = version + 1
WHERE u.pending_email IS NOT NULL
    AND NOT EXISTS (
        SELECT
        FROM one_time_token t
        WHERE t.user_id = u.id AND t.purpose = 'email' AND t.used_at IS NULL AND t.expires_at > $1
    )`

	deletePendingUsers = `
DELETE FROM app_user u
WHERE u.activated_at IS NULL
    AND u.deactivated_at IS NULL
    AND u.created_at < $1
    AND NOT EXISTS (SELECT FROM one_time_token t WHERE t.user_id = u.id)`
)

func (j *Janitor) prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	steps := []struct {
		statement string
		before    time.Time
	}{
		{deleteAttempts, now.Add(-keepAttempts)},
		{deleteSessions, now.Add(-time.Hour)}, // a moment later, for clocks that differ
		{deleteTokens, now.Add(-keepTokens)},
		{forgetPendingAddresses, now},
		{deletePendingUsers, now.Add(-keepTokens)},
	}
	for _, step := range steps {
		if _, err := tx.Exec(ctx, step.statement, step.before); err != nil {
			return fmt.Errorf("prune: %w", err)
		}
	}
	return mail.Prune(ctx, tx, now.Add(-keepMails))
}
