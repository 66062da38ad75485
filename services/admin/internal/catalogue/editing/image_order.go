package editing

import (
	"context"

	"litfass/services/admin/internal/catalogue/rules"
)

// OrderImages puts the images of an event in the order of their uuids. It returns the faults of
// UpdateEvent and of rules.Event.OrderImages.
func (e *Editor) OrderImages(ctx context.Context, at Target, uuids []string) (Versioned[EventView], error) {
	return e.UpdateEvent(ctx, at, func(event *rules.Event) error { return event.OrderImages(uuids) })
}
