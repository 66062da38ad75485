package editing

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/publish/outbox"
)

// Release applies an edit of release status and release date to an event. It returns the faults of
// UpdateEvent, and Invalid for an event that is to be public and lacks required fields, naming each
// of them.
func (e *Editor) Release(
	ctx context.Context, at Target, edit func(*rules.Event) error,
) (Versioned[EventView], error) {
	return e.UpdateEvent(ctx, at, func(event *rules.Event) error {
		if err := edit(event); err != nil {
			return err
		}
		if event.ReleaseStatus == "" {
			return invalid(rules.KindEvent, fault.Violations{fault.Violate("release_status", reason.Required)})
		}
		return nil
	})
}

// releaseRight is ReleaseEvent for every write of an event of a public status, and for every move
// of a status except between draft and review (RULES.md, Release status). before is nil when the
// event is new.
func releaseRight(before, after *rules.Event) permission.Set {
	from, to := rules.StatusDraft, after.ReleaseStatus
	if before != nil {
		from = before.ReleaseStatus
	}
	if rules.PublicStatus(from) || rules.PublicStatus(to) {
		return permission.ReleaseEvent
	}
	return 0
}

// ReleaseDue makes public all events whose release date has passed by now, enqueues them, and
// returns their number. It writes to the outbox only if there are some: even a statement that
// inserts no row notifies every session that listens for the outbox, and the relay that calls this
// listens.
func ReleaseDue(ctx context.Context, tx pgx.Tx, now time.Time) (released int, err error) {
	due, err := store.DueForRelease(ctx, tx, now)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	if err := outbox.LockOwnersOfEvents(ctx, tx, due); err != nil {
		return 0, err
	}
	events, err := store.Release(ctx, tx, due, now)
	if err != nil {
		return 0, err
	}
	if err := outbox.Enqueue(ctx, tx, change.KindEvent, events); err != nil {
		return 0, err
	}
	if err := outbox.EnqueueContributorsOfEvents(ctx, tx, events); err != nil {
		return 0, err
	}
	return len(events), outbox.EnqueueOwnersOfEvents(ctx, tx, events)
}
