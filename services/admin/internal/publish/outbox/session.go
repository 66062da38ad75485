package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/services/admin/internal/platform/postgres"
)

const (
	relayLock     = 0x6c697466617373 // "litfass": the advisory lock of the one session that may relay
	outboxChannel = "catalog_outbox"
	closeTimeout  = 2 * time.Second
)

// relaySettings make the server detect within half a minute that a leader's machine is gone, and
// release the lock. They also disable cached plans, except where a round enables them: the session
// lasts while the tables grow from nothing.
var relaySettings = map[string]string{
	"application_name":        "litfass-relay",
	"tcp_keepalives_idle":     "10",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "3",
	"plan_cache_mode":         "force_custom_plan",
}

// session is a dedicated connection that can lead the relay. The lock, the snapshots and the
// revisions belong to this one session: no other session can take a revision while it lives, so the
// greater of two revisions belongs to the later state. It is not safe for concurrent use.
type session struct {
	conn     *pgx.Conn
	woken    bool  // a notification has arrived since the last wait
	revision int64 // the last that was taken
	current  bool  // the forms of this process are the current ones
}

// openSession connects a session, which listens from then on.
func openSession(ctx context.Context, db *postgres.DB) (*session, error) {
	s := &session{}
	config := db.Pool().Config().ConnConfig
	for name, setting := range relaySettings {
		config.RuntimeParams[name] = setting
	}
	config.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) { s.woken = true }
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect the relay: %w", err)
	}
	s.conn = conn
	if _, err := conn.Exec(ctx, "LISTEN "+outboxChannel); err != nil {
		s.close()
		return nil, fmt.Errorf("listen for the outbox: %w", err)
	}
	return s, nil
}

// close ends the session and its leadership.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = s.conn.Close(ctx) // the server ends the session in any case
}

// alive reports whether the session can still be used; if not, its leadership is gone too.
func (s *session) alive() bool { return !s.conn.IsClosed() }

const tryRelayLock = `
SELECT pg_try_advisory_lock($1)`

// lead tries to become the leader and reports whether this session is. Leadership lasts until the
// session ends.
func (s *session) lead(ctx context.Context) (leads bool, err error) {
	if err := s.conn.QueryRow(ctx, tryRelayLock, relayLock).Scan(&leads); err != nil {
		return false, fmt.Errorf("take the relay's lock: %w", err)
	}
	return leads, nil
}

// wait returns once something was committed to the outbox since the last call, or after a while.
func (s *session) wait(ctx context.Context, while time.Duration) error {
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
