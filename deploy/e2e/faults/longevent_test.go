package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// longEvent edits an event with 975 dates during reads and edits of others. A read that names the
// position of the edit shows it on the first hundred dates, or states how far the read node is.
func longEvent(s *harness.System, t *testing.T, o harness.Organizer) {
	event := &reference.Event{
		UUID: house(5, 0), OrgUUID: house(1, 0), VenueUUID: reference.Text(house(2, 0)), Title: "Dauerausstellung",
		PriceType: "free", ReleaseStatus: "released",
	}
	for n := range 975 {
		day := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n)
		event.Dates = append(event.Dates, &reference.Date{
			UUID: house(6, n), StartDate: day.Format(time.DateOnly), StartTime: "10:00", ReleaseStatus: "inherited",
		})
	}
	s.ImportCatalogue(t, &reference.Catalogue{Events: []*reference.Event{event}})
	s.AwaitReady(t)
	end := underLoad(s, t, o)
	for turn := range 5 {
		title := fmt.Sprintf("Dauerausstellung %d", turn)
		began := time.Now()
		header, err := o.Send(t.Context(), http.MethodPut, "/api/admin/event/"+event.UUID+"/header",
			map[string]string{"title": title}, &map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		harness.Await(t, title+" is public", func() error {
			return showsTitle(t.Context(), s, event.UUID, title, header.Get(client.PositionHeader))
		})
		t.Logf("public after %s", time.Since(began).Round(time.Millisecond))
	}
	end()
}

// showsTitle returns nil if a read at a position shows the title on the first hundred dates. An
// answer that the position is not reached must have numbers.
func showsTitle(ctx context.Context, s *harness.System, event, title, position string) error {
	at := http.Header{client.PositionHeader: {position}}
	answer, err := s.Client.Do(ctx, http.MethodGet, "/api/events?start=2028-01-01&limit=100&event_uuids="+event, at, nil)
	if err != nil {
		return err
	}
	if answer.Status == http.StatusConflict {
		var refusal struct {
			Details []struct {
				Params map[string]any `json:"params"`
			} `json:"details"`
		}
		if err := json.Unmarshal(answer.Body, &refusal); err != nil || len(refusal.Details) != 1 || refusal.Details[0].Params["seconds"] == nil {
			return fmt.Errorf("the answer has no numbers: %s", answer.Body)
		}
		return fmt.Errorf("not yet: %v", refusal.Details[0].Params)
	}
	page, err := client.Data[struct {
		Events []client.Entry `json:"events"`
	}](answer, "get-events")
	if err != nil {
		return err
	}
	stale := slices.IndexFunc(page.Events, func(e client.Entry) bool { return e.Text("title") != title })
	if stale >= 0 || len(page.Events) == 0 {
		return fmt.Errorf("%d dates at position %s, of which number %d has another title", len(page.Events), position, stale)
	}
	return nil
}
