package view

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/text"
)

func TestMovedFrom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ language, previous, status, want string }{
		{"en", "2026-11-20T19:30", "released", "Moved from Friday, 20 November 2026, 19:30"},
		{"de", "2026-11-20T19:30", "rescheduled", "Verlegt von Freitag, 20. November 2026, 19:30 Uhr"},
		{"da", "2025-11-20", "released", "Flyttet fra torsdag den 20. november 2025"},
		{"en", "2026-11-20T19:30", "cancelled", ""},
		{"en", "2026-11-20T19:30", "deferred", ""},
		{"en", "", "rescheduled", ""},
	} {
		moved := publicapi.Moved{PreviousStart: value.Text(test.previous)}
		if got := MovedFrom(text.Of(test.language), moved, test.status); got != test.want {
			t.Errorf("%s, %s, %s: %q, want %q", test.language, test.previous, test.status, got, test.want)
		}
	}
}

// TestCardsNamePlaces: lists, and with them the favourites of a visitor, show whether there are
// places, and where a date was.
func TestCardsNamePlaces(t *testing.T) {
	t.Parallel()
	for status, shown := range map[string]bool{"released": true, "rescheduled": true, "cancelled": false} {
		e := publicapi.Listed{Entry: publicapi.Entry{UUID: "e", Title: "Jazz", StartDate: "2026-11-21", StartTime: "19:30", ReleaseStatus: status}}
		e.Availability, e.PreviousStart = "sold_out", "2026-11-20T19:30"
		var page strings.Builder
		scope := Scope{
			Text: text.Of("en"), Today: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
			Link: func(path string, _ url.Values) string { return path },
		}
		if err := Card(scope, e).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"Sold out", "Moved from Friday, 20 November 2026, 19:30"} {
			if strings.Contains(page.String(), words) != shown {
				t.Errorf("%s: %q is shown: %t in %s", status, words, !shown, page.String())
			}
		}
	}
}
