package editing

import (
	"context"
	"time"

	"litfass/pkg/fault"
	"litfass/pkg/permission"
	"litfass/services/admin/internal/catalog"
)

// Release applies an edit of release status and release date to an event. The faults are those of
// UpdateEvent; also Invalid for an event that is to be public and lacks what that requires, naming
// all of it.
func (e *Editor) Release(
	ctx context.Context, at Target, edit func(*catalog.Event) error,
) (Versioned[EventView], error) {
	return e.UpdateEvent(ctx, at, func(event *catalog.Event) error {
		if err := edit(event); err != nil {
			return err
		}
		if event.ReleaseStatus == "" {
			return invalid(catalog.KindEvent, fault.Violations{{Field: "release_status", Reason: "is missing"}})
		}
		return nil
	})
}

// releaseRight is ReleaseEvent for an edit that changes who may see the event, or what the public
// reads of its taking place: every change of its status but from draft to review, and while it is
// public, of its release date, its organization, and the statuses of its dates. before is nil when
// the event is new.
func releaseRight(before, after *catalog.Event) permission.Set {
	if before == nil {
		before = &catalog.Event{OrgUUID: after.OrgUUID, ReleaseStatus: catalog.StatusDraft}
	}
	from, to := before.ReleaseStatus, after.ReleaseStatus
	switch {
	case from == catalog.StatusDraft && to == catalog.StatusReview:
		return 0
	case from != to:
		return permission.ReleaseEvent
	case !catalog.PublicStatus(to):
		return 0
	case before.OrgUUID != after.OrgUUID, !sameMoment(before.ReleaseDate, after.ReleaseDate),
		dateStatusesDiffer(before, after):
		return permission.ReleaseEvent
	}
	return 0
}

func sameMoment(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// dateStatusesDiffer reports whether a date has changed its status, or a new one has its own.
func dateStatusesDiffer(before, after *catalog.Event) bool {
	statuses := make(map[string]string, len(before.Dates))
	for _, date := range before.Dates {
		statuses[date.UUID] = date.ReleaseStatus
	}
	for _, date := range after.Dates {
		status, known := statuses[date.UUID]
		if !known {
			status = catalog.StatusInherited
		}
		if date.ReleaseStatus != status {
			return true
		}
	}
	return false
}
