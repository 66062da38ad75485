package editing

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
)

// tickets are how many requests the box office sends for each date of the run.
const tickets = 12

// testBoxOffice follows the run of a play that a box office sells out with a key of its own, ticket
// by ticket, while visitors read. Everyone sees each date sold out at the position of the last
// request, and nothing else of the event has changed.
func (s *editing) testBoxOffice(t *testing.T) {
	owner := s.SignUp(t, "theatre@example.org")
	org := fmt.Sprint(owner.Write(t, http.MethodPut, "/organization", `{"name": "Theater am Hafen"}`)["uuid"])
	venue := fmt.Sprint(owner.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Großes Haus"}`, org))["uuid"])
	event := fmt.Sprint(owner.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Die Möwe",
		"tariffs": [{"name": "Parkett", "min_price": 24, "max_price": 38, "currency": "EUR"}, {"name": "Rang", "min_price": 12, "currency": "EUR"}]}`,
		org, venue))["uuid"])
	first := time.Now().AddDate(0, 1, 0).Format(time.DateOnly)
	owner.Write(t, http.MethodPost, "/event/"+event+"/date", fmt.Sprintf(`{"start_date": %q, "start_time": "19:30", "rrule": "FREQ=DAILY;COUNT=12",
		"availability": "available", "remaining_places": %d, "on_sale_from": "2026-09-01T10:00"}`, first, tickets))
	_, position := owner.Change(t, http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`)
	settle(s.System, t, "the release of a run", position)
	before := s.eventOf(t, event)
	if got := len(s.datesWith(t, event, "available=true")); got != len(before.Dates) || *before.MinPrice != 12 || *before.MaxPrice != 38 {
		t.Fatalf("%d of %d dates are available, from %v", got, len(before.Dates), before.MinPrice)
	}
	made := owner.Write(t, http.MethodPost, "/organization/"+org+"/api-keys", `{"name": "Kasse", "permissions": "536870912"}`)
	office := harness.Editor{Client: owner.Client, Token: fmt.Sprint(made["key"])}

	last := s.sellOut(t, office, event, before)
	settle(s.System, t, "the last ticket", last)
	if left := s.datesWith(t, event, "available=true"); len(left) > 0 {
		t.Errorf("%d dates are still available", len(left))
	}
	if sold := s.datesWith(t, event, "availability=sold_out"); len(sold) != len(before.Dates) {
		t.Errorf("%d of %d dates are sold out", len(sold), len(before.Dates))
	}
	after := s.eventOf(t, event)
	for i := range after.Dates {
		if d := after.Dates[i]; d.Availability != "sold_out" || d.RemainingPlaces == nil || *d.RemainingPlaces != 0 {
			t.Errorf("date %d: %s, %v left", i, d.Availability, d.RemainingPlaces)
		}
	}
	refused, err := s.Client.Do(t.Context(), http.MethodPut, "/api/admin/event/"+event+"/header",
		http.Header{"Authorization": {"Bearer " + office.Token}, "Content-Type": {"application/json"}}, []byte(`{"title": "x"}`))
	if err != nil || refused.Status != http.StatusForbidden {
		t.Errorf("the key of the box office edits the event: %d, %v", refused.Status, err)
	}
}

// sellOut sends a request for each ticket, four at a time, while visitors read the run. It returns
// the position of the last one.
func (s *editing) sellOut(t *testing.T, office harness.Editor, event string, run soldEvent) (last uint64) {
	t.Helper()
	done := make(chan struct{})
	var readers, counters sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				s.datesWith(t, event, "total=true") // an error fails the test
			}
		}
	})
	var mu sync.Mutex
	dates := make(chan string, len(run.Dates))
	for _, d := range run.Dates {
		dates <- d.UUID
	}
	close(dates)
	for range 4 {
		counters.Go(func() {
			for date := range dates {
				for left := tickets - 1; left >= 0; left-- {
					body := fmt.Sprintf(`{"availability": "few_left", "remaining_places": %d}`, left)
					if left == 0 {
						body = `{"availability": "sold_out", "remaining_places": 0}`
					}
					answer, err := office.Ask(t.Context(), http.MethodPut, "/date/"+date+"/availability", body)
					if err != nil || answer.Status != http.StatusOK {
						t.Errorf("a ticket: %d %.300s, %v", answer.Status, answer.Body, err)
						return
					}
					position := client.Position(answer.Header)
					mu.Lock()
					last = max(last, position)
					mu.Unlock()
				}
			}
		})
	}
	counters.Wait()
	close(done)
	readers.Wait()
	return last
}

// soldEvent is what visitors read of a run.
type soldEvent struct {
	Title    string   `json:"title"`
	MinPrice *float64 `json:"min_price"`
	MaxPrice *float64 `json:"max_price"`
	Dates    []struct {
		UUID            string `json:"uuid"`
		Availability    string `json:"availability"`
		RemainingPlaces *int   `json:"remaining_places"`
	} `json:"dates"`
}

func (s *editing) eventOf(t *testing.T, event string) soldEvent {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), "/api/event/"+event)
	if err != nil {
		t.Fatal(err)
	}
	found, err := client.Data[soldEvent](answer, "get-event")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// datesWith returns the dates of an event that a search finds.
func (s *editing) datesWith(t *testing.T, event, filter string) []client.Entry {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), "/api/events?limit=200&event_uuids="+event+"&"+filter)
	if err != nil {
		t.Error(err)
		return nil
	}
	page, err := client.Data[client.Page](answer, "get-events")
	if err != nil {
		t.Error(err)
	}
	return page.Events
}
