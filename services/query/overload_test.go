package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/params"
)

// TestListsOfTheMostValuesFitIntoAnAddress, and one of too many does, so that the answer names it.
func TestListsOfTheMostValuesFitIntoAnAddress(t *testing.T) {
	app := newApp(config{}, nil, slog.New(slog.DiscardHandler), web.NewMetrics(), nil)
	app.Get("/api/events", func(c *fiber.Ctx) error {
		_, err := params.Events.FromURL(string(c.Request().URI().QueryString()), 0)
		return err
	})
	list := func(items int) string {
		const item = "01930000-0000-7000-8000-000000000001"
		return item + strings.Repeat("%2C"+item, items-1)
	}
	for query, want := range map[string]int{
		"org_uuids=" + list(1000) + "&venue_uuids=" + list(1000) + "&event_uuids=" + list(1000): http.StatusOK,
		"org_uuids=" + list(1001): http.StatusBadRequest,
	} {
		response, err := app.Test(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/events?"+query, nil))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%d bytes: %d, want %d", len(query), response.StatusCode, want)
		}
	}
}
