package e2e

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

const reportBody = `{"reason": "wrong", "text": "It does not take place.", "email": "guest@example.org"}`

// testReports: a visitor's report reaches the administrators, who take the event back. It leaves
// search, details and pictures, cannot be released by its organizer, and is there again once the
// takedown is lifted and the organizer has released it.
func (s *system) testReports(t *testing.T) {
	s.awaitReady(t)
	owner, platform := s.demoOwner(t), s.organizer(t).token
	event := s.releasedEvent(t, owner)
	picture := s.imagePaths(t, event)["main"] + "?width=320&height=320"
	s.testReporting(t, platform, event)

	s.admin(t, platform, http.MethodPut, "/event/"+event+"/takedown", "application/json", strings.NewReader(`{"reason": "It does not take place."}`))
	s.awaitReady(t)
	s.wantGone(t, event, picture)
	if answer := s.release(t, owner, event); answer != http.StatusConflict {
		t.Errorf("released while it is taken back: %d", answer)
	}
	s.mustRun(t, stack.Projector, "verify")
	s.closeReport(t, platform, event)

	s.admin(t, platform, http.MethodDelete, "/event/"+event+"/takedown", "application/json", nil)
	if answer := s.release(t, owner, event); answer != http.StatusOK {
		t.Errorf("released after that: %d", answer)
	}
	s.awaitReady(t)
	s.wantImage(t, picture, image.Pt(320, 320))
	if got := s.found(t, event); got == 0 {
		t.Error("the search does not find the event again")
	}
	s.verify(t)
}

// testReporting sends reports of an event: without an admin service, as often as one client may,
// and once more.
func (s *system) testReporting(t *testing.T, platform, event string) {
	t.Helper()
	admin := s.Process(stack.Admin)
	if err := admin.Kill(); err != nil {
		t.Fatal(err)
	}
	if answer := s.report(t, event); answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("without an admin service: %d %v %s", answer.Status, answer.Header, answer.Body)
	}
	if err := admin.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, "a report is accepted", func() error {
		if answer := s.report(t, event); answer.Status != http.StatusAccepted {
			return fmt.Errorf("%d %s", answer.Status, answer.Body)
		}
		return nil
	})
	for range 4 {
		if answer := s.report(t, event); answer.Status != http.StatusAccepted {
			t.Errorf("a report again: %d %s", answer.Status, answer.Body)
		}
	}
	if answer := s.report(t, event); answer.Status != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" {
		t.Errorf("the sixth report: %d %v %s", answer.Status, answer.Header, answer.Body)
	}
	reports := s.reports(t, platform, event)
	if len(reports) != 1 || reports[0]["text"] != "It does not take place." || reports[0]["email"] != "guest@example.org" || reports[0]["state"] != "open" {
		t.Errorf("the administrators read %v", reports)
	}
}

// report sends a report through the base address, as a visitor does.
func (s *system) report(t *testing.T, event string) client.Answer {
	t.Helper()
	answer, err := s.client.Post(t.Context(), "/api/event/"+event+"/report", "application/json", []byte(reportBody))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// reports returns the open reports of an event as administrators read them.
func (s *system) reports(t *testing.T, platform, event string) []map[string]any {
	t.Helper()
	answer := s.admin(t, platform, http.MethodGet, "/reports?state=open&event_uuid="+event, "application/json", nil)
	var list struct{ Reports []map[string]any }
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return list.Reports
}

// closeReport closes the only open report of an event by its takedown.
func (s *system) closeReport(t *testing.T, platform, event string) {
	t.Helper()
	id := fmt.Sprint(s.reports(t, platform, event)[0]["uuid"])
	s.admin(t, platform, http.MethodPut, "/report/"+id, "application/json", strings.NewReader(`{"outcome": "taken_back", "note": "Called the venue."}`))
	if open := s.reports(t, platform, event); len(open) > 0 {
		t.Errorf("still open: %v", open)
	}
}

// wantGone checks that nothing of an event is public, so that it cannot be reported either.
func (s *system) wantGone(t *testing.T, event, picture string) {
	t.Helper()
	if got := s.found(t, event); got > 0 {
		t.Errorf("the search finds %d dates", got)
	}
	if answer, err := s.client.Get(t.Context(), "/api/event/"+event); err != nil || answer.Status != http.StatusNotFound {
		t.Errorf("details: %d %s, %v", answer.Status, answer.Body, err)
	}
	if answer := s.image(t, picture); answer.StatusCode != http.StatusNotFound {
		t.Errorf("picture: %s", answer.Status)
	}
	if answer := s.report(t, event); answer.Status != http.StatusNotFound {
		t.Errorf("a report: %d %s", answer.Status, answer.Body)
	}
}

// found returns how many dates of an event the search finds.
func (s *system) found(t *testing.T, event string) int {
	t.Helper()
	answer, err := s.client.Get(t.Context(), "/api/events?event_uuids="+event)
	if err != nil {
		t.Fatal(err)
	}
	page, err := client.Data[struct{ Events []client.Entry }](answer, "get-events")
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Events)
}

// release releases an event and returns the status of the answer.
func (s *system) release(t *testing.T, token, event string) int {
	t.Helper()
	address := s.URL() + "/api/admin/event/" + event + "/release-status"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, strings.NewReader(`{"release_status": "released"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}
