package eventimport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// record is the database's record of the values that the last import of a source had for an event.
type record struct {
	ExternalID string
	EventUUID  string
	Digests    map[string]string // of values, by fields
	Dates      []recordDate
}

// recordDate is a date that an import has added or changed.
type recordDate struct {
	Key    string `json:"key"` // in the file
	UUID   string `json:"uuid"`
	Digest string `json:"digest"`
	Texts  string `json:"texts,omitzero"` // the digest of its translations, "" without any

	Cancelled bool `json:"cancelled,omitzero"` // because it was no longer in the file
}

// digest returns the digest of a value, which is stored to detect that the value has changed.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

const selectRecords = `
SELECT external_id, event_uuid::text, digests, dates
FROM imported_event
WHERE org_uuid = $1 AND source = $2 AND external_id = ANY($3)`

// readRecords returns the records of a source by the external ids of the events.
func readRecords(ctx context.Context, tx pgx.Tx, org, source string, ids []string) (map[string]record, error) {
	list, err := postgres.List[record](ctx, tx, "imported events", selectRecords, org, source, ids)
	records := make(map[string]record, len(list))
	for _, r := range list {
		records[r.ExternalID] = r
	}
	return records, err
}

const lockRecord = `SELECT pg_advisory_xact_lock(7105648, hashtext($1))`

// lock serialises imports of the same event.
func lock(ctx context.Context, tx pgx.Tx, org, source, id string) error {
	if _, err := tx.Exec(ctx, lockRecord, fmt.Sprintf("%s %q %q", org, source, id)); err != nil {
		return fmt.Errorf("lock imported event: %w", err)
	}
	return nil
}

const upsertRecord = `
INSERT INTO imported_event (org_uuid, source, external_id, event_uuid, digests, dates, imported_at, origin)
VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8, ''))
ON CONFLICT (org_uuid, source, external_id) DO UPDATE
SET event_uuid = excluded.event_uuid, digests = excluded.digests, dates = excluded.dates,
    imported_at = excluded.imported_at, origin = excluded.origin`

func (r record) write(ctx context.Context, tx pgx.Tx, org, source, origin string, now time.Time) error {
	_, err := tx.Exec(ctx, upsertRecord, org, source, r.ExternalID, r.EventUUID, r.Digests, r.Dates, now, origin)
	if err != nil {
		return fmt.Errorf("write imported event: %w", err)
	}
	return nil
}
