package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/change"
)

// Entity names something that has a public face.
type Entity struct {
	Kind change.Kind
	ID   string
}

const insertOutbox = `
INSERT INTO outbox (kind, entity_id)
SELECT $1, unnest($2::text[])`

// Enqueue says that the public faces of these entities have changed, or may have: the relay will publish their state.
func Enqueue(ctx context.Context, tx pgx.Tx, kind change.Kind, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, insertOutbox, kind, ids); err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}

const takeOutbox = `
SELECT id, kind, entity_id
FROM outbox
WHERE retry_at IS NULL OR retry_at <= $1
ORDER BY id
LIMIT $2`

// taken is what a round of the relay has taken from the outbox.
type taken struct {
	rows     map[Entity][]int64 // the ids of each entity's rows
	entities map[change.Kind][]string
	count    int
}

// take reads rows that are due and collapses them by entity.
func take(ctx context.Context, tx pgx.Tx, now time.Time, limit int) (taken, error) {
	t := taken{rows: map[Entity][]int64{}, entities: map[change.Kind][]string{}}
	rows, err := tx.Query(ctx, takeOutbox, now, limit)
	if err != nil {
		return t, fmt.Errorf("read outbox: %w", err)
	}
	var id int64
	var e Entity
	_, err = pgx.ForEachRow(rows, []any{&id, &e.Kind, &e.ID}, func() error {
		if len(t.rows[e]) == 0 {
			t.entities[e.Kind] = append(t.entities[e.Kind], e.ID)
		}
		t.rows[e] = append(t.rows[e], id)
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

// deleteWaiting removes older rows of the same entities that wait for another attempt: what was published covers them.
const deleteWaiting = `
DELETE FROM outbox
USING unnest($1::text[], $2::text[]) AS sent (kind, entity_id)
WHERE outbox.kind = sent.kind AND outbox.entity_id = sent.entity_id AND outbox.attempts > 0`

// postpone puts rows off by 10 seconds, then twice as long each time, up to an hour.
const postpone = `
UPDATE outbox
SET attempts = attempts + 1,
    retry_at = $2::timestamptz + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10))),
    last_error = $3
WHERE id = ANY ($1)`

// settle deletes the rows of what was published and puts off those of what could not be, with the reason.
func (t taken) settle(ctx context.Context, tx pgx.Tx, now time.Time, failures map[Entity]string) error {
	var sent []int64
	var kinds, ids []string
	batch := &pgx.Batch{}
	for entity, rows := range t.rows {
		if reason, failed := failures[entity]; failed {
			batch.Queue(postpone, rows, now, reason)
			continue
		}
		sent = append(sent, rows...)
		kinds, ids = append(kinds, string(entity.Kind)), append(ids, entity.ID)
	}
	batch.Queue(deleteOutbox, sent)
	batch.Queue(deleteWaiting, kinds, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle outbox: %w", err)
	}
	return nil
}

// Outbox is the state of the outbox: what has yet to be published.
type Outbox struct {
	Pending int       // rows that wait for their first attempt
	Oldest  time.Time // when the oldest of them was written; zero without any
	Failed  int       // rows whose entity could not be published, see last_error
}

const selectOutboxState = `
SELECT
    count(*) FILTER (WHERE attempts = 0),
    coalesce(min(created_at) FILTER (WHERE attempts = 0), '0001-01-01 00:00:00+00'),
    count(*) FILTER (WHERE attempts > 0)
FROM outbox`

// OutboxState returns what the outbox holds now.
func (db *DB) OutboxState(ctx context.Context) (Outbox, error) {
	return scanOutbox(db.pool.QueryRow(ctx, selectOutboxState))
}

func scanOutbox(row pgx.Row) (Outbox, error) {
	var o Outbox
	if err := row.Scan(&o.Pending, &o.Oldest, &o.Failed); err != nil {
		return o, fmt.Errorf("read the outbox's state: %w", err)
	}
	return o, nil
}
