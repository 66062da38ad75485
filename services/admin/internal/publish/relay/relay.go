// Package relay publishes the entities that the outbox names to the catalogue stream: the current
// public state of each, or a tombstone if it has none. It is the only publisher of the stream.
//
// Any number of processes may run it. The leader is the one whose database session holds the
// relay's lock. When it dies, the lock is released and another takes over within a second; messages
// that the former leader had in flight cannot overwrite newer state, because the stream compares
// revisions (stream.Publish) and revisions are taken under the lock.
package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

const (
	poll         = time.Second            // behind the notifications, and how often releases are looked for
	batchRows    = 500                    // outbox rows of one round: bounds its memory and its transaction
	roundTimeout = time.Minute            // of one round, so that a hanging engine does not hold the lock for ever
	observeEvery = 2 * time.Second        // the figures of the outbox
	firstBackoff = 100 * time.Millisecond // after a failure, doubled up to the longest
	lastBackoff  = 2 * time.Second
)

// Publisher is the part of stream.Stream that the relay uses.
type Publisher interface {
	Ensure(ctx context.Context) error
	Publish(ctx context.Context, changes []change.Change) error
	PublishKeys(ctx context.Context, keys []change.Key) error
	LastRevision(ctx context.Context) (int64, error)
	State(ctx context.Context) (stream.State, error)
	SignalComplete(what stream.Completion) error
}

// Relay publishes what the outbox names. Run it once.
type Relay struct {
	db         *postgres.DB
	stream     Publisher
	enqueueAll Refill
	log        *slog.Logger
	now        func() time.Time
	metrics    *metrics

	held     outbox.Held // the stream, as the leader knows it
	released time.Time   // when events to release were looked for

	mu       sync.Mutex
	state    outbox.State // of the outbox, as last seen
	drained  bool         // the outbox was empty at least once since the start
	failing  bool         // the last round failed; said so in the log
	behind   bool         // because of ErrBehind
	observed time.Time    // when state was read
}

// New returns a relay from the database to the stream. It calls refill when the stream has lost
// messages. now is the clock by which scheduled releases are due.
func New(db *postgres.DB, publisher Publisher, refill Refill, log *slog.Logger, now func() time.Time) *Relay {
	return &Relay{db: db, stream: publisher, enqueueAll: refill, log: log, now: now, metrics: newMetrics()}
}

// Run relays until ctx ends. Failures of either engine are logged once and retried without end, so
// it returns nil.
func (r *Relay) Run(ctx context.Context) error {
	backoff := firstBackoff
	for ctx.Err() == nil {
		started := time.Now()
		err := r.session(ctx)
		r.metrics.leader.Set(0)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // cancellation is no failure, and neither is an operation that it interrupted
		}
		r.failed(err)
		if time.Since(started) > lastBackoff {
			backoff = firstBackoff
		}
		pause(ctx, backoff)
		backoff = min(2*backoff, lastBackoff)
	}
	return nil
}

// session uses one database connection until that fails: it waits for leadership, then leads.
func (r *Relay) session(ctx context.Context) error {
	session, err := outbox.OpenSession(ctx, r.db)
	if err != nil {
		return err
	}
	defer session.Close()
	for {
		leads, err := session.Lead(ctx)
		if err != nil {
			return err
		}
		if leads {
			break
		}
		if err := r.observe(ctx, session); err != nil {
			return err
		}
		r.worked()
		pause(ctx, poll)
	}
	r.log.Info("this process leads the relay")
	r.metrics.leader.Set(1)
	return r.lead(ctx, session)
}

// lead runs rounds until the session dies. A round that fails while the session lives, because the
// stream is down or missing, is retried; before the first round and after each failure it ensures
// that the stream exists.
func (r *Relay) lead(ctx context.Context, session *outbox.Session) error {
	backoff, ensured := firstBackoff, false
	for {
		full, err := r.round(ctx, session, &ensured)
		switch {
		case err == nil:
			r.worked()
			backoff = firstBackoff
		case ctx.Err() != nil || !session.Alive():
			return err
		default:
			r.failed(err)
			ensured = false
			pause(ctx, backoff)
			backoff = min(2*backoff, lastBackoff)
			continue
		}
		if full {
			continue
		}
		if err := session.Wait(ctx, poll); err != nil {
			return err
		}
	}
}

// round publishes one batch and releases what is due. full means that the outbox may hold more;
// ensured means that the stream is known to exist.
func (r *Relay) round(ctx context.Context, session *outbox.Session, ensured *bool) (full bool, err error) {
	if !*ensured {
		if err := r.begin(ctx, session); err != nil {
			return false, err
		}
		*ensured = true
	}
	ctx, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	done, err := session.Relay(ctx, r.now(), batchRows, r.publish)
	if err != nil {
		return false, err
	}
	if err := r.signal(ctx, session, done); err != nil {
		return false, err
	}
	r.metrics.published.Add(float64(done.Sent))
	for ref, reason := range done.Failures {
		r.metrics.unpublishable.Inc()
		r.log.Error("cannot be published and waits", "kind", ref.Kind, "id", ref.ID, "reason", reason)
	}
	released, err := r.release(ctx, session)
	if err != nil {
		return false, err
	}
	return done.Rows == batchRows || released > 0, r.observe(ctx, session)
}

// ErrBehind means that the stream holds changes of a greater revision than the database has taken:
// it was restored from a backup, or the stream is another database's. What it would publish counts
// as older than what the stream holds, and would be lost.
var ErrBehind = errors.New("the stream is ahead of the database: " +
	"if the database was restored, run admin restored; nothing is published until then")

// begin makes sure of everything that rounds rely on.
func (r *Relay) begin(ctx context.Context, session *outbox.Session) error {
	asking, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	if err := r.ensure(asking, session); err != nil {
		return err
	}
	if err := session.RenewKeys(asking); err != nil {
		return fmt.Errorf("renew API keys: %w", err)
	}
	return r.recognize(ctx, session)
}

// ensure makes sure that the stream exists, and that the database may publish to it.
func (r *Relay) ensure(ctx context.Context, session *outbox.Session) error {
	if err := r.stream.Ensure(ctx); err != nil {
		return err
	}
	published, err := r.stream.LastRevision(ctx)
	if err != nil {
		return err
	}
	taken, err := session.Revision(ctx)
	if err == nil && published > taken {
		err = fmt.Errorf("%w (revision %d, and %d in the database)", ErrBehind, published, taken)
	}
	return err
}

// release publishes events whose release date has passed. It looks for them at most once in each
// poll interval.
func (r *Relay) release(ctx context.Context, session *outbox.Session) (released int, err error) {
	if time.Since(r.released) < poll {
		return 0, nil
	}
	if released, err = session.Release(ctx, r.now()); err != nil {
		return 0, err
	}
	r.released = time.Now()
	if released > 0 {
		r.log.Info("released events whose date has come", "events", released)
	}
	return released, nil
}

// publish publishes keys and changes, and separates changes that the stream will never accept. The
// stream is looked at afterwards: if it is the one of before, it is the one that has taken them.
func (r *Relay) publish(
	ctx context.Context, changes []change.Change, keys []change.Key,
) (published outbox.Published, err error) {
	if err := r.stream.PublishKeys(ctx, keys); err != nil {
		return published, err
	}
	err = r.stream.Publish(ctx, changes)
	var refused *stream.RejectedError
	if err != nil && !errors.As(err, &refused) {
		return published, err
	}
	if refused != nil {
		published.Failures = make(map[outbox.Ref]string, len(refused.Rejected))
		for _, rejection := range refused.Rejected {
			published.Failures[outbox.Ref{Kind: rejection.Kind, ID: rejection.ID}] = rejection.Reason
		}
	}
	published.Sequence, err = r.look(ctx)
	return published, err
}

// observe reads the state of the outbox periodically: in every round until it was empty once, since
// readiness waits for that.
func (r *Relay) observe(ctx context.Context, session *outbox.Session) error {
	r.mu.Lock()
	due := !r.drained || time.Since(r.observed) >= observeEvery
	r.mu.Unlock()
	if !due {
		return nil
	}
	state, err := session.State(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state, r.observed = state, time.Now()
	r.drained = r.drained || state.Pending == 0
	return nil
}

// seen returns the last read state of the outbox.
func (r *Relay) seen() outbox.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// age returns for how long the oldest change has waited.
func (r *Relay) age() time.Duration {
	oldest := r.seen().Oldest
	if oldest.IsZero() {
		return 0
	}
	return time.Since(oldest)
}

// failed records a failure, and logs the first of several.
func (r *Relay) failed(err error) {
	r.metrics.failures.Inc()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = errors.Is(err, ErrBehind)
	if r.failing {
		r.log.Debug("the relay still fails", "error", err)
		return
	}
	r.failing = true
	r.log.Warn("the relay fails and tries again", "error", err)
}

// worked records a success, and logs the first one after a failure.
func (r *Relay) worked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = false
	if r.failing {
		r.failing = false
		r.log.Info("the relay works again")
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
