package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
)

const (
	// republishedRows are the entities enqueued at once: few, so that an edit waits for few, and that
	// query services get the exact changes of the batch in the index.
	republishedRows = smallRound
	// maxIndexWait is how long the next entities wait for a read node that does not catch up.
	maxIndexWait  = time.Second
	minIdlePoll   = 20 * time.Millisecond
	maxIdlePoll   = 250 * time.Millisecond // while an import keeps the outbox busy
	progressEvery = 10 * time.Second       // lines in the log
)

// errNotCurrent ends republishing: a newer form has appeared.
var errNotCurrent = errors.New("a newer form of snapshots has appeared")

// runRepublishing republishes whenever that is due, until ctx ends.
func (r *Relay) runRepublishing(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.republishDue:
		}
		err := r.republish(ctx)
		for err != nil && !errors.Is(err, errNotCurrent) && ctx.Err() == nil {
			r.Log.Warn("publishing in the current form fails and is tried again", "error", err)
			pause(ctx, maxBackoff)
			err = r.republish(ctx)
		}
		r.uniform.Store(err == nil)
	}
}

// republish publishes the entities again that may be published in another form than the current
// ones, a few at a time: only while the outbox is empty, and once the read nodes have applied the
// former ones. The progress is in the database, so that the next leader continues.
func (r *Relay) republish(ctx context.Context) error {
	for {
		if err := r.awaitIdle(ctx); err != nil { // also for the entities of enqueueOtherForms
			return err
		}
		kinds, err := OtherForms(ctx, r.DB)
		if err != nil || len(kinds) == 0 {
			return err
		}
		if err := r.republishKinds(ctx, kinds); err != nil {
			return err
		}
	}
}

// republishKinds republishes the remaining entities of these kinds.
func (r *Relay) republishKinds(ctx context.Context, kinds []string) error {
	left, err := r.countOtherForms(ctx, kinds)
	if err != nil {
		return err
	}
	r.Log.Info("publishing everything again in the current form", "kinds", kinds, "entities", left)
	began, logged, done, last := time.Now(), time.Now(), 0, map[change.Kind]string{}
	defer r.metrics.otherForm.Set(0)
	for _, kind := range change.Kinds {
		for slices.Contains(kinds, string(kind)) {
			r.metrics.otherForm.Set(float64(max(left-done, 0)))
			enqueued, after, err := r.republishNext(ctx, kind)
			if err != nil {
				return err
			}
			last[kind] = after
			if enqueued == 0 {
				break
			}
			done += enqueued
			r.metrics.republished.Add(float64(enqueued))
			if time.Since(logged) >= progressEvery {
				logged = time.Now()
				r.Log.Info("publishing in the current form", "kind", kind, "done", done, "entities", left)
			}
			if err := r.awaitIdle(ctx); err != nil {
				return err
			}
		}
	}
	if err := r.Withdraw(ctx); err != nil { // the current form may leave out entities
		return err
	}
	if err := r.awaitIdle(ctx); err != nil {
		return err
	}
	for kind, after := range last {
		if _, err := r.DB.Exec(ctx, endRepublishing, kind, r.Forms[kind], after); err != nil {
			return fmt.Errorf("record that everything is published in the current form: %w", err)
		}
	}
	r.Log.Info("published in the current form", "kinds", kinds, "entities", done, "seconds", time.Since(began).Seconds())
	return nil
}

// endRepublishing has no effect if republishing has begun again.
const endRepublishing = `
UPDATE snapshot_form
SET after = NULL
WHERE kind = $1 AND digest = $2 AND after = $3`

const selectAfter = `
SELECT own.after
FROM snapshot_form AS own
JOIN current_snapshot_form AS current USING (kind, digest)
WHERE kind = $1 AND digest = $2 AND own.after IS NOT NULL
FOR UPDATE OF own`

const updateAfter = `
UPDATE snapshot_form
SET after = $3
WHERE kind = $1 AND digest = $2`

// republishNext enqueues the next entities of a kind, and records the last in the same transaction.
// It returns their number and the last one so far.
func (r *Relay) republishNext(ctx context.Context, kind change.Kind) (enqueued int, after string, err error) {
	err = r.DB.InTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, selectAfter, kind, r.Forms[kind]).Scan(&after)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNotCurrent
		}
		if err != nil {
			return err
		}
		ids, err := selectPublicIDs(ctx, tx, kind, after, republishedRows)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := Enqueue(ctx, tx, kind, ids); err != nil {
			return err
		}
		enqueued, after = len(ids), ids[len(ids)-1]
		_, err = tx.Exec(ctx, updateAfter, kind, r.Forms[kind], after)
		return err
	})
	if err != nil {
		return 0, "", fmt.Errorf("publish the next entities in the current form: %w", err)
	}
	return enqueued, after, nil
}

// countOtherForms returns how many entities of the kinds are still to be republished.
func (r *Relay) countOtherForms(ctx context.Context, kinds []string) (count int, err error) {
	for _, kind := range kinds {
		var after string
		var entities int
		err := r.DB.QueryRow(ctx, selectAfter, kind, r.Forms[change.Kind(kind)]).Scan(&after)
		if errors.Is(err, pgx.ErrNoRows) {
			return 0, errNotCurrent
		}
		if err == nil {
			entities, err = countPublic(ctx, r.DB, change.Kind(kind), after)
		}
		if err != nil {
			return 0, fmt.Errorf("count the entities in another form: %w", err)
		}
		count += entities
	}
	return count, nil
}

const selectBusy = `
SELECT EXISTS (SELECT FROM outbox WHERE attempts = 0)`

// awaitIdle waits until no row of the outbox waits for its first attempt and each read node that
// runs has applied the stream, for which it waits at most maxIndexWait.
func (r *Relay) awaitIdle(ctx context.Context) error {
	began := time.Now()
	for poll := minIdlePoll; ; poll = min(poll*3/2, maxIdlePoll) {
		var busy bool
		if err := r.DB.QueryRow(ctx, selectBusy).Scan(&busy); err != nil {
			return fmt.Errorf("read whether the outbox is empty: %w", err)
		}
		if !busy && (time.Since(began) >= maxIndexWait || r.indexed(ctx)) {
			return nil
		}
		pause(ctx, poll)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// indexed reports whether every read node that runs has applied the stream.
func (r *Relay) indexed(ctx context.Context) bool {
	nodes, err := r.Stream.ReadNodes(ctx)
	if err != nil {
		return false
	}
	for _, node := range nodes {
		if node.Leased && node.Pending > 0 {
			return false
		}
	}
	return true
}
