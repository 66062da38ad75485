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

// Limit is how often something may be tried.
type Limit struct {
	Action string // what is tried, e.g. "login"
	Most   int
	Window time.Duration
}

// pendingFor is how long an attempt may take whose outcome nobody has noted: it is over by then.
const pendingFor = time.Minute

// Limiter counts attempts in the database, so that a limit holds for all nodes together.
//
// What counts is what failed and what is still going on: a success takes its own attempt back. So an office behind one
// address may log in all morning, while a thousand guesses at once are still five. A success also forgives its account's
// failures, but never its address's: whoever guesses at strangers gains nothing by logging in as themselves in between.
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

// Take lets one more attempt through, or returns a TooMany fault that says when to come back. account names what is tried
// at, such as an e-mail address, whether it exists or not; address is where from. One of the two may be absent; each that
// is there has the limit of its own. Until Failed or Succeeded is called the attempt counts as going on.
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

// lockAttempts makes those who count the same thing count one after the other. The first number sets these locks apart
// from any others; the smaller of the two keys is locked first, so that nobody waits in a circle.
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
	return int32(binary.BigEndian.Uint32(Digest(name))) // any 32 bits will do
}

// What was tried at one account or from one network: how often, how often with an outcome, and since when.
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
	if over < limit.Most { // those that are still going on may yet succeed
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
		return nil // nothing to count by
	}
	return tx.QueryRow(ctx, insertAttempt, attempt.action, attempt.account, from, l.now()).Scan(&attempt.id)
}

const settleAttempt = `
UPDATE attempt
SET pending = false
WHERE id = $1`

// Failed notes that the attempt is over and counts.
func (l *Limiter) Failed(ctx context.Context, attempt Attempt) error {
	if _, err := l.db.Exec(ctx, settleAttempt, attempt.id); err != nil {
		return fmt.Errorf("note attempt: %w", err)
	}
	return nil
}

// Count takes an attempt that counts however it ends: the mails that somebody causes, for instance. The fault is that of
// Take.
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

// Cancelled takes the attempt back without any other effect: it was never carried out.
func (l *Limiter) Cancelled(ctx context.Context, attempt Attempt) error {
	if _, err := l.db.Exec(ctx, deleteAttempt, attempt.id); err != nil {
		return fmt.Errorf("take attempt back: %w", err)
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

// Succeeded takes the attempt back and forgives the account's earlier ones.
func (l *Limiter) Succeeded(ctx context.Context, tx pgx.Tx, attempt Attempt) error {
	if _, err := tx.Exec(ctx, deleteAttempt, attempt.id); err != nil {
		return fmt.Errorf("take attempt back: %w", err)
	}
	if attempt.account == nil {
		return nil
	}
	return l.forgive(ctx, tx, attempt.action, attempt.account)
}

// Forgive forgets what was tried at the account, but not from where.
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
