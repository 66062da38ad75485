package outbox

import (
	"context"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// BatchRows is the number of rows of a round.
const BatchRows = batchRows

// RepublishedRows is the number of entities that are published again at once.
const RepublishedRows = republishedRows

// TouchFormsAlways lets a relay before its start record the forms of the relay as used in every
// round, and notice the current forms then.
func (r *Relay) TouchFormsAlways() { r.touchEvery = 0 }

// PublishDue runs one round in a session of its own and returns its position. publish replaces the
// stream.
func PublishDue(
	ctx context.Context, db *postgres.DB, limit int,
	publish func(ctx context.Context, changes []change.Change) error,
) (position uint64, err error) {
	s, err := openSession(ctx, db)
	if err != nil {
		return 0, err
	}
	defer s.close()
	done, err := s.publishDue(ctx, time.Now(), limit,
		func(ctx context.Context, changes []change.Change, _ []change.Key) (publishResult, error) {
			return publishResult{}, publish(ctx, changes)
		})
	return done.position, err
}
