package outbox

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// Publish publishes changes and API keys and returns once they are acknowledged, with how far the
// stream has got by then. After an error it is not known which were published.
type Publish func(ctx context.Context, changes []change.Change, keys []change.Key) (Published, error)

// Published is what has become of changes and API keys.
type Published struct {
	Sequence uint64         // of the stream's newest message
	Failures map[Ref]string // entities whose change can never be published in this state, with the reason
}

// Round is what one round of the relay has done.
type Round struct {
	Rows     int            // taken from the outbox
	Sent     int            // changes and keys published
	Failures map[Ref]string // entities whose publishing is retried later, with the reason
	Position uint64         // all transactions with numbers up to this one are published
	Sequence uint64         // of the stream's newest message; 0 when there was nothing to publish
}

// Relay takes up to limit rows that are due from the outbox, publishes the present public state of
// each of their entities once, and deletes the rows; all in one transaction that sees the state of
// one moment, which includes everything that the rows' own transactions wrote. After an error all
// rows are still there; some changes may have been published.
func (s *Session) Relay(ctx context.Context, now time.Time, limit int, publish Publish) (Round, error) {
	var round Round
	revision, err := s.nextRevision(ctx, now)
	if err != nil {
		return round, err
	}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead}
	err = pgx.BeginTxFunc(ctx, s.conn, options, func(tx pgx.Tx) (err error) {
		if revision > 0 { // else nothing is due; what was enqueued since then wakes the next round
			if round, err = relayDue(ctx, tx, now, limit, revision, publish); err != nil {
				return err
			}
		}
		round.Position, err = readPosition(ctx, tx)
		return err
	})
	return round, err
}

// relayDue takes rows, publishes and settles them.
func relayDue(
	ctx context.Context, tx pgx.Tx, now time.Time, limit int, revision int64, publish Publish,
) (Round, error) {
	rows, err := take(ctx, tx, now, limit)
	if err != nil || rows.count == 0 {
		return Round{}, err
	}
	return relayRows(ctx, tx, now, rows, revision, publish)
}

// fewRows is up to how many rows a round reads its snapshots by plans that are kept.
const fewRows = 20

// relayRows publishes what was taken and settles its rows.
func relayRows(
	ctx context.Context, tx pgx.Tx, now time.Time, rows taken, revision int64, publish Publish,
) (Round, error) {
	if rows.count <= fewRows {
		if _, err := tx.Exec(ctx, postgres.PlanOnce); err != nil {
			return Round{}, fmt.Errorf("set how to plan: %w", err)
		}
	}
	changes, failures, err := readChanges(ctx, tx, rows.ids, revision)
	if err != nil {
		return Round{}, err
	}
	keys, err := readKeys(ctx, tx, rows.ids[change.KindKey], revision)
	if err != nil {
		return Round{}, err
	}
	sending := traceChanges(ctx, changes, rows.trace)
	published, err := publish(ctx, changes, keys)
	sending.end(err)
	if err != nil {
		return Round{}, err
	}
	maps.Copy(failures, published.Failures)
	round := Round{
		Rows: rows.count, Sent: len(changes) - len(published.Failures) + len(keys), Failures: failures,
		Sequence: published.Sequence,
	}
	if err := rows.settle(ctx, tx, now, failures); err != nil {
		return Round{}, err
	}
	return round, holdSequence(ctx, tx, published.Sequence)
}

// selectPosition reads the snapshot in which the rows were taken: it shows every transaction below
// its xmin, so that what these have enqueued was published or is still there. A transaction with a
// smaller number that commits later was running in that snapshot and holds its xmin down. Rows that
// wait for another attempt do not count: they may never be published.
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

// readChanges returns the present change of each entity under a revision: its snapshot, or a
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
