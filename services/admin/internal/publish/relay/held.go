package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/services/admin/internal/publish/outbox"
)

// refillTimeout is how long it may take to enqueue everything that is public.
const refillTimeout = 15 * time.Minute

// errLost means that the stream is another one than before, or has lost messages. The next round
// begins with making good for it.
var errLost = errors.New("the stream is a new one, or has lost messages")

// Refill enqueues everything that is public, and what the stream holds although it is not.
type Refill func(ctx context.Context) error

// lost reports whether a stream has lost what the database knows to be published.
func lost(held outbox.Held, now stream.State) bool {
	return now.Identity != held.Identity || now.Last < held.Sequence || now.Messages == 0 && held.Sequence > 0
}

// look returns how far the stream has got. The error is errLost when it is not the
// stream any more that the leader has found at its beginning.
func (r *Relay) look(ctx context.Context) (sequence uint64, err error) {
	now, err := r.stream.State(ctx)
	if err != nil {
		return 0, err
	}
	if lost(r.held, now) {
		return 0, errLost
	}
	return reached(now), nil
}

// reached returns how far a stream has got: one that holds nothing, though it may have held
// something once, has got nowhere.
func reached(now stream.State) uint64 {
	if now.Messages == 0 {
		return 0
	}
	return now.Last
}

// recognize compares the stream with what the database knows of it, and has a stream that has lost
// messages filled anew.
func (r *Relay) recognize(ctx context.Context, session *outbox.Session) error {
	asking, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	now, err := r.stream.State(asking)
	if err != nil {
		return err
	}
	held, known, err := session.Held(asking)
	if err != nil {
		return err
	}
	if known && !lost(held, now) {
		r.held = held
		return nil
	}
	if !known {
		whole, err := r.wholeByAge(asking, session, now)
		if err != nil {
			return err
		}
		if whole {
			return r.hold(asking, session, outbox.Held{Identity: now.Identity, Sequence: reached(now)})
		}
	}
	return r.refill(ctx, session, now)
}

// wholeByAge reports whether a stream of which the database knows nothing holds all that was ever
// published: a former version did so without noting it, or nothing ever was.
func (r *Relay) wholeByAge(ctx context.Context, session *outbox.Session, now stream.State) (bool, error) {
	if now.Messages > 0 {
		return true, nil
	}
	published, err := session.Published(ctx)
	return !published, err
}

// refill enqueues everything for a stream that has lost messages. It is noted afterwards: a leader
// that dies before leaves all of it to the next one.
func (r *Relay) refill(ctx context.Context, session *outbox.Session, now stream.State) error {
	r.log.Warn("the stream is a new one, or has lost messages: publishing everything anew", "stream", now.Identity)
	r.metrics.refills.Inc()
	ctx, cancel := context.WithTimeout(ctx, refillTimeout)
	defer cancel()
	if err := r.enqueueAll(ctx); err != nil {
		return fmt.Errorf("fill the stream anew: %w", err)
	}
	return r.hold(ctx, session, outbox.Held{Identity: now.Identity, Sequence: reached(now), Refilling: true})
}

func (r *Relay) hold(ctx context.Context, session *outbox.Session, held outbox.Held) error {
	if err := session.Hold(ctx, held); err != nil {
		return err
	}
	r.held = held
	return nil
}

// signal announces up to which position the stream is complete, unless it is still being filled
// anew. It is sent after every round: it is the heartbeat from which a projector that has just
// started learns the position, and the only message about a transaction that changed nothing
// public.
func (r *Relay) signal(ctx context.Context, session *outbox.Session, done outbox.Round) error {
	if done.Sequence > 0 {
		r.held.Sequence = done.Sequence
	} else {
		sequence, err := r.look(ctx)
		if err != nil {
			return err
		}
		done.Sequence = sequence
	}
	if r.held.Refilling {
		refilled, err := session.Refilled(ctx)
		if err != nil || !refilled {
			return err
		}
		r.held.Refilling = false
		r.log.Info("the stream holds everything again", "stream", r.held.Identity)
	}
	return r.stream.SignalComplete(stream.Completion{
		Stream: r.held.Identity, Sequence: done.Sequence, Position: done.Position,
	})
}
