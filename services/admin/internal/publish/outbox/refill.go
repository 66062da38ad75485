package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
)

// refillTimeout is how long it may take to enqueue everything that is public.
const refillTimeout = 15 * time.Minute

// errStreamLost means that the stream is a new one, or has lost messages. The next round refills
// it.
var errStreamLost = errors.New("the stream is a new one, or has lost messages")

// streamRecord is the database's record of the stream that the relay publishes to.
type streamRecord struct {
	identity  string // of the stream
	sequence  uint64 // that the stream had reached at least
	refilling bool   // rows that refill the stream are still to be published
}

// lost reports whether a stream has lost messages that were published according to the record.
func (s streamRecord) lost(now stream.State) bool {
	return now.Identity != s.identity || now.Last < s.sequence || now.Messages == 0 && s.sequence > 0
}

// sequenceOf returns the sequence that a stream has reached; 0 for an empty one, even if it once
// held messages.
func sequenceOf(now stream.State) uint64 {
	if now.Messages == 0 {
		return 0
	}
	return now.Last
}

// currentSequence returns the sequence that the stream has reached. The error is errStreamLost when
// it is no longer the stream of the record.
func (r *Relay) currentSequence(ctx context.Context) (uint64, error) {
	now, err := r.Stream.State(ctx)
	if err != nil {
		return 0, err
	}
	if r.record.lost(now) {
		return 0, errStreamLost
	}
	return sequenceOf(now), nil
}

// checkStream compares the stream with the database's record of it, and refills a stream that has
// lost messages.
func (r *Relay) checkStream(ctx context.Context, s *session) error {
	checking, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	now, err := r.Stream.State(checking)
	if err != nil {
		return err
	}
	record, exists, err := s.readRecord(checking)
	if err != nil {
		return err
	}
	if exists && !record.lost(now) {
		r.record = record
		return nil
	}
	if !exists {
		// A stream without a record is complete when a former version filled it without recording that,
		// or when nothing was ever published.
		complete := now.Messages > 0
		if !complete {
			everPublished, err := s.everPublished(checking)
			if err != nil {
				return err
			}
			complete = !everPublished
		}
		if complete {
			return r.writeRecord(checking, s, streamRecord{identity: now.Identity, sequence: sequenceOf(now)})
		}
	}
	return r.refill(ctx, s, now)
}

// refill enqueues everything for a stream that has lost messages. It is recorded afterwards: when a
// leader dies before that, the next one enqueues everything again.
func (r *Relay) refill(ctx context.Context, s *session, now stream.State) error {
	r.Log.Warn("the stream is a new one, or has lost messages: publishing everything again", "stream", now.Identity)
	r.metrics.refills.Inc()
	ctx, cancel := context.WithTimeout(ctx, refillTimeout)
	defer cancel()
	if err := r.Refill(ctx); err != nil {
		return fmt.Errorf("refill the stream: %w", err)
	}
	return r.writeRecord(ctx, s, streamRecord{identity: now.Identity, sequence: sequenceOf(now), refilling: true})
}

func (r *Relay) writeRecord(ctx context.Context, s *session, record streamRecord) error {
	if err := s.writeRecord(ctx, record); err != nil {
		return err
	}
	r.record = record
	return nil
}

// signal announces up to which position the stream is complete, unless it is still being refilled.
// It is sent after every round: it is the heartbeat from which a projector that has just started
// learns the position, and the only message about a transaction that changed nothing public.
func (r *Relay) signal(ctx context.Context, s *session, done round) error {
	if done.sequence > 0 {
		r.record.sequence = done.sequence
	} else {
		sequence, err := r.currentSequence(ctx)
		if err != nil {
			return err
		}
		done.sequence = sequence
	}
	if r.record.refilling {
		refilled, err := s.endRefill(ctx)
		if err != nil || !refilled {
			return err
		}
		r.record.refilling = false
		r.Log.Info("the stream holds everything again", "stream", r.record.identity)
	}
	return r.Stream.SignalComplete(stream.Completion{
		Stream: r.record.identity, Sequence: done.sequence, Position: done.position, Form: r.form(s),
	})
}

const selectRecord = `
SELECT identity, sequence, refill_until IS NOT NULL
FROM relay_stream`

// readRecord returns the record of the stream, if there is one.
func (s *session) readRecord(ctx context.Context) (record streamRecord, exists bool, err error) {
	err = s.conn.QueryRow(ctx, selectRecord).Scan(&record.identity, &record.sequence, &record.refilling)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record, false, nil
	case err != nil:
		return record, false, fmt.Errorf("read which stream is published to: %w", err)
	}
	return record, true, nil
}

// upsertRecord keeps the former mark of the forms unless they are the current ones.
const upsertRecord = `
INSERT INTO relay_stream (identity, sequence, refill_until, form_identity, form_sequence)
VALUES (
    $1, $2,
    CASE WHEN $3 THEN (SELECT max(id) FROM outbox) END,
    CASE WHEN $4 THEN $1 END,
    CASE WHEN $4 THEN $2::bigint END
)
ON CONFLICT (single) DO UPDATE
SET identity = excluded.identity, sequence = excluded.sequence, refill_until = excluded.refill_until,
    form_identity = coalesce(excluded.form_identity, relay_stream.form_identity),
    form_sequence = coalesce(excluded.form_sequence, relay_stream.form_sequence)`

// writeRecord records which stream is published to. All current rows of the outbox belong to a
// refill that begins now.
func (s *session) writeRecord(ctx context.Context, record streamRecord) error {
	if _, err := s.conn.Exec(ctx, upsertRecord, record.identity, record.sequence, record.refilling, s.current); err != nil {
		return fmt.Errorf("record which stream is published to: %w", err)
	}
	return nil
}

const updateRecordSequence = `
UPDATE relay_stream
SET sequence = $1,
    form_identity = CASE WHEN $2 THEN identity ELSE form_identity END,
    form_sequence = CASE WHEN $2 THEN $1 ELSE form_sequence END`

// updateSequence records the sequence that the stream has reached, in the transaction that deletes
// the published rows from the outbox.
func (s *session) updateSequence(ctx context.Context, tx pgx.Tx, sequence uint64) error {
	if _, err := tx.Exec(ctx, updateRecordSequence, sequence, s.current); err != nil {
		return fmt.Errorf("record the stream's sequence: %w", err)
	}
	return nil
}

const endRefill = `
UPDATE relay_stream
SET refill_until = NULL
WHERE NOT EXISTS (SELECT FROM outbox WHERE id <= refill_until AND attempts = 0)`

// endRefill reports whether all rows of the refill were attempted, and records that if so.
func (s *session) endRefill(ctx context.Context) (ended bool, err error) {
	done, err := s.conn.Exec(ctx, endRefill)
	if err != nil {
		return false, fmt.Errorf("check whether the stream is refilled: %w", err)
	}
	return done.RowsAffected() > 0, nil
}

const selectEverPublished = `
SELECT is_called
FROM catalog_revision`

// everPublished reports whether a relay has ever taken a revision, and so may have published.
func (s *session) everPublished(ctx context.Context) (published bool, err error) {
	if err := s.conn.QueryRow(ctx, selectEverPublished).Scan(&published); err != nil {
		return false, fmt.Errorf("read whether anything was published: %w", err)
	}
	return published, nil
}
