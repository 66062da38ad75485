package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

const noteTime = 5 * time.Second // for storing an outcome, also while the process stops

// job is a delivery that was taken for an attempt.
type job struct {
	Number   int64
	UUID     string
	Webhook  string
	Body     []byte
	Attempts int // including this one
	BeganAt  time.Time
	Created  time.Time
	URL      string
	Secret   sealedSecret
	Old      sealedSecret
	OldUntil *time.Time
}

// next is SQL for the deliveries d of the webhook w that may be sent now, $1: none that waits for
// an earlier one of its entity.
const next = `
    w.active AND (w.rests_until IS NULL OR w.rests_until <= $1)
    AND NOT EXISTS (SELECT FROM app_user u WHERE u.id = w.user_id AND u.deactivated_at IS NOT NULL)
    AND d.state = 'pending' AND d.due_at <= $1
    AND NOT EXISTS (
        SELECT
        FROM webhook_delivery e
        WHERE e.webhook_uuid = d.webhook_uuid AND e.entity_id = d.entity_id AND e.state = 'pending' AND e.number < d.number
    )`

// takeDelivery takes one delivery and moves its due time, in case this process dies. The repeated
// conditions are those of a row that another process has just taken.
const takeDelivery = `
UPDATE webhook_delivery t
SET sending = true, attempts = t.attempts + 1, due_at = $1::timestamptz + $3::interval, began_at = coalesce(t.began_at, $1)
FROM webhook w
WHERE w.uuid = $2
    AND t.number = (
        SELECT d.number
        FROM webhook_delivery d
        JOIN webhook w ON w.uuid = d.webhook_uuid
        WHERE w.uuid = $2 AND ` + next + `
        ORDER BY d.number
        LIMIT 1
    )
    AND t.state = 'pending' AND t.due_at <= $1
RETURNING t.number, t.uuid::text, t.webhook_uuid::text, t.body, t.attempts, t.began_at, t.created_at, w.url,
    w.secret, w.sealed, w.old_secret, coalesce(w.old_sealed, false), w.old_until`

// take takes a delivery of a webhook; ok is false when none may be sent now.
func (s *Service) take(ctx context.Context, webhook string) (d job, ok bool, err error) {
	err = s.DB.QueryRow(ctx, takeDelivery, s.Now(), webhook, claimed).Scan(&d.Number, &d.UUID, &d.Webhook, &d.Body,
		&d.Attempts, &d.BeganAt, &d.Created, &d.URL, &d.Secret.Stored, &d.Secret.Sealed, &d.Old.Stored, &d.Old.Sealed,
		&d.OldUntil)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, false, nil
	}
	if err != nil {
		return d, false, fmt.Errorf("take a delivery: %w", err)
	}
	return d, true, nil
}

const retakeDeliveries = `
UPDATE webhook_delivery
SET sending = false, due_at = $2
WHERE webhook_uuid = $1 AND state = 'pending' AND sending`

// retake makes the deliveries due that a process was sending which gives no sign of life any more.
// If it lives, the receiver gets them twice, with the same id.
func (s *Service) retake(ctx context.Context, webhook string) error {
	if _, err := s.DB.Exec(ctx, retakeDeliveries, webhook, s.Now()); err != nil {
		return fmt.Errorf("take deliveries again: %w", err)
	}
	return nil
}

// Each outcome is stored for the attempt that it is of: an attempt of a process that was believed
// dead may end after another one. A success counts in any case. When a webhook succeeded last is
// stored to the minute, so that not every delivery writes its row.
const (
	noteDelivered = `
WITH delivered AS (
    UPDATE webhook_delivery
    SET sending = false, state = 'delivered', ended_at = $2, took_ms = $3, status = $4, answer = $5, problem = NULL
    WHERE number = $1 AND state = 'pending'
)
UPDATE webhook
SET failures = 0, rests_until = NULL, succeeded_at = $2
WHERE uuid = $6 AND (failures > 0 OR succeeded_at IS NULL OR succeeded_at < $2::timestamptz - interval '1 minute')`

	noteAnswered = `
UPDATE webhook
SET failures = 0, rests_until = NULL
WHERE uuid = $1 AND failures > 0`

	noteFailed = `
UPDATE webhook_delivery
SET sending = false, state = $7, ended_at = $2, took_ms = $3, status = nullif($4, 0), answer = $5, problem = $6, due_at = $8
WHERE number = $1 AND state = 'pending' AND attempts = $9`

	noteSilent = `
UPDATE webhook
SET failures = failures + 1, rests_until = $2
WHERE uuid = $1
RETURNING failures`

	selectFailures = `
SELECT failures, coalesce(succeeded_at > $2, false)
FROM webhook
WHERE uuid = $1
FOR NO KEY UPDATE`
)

// note stores the outcome of an attempt, even while the process is stopping.
func (s *Service) note(ctx context.Context, d job, o outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if o.delivered() {
		_, err := s.DB.Exec(ctx, noteDelivered, d.Number, s.Now(), o.took.Milliseconds(), o.status, o.answer, d.Webhook)
		if err != nil {
			return fmt.Errorf("store delivery: %w", err)
		}
		return nil
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		var failures int
		var works bool // another delivery succeeded after the first attempt at this one
		err := tx.QueryRow(ctx, selectFailures, d.Webhook, d.BeganAt).Scan(&failures, &works)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("read webhook: %w", err)
		}
		return s.noteFailure(ctx, tx, d, o, failures, works)
	})
}

// noteFailure stores a failure, when the next attempt is due, and for how long the webhook rests.
// It gives the delivery up, or ends the webhook, when it is time.
func (s *Service) noteFailure(ctx context.Context, tx pgx.Tx, d job, o outcome, failures int, works bool) error {
	now := s.Now()
	due := now.Add(max(pauseAfter(d.Attempts), o.wait))
	last := due.Sub(d.BeganAt) > givenUp
	state := "pending"
	if o.status == http.StatusGone || last && works {
		state = "failed"
	}
	_, err := tx.Exec(ctx, noteFailed, d.Number, now, o.took.Milliseconds(), o.status, o.answer, o.problem, state, due, d.Attempts)
	if err != nil {
		return fmt.Errorf("store failure: %w", err)
	}
	switch {
	case o.status == http.StatusGone:
		return s.end(ctx, tx, d.Webhook, endedGone)
	case last && !works:
		return s.end(ctx, tx, d.Webhook, endedFailing)
	case o.silent():
		rest := now.Add(max(min(pauseAfter(failures+1), longestRest), o.wait))
		_, err = tx.Exec(ctx, noteSilent, d.Webhook, rest)
	default:
		_, err = tx.Exec(ctx, noteAnswered, d.Webhook)
	}
	if err != nil {
		return fmt.Errorf("store rest: %w", err)
	}
	return nil
}
