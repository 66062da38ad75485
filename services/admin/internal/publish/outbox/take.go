package outbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
)

const takeOutbox = `
SELECT id, kind, entity_id, coalesce(traceparent, '')
FROM outbox
WHERE retry_at IS NULL OR retry_at <= $1
ORDER BY id
LIMIT $2`

// taken are the rows that a round of the relay has taken from the outbox.
type taken struct {
	rows  map[Ref][]int64          // the outbox's rows of each entity
	ids   map[change.Kind][]string // the entities, by kind
	trace map[Ref][]string         // the traces of each entity's rows, without duplicates
	count int
}

// take reads rows that are due and collapses them by entity.
func take(ctx context.Context, tx pgx.Tx, now time.Time, limit int) (taken, error) {
	t := taken{rows: map[Ref][]int64{}, ids: map[change.Kind][]string{}, trace: map[Ref][]string{}}
	rows, err := tx.Query(ctx, takeOutbox, now, limit)
	if err != nil {
		return t, fmt.Errorf("read outbox: %w", err)
	}
	var id int64
	var ref Ref
	var parent string
	_, err = pgx.ForEachRow(rows, []any{&id, &ref.Kind, &ref.ID, &parent}, func() error {
		if len(t.rows[ref]) == 0 {
			t.ids[ref.Kind] = append(t.ids[ref.Kind], ref.ID)
		}
		t.rows[ref] = append(t.rows[ref], id)
		if parent != "" && !slices.Contains(t.trace[ref], parent) {
			t.trace[ref] = append(t.trace[ref], parent)
		}
		t.count++
		return nil
	})
	if err != nil {
		return t, fmt.Errorf("read outbox: %w", err)
	}
	return t, nil
}

const deleteOutbox = `
DELETE FROM outbox
WHERE id = ANY ($1)`

// deleteWaiting deletes older rows of the same entities that are due for a retry: the published
// state covers them.
const deleteWaiting = `
DELETE FROM outbox
USING unnest($1::text[], $2::text[]) AS sent (kind, entity_id)
WHERE outbox.kind = sent.kind AND outbox.entity_id = sent.entity_id AND outbox.attempts > 0`

// postpone delays rows by 10 seconds, then twice as long each time, up to an hour.
const postpone = `
UPDATE outbox
SET attempts = attempts + 1,
    retry_at = $2::timestamptz + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10))),
    last_error = $3
WHERE id = ANY ($1)`

// settle deletes the rows of published entities, and postpones those that failed, with the reason.
func (t taken) settle(ctx context.Context, tx pgx.Tx, now time.Time, failures map[Ref]string) error {
	var sent []int64
	var kinds, ids []string
	batch := &pgx.Batch{}
	for ref, rows := range t.rows {
		if reason, failed := failures[ref]; failed {
			batch.Queue(postpone, rows, now, reason)
			continue
		}
		sent = append(sent, rows...)
		kinds, ids = append(kinds, string(ref.Kind)), append(ids, ref.ID)
	}
	batch.Queue(deleteOutbox, sent)
	batch.Queue(deleteWaiting, kinds, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle outbox: %w", err)
	}
	return nil
}
