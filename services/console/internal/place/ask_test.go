package place_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

const request = "0192f0a0-0000-7000-8000-0000000000a1"

// waits returns an event that waits for the owner of the club.
func waits() adminapi.Event {
	e := at("", "")
	e.Checklist = []adminapi.ChecklistItem{{Field: "use", Kind: "venue", UUID: club, Message: "waits"}}
	return e
}

// asksFor makes the service know the club as a venue whose owner decides first, and a request.
func asksFor(c *pagetest.Console, state string) {
	c.Answer("GET /api/admin/venues", http.StatusOK, adminapi.FoundVenues{Page: adminapi.Page{TotalCount: 1, Limit: 20}, Venues: []adminapi.FoundVenue{
		{UUID: club, Name: hostile, OrgUUID: other, OrgName: "Others", Asks: true},
	}})
	requests := []adminapi.VenueRequest{}
	if state != "" {
		requests = append(requests, adminapi.VenueRequest{
			UUID: request, VenueUUID: club, VenueName: hostile, VenueOrgName: hostile, State: state, Answer: "Not in May " + hostile,
		})
	}
	c.Answer("GET /api/admin/event/"+event+"/venue-requests", http.StatusOK, adminapi.EventRequests{Requests: requests})
}

// TestVenuesThatAreAskedFor: what a found venue offers depends on the state of the request for it.
func TestVenuesThatAreAskedFor(t *testing.T) {
	for state, want := range map[string]string{
		"": "data-ask", adminapi.RequestPending: "There is no answer yet", adminapi.RequestRefused: "Not in May",
		adminapi.RequestAccepted: `id="choose-` + club,
	} {
		c := start(t, at("", ""))
		asksFor(c, state)
		body := c.Get("/console/event/" + event + "/place?search=club").Body
		safe(t, body)
		if !strings.Contains(body, want) || strings.Contains(body, "data-ask") != (state == "") {
			t.Errorf("%q: %q is missing in %s", state, want, body)
		}
	}
}

func TestAskAndWithdraw(t *testing.T) {
	c := start(t, waits())
	asksFor(c, adminapi.RequestPending)
	body := c.Get("/console/event/" + event).Body
	safe(t, body)
	if !strings.Contains(body, `data-request="`+request) || !strings.Contains(body, "/requests/"+request+"/withdraw") {
		t.Errorf("the event does not say that it waits: %s", body)
	}
	for code, notice := range map[string]string{
		"": "venue_asked", "request_not_needed": "venue_changed", "no_recipient": "venue_no_recipient", "too_many_attempts": "venue_too_many_attempts",
	} {
		status := http.StatusCreated
		if code == "too_many_attempts" {
			status = http.StatusTooManyRequests
		} else if code != "" {
			status = http.StatusConflict
		}
		c.Answer("POST /api/admin/event/"+event+"/venue-request", status, map[string]any{"error": "x", "code": code})
		got := c.Post("/console/event/"+event+"/place/ask", url.Values{"venue_uuid": {club}})
		if to := got.Header.Get("Location"); got.Status != http.StatusSeeOther || !strings.HasSuffix(to, "notice="+notice+"#place") {
			t.Errorf("%q: %d to %q", code, got.Status, to)
		}
	}
	c.Answer("DELETE /api/admin/venue-request/"+request, http.StatusOK, map[string]any{"message": "x"})
	got := c.Post("/console/event/"+event+"/place/requests/"+request+"/withdraw", nil)
	if to := got.Header.Get("Location"); !strings.HasSuffix(to, "notice=venue_withdrawn#place") {
		t.Errorf("withdrawn: %d to %q", got.Status, to)
	}
}

// TestRequestsAreDecided: a button decides; a form without one decides nothing.
func TestRequestsAreDecided(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("GET /api/admin/venue-requests", http.StatusOK, adminapi.VenueRequests{Page: adminapi.Page{TotalCount: 1, Limit: 20}, Requests: []adminapi.VenueRequest{
		{UUID: request, VenueName: hostile, OrgName: hostile, EventUUID: event, EventTitle: hostile, EventStart: "2026-12-04", State: adminapi.RequestPending, Note: hostile},
	}})
	body := c.Get("/console/venue-requests").Body
	safe(t, body)
	for _, want := range []string{`value="accept"`, `value="accept_all"`, `value="refuse"`, `name="answer"`, "4 December"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in %s", want, body)
		}
	}
	c.Answer("PUT /api/admin/venue-request/"+request, http.StatusOK, map[string]any{"message": "x"})
	for decision, want := range map[string]string{
		"accept": `"accepted":true,"for_organization":false`, "accept_all": `"accepted":true,"for_organization":true`, "refuse": `"accepted":false,"for_organization":false`,
	} {
		got := c.Post("/console/venue-requests/"+request, url.Values{"decision": {decision}, "answer": {"Gern"}})
		calls := c.Calls("PUT /api/admin/venue-request/" + request)
		if sent := string(calls[len(calls)-1].Body); got.Status != http.StatusSeeOther || !strings.Contains(sent, want) || !strings.Contains(sent, "Gern") {
			t.Errorf("%s: %d, sends %s", decision, got.Status, sent)
		}
	}
	if got := c.Post("/console/venue-requests/"+request, url.Values{"answer": {"Gern"}}); got.Status != http.StatusNotFound {
		t.Errorf("no decision: %d", got.Status)
	}
}
