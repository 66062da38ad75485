package auth

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// Limit is the number of attempts that are allowed in a window of time.
type Limit struct {
	Action string // e.g. "login"; limits of one action share its attempts
	Max    int
	Window time.Duration

	Code, Message string // of the fault beyond the limit; default: too_many_attempts
}

// pendingFor is the time after which an attempt without an outcome no longer counts as pending.
const pendingFor = time.Minute

// Limiter counts attempts in the database, so that a limit holds for all nodes together.
//
// Pending attempts count too, so of a thousand simultaneous guesses only five are let through.
type Limiter struct {
	db  *postgres.DB
	now Clock
}

// NewLimiter returns a limiter that counts in the database.
func NewLimiter(db *postgres.DB, now Clock) *Limiter { return &Limiter{db, now} }

// Attempt is one attempt that was let through.
type Attempt struct{ id int64 }

// Take lets one more attempt through, or returns a TooMany fault with the time to wait. account
// names the target, such as an e-mail address, whether or not it exists; address is that of the
// client. One of the two may be absent; each has its own count. The attempt is pending until Settle
// or Cancel is called.
func (l *Limiter) Take(ctx context.Context, limit Limit, account string, address netip.Addr) (Attempt, error) {
	var target []byte
	if account != "" {
		target = Digest(account)
	}
	network := Network(address)
	var attempt Attempt
	err := l.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if err := l.lock(ctx, tx, limit.Action, target, network); err != nil {
			return err
		}
		var from *netip.Prefix
		if target != nil {
			if err := l.check(ctx, tx, limit, countByAccount, target); err != nil {
				return err
			}
		}
		if network.IsValid() {
			from = &network
			if err := l.check(ctx, tx, limit, countByNetwork, network); err != nil {
				return err
			}
		}
		if target == nil && from == nil {
			return nil // nothing to count by
		}
		return tx.QueryRow(ctx, insertAttempt, limit.Action, target, from, l.now()).Scan(&attempt.id)
	})
	if err != nil {
		return Attempt{}, fmt.Errorf("limit %s: %w", limit.Action, err)
	}
	return attempt, nil
}

// lockAttempts serialises the transactions that count the same account or network. The first number
// distinguishes these locks from others; the smaller key is locked first, which prevents deadlocks.
const lockAttempts = `
SELECT pg_advisory_xact_lock(7105645, key)
FROM unnest($1::integer[]) AS key`

func (l *Limiter) lock(ctx context.Context, tx pgx.Tx, action string, account []byte, network netip.Prefix) error {
	var keys []int32
	if account != nil {
		keys = append(keys, lockKey(action+"/account/"+string(account)))
	}
	if network.IsValid() {
		keys = append(keys, lockKey(action+"/network/"+network.String()))
	}
	return lockCounts(ctx, tx, keys)
}

func lockCounts(ctx context.Context, tx pgx.Tx, keys []int32) error {
	slices.Sort(keys)
	_, err := tx.Exec(ctx, lockAttempts, keys)
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

func (l *Limiter) check(ctx context.Context, tx pgx.Tx, limit Limit, query string, key any) error {
	var all, over int
	var oldest time.Time
	now := l.now()
	err := tx.QueryRow(ctx, query, limit.Action, key, now.Add(-limit.Window), now.Add(-pendingFor)).
		Scan(&all, &over, &oldest)
	if err != nil || all < limit.Max {
		return err
	}
	tooMany := limit.tooMany(oldest, now)
	if over < limit.Max { // pending ones may yet be cancelled
		tooMany.RetryAfter = time.Second
	}
	return tooMany
}

const insertAttempt = `
INSERT INTO attempt (action, account, network, at, pending)
VALUES ($1, $2, $3, $4, true)
RETURNING id`

const settleAttempt = `
UPDATE attempt
SET pending = false
WHERE id = $1`

// Settle ends the attempt, which counts.
func (l *Limiter) Settle(ctx context.Context, attempt Attempt) error {
	if _, err := l.db.Exec(ctx, settleAttempt, attempt.id); err != nil {
		return fmt.Errorf("store attempt: %w", err)
	}
	return nil
}

// Count takes an attempt that counts with any outcome. The fault is that of Take.
func (l *Limiter) Count(ctx context.Context, limit Limit, account string, address netip.Addr) error {
	attempt, err := l.Take(ctx, limit, account, address)
	if err != nil {
		return err
	}
	return l.Settle(ctx, attempt)
}

// CountIn is Count within a transaction: the attempt counts if that is committed. Other attempts at
// the account wait for it.
func (l *Limiter) CountIn(ctx context.Context, tx pgx.Tx, limit Limit, account string) error {
	target := Digest(account)
	err := l.lock(ctx, tx, limit.Action, target, netip.Prefix{})
	if err == nil {
		err = l.check(ctx, tx, limit, countByAccount, target)
	}
	if err == nil {
		_, err = tx.Exec(ctx, insertSettled, limit.Action, target, l.now())
	}
	if err != nil {
		return fmt.Errorf("limit %s: %w", limit.Action, err)
	}
	return nil
}

// AccountLimit is a limit of the attempts at one account.
type AccountLimit struct {
	Limit
	Account string
}

// CountAll counts one attempt within several limits, with any outcome. It counts for none of them
// if one refuses it. The fault is TooMany, with the longest time to wait.
func (l *Limiter) CountAll(ctx context.Context, limits ...AccountLimit) error {
	return l.db.InTx(ctx, func(tx pgx.Tx) error {
		refused, err := CountEach(ctx, tx, l.now(), limits)
		if err == nil && refused[0] != nil {
			err = refused[0]
		}
		return err
	})
}

const insertSettled = `
INSERT INTO attempt (action, account, at, pending)
VALUES ($1, $2, $3, false)`

const deleteAttempt = `
DELETE FROM attempt
WHERE id = $1`

// Cancel deletes the attempt: it does not count.
func (l *Limiter) Cancel(ctx context.Context, attempt Attempt) error {
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

// Forgive resets the count of the account; its attempts still count for their addresses.
func (l *Limiter) Forgive(ctx context.Context, tx pgx.Tx, action, account string) error {
	for _, statement := range []string{forgiveNetworkless, forgiveAccount} {
		if _, err := tx.Exec(ctx, statement, action, Digest(account)); err != nil {
			return fmt.Errorf("forgive attempts: %w", err)
		}
	}
	return nil
}
