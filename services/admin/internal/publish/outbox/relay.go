package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	poll         = time.Second            // in case a notification is lost, and how often releases are looked for
	lookToLead   = 250 * time.Millisecond // whether the leader's session has ended
	batchRows    = 500                    // outbox rows of one round: bounds its memory and its transaction
	roundTimeout = time.Minute            // of one round, so that a hanging engine does not hold the lock forever
	observeEvery = 2 * time.Second        // the figures of the outbox
	firstBackoff = 100 * time.Millisecond // after a failure, doubled up to maxBackoff
	maxBackoff   = 2 * time.Second
)

// Publisher is the part of stream.Stream that the relay uses.
type Publisher interface {
	Ensure(ctx context.Context) error
	Publish(ctx context.Context, changes []change.Change) error
	PublishKeys(ctx context.Context, keys []change.Key) error
	LastRevision(ctx context.Context) (int64, error)
	WalkFrom(ctx context.Context, from uint64, fn func(seq uint64, c change.Change) error) (last uint64, err error)
	ReadNodes(ctx context.Context) ([]stream.ReadNode, error)
	State(ctx context.Context) (stream.State, error)
	SignalComplete(what stream.Completion) error
}

// RelayOptions are the dependencies of a Relay.
type RelayOptions struct {
	DB     *postgres.DB
	Stream Publisher
	// Release makes public, and enqueues, the events whose release date has passed by now, and returns
	// their number. It writes nothing to the outbox when there are none.
	Release func(ctx context.Context, tx pgx.Tx, now time.Time) (released int, err error)
	// Refill enqueues everything that is public, and everything else that the stream holds. It is
	// called when the stream has lost messages.
	Refill func(ctx context.Context) error
	// Withdraw enqueues the entities that the stream holds although they are not public.
	Withdraw func(ctx context.Context) error
	Forms    Forms // in which this process publishes; nil: CurrentForms
	Log      *slog.Logger
	Now      func() time.Time // the clock by which scheduled releases are due
}

// Relay publishes the entities in the  Run it once.
type Relay struct {
	RelayOptions
	metrics *metrics

	record     streamRecord  // of the stream, as the leader knows it
	released   time.Time     // when events to release were looked for
	touched    time.Time     // when the forms were recorded as in use
	touchEvery time.Duration // how often they are

	republishDue chan struct{} // the forms are current; some entities may be published in others
	uniform      atomic.Bool   // everything is published in the current forms

	mu       sync.Mutex
	state    State     // of the outbox, as last read
	observed time.Time // when state was read
	drained  bool      // the outbox was empty at least once since the start
	failing  bool      // the last round failed, which is in the log
	behind   bool      // the last round failed with ErrBehind
}

// NewRelay returns a relay from the database to the stream.
func NewRelay(options RelayOptions) *Relay {
	if options.Forms == nil {
		options.Forms = CurrentForms()
	}
	return &Relay{
		RelayOptions: options, metrics: newMetrics(), touchEvery: touchEvery, republishDue: make(chan struct{}, 1),
	}
}

// Run relays until ctx ends. Failures of either engine are logged once and retried without end, so
// it returns nil.
func (r *Relay) Run(ctx context.Context) error {
	backoff := firstBackoff
	for ctx.Err() == nil {
		started := time.Now()
		err := r.runSession(ctx)
		r.metrics.leader.Set(0)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // cancellation is no failure, and neither is an operation that it interrupted
		}
		r.failed(err)
		if time.Since(started) > maxBackoff {
			backoff = firstBackoff
		}
		pause(ctx, backoff)
		backoff = min(2*backoff, maxBackoff)
	}
	return nil
}

// runSession uses one database connection until that fails: it waits for leadership, then leads.
func (r *Relay) runSession(ctx context.Context) error {
	s, err := openSession(ctx, r.DB)
	if err != nil {
		return err
	}
	defer s.close()
	for {
		leads, err := s.lead(ctx)
		if err != nil {
			return err
		}
		if leads {
			break
		}
		if _, err := r.touchForms(ctx, s, false); err != nil {
			return err
		}
		if err := r.observe(ctx, s); err != nil {
			return err
		}
		r.worked()
		pause(ctx, lookToLead)
	}
	if err := s.retryPostponed(ctx, r.Now()); err != nil {
		return err
	}
	r.Log.Info("this process leads the relay")
	r.metrics.leader.Set(1)
	return r.lead(ctx, s)
}

// lead runs rounds until the session dies. A round that fails while the session lives, because the
// stream is down or missing, is retried; before the first round and after each failure it ensures
// that the stream exists.
func (r *Relay) lead(ctx context.Context, s *session) error {
	backoff, ensured := firstBackoff, false
	leading, stop := context.WithCancel(ctx)
	var republishing sync.WaitGroup
	republishing.Go(func() { r.runRepublishing(leading) })
	defer republishing.Wait()
	defer stop()
	for {
		full, err := r.runRound(ctx, s, &ensured)
		switch {
		case err == nil:
			r.worked()
			backoff = firstBackoff
		case ctx.Err() != nil || !s.alive():
			return err
		default:
			r.failed(err)
			ensured = false
			pause(ctx, backoff)
			backoff = min(2*backoff, maxBackoff)
			continue
		}
		if full {
			continue
		}
		if err := s.wait(ctx, poll); err != nil {
			return err
		}
	}
}

// runRound publishes one batch and releases the events that are due. full means that the outbox may
// hold more; ensured means that the stream is known to exist.
func (r *Relay) runRound(ctx context.Context, s *session, ensured *bool) (full bool, err error) {
	if !*ensured {
		if err := r.ensureStream(ctx, s); err != nil {
			return false, err
		}
		*ensured = true
	}
	ctx, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	done, err := s.publishDue(ctx, r.Now(), batchRows, r.publish)
	if err != nil {
		return false, err
	}
	if err := r.signal(ctx, s, done); err != nil {
		return false, err
	}
	r.metrics.published.Add(float64(done.sent))
	for ref, reason := range done.failures {
		r.metrics.unpublishable.Inc()
		r.Log.Error("cannot be published and waits", "kind", ref.Kind, "id", ref.ID, "reason", reason)
	}
	released, err := r.release(ctx, s)
	if err != nil {
		return false, err
	}
	current, err := r.touchForms(ctx, s, true)
	if err != nil {
		return false, err
	}
	if current != s.current {
		*ensured = false
	}
	return done.rows == batchRows || released > 0, r.observe(ctx, s)
}

// ErrBehind means that the stream holds changes of a greater revision than the database has taken:
// it was restored from a backup, or the stream is another database's. Its changes would count as
// older than those in the stream, and would be lost.
var ErrBehind = errors.New("the stream is ahead of the database: " +
	"if the database was restored, run admin restored; nothing is published until then")

// ensureStream makes sure that the stream exists, that the database may publish to it, and that it
// holds everything that was published before.
func (r *Relay) ensureStream(ctx context.Context, s *session) error {
	ensuring, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	if err := r.Stream.Ensure(ensuring); err != nil {
		return err
	}
	published, err := r.Stream.LastRevision(ensuring)
	if err != nil {
		return err
	}
	taken, err := s.lastRevision(ensuring)
	if err != nil {
		return err
	}
	if published > taken {
		return fmt.Errorf("%w (revision %d, and %d in the database)", ErrBehind, published, taken)
	}
	r.uniform.Store(false)
	r.touched = time.Time{}
	if s.current, err = r.touchForms(ensuring, s, true); err != nil {
		return err
	}
	if err := s.renewKeys(ensuring); err != nil {
		return fmt.Errorf("renew API keys: %w", err)
	}
	if err := r.checkStream(ctx, s); err != nil || !s.current {
		return err
	}
	if err := r.enqueueOtherForms(ctx, s); err != nil {
		return err
	}
	select {
	case r.republishDue <- struct{}{}:
	default:
	}
	return nil
}

// release releases events whose release date has passed, at most once in each poll interval.
func (r *Relay) release(ctx context.Context, s *session) (released int, err error) {
	if time.Since(r.released) < poll {
		return 0, nil
	}
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) (err error) {
		released, err = r.Release(ctx, tx, r.Now())
		return err
	})
	if err != nil {
		return 0, err
	}
	r.released = time.Now()
	if released > 0 {
		r.Log.Info("released events whose date has come", "events", released)
	}
	return released, nil
}

// publish publishes keys and changes, and separates changes that the stream will never accept. It
// checks the stream afterwards: if it is still the same one, it is the one that accepted them.
func (r *Relay) publish(
	ctx context.Context, changes []change.Change, keys []change.Key,
) (result publishResult, err error) {
	if err := r.Stream.PublishKeys(ctx, keys); err != nil {
		return result, err
	}
	err = r.Stream.Publish(ctx, changes)
	var refused *stream.RejectedError
	if err != nil && !errors.As(err, &refused) {
		return result, err
	}
	if refused != nil {
		result.failures = make(map[Ref]string, len(refused.Rejected))
		for _, rejection := range refused.Rejected {
			result.failures[Ref{Kind: rejection.Kind, ID: rejection.ID}] = rejection.Reason
		}
	}
	result.sequence, err = r.currentSequence(ctx)
	return result, err
}

// observe reads the state of the outbox periodically: in every round until it was empty once, since
// readiness waits for that.
func (r *Relay) observe(ctx context.Context, s *session) error {
	r.mu.Lock()
	due := !r.drained || time.Since(r.observed) >= observeEvery
	r.mu.Unlock()
	if !due {
		return nil
	}
	state, err := scanState(s.conn.QueryRow(ctx, selectState))
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state, r.observed = state, time.Now()
	r.drained = r.drained || state.Pending == 0
	return nil
}

// lastState returns the state of the outbox as last read.
func (r *Relay) lastState() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// age returns how long the oldest change has waited.
func (r *Relay) age() time.Duration {
	oldest := r.lastState().Oldest
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
		r.Log.Debug("the relay still fails", "error", err)
		return
	}
	r.failing = true
	r.Log.Warn("the relay fails and tries again", "error", err)
}

// worked records a success, and logs the first one after a failure.
func (r *Relay) worked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = false
	if r.failing {
		r.failing = false
		r.Log.Info("the relay works again")
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
