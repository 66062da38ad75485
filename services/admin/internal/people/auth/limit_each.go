package auth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
)

const (
	// countEach counts the attempts of each action at an account since a time. $1 to $3 are lists of
	// one length.
	countEach = `
SELECT a.attempts, a.oldest
FROM unnest($1::text[], $2::bytea[], $3::timestamptz[]) WITH ORDINALITY AS asked (action, account, since, place)
CROSS JOIN LATERAL (
    SELECT count(*)::integer AS attempts, coalesce(min(at), asked.since) AS oldest
    FROM attempt
    WHERE attempt.action = asked.action AND attempt.account = asked.account AND attempt.at > asked.since
) AS a
ORDER BY asked.place`

	insertEach = `
INSERT INTO attempt (action, account, at, pending)
SELECT action, account, $3, false
FROM unnest($1::text[], $2::bytea[]) AS counted (action, account)`
)

// counted is a count of attempts, and since when they are counted.
type counted struct {
	Attempts int
	Oldest   time.Time
}

// target identifies a count: limits of one action at one account share its attempts.
type target struct{ action, account string }

func (l AccountLimit) target() target { return target{l.Action, string(Digest(l.Account))} }

// CountEach counts several attempts in a transaction, each within limits of its own, with any
// outcome. An attempt that one of its limits refuses counts for none of them. It returns for each
// attempt nil, or the TooMany fault with the longest time to wait. Other attempts at the accounts
// wait for the transaction.
func CountEach(ctx context.Context, tx pgx.Tx, now time.Time, attempts ...[]AccountLimit) ([]*fault.Fault, error) {
	limits := slices.Concat(attempts...)
	found, err := countsOf(ctx, tx, now, limits)
	if err != nil {
		return nil, fmt.Errorf("limit attempts: %w", err)
	}
	refused := make([]*fault.Fault, len(attempts))
	added := map[target]int{} // by the attempts before
	var actions []string
	var accounts [][]byte
	next := 0
	for i, of := range attempts {
		once := map[target]bool{}
		for _, limit := range of {
			is := found[next]
			next++
			if is.Attempts+added[limit.target()] >= limit.Max {
				refused[i] = longest(refused[i], limit.tooMany(is.Oldest, now))
			}
			once[limit.target()] = true
		}
		if refused[i] != nil {
			continue
		}
		for t := range once {
			added[t]++
			actions, accounts = append(actions, t.action), append(accounts, []byte(t.account))
		}
	}
	if _, err := tx.Exec(ctx, insertEach, actions, accounts, now); err != nil {
		return nil, fmt.Errorf("store attempts: %w", err)
	}
	return refused, nil
}

// countsOf locks the accounts of the limits and counts their attempts.
func countsOf(ctx context.Context, tx pgx.Tx, now time.Time, limits []AccountLimit) ([]counted, error) {
	keys, actions := make([]int32, len(limits)), make([]string, len(limits))
	accounts, since := make([][]byte, len(limits)), make([]time.Time, len(limits))
	for i, limit := range limits {
		accounts[i], actions[i], since[i] = Digest(limit.Account), limit.Action, now.Add(-limit.Window)
		keys[i] = lockKey(limit.Action + "/account/" + string(accounts[i]))
	}
	if err := lockCounts(ctx, tx, keys); err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, countEach, actions, accounts, since) // the error comes with the rows
	return pgx.CollectRows(rows, pgx.RowToStructByPos[counted])
}

// tooMany is the fault beyond the limit.
func (l Limit) tooMany(oldest, now time.Time) *fault.Fault {
	return &fault.Fault{
		Kind: fault.TooMany, Code: cmp.Or(l.Code, "too_many_attempts"),
		Message:    cmp.Or(l.Message, "too many attempts; try again later"),
		RetryAfter: max(oldest.Add(l.Window).Sub(now), time.Second),
	}
}

func longest(a, b *fault.Fault) *fault.Fault {
	if a != nil && a.RetryAfter >= b.RetryAfter {
		return a
	}
	return b
}
