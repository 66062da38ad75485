package user

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	janitorEvery = 10 * time.Minute
	janitorAgain = 30 * time.Second    // after a failure
	keepMails    = 30 * 24 * time.Hour // after they were queued
)

// Janitor rotates the signing keys by age and deletes expired rows.
type Janitor struct {
	db   *postgres.DB
	keys *auth.Keyring
	now  auth.Clock
	log  *slog.Logger

	prune []func(ctx context.Context, tx pgx.Tx, now time.Time) error
}

// NewJanitor returns a janitor, which also deletes the old rows of other packages with prune. Every
// node may have one.
func NewJanitor(
	db *postgres.DB, keys *auth.Keyring, now auth.Clock, log *slog.Logger,
	prune ...func(ctx context.Context, tx pgx.Tx, now time.Time) error,
) *Janitor {
	return &Janitor{db, keys, now, log, prune}
}

// Run cleans now and every ten minutes until ctx ends. It returns nil: a failure is logged and
// retried soon.
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
	return j.db.InTx(ctx, func(tx pgx.Tx) error {
		now := j.now()
		if err := auth.Prune(ctx, tx, now); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, forgetPendingAddresses, now); err != nil {
			return fmt.Errorf("forget pending addresses: %w", err)
		}
		if _, err := tx.Exec(ctx, deletePendingUsers, now.Add(-auth.KeepTokens)); err != nil {
			return fmt.Errorf("delete pending users: %w", err)
		}
		for _, prune := range j.prune {
			if err := prune(ctx, tx, now); err != nil {
				return err
			}
		}
		return mail.Prune(ctx, tx, now.Add(-keepMails))
	})
}

// Pending addresses whose link expired are cleared. Accounts that were never activated are deleted
// once their last link is deleted, which frees their address.
const (
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
