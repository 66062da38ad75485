package outbox

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// publishFunc publishes changes and API keys and returns once they are acknowledged. After an error
// it is not known which were published.
type publishFunc func(ctx context.Context, changes []change.Change, keys []change.Key) (publishResult, error)

// publishResult is the result of publishing changes and API keys.
type publishResult struct {
	sequence uint64         // of the stream's newest message
	failures map[Ref]string // entities whose change can never be published in this state, with the reason
}

// round is the result of one round of the relay.
type round struct {
	rows     int            // taken from the outbox
	sent     int            // changes and keys published
	failures map[Ref]string // entities whose publishing is retried later, with the reason
	position uint64         // all transactions with numbers up to this one are published
	sequence uint64         // of the stream's newest message; 0 when there was nothing to publish
}

// publishDue takes up to limit due rows from the outbox, publishes the current public state of each
// of their entities once, and deletes the rows. All of it is one transaction that sees the state of
// one moment, which includes everything that the rows' own transactions wrote. After an error all
// rows are still there; some changes may have been published.
func (s *session) publishDue(ctx context.Context, now time.Time, limit int, publish publishFunc) (round, error) {
	var done round
	revision, err := s.nextRevision(ctx, now)
	if err != nil {
		return done, err
	}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead}
	err = pgx.BeginTxFunc(ctx, s.conn, options, func(tx pgx.Tx) (err error) {
		if revision > 0 { // 0: nothing is due; rows enqueued since then wake the next round
			rows, err := selectDueRows(ctx, tx, now, limit)
			if err != nil {
				return err
			}
			if done, err = publishRows(ctx, tx, now, rows, revision, publish); err != nil {
				return err
			}
			if done.rows > 0 {
				if err := s.updateSequence(ctx, tx, done.sequence); err != nil {
					return err
				}
			}
		}
		done.position, err = readPosition(ctx, tx)
		return err
	})
	return done, err
}

const selectDue = `
SELECT id, kind, entity_id, coalesce(traceparent, '')
FROM outbox
WHERE retry_at IS NULL OR retry_at <= $1
ORDER BY id
LIMIT $2`

// dueRows are the rows of a round, grouped by entity.
type dueRows struct {
	count  int
	rowIDs map[Ref][]int64
	ids    map[change.Kind][]string // the entities, by kind
	traces map[Ref][]string         // the traces of each entity's rows, without duplicates
}

// selectDueRows reads rows that are due.
func selectDueRows(ctx context.Context, tx pgx.Tx, now time.Time, limit int) (dueRows, error) {
	due := dueRows{rowIDs: map[Ref][]int64{}, ids: map[change.Kind][]string{}, traces: map[Ref][]string{}}
	rows, err := tx.Query(ctx, selectDue, now, limit)
	if err != nil {
		return due, fmt.Errorf("read outbox: %w", err)
	}
	var id int64
	var ref Ref
	var parent string
	_, err = pgx.ForEachRow(rows, []any{&id, &ref.Kind, &ref.ID, &parent}, func() error {
		if len(due.rowIDs[ref]) == 0 {
			due.ids[ref.Kind] = append(due.ids[ref.Kind], ref.ID)
		}
		due.rowIDs[ref] = append(due.rowIDs[ref], id)
		if parent != "" && !slices.Contains(due.traces[ref], parent) {
			due.traces[ref] = append(due.traces[ref], parent)
		}
		due.count++
		return nil
	})
	if err != nil {
		return due, fmt.Errorf("read outbox: %w", err)
	}
	return due, nil
}

// unknown returns the entities of kinds that this release does not have, as failures: a newer one,
// which runs at the same time during an upgrade, publishes them.
func (d dueRows) unknown() map[Ref]string {
	failures := map[Ref]string{}
	for kind, ids := range d.ids {
		if kind == change.KindKey || slices.Contains(change.Kinds, kind) {
			continue
		}
		for _, id := range ids {
			failures[Ref{kind, id}] = "of a kind that only a newer release can publish"
		}
	}
	return failures
}

// smallRound is the number of rows up to which a round reads its snapshots by cached plans.
const smallRound = 20

// publishRows publishes the entities of the rows, then deletes or postpones the rows.
func publishRows(
	ctx context.Context, tx pgx.Tx, now time.Time, due dueRows, revision int64, publish publishFunc,
) (round, error) {
	if due.count == 0 {
		return round{}, nil
	}
	if due.count <= smallRound {
		if _, err := tx.Exec(ctx, postgres.PlanOnce); err != nil {
			return round{}, fmt.Errorf("set how to plan: %w", err)
		}
	}
	changes, failures, err := readChanges(ctx, tx, due.ids, revision)
	if err != nil {
		return round{}, err
	}
	keys, err := readKeys(ctx, tx, due.ids[change.KindKey], revision)
	if err != nil {
		return round{}, err
	}
	spans := traceChanges(ctx, changes, due.traces)
	result, err := publish(ctx, changes, keys)
	spans.end(err)
	if err != nil {
		return round{}, err
	}
	maps.Copy(failures, result.failures)
	maps.Copy(failures, due.unknown())
	if err := settle(ctx, tx, now, due.rowIDs, failures); err != nil {
		return round{}, err
	}
	done := round{
		rows: due.count, sent: len(changes) - len(result.failures) + len(keys), failures: failures,
		sequence: result.sequence,
	}
	return done, nil
}

// readChanges returns the current change of each entity under a revision: its snapshot, or a
// tombstone. An entity whose snapshot cannot be encoded is a failure.
func readChanges(
	ctx context.Context, tx pgx.Tx, ids map[change.Kind][]string, revision int64,
) ([]change.Change, map[Ref]string, error) {
	var changes []change.Change
	failures := map[Ref]string{}
	for _, kind := range change.Kinds {
		snapshots, err := Snapshots(ctx, tx, kind, ids[kind])
		if err != nil {
			return nil, nil, err
		}
		for _, id := range ids[kind] {
			c, err := change.New(kind, id, revision, snapshots[id])
			if err != nil {
				failures[Ref{kind, id}] = err.Error()
				continue
			}
			changes = append(changes, c)
		}
	}
	return changes, failures, nil
}

const deleteRows = `
DELETE FROM outbox
WHERE id = ANY ($1)`

// deleteRetries deletes older rows of the same entities that are due for a retry: the published
// state covers them.
const deleteRetries = `
DELETE FROM outbox
USING unnest($1::text[], $2::text[]) AS sent (kind, entity_id)
WHERE outbox.kind = sent.kind AND outbox.entity_id = sent.entity_id AND outbox.attempts > 0`

// postponeRows delays rows by 10 seconds, then twice as long each time, up to an hour.
const postponeRows = `
UPDATE outbox
SET attempts = attempts + 1,
    retry_at = $2::timestamptz + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10))),
    last_error = $3
WHERE id = ANY ($1)`

const retryRows = `
UPDATE outbox
SET retry_at = $1
WHERE retry_at > $1`

// retryPostponed makes all postponed rows due: a leader may be able to publish what the former one,
// of another release, could not.
func (s *session) retryPostponed(ctx context.Context, now time.Time) error {
	if _, err := s.conn.Exec(ctx, retryRows, now); err != nil {
		return fmt.Errorf("retry what could not be published: %w", err)
	}
	return nil
}

// settle deletes the rows of published entities and postpones the failed ones, with the reason.
func settle(
	ctx context.Context, tx pgx.Tx, now time.Time, rowIDs map[Ref][]int64, failures map[Ref]string,
) error {
	var sent []int64
	var kinds, ids []string
	batch := &pgx.Batch{}
	for ref, rows := range rowIDs {
		if reason, failed := failures[ref]; failed {
			batch.Queue(postponeRows, rows, now, reason)
			continue
		}
		sent = append(sent, rows...)
		kinds, ids = append(kinds, string(ref.Kind)), append(ids, ref.ID)
	}
	batch.Queue(deleteRows, sent)
	batch.Queue(deleteRetries, kinds, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle outbox: %w", err)
	}
	return nil
}

// selectPosition reads the snapshot in which the rows were selected: it shows every transaction
// below its xmin, so that the rows of these were published or are still in the outbox. A
// transaction with a smaller number that commits later was running in that snapshot and holds its
// xmin down. Rows that wait for another attempt do not count: they may never be published.
const selectPosition = `
SELECT least(pg_snapshot_xmin(pg_current_snapshot()), min(xid))::text::bigint - 1
    + (SELECT last_value FROM position_base)
FROM outbox
WHERE attempts = 0`

// readPosition returns the number up to which every transaction is published once the rows of this
// round are. The transaction must see the state of one moment.
func readPosition(ctx context.Context, tx pgx.Tx) (uint64, error) {
	var position int64
	if err := tx.QueryRow(ctx, selectPosition).Scan(&position); err != nil {
		return 0, fmt.Errorf("read the position: %w", err)
	}
	return uint64(position), nil
}
