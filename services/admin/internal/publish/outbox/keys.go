package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// API keys are enqueued by triggers of the database, with each write that decides whether one is
// valid.

const selectKeys = `
SELECT encode(k.hash, 'hex') AS hash, k.created_by, k.tier, k.expires_at
FROM api_key k
WHERE k.revoked_at IS NULL AND api_key_creator_has_access(k.created_by, k.org_uuid)`

const selectKeysByHash = selectKeys + `
    AND k.hash IN (SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS hash)`

// readKeys returns the current state of the keys with these hashes.
func readKeys(ctx context.Context, tx pgx.Tx, hashes []string, revision int64) ([]change.Key, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	found, err := keysIn(ctx, tx, selectKeysByHash, hashes)
	if err != nil {
		return nil, err
	}
	keys := make([]change.Key, len(hashes))
	for i, hash := range hashes {
		keys[i] = found[hash] // without a tier for one that is not found
		keys[i].Hash, keys[i].Revision = hash, revision
	}
	return keys, nil
}

// Keys returns the API keys that query services accept, by hash and without a revision.
func Keys(ctx context.Context, db *postgres.DB) (map[string]change.Key, error) {
	return keysIn(ctx, db, selectKeys)
}

func keysIn(ctx context.Context, q postgres.Querier, sql string, args ...any) (map[string]change.Key, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	keys := map[string]change.Key{}
	var key change.Key
	var creator int
	_, err = pgx.ForEachRow(rows, []any{&key.Hash, &creator, &key.Tier, &key.ExpiresAt}, func() error {
		key.Owner = change.KeyOwner(creator)
		keys[key.Hash] = key
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return keys, nil
}

const insertOutboxOfKeys = `
INSERT INTO outbox (kind, entity_id)
SELECT 'apikey', encode(hash, 'hex')
FROM api_key
UNION
SELECT 'apikey', unnest($1::text[])`

// EnqueueKeys enqueues all API keys, and further hashes, whether or not there are such keys.
func EnqueueKeys(ctx context.Context, tx pgx.Tx, others []string) error {
	return insert(ctx, tx, insertOutboxOfKeys, others)
}

// renewKeys enqueues all API keys if there are any. A new leader does so: the stream may be a new
// one, and a process of an earlier version without API keys may have led before.
func (s *session) renewKeys(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		var some bool
		if err := tx.QueryRow(ctx, selectSomeKey).Scan(&some); err != nil || !some {
			return err
		}
		return EnqueueKeys(ctx, tx, nil)
	})
}

const selectSomeKey = `
SELECT EXISTS (SELECT FROM api_key)`
