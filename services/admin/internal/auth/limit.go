package auth

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/postgres"
)

// Limit is how many attempts are allowed in a window of time.
type Limit struct {
	Action string // e.g. "login"
	Most   int
	Window time.Duration
}

// pendingFor is how long an attempt counts as pending if its outcome is never stored.
const pendingFor = time.Minute

// Limiter counts attempts in the database, so that a limit holds for all nodes together.
//
// Failed and pending attempts count; a success deletes its own attempt. So any number of users
// behind one address may log in, while of a thousand guesses at once only five are let through. A
// success also forgives the earlier failures of its account, but not those of its address: logging
// in to one's own account does not allow more guesses at others.
type Limiter struct {
	db  *postgres.DB
	now Clock
}

// NewLimiter returns a limiter that counts in the database.
func NewLimiter(db *postgres.DB, now Clock) *Limiter { return &Limiter{db, now} }

// Attempt is one attempt that was let through.
type Attempt struct {
	id      int64
	account []byte
	action  string
}

// Take lets one more attempt through, or returns a TooMany fault with the time to wait. account
// names the target, such as an e-mail address, whether or not it exists; address is that of the
// client. One of the two may be absent; each has its own count. The attempt is pending until Failed
// or Succeeded is called.
func (l *Limiter) Take(ctx context.Context, limit Limit, account string, address netip.Addr) (Attempt, error) {
	attempt := Attempt{action: limit.Action}
	if account != "" {
		attempt.account = Digest(account)
	}
	network := networkOf(address)
	err := l.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := l.lock(ctx, tx, limit.Action, attempt.account, network); err != nil {
			return err
		}
		if err := l.check(ctx, tx, limit, attempt.account, network); err != nil {
			return err
		}
		return l.insert(ctx, tx, &attempt, network)
	})
	if err != nil {
		return Attempt{}, fmt.Errorf("limit %s: %w", limit.Action, err)
	}
	return attempt, nil
}

// lockAttempts serialises the transactions that count the same account or network. The first number
// distinguishes these locks from others; the smaller key is locked first, which prevents deadlocks.
const lockAttempts = `SELECT pg_advisory_xact_lock(7105645, $1), pg_advisory_xact_lock(7105645, $2)`

func (l *Limiter) lock(ctx context.Context, tx pgx.Tx, action string, account []byte, network netip.Prefix) error {
	first, second := lockKey(action+"/account/"+string(account)), lockKey(action+"/network/"+network.String())
	if account == nil {
		first = second
	}
	if !network.IsValid() {
		second = first
	}
	_, err := tx.Exec(ctx, lockAttempts, min(first, second), max(first, second))
	return err
}

func lockKey(name string) int32 {
	return int32(binary.BigEndian.Uint32(Digest(name))) // any 32 bits of the hash
}

// The attempts at one account, or from one network: all, those with an outcome, and the time of the
// oldest.
const (
	countByAccount = `
SELECT count(*), count(*) FILTER (WHERE NOT pending OR at < $4), coalesce(min(at), $3)
FROM attempt
WHERE action = $1 AND account = $2 AND at > $3`

	countByNetwork = `
SELECT count(*), count(*) FILTER (WHERE NOT pending OR at < $4), coalesce(min(at), $3)
FROM attempt
WHERE action = $1 AND network = $2 AND at > $3`
)

func (l *Limiter) check(ctx context.Context, tx pgx.Tx, limit Limit, account []byte, network netip.Prefix) error {
	if account != nil {
		if err := l.checkOne(ctx, tx, limit, countByAccount, account); err != nil {
			return err
		}
	}
	if network.IsValid() {
		return l.checkOne(ctx, tx, limit, countByNetwork, network)
	}
	return nil
}

func (l *Limiter) checkOne(ctx context.Context, tx pgx.Tx, limit Limit, query string, key any) error {
	var all, over int
	var oldest time.Time
	now := l.now()
	err := tx.QueryRow(ctx, query, limit.Action, key, now.Add(-limit.Window), now.Add(-pendingFor)).
		Scan(&all, &over, &oldest)
	if err != nil || all < limit.Most {
		return err
	}
	tooMany := fault.New(fault.TooMany, "too_many_attempts", "too many attempts; try again later")
	tooMany.RetryAfter = max(oldest.Add(limit.Window).Sub(now), time.Second)
	if over < limit.Most { // pending ones may yet succeed
		tooMany.RetryAfter = time.Second
	}
	return tooMany
}

const insertAttempt = `
INSERT INTO attempt (action, account, network, at, pending)
VALUES ($1, $2, $3, $4, true)
RETURNING id`

func (l *Limiter) insert(ctx context.Context, tx pgx.Tx, attempt *Attempt, network netip.Prefix) error {
	var from *netip.Prefix
	if network.IsValid() {
		from = &network
	}
	if attempt.account == nil && from == nil {
		return nil // neither account nor address
	}
	return tx.QueryRow(ctx, insertAttempt, attempt.action, attempt.account, from, l.now()).Scan(&attempt.id)
}

const settleAttempt = `
UPDATE attempt
SET pending = false
WHERE id = $1`

// Failed ends the attempt, which counts.
func (l *Limiter) Failed(ctx context.Context, attempt Attempt) error {
	if _, err := l.db.Exec(ctx, settleAttempt, attempt.id); err != nil {
		return fmt.Errorf("store attempt: %w", err)
	}
	return nil
}

// Count takes an attempt that counts whether or not it succeeds, such as a request that sends a
// mail. The fault is that of Take.
func (l *Limiter) Count(ctx context.Context, limit Limit, account string, address netip.Addr) error {
	attempt, err := l.Take(ctx, limit, account, address)
	if err != nil {
		return err
	}
	return l.Failed(ctx, attempt)
}

const deleteAttempt = `
DELETE FROM attempt
WHERE id = $1`

// Cancelled deletes the attempt without any other effect: it was not carried out.
func (l *Limiter) Cancelled(ctx context.Context, attempt Attempt) error {
	if _, err := l.db.Exec(ctx, deleteAttempt, attempt.id); err != nil {
		return fmt.Errorf("delete attempt: %w", err)
	}
	return nil
}

const forgiveNetworkless = `
DELETE FROM attempt
WHERE action = $1 AND account = $2 AND network IS NULL`

const forgiveAccount = `
UPDATE attempt
SET account = NULL
WHERE action = $1 AND account = $2`

// Succeeded deletes the attempt and forgives the account's earlier ones.
func (l *Limiter) Succeeded(ctx context.Context, tx pgx.Tx, attempt Attempt) error {
	if _, err := tx.Exec(ctx, deleteAttempt, attempt.id); err != nil {
		return fmt.Errorf("delete attempt: %w", err)
	}
	if attempt.account == nil {
		return nil
	}
	return l.forgive(ctx, tx, attempt.action, attempt.account)
}

// Forgive stops counting the attempts at the account; they still count for their addresses.
func (l *Limiter) Forgive(ctx context.Context, tx pgx.Tx, action, account string) error {
	return l.forgive(ctx, tx, action, Digest(account))
}

func (l *Limiter) forgive(ctx context.Context, tx pgx.Tx, action string, account []byte) error {
	for _, statement := range []string{forgiveNetworkless, forgiveAccount} {
		if _, err := tx.Exec(ctx, statement, action, account); err != nil {
			return fmt.Errorf("forgive attempts: %w", err)
		}
	}
	return nil
}
