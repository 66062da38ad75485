package images

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// testReports: a visitor's report reaches the administrators, who take the event back. It
// disappears from search, its details and images too, and cannot be released by its organizer. It
// is back once the takedown is lifted and the organizer has released it.
func testReports(s *harness.System, t *testing.T) {
	s.AwaitReady(t)
	owner, platform := demoOwner(s, t), s.Organizer(t).Token
	event := releasedEvent(s, t, owner)
	picture := s.ImagePaths(t, event)["main"] + "?width=320&height=320"
	testReporting(s, t, platform, event)

	s.Admin(t, platform, http.MethodPut, "/event/"+event+"/takedown", "application/json", strings.NewReader(`{"reason": "It does not take place."}`))
	s.AwaitReady(t)
	wantGone(s, t, event, picture)
	if answer := release(s, t, owner, event); answer != http.StatusConflict {
		t.Errorf("released while it is taken back: %d", answer)
	}
	s.MustRun(t, stack.Projector, "verify")
	closeReport(s, t, platform, event)

	s.Admin(t, platform, http.MethodDelete, "/event/"+event+"/takedown", "application/json", nil)
	if answer := release(s, t, owner, event); answer != http.StatusOK {
		t.Errorf("released after that: %d", answer)
	}
	s.AwaitReady(t)
	s.WantImage(t, picture, image.Pt(320, 320))
	if got := found(s, t, event); got == 0 {
		t.Error("the search does not find the event again")
	}
	s.Verify(t)
}

// testReporting sends reports of an event: without an admin service, as often as one client may,
// and once more.
func testReporting(s *harness.System, t *testing.T, platform, event string) {
	t.Helper()
	admin := s.Process(stack.Admin)
	if err := admin.Kill(); err != nil {
		t.Fatal(err)
	}
	if answer := s.Report(t, event); answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("without an admin service: %d %v %s", answer.Status, answer.Header, answer.Body)
	}
	if err := admin.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "a report is accepted", func() error {
		if answer := s.Report(t, event); answer.Status != http.StatusAccepted {
			return fmt.Errorf("%d %s", answer.Status, answer.Body)
		}
		return nil
	})
	for range 4 {
		if answer := s.Report(t, event); answer.Status != http.StatusAccepted {
			t.Errorf("a report again: %d %s", answer.Status, answer.Body)
		}
	}
	if answer := s.Report(t, event); answer.Status != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" {
		t.Errorf("the sixth report: %d %v %s", answer.Status, answer.Header, answer.Body)
	}
	reports := reports(s, t, platform, event)
	if len(reports) != 1 || reports[0]["text"] != "It does not take place." || reports[0]["email"] != "guest@example.org" || reports[0]["state"] != "open" {
		t.Errorf("the administrators read %v", reports)
	}
}

// reports returns the open reports of an event as administrators read them.
func reports(s *harness.System, t *testing.T, platform, event string) []map[string]any {
	t.Helper()
	answer := s.Admin(t, platform, http.MethodGet, "/reports?state=open&event_uuid="+event, "application/json", nil)
	var list struct{ Reports []map[string]any }
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return list.Reports
}

// closeReport closes the only open report of an event by its takedown.
func closeReport(s *harness.System, t *testing.T, platform, event string) {
	t.Helper()
	id := fmt.Sprint(reports(s, t, platform, event)[0]["uuid"])
	s.Admin(t, platform, http.MethodPut, "/report/"+id, "application/json", strings.NewReader(`{"outcome": "taken_back", "note": "Called the venue."}`))
	if open := reports(s, t, platform, event); len(open) > 0 {
		t.Errorf("still open: %v", open)
	}
}

// wantGone checks that nothing of an event is public, so that it cannot be reported either.
func wantGone(s *harness.System, t *testing.T, event, picture string) {
	t.Helper()
	if got := found(s, t, event); got > 0 {
		t.Errorf("the search finds %d dates", got)
	}
	if answer, err := s.Client.Get(t.Context(), "/api/event/"+event); err != nil || answer.Status != http.StatusNotFound {
		t.Errorf("details: %d %s, %v", answer.Status, answer.Body, err)
	}
	if answer := s.Image(t, picture); answer.StatusCode != http.StatusNotFound {
		t.Errorf("picture: %s", answer.Status)
	}
	if answer := s.Report(t, event); answer.Status != http.StatusNotFound {
		t.Errorf("a report: %d %s", answer.Status, answer.Body)
	}
}

// found returns how many dates of an event the search finds.
func found(s *harness.System, t *testing.T, event string) int {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), "/api/events?event_uuids="+event)
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
func release(s *harness.System, t *testing.T, token, event string) int {
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
