package project

import (
	"testing"

	"litfass/pkg/contracts/change"
)

// TestNotesOfReleasedEventsAreHidden: the note of a cancellation or postponement, in each language,
// is for that status only.
func TestNotesOfReleasedEventsAreHidden(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{"cancelled": "Aflyst", "deferred": "Aflyst", "released": "", "review": ""} {
		texts := eventTexts(change.Event{
			ReleaseStatus: status, Texts: map[string]change.EventText{"da": {Title: "Koncert", StatusNote: "Aflyst"}},
		})
		if got := texts["da"]; got.Title != "Koncert" || got.StatusNote != want {
			t.Errorf("%s: %+v, want the note %q", status, got, want)
		}
	}
}
