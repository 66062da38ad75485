package adminapi_test

import (
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
)

// TestWhichEventsArePublic: by their status, and from their release date on.
func TestWhichEventsArePublic(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Second), now.Add(time.Second)
	for status, public := range map[string]bool{
		adminapi.StatusDraft: false, adminapi.StatusReview: false, adminapi.StatusReleased: true, adminapi.StatusCancelled: true,
		adminapi.StatusDeferred: true, adminapi.StatusRescheduled: true, adminapi.StatusInherited: false, "": false,
	} {
		for date, want := range map[*time.Time]bool{nil: public, &before: public, &now: public, &after: false} {
			event := adminapi.Event{ReleasePart: adminapi.ReleasePart{ReleaseStatus: status, ReleaseDate: date}}
			if got := event.Public(now); got != want {
				t.Errorf("%q from %v on: %t, want %t", status, date, got, want)
			}
		}
	}
}
