package editing

import (
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
)

const selectWaitsForLock = `
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`

// TestReleaseDuringASaleIsPublished: while a box office states that a draft's date is sold out, the
// draft is released and published. The statement of the box office must be published, too.
func TestReleaseDuringASaleIsPublished(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	event := h.event()
	event.ReleaseStatus = rules.StatusDraft
	h.mustSave(event)
	h.clearOutbox()
	released := make(chan error, 1)
	release := func() {
		_, err := h.editor.Release(ctx, Target{Key: event.UUID}, func(e *rules.Event) error {
			e.ReleaseStatus = rules.StatusReleased
			return nil
		})
		released <- err
	}
	waited := false
	_, err := h.editor.SetAvailability(ctx, Target{Key: event.Dates[0].UUID}, func(a *adminapi.DateAvailability) error {
		go release()
		for a.Availability = rules.SoldOut; !waited; {
			select {
			case err := <-released: // and published by the relay
				h.clearOutbox()
				released <- err
				return nil
			default:
				waited = one[bool](h.stage, selectWaitsForLock)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	const enqueued = "SELECT count(*) FROM outbox WHERE kind = $1 AND entity_id = $2"
	if got := one[int](h.stage, enqueued, change.KindEvent, event.UUID); got == 0 {
		t.Error("nothing publishes that the date is sold out")
	}
}
