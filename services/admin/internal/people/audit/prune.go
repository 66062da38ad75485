package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Config is the retention of entries.
type Config struct {
	Age        time.Duration `env:"AUDIT_AGE" envDefault:"17520h"`        // of an entry
	AddressAge time.Duration `env:"AUDIT_ADDRESS_AGE" envDefault:"2160h"` // of the addresses of clients
}

// pruned is the number of entries that one round of the janitor looks at. It is more than all
// accounts of a busy platform add meanwhile.
const pruned = 20_000

const (
	// deleteOld deletes the entries of before $1 among the oldest $2. Ids grow with time.
	deleteOld = `
DELETE FROM audit_entry
WHERE id IN (
    SELECT oldest.id
    FROM (SELECT id, at FROM audit_entry ORDER BY id LIMIT $2) AS oldest
    WHERE oldest.at < $1
)`

	// forgetOldAddresses clears the addresses in the entries of before $1 among the $2 after the
	// last entry that has lost its own. Another process that does so at the same time is skipped.
	forgetOldAddresses = `
WITH mark AS (
    SELECT addresses_until
    FROM audit_forgotten
    FOR UPDATE SKIP LOCKED
), batch AS (
    SELECT id, at
    FROM audit_entry
    WHERE id > (SELECT addresses_until FROM mark)
    ORDER BY id
    LIMIT $2
), until AS (
    SELECT coalesce(min(id) FILTER (WHERE at >= $1) - 1, max(id)) AS id
    FROM batch
), moved AS (
    UPDATE audit_forgotten
    SET addresses_until = greatest(addresses_until, until.id)
    FROM until
    WHERE until.id IS NOT NULL
)
UPDATE audit_entry
SET address = NULL
FROM until
WHERE audit_entry.id IN (SELECT batch.id FROM batch) AND audit_entry.id <= until.id AND address IS NOT NULL`
)

// Prune deletes the oldest entries and the addresses in old ones, a part of them in each call.
func (c Config) Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	for _, step := range []struct {
		statement string
		age       time.Duration
	}{{deleteOld, c.Age}, {forgetOldAddresses, c.AddressAge}} {
		if _, err := tx.Exec(ctx, step.statement, now.Add(-step.age), pruned); err != nil {
			return fmt.Errorf("prune audit: %w", err)
		}
	}
	return nil
}
