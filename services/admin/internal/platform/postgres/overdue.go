package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// overdue ends the lock waits of sessions that have worked for longer than maxWait. lock_timeout
// bounds each wait separately, but a transaction may wait for several rows in turn, and for a row
// that others wait for, too, PostgreSQL waits twice: to become the next in line, and for the row.
type overdue struct {
	config *pgx.ConnConfig

	mu       sync.Mutex
	sessions map[*session]bool
	watching bool
}

// session is the use of one connection by one transaction or statement.
type session struct {
	pid   uint32 // of its process in PostgreSQL
	ended bool
}

// lockPolls is the time between two looks at the overdue sessions.
const lockPolls = 100 * time.Millisecond

// watch bounds the lock waits of the process with the pid: once left has passed, its waits are
// cancelled. The caller calls end before it uses the connection for anything else.
func (o *overdue) watch(pid uint32, left time.Duration) (end func()) {
	s := &session{pid: pid}
	timer := time.AfterFunc(left, func() { o.add(s) })
	return sync.OnceFunc(func() {
		if !timer.Stop() {
			o.remove(s)
		}
	})
}

func (o *overdue) add(s *session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s.ended {
		return
	}
	o.sessions[s] = true
	if !o.watching {
		o.watching = true
		go o.cancelWaits()
	}
}

func (o *overdue) remove(s *session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s.ended = true
	delete(o.sessions, s)
}

// cancelWaits looks at the overdue sessions until there are none. It has a connection of its own,
// because all of the pool may wait. While it cannot connect, lock_timeout ends the waits.
func (o *overdue) cancelWaits() {
	ctx := context.Background()
	polls := time.NewTicker(lockPolls)
	defer polls.Stop()
	var conn *pgx.Conn
	for o.look(func(pids []uint32) {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if conn == nil || conn.IsClosed() {
			conn, _ = pgx.ConnectConfig(ctx, o.config.Copy())
		}
		if conn != nil {
			_, _ = conn.Exec(ctx, cancelWaiting, pids)
		}
	}) {
		<-polls.C
	}
	if conn != nil {
		_ = conn.Close(ctx)
	}
}

const cancelWaiting = `
SELECT pg_cancel_backend(pid)
FROM pg_stat_activity
WHERE pid = ANY($1)
  AND wait_event_type = 'Lock'`

// look calls cancel with the processes of the overdue sessions and reports whether there are any.
// None of them ends meanwhile: its connection would be cancelled in the hands of the next user.
func (o *overdue) look(cancel func(pids []uint32)) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	pids := make([]uint32, 0, len(o.sessions))
	for s := range o.sessions {
		pids = append(pids, s.pid)
	}
	o.watching = len(pids) > 0
	if o.watching {
		cancel(pids)
	}
	return o.watching
}
