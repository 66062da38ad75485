package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// asked makes a venue of the other organization that is used on request, and a draft.
func asked(t *testing.T) (s *stage, venue, event string) {
	t.Helper()
	s = newStage(t)
	venue, event = s.venue(t, s.foreign), s.event(t, s.org, "Konzert", "draft", nil, 5)
	s.exec(t, "UPDATE venue SET use = 'ask', name = 'Halle' WHERE uuid = $1", venue)
	return s, venue, event
}

func (s *stage) ask(t *testing.T, who, event, venue string) answer {
	t.Helper()
	return s.as(t, who, http.MethodPost, "/event/"+event+"/venue-request", `{"venue_uuid": "`+venue+`", "note": "For 80 people"}`)
}

func (s *stage) decideVenue(t *testing.T, request any, body string) answer {
	t.Helper()
	return s.as(t, "neighbour", http.MethodPut, fmt.Sprintf("/venue-request/%v", request), body)
}

// waitsFor are the venues for whose owners an event waits.
func (s *stage) waitsFor(t *testing.T, event string) (waits []string) {
	t.Helper()
	a := s.as(t, "owner", http.MethodGet, "/event/"+event, "")
	for _, item := range a.body["checklist"].([]any) {
		if row := item.(map[string]any); row["field"] == "use" {
			waits = append(waits, fmt.Sprint(row["message"]))
		}
	}
	return waits
}

// TestVenueIsUsedOnRequest: an event waits until the owner of the venue accepts it. It is placed
// there then, and stays when the owner closes the venue, or withdraws the acceptance.
func TestVenueIsUsedOnRequest(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	place := `{"venue_uuid": "` + venue + `"}`
	found := s.as(t, "contributor", http.MethodGet, "/venues?search=halle&org_uuid="+s.org, "")
	if row := found.first(t, "venues"); row["asks"] != true {
		t.Errorf("the venue is found as %v", row)
	}
	s.as(t, "contributor", http.MethodPut, "/event/"+event+"/place", place).want(t, "place before", http.StatusForbidden, "venue_request_needed")
	a := s.ask(t, "contributor", event, venue)
	a.want(t, "ask", http.StatusCreated, "")
	id := a.body["uuid"]
	s.ask(t, "contributor", event, venue).want(t, "ask again", ok, "")
	s.as(t, "contributor", http.MethodPut, "/event/"+event+"/place", place).want(t, "place while it waits", http.StatusForbidden, "venue_request_needed")
	if waits := s.waitsFor(t, event); len(waits) != 1 || !strings.Contains(waits[0], "Halle") {
		t.Errorf("the event waits for %q", waits)
	}
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`).
		want(t, "release while it waits", http.StatusBadRequest, "invalid_event")
	letters := s.as(t, "neighbour", http.MethodGet, "/user/messages", "")
	if got := letters.first(t, "messages"); got["link"] != "/venue-requests" || !strings.Contains(fmt.Sprint(got["message"]), "For 80 people") {
		t.Errorf("the owner reads %v", got)
	}
	if listed := s.as(t, "neighbour", http.MethodGet, "/venue-requests?state=pending", ""); listed.first(t, "requests")["uuid"] != id {
		t.Errorf("the owner lists %s", listed.raw)
	}
	if listed := s.as(t, "owner", http.MethodGet, "/venue-requests", ""); listed.body["total_count"] != 0.0 {
		t.Errorf("the asking organization lists %s", listed.raw)
	}

	s.decideVenue(t, id, `{"accepted": true, "answer": "Gladly"}`).want(t, "accept", ok, "")
	written := s.as(t, "neighbour", http.MethodGet, "/organization/"+s.foreign+"/audit", "").body["total_count"]
	s.decideVenue(t, id, `{"accepted": true, "answer": "Gladly"}`).want(t, "accept again", ok, "")
	if again := s.as(t, "neighbour", http.MethodGet, "/organization/"+s.foreign+"/audit", "").body["total_count"]; again != written {
		t.Errorf("%v audit entries after the same decision, %v before", again, written)
	}
	if now := s.as(t, "owner", http.MethodGet, "/event/"+event, ""); now.body["venue_uuid"] != venue || len(s.waitsFor(t, event)) != 0 {
		t.Errorf("the event is at %v and waits for %q", now.body["venue_uuid"], s.waitsFor(t, event))
	}
	letters = s.as(t, "contributor", http.MethodGet, "/user/messages", "")
	if got := letters.first(t, "messages"); got["link"] != "/event/"+event || !strings.Contains(fmt.Sprint(got["message"]), "Gladly") {
		t.Errorf("the asker reads %v", got)
	}
	if err := s.mails.Drain(t.Context()); err != nil || len(s.box.mails) != 2 {
		t.Errorf("%d mails, %v", len(s.box.mails), err)
	}
	for _, mail := range s.box.mails {
		if strings.Contains(mail.Text+mail.HTML, "80 people") || strings.Contains(mail.Text+mail.HTML, "Gladly") {
			t.Errorf("a mail has a stranger's words: %s", mail.Text)
		}
	}
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`).want(t, "release", ok, "")
	s.decideVenue(t, id, `{"accepted": false}`).want(t, "refuse later", ok, "")
	s.as(t, "neighbour", http.MethodPut, "/venue/"+venue, `{"use": "closed"}`).want(t, "close", ok, "")
	s.as(t, "owner", http.MethodPut, "/event/"+event+"/header", `{"title": "Konzert im Mai"}`).want(t, "edit", ok, "")
	if places := s.placesOf(t, event); places != "Halle: Halle" {
		t.Errorf("visitors see %s", places)
	}
	s.decideVenue(t, id, `{"accepted": true}`).want(t, "accept while it is closed", http.StatusConflict, "venue_closed")
}

// TestAcceptanceIsForTheEventOrItsOrganization: an accepted event is no acceptance of others,
// except where the owner says so, also when that event is gone.
func TestAcceptanceIsForTheEventOrItsOrganization(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	other, place := s.event(t, s.org, "Lesung", "draft", nil, 5), `{"venue_uuid": "`+venue+`"}`
	id := s.ask(t, "contributor", event, venue).body["uuid"]
	try := func(when string, status int, code string) {
		t.Helper()
		s.as(t, "contributor", http.MethodPut, "/event/"+other+"/place", place).want(t, when, status, code)
	}
	s.decideVenue(t, id, `{"accepted": true}`).want(t, "accept", ok, "")
	try("another event", http.StatusForbidden, "venue_request_needed")
	s.decideVenue(t, id, `{"accepted": true, "for_organization": true}`).want(t, "accept all", ok, "")
	found := s.as(t, "contributor", http.MethodGet, "/venues?search=halle&org_uuid="+s.org, "")
	if row := found.first(t, "venues"); row["asks"] != false {
		t.Errorf("the venue is found as %v", row)
	}
	s.exec(t, "DELETE FROM event WHERE uuid = $1", event)
	try("an accepted organization", ok, "")
	s.as(t, "contributor", http.MethodPut, "/event/"+other+"/place", `{"venue_uuid": null}`).want(t, "leave", ok, "")
	s.decideVenue(t, id, `{"accepted": true, "for_organization": false}`).want(t, "accept no more", ok, "")
	try("after that", http.StatusForbidden, "venue_request_needed")

	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", other, s.venue(t, s.org))
	id = s.ask(t, "contributor", other, venue).body["uuid"]
	s.decideVenue(t, id, `{"accepted": true}`).want(t, "accept one that stands elsewhere", ok, "")
	if now := s.as(t, "owner", http.MethodGet, "/event/"+other, ""); now.body["venue_uuid"] == venue {
		t.Error("an event that has a place was moved")
	}
	try("its members choose", ok, "")
}

// TestWhoMayAsk: rights come first, ids of others are unknown, and a request is one.
func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	s.ask(t, "neighbour", event, venue).want(t, "a stranger", http.StatusNotFound, "event_not_found")
	s.ask(t, "viewer", event, "x").want(t, "a viewer", http.StatusForbidden, "permission_missing")
	if a := s.ask(t, "editor", event, "x"); a.fields() != "venue_uuid" {
		t.Errorf("a bad id: %s", a.raw)
	}
	s.ask(t, "editor", event, newUUID()).want(t, "an unknown venue", http.StatusNotFound, "venue_not_found")
	s.ask(t, "editor", event, s.venue(t, s.org)).want(t, "a venue of one's own", http.StatusConflict, "request_not_needed")
	open, closed := s.venue(t, s.foreign), s.venue(t, s.foreign)
	s.exec(t, "UPDATE venue SET use = 'closed' WHERE uuid = $1", closed)
	s.ask(t, "editor", event, open).want(t, "an open venue", http.StatusConflict, "request_not_needed")
	s.ask(t, "editor", event, closed).want(t, "a closed venue", http.StatusForbidden, "venue_closed")
	deserted := authtest.Organization(t, s.db, "Verein")
	alone := s.venue(t, deserted)
	s.exec(t, "UPDATE venue SET use = 'ask' WHERE uuid = $1", alone)
	s.ask(t, "editor", event, alone).want(t, "a venue without members", http.StatusConflict, "no_recipient")
	id := fmt.Sprint(s.ask(t, "editor", event, venue).body["uuid"])
	s.join(t, "guest", s.foreign, permission.All&^permission.EditVenue)
	for who, want := range map[string]string{"owner": "venue_request_not_found", "stranger": "venue_request_not_found", "guest": "permission_missing"} {
		if a := s.as(t, who, http.MethodPut, "/venue-request/"+id, `{"accepted": true}`); a.body["code"] != want {
			t.Errorf("%s decides: %s", who, a.raw)
		}
	}
	if a := s.decideVenue(t, id, `{"accepted": false, "for_organization": true}`); a.fields() != "for_organization" {
		t.Errorf("a refusal of all: %s", a.raw)
	}
	s.as(t, "neighbour", http.MethodDelete, "/venue-request/"+id, "").want(t, "the owner withdraws", http.StatusNotFound, "venue_request_not_found")
	s.as(t, "contributor", http.MethodDelete, "/venue-request/"+id, "").want(t, "withdraw", ok, "")
	id = fmt.Sprint(s.ask(t, "editor", event, venue).body["uuid"])
	s.decideVenue(t, id, `{"accepted": false, "answer": "No"}`).want(t, "refuse", ok, "")
	s.ask(t, "editor", event, venue).want(t, "ask after a refusal", http.StatusConflict, "request_decided")
	s.as(t, "editor", http.MethodDelete, "/venue-request/"+id, "").want(t, "withdraw what was refused", http.StatusConflict, "request_decided")
	if a := s.as(t, "viewer", http.MethodGet, "/event/"+event+"/venue-requests", ""); a.first(t, "requests")["answer"] != "No" {
		t.Errorf("the requests of the event: %s", a.raw)
	}
	for range 20 {
		s.ask(t, "editor", event, open)
	}
	s.ask(t, "editor", event, open).want(t, "a flood", http.StatusTooManyRequests, "too_many_attempts")
}

// TestFloodsOfRequests: founding organizations sends no more mails to strangers, and neither does
// deciding again and again.
func TestFloodsOfRequests(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	id := s.ask(t, "editor", event, venue).body["uuid"]
	for i := range 10 {
		s.decideVenue(t, id, fmt.Sprintf(`{"accepted": %t}`, i%2 > 0)).want(t, "decide", ok, "")
	}
	s.decideVenue(t, id, `{"accepted": false}`).want(t, "decide on and on", http.StatusTooManyRequests, "too_many_attempts")
	if letters := s.as(t, "editor", http.MethodGet, "/user/messages", ""); letters.body["total_count"] != 3.0 { // the others are gathered
		t.Errorf("the asker has %v messages", letters.body["total_count"])
	}
	s.as(t, "owner", http.MethodPut, fmt.Sprintf("/venue-request/%v", id), `{"accepted": false}`).
		want(t, "rights come first", http.StatusNotFound, "venue_request_not_found")

	second := fmt.Sprint(s.as(t, "editor", http.MethodPut, "/organization", `{"name": "Zweitverein"}`).body["uuid"])
	guest := s.event(t, second, "Lesung", "draft", nil, 5)
	for range 19 {
		s.ask(t, "editor", event, venue)
	}
	s.ask(t, "editor", guest, venue).want(t, "ask for another organization", http.StatusTooManyRequests, "too_many_attempts")
	s.as(t, "editor", http.MethodGet, "/event/"+guest, "").want(t, "read", ok, "")
}

// TestRequestsAtOnce: of simultaneous requests one is stored and sent, and a decision meets the
// withdrawal or the deletion of its event without a failure of the server.
func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	s, venue, event := asked(t)
	ask := func() answer { return s.ask(t, "editor", event, venue) }
	if got := atOnce(ask, ask, ask, ask); fmt.Sprint(got) != "[200 200 200 201]" {
		t.Errorf("asked at once: %v", got)
	}
	if letters := s.as(t, "neighbour", http.MethodGet, "/user/messages", ""); letters.body["total_count"] != 1.0 {
		t.Errorf("the owner has %v messages", letters.body["total_count"])
	}
	for range 5 {
		draft := s.event(t, s.org, "Lesung", "draft", nil, 5)
		id := fmt.Sprint(s.ask(t, "editor", draft, venue).body["uuid"])
		accept := func() answer { return s.decideVenue(t, id, `{"accepted": true}`) }
		withdraw := func() answer { return s.as(t, "editor", http.MethodDelete, "/venue-request/"+id, "") }
		if got := fmt.Sprint(atOnce(accept, withdraw)); got != "[200 404]" && got != "[200 409]" {
			t.Errorf("accepted and withdrawn at once: %s", got)
		}
		last := s.event(t, s.org, "Tanz", "draft", nil, 5)
		id = fmt.Sprint(s.ask(t, "editor", last, venue).body["uuid"])
		remove := func() answer {
			return s.as(t, "owner", http.MethodDelete, "/event/"+last, `{"password": "`+authtest.Password+`"}`)
		}
		if got := fmt.Sprint(atOnce(accept, remove)); got != "[200 200]" && got != "[200 404]" {
			t.Errorf("accepted and deleted at once: %s", got)
		}
	}
}
