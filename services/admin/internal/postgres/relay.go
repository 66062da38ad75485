package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/change"
)

const (
	relayLock     = 0x6c697466617373 // "litfass": the advisory lock of the one session that may relay
	outboxChannel = "catalog_outbox"
	closeTimeout  = 2 * time.Second
)

// relaySettings make the server notice within half a minute that a leader's machine has gone, and free the lock; and let it
// plan each statement by what the tables hold then: this session lives on while they grow from nothing.
var relaySettings = map[string]string{
	"application_name":        "litfass-relay",
	"tcp_keepalives_idle":     "10",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "3",
	"plan_cache_mode":         "force_custom_plan",
}

// RelaySession is a connection of its own that can lead the relay. Lock, snapshots and revisions all belong to this one
// session: while it lives, no other can take a revision, so of two revisions the greater has seen the later state. It is
// for one goroutine.
type RelaySession struct {
	conn  *pgx.Conn
	woken bool // a notification has arrived since the last Wait
}

// OpenRelay connects a session, which listens from then on.
func (db *DB) OpenRelay(ctx context.Context) (*RelaySession, error) {
	session := &RelaySession{}
	config := db.pool.Config().ConnConfig
	for name, setting := range relaySettings {
		config.RuntimeParams[name] = setting
	}
	config.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) { session.woken = true }
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect the relay: %w", err)
	}
	session.conn = conn
	if _, err := conn.Exec(ctx, "LISTEN "+outboxChannel); err != nil {
		session.Close()
		return nil, fmt.Errorf("listen for the outbox: %w", err)
	}
	return session, nil
}

// Close ends the session, and with it its leadership.
func (s *RelaySession) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = s.conn.Close(ctx) // the server ends the session either way
}

// Alive reports whether the session can still be used; if not, its leadership is gone too.
func (s *RelaySession) Alive() bool { return !s.conn.IsClosed() }

const tryRelayLock = `
SELECT pg_try_advisory_lock($1)`

// Lead reports whether this session is now the leader. A leader stays one until the session ends.
func (s *RelaySession) Lead(ctx context.Context) (leads bool, err error) {
	if err := s.conn.QueryRow(ctx, tryRelayLock, relayLock).Scan(&leads); err != nil {
		return false, fmt.Errorf("take the relay's lock: %w", err)
	}
	return leads, nil
}

// Wait returns once something was committed to the outbox since the last call, or after a while.
func (s *RelaySession) Wait(ctx context.Context, while time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, while)
	defer cancel()
	for !s.woken {
		err := s.conn.PgConn().WaitForNotification(waiting)
		if waiting.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("wait for the outbox: %w", err)
		}
	}
	s.woken = false
	return nil
}

// Outbox returns what the outbox holds now.
func (s *RelaySession) Outbox(ctx context.Context) (Outbox, error) {
	return scanOutbox(s.conn.QueryRow(ctx, selectOutboxState))
}

const releaseDue = `
UPDATE event
SET release_scheduled = false
WHERE release_scheduled AND release_date <= $1
RETURNING uuid::text`

// Release makes public all events whose release date has come by now, and returns how many there were. It writes to the
// outbox only when there are some: also a statement that inserts nothing would wake everybody who waits for the outbox, this
// session before all.
func (s *RelaySession) Release(ctx context.Context, now time.Time) (int, error) {
	var released []string
	err := pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, releaseDue, now)
		if err != nil {
			return fmt.Errorf("release due events: %w", err)
		}
		if released, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return fmt.Errorf("release due events: %w", err)
		}
		if err := Enqueue(ctx, tx, change.KindEvent, released); err != nil {
			return err
		}
		return EnqueueOwnersOfEvents(ctx, tx, released)
	})
	return len(released), err
}

// Publish hands changes on and returns once they are safe. The failures are of entities whose change can never be published
// as it stands, with the reason, while all others are safe; after an error nothing is known of any.
type Publish func(ctx context.Context, changes []change.Change) (failures map[Entity]string, err error)

// Round is what one round of the relay has done.
type Round struct {
	Rows     int               // taken from the outbox
	Sent     int               // changes published
	Failures map[Entity]string // entities that wait for another attempt, with the reason
}

// Relay takes up to limit rows that are due from the outbox, publishes the present public state of each of their entities
// once, and deletes the rows; all in one transaction that sees the state of one moment, which includes everything that
// the rows' own transactions wrote. After an error all rows are still there; some changes may have been published.
func (s *RelaySession) Relay(ctx context.Context, now time.Time, limit int, publish Publish) (Round, error) {
	var round Round
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead}
	err := pgx.BeginTxFunc(ctx, s.conn, options, func(tx pgx.Tx) error {
		rows, err := take(ctx, tx, now, limit)
		if err != nil || rows.count == 0 {
			return err
		}
		changes, failures, err := readChanges(ctx, tx, rows.entities)
		if err != nil {
			return err
		}
		rejected, err := publish(ctx, changes)
		if err != nil {
			return err
		}
		for entity, reason := range rejected {
			failures[entity] = reason
		}
		round = Round{Rows: rows.count, Sent: len(changes) - len(rejected), Failures: failures}
		return rows.settle(ctx, tx, now, failures)
	})
	return round, err
}

const nextRevision = `
SELECT nextval('catalog_revision')`

// readChanges returns the present change of each entity under one new revision: its snapshot, or a tombstone. An entity
// whose snapshot cannot be encoded is a failure.
func readChanges(ctx context.Context, tx pgx.Tx, entities map[change.Kind][]string) ([]change.Change, map[Entity]string, error) {
	var revision int64
	if err := tx.QueryRow(ctx, nextRevision).Scan(&revision); err != nil {
		return nil, nil, fmt.Errorf("take a revision: %w", err)
	}
	var changes []change.Change
	failures := map[Entity]string{}
	for _, kind := range change.Kinds {
		snapshots, err := Snapshots(ctx, tx, kind, entities[kind])
		if err != nil {
			return nil, nil, err
		}
		for _, id := range entities[kind] {
			c, err := change.New(kind, id, revision, snapshots[id])
			if err != nil {
				failures[Entity{kind, id}] = err.Error()
				continue
			}
			changes = append(changes, c)
		}
	}
	return changes, failures, nil
}
