package adminapi

import (
	"slices"
	"time"
)

// The release statuses of an event; a date's own status, unless Inherited, overrides the event's
// (RULES.md, Release status).
const (
	StatusDraft       = "draft"
	StatusReview      = "review"
	StatusReleased    = "released"
	StatusCancelled   = "cancelled"
	StatusDeferred    = "deferred"
	StatusRescheduled = "rescheduled"
	StatusInherited   = "inherited" // of a date: the event's
)

// PublicStatuses are the release statuses of an event that is public from its release date on.
var PublicStatuses = []string{StatusReleased, StatusCancelled, StatusDeferred, StatusRescheduled}

// PublicStatus reports whether an event of that status is public from its release date on.
func PublicStatus(status string) bool { return slices.Contains(PublicStatuses, status) }

// Public reports whether the event is public by now.
func (p ReleasePart) Public(now time.Time) bool {
	return PublicStatus(p.ReleaseStatus) && (p.ReleaseDate == nil || !p.ReleaseDate.After(now))
}
