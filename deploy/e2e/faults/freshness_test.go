package faults

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// testFreshness follows one event from draft to deletion and observes each step in the public
// answers.
func testFreshness(s *harness.System, t *testing.T, c *reference.Catalogue) {
	uuid := func(n int) string { return fmt.Sprintf("0197a1b2-c3d4-7e5f-8a6b-%012x", n) }
	date := func(n int) *reference.Date {
		return &reference.Date{UUID: uuid(n), StartDate: "2026-05-01", StartTime: "19:30", ReleaseStatus: "inherited"}
	}
	event := &reference.Event{
		UUID: uuid(1), OrgUUID: c.Organizations[0].UUID, VenueUUID: reference.Text(c.Venues[0].UUID), Title: "hidden draft title",
		PriceType: "free", ReleaseStatus: "draft", Dates: []*reference.Date{date(2), date(3)},
	}
	for _, step := range []struct {
		name   string
		change func()
		title  string
		dates  int
	}{
		{"a draft is not seen", func() {}, "", 0},
		{"nor a review", func() { event.ReleaseStatus = "review" }, "", 0},
		{"a release is", func() { event.ReleaseStatus, event.Title = "released", "first title" }, "first title", 2},
		{"so is an edit", func() { event.Title = "second title" }, "second title", 2},
		{"a date is taken away", func() { event.Dates = event.Dates[:1] }, "second title", 1},
		{"a withdrawn event is gone", func() { event.ReleaseStatus, event.Title = "draft", "hidden draft title" }, "", 0},
		{"and comes back", func() { event.ReleaseStatus, event.Title = "released", "third title" }, "third title", 1},
		{"a cancelled one stays", func() { event.ReleaseStatus = "cancelled" }, "third title", 1},
	} {
		step.change()
		s.ImportCatalogue(t, &reference.Catalogue{Events: []*reference.Event{event}})
		s.AwaitReady(t)
		harness.Await(t, step.name, func() error { return shows(t.Context(), s, event.UUID, step.title, step.dates) })
		s.NeverSaid(t, "hidden draft title")
	}
}

// shows checks what the search finds of one event.
func shows(ctx context.Context, s *harness.System, uuid, title string, dates int) error {
	page, err := s.Client.Search(ctx, generate.Query{Parameters: reference.Parameters{"event_uuids": uuid}})
	if err != nil {
		return err
	}
	if len(page.Events) != dates {
		return fmt.Errorf("%d dates are found, want %d", len(page.Events), dates)
	}
	for _, entry := range page.Events {
		if entry.Text("title") != title {
			return fmt.Errorf("title is %q, want %q", entry.Text("title"), title)
		}
	}
	answer, err := s.Client.Get(ctx, "/api/event/"+uuid)
	if err != nil {
		return err
	}
	if dates == 0 {
		if answer.Status != http.StatusNotFound {
			return fmt.Errorf("the event's page has status %d, want 404", answer.Status)
		}
		return nil
	}
	event, err := client.Data[client.Entry](answer, "get-event")
	if err == nil && event.Text("title") != title {
		err = fmt.Errorf("the event's page has title %q, want %q", event.Text("title"), title)
	}
	return err
}
