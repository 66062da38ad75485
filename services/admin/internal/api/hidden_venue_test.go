package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/publish/outbox"
)

// placesOf returns the venues of a published event and of its dates in order, by name.
func (s *stage) placesOf(t *testing.T, event string) string {
	t.Helper()
	state, _, _, err := outbox.PublicState(t.Context(), s.db, outbox.Ref{Kind: change.KindEvent, ID: event})
	if err != nil || state == nil {
		t.Fatalf("state %v, %v", state, err)
	}
	published, names := state.(*change.Event), map[string]string{"": "-"}
	for _, venue := range published.Venues {
		names[venue.UUID] = venue.Name
	}
	places := names[string(published.VenueUUID)] + ":"
	for _, date := range published.Dates {
		where := date.VenueUUID
		if where == "" {
			where = published.VenueUUID
		}
		places += " " + names[string(where)]
	}
	return places
}

// TestVenuesOfUnapprovedOrganizationsAreNotShown: an event of another organization is without them
// until a platform administrator approves theirs, and again once that is refused.
func TestVenuesOfUnapprovedOrganizationsAreNotShown(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, waiting, _ := s.found(t, "stranger")
	s.exec(t, "UPDATE venue SET name = 'Halle' WHERE uuid = $1", waiting)
	own := s.venue(t, s.org)
	s.exec(t, "UPDATE venue SET name = 'Haus' WHERE uuid = $1", own)
	atEvent, atDate := s.event(t, s.org, "Konzert", "released", nil, 5), s.event(t, s.org, "Lesung", "released", nil, 5, 6)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", atEvent, waiting)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", atDate, own)
	s.exec(t, `UPDATE event_date SET venue_uuid = $2
		WHERE uuid = (SELECT uuid FROM event_date WHERE event_uuid = $1 ORDER BY start_date LIMIT 1)`, atDate, waiting)
	decide := func(body string) {
		t.Helper()
		s.enqueued(t)
		s.as(t, "platform", http.MethodPut, "/organization/"+org+"/approval", body).want(t, "decide", ok, "")
		if got := s.enqueued(t); !strings.Contains(got, "event "+atEvent) || !strings.Contains(got, "event "+atDate) {
			t.Errorf("after %s these are enqueued: %s", body, got)
		}
	}
	hidden := func(when string) {
		t.Helper()
		if first, second := s.placesOf(t, atEvent), s.placesOf(t, atDate); first != "-: -" || second != "-: - Haus" {
			t.Errorf("%s the events take place at %q and %q", when, first, second)
		}
		for event, field := range map[string]string{atEvent: "venue_uuid", atDate: "dates[0]"} {
			a := s.as(t, "owner", http.MethodPut, "/event/"+event+"/tags", fmt.Sprintf(`{"tags": [%q]}`, when))
			warning := a.first(t, "warnings")
			if warning["code"] != "venue_not_approved" || warning["field"] != field || warning["uuid"] != waiting {
				t.Errorf("%s the warnings of %s are %v", when, event, a.body["warnings"])
			}
			if read := s.as(t, "viewer", http.MethodGet, "/event/"+event, ""); !strings.Contains(string(read.raw), "until its organization is approved: Halle") {
				t.Errorf("%s the checklist is %v", when, read.body["checklist"])
			}
		}
	}
	hidden("waiting")
	token, _ := s.previewed(t, "owner", atEvent)
	if a := s.preview(t, token, ""); strings.Contains(string(a.raw), waiting) || strings.Contains(string(a.raw), "Halle") {
		t.Errorf("the preview shows %s", a.raw)
	}
	decide(`{"approved": true}`)
	if first, second := s.placesOf(t, atEvent), s.placesOf(t, atDate); first != "Halle: Halle" || second != "Haus: Halle Haus" {
		t.Errorf("the events take place at %q and %q", first, second)
	}
	a := s.as(t, "owner", http.MethodPut, "/event/"+atEvent+"/tags", `{"tags": ["approved"]}`)
	if warnings, _ := a.body["warnings"].([]any); len(warnings) > 0 {
		t.Errorf("approved, the warnings are %v", warnings)
	}
	decide(`{"approved": false, "reason": "no"}`)
	hidden("refused")

	s.exec(t, "UPDATE organization_approval SET state = 'pending', reason = NULL, decided_at = NULL WHERE org_uuid = $1", org)
	ownEvent := s.event(t, org, "Probe", "draft", nil, 5) // its organization sees it as it will be
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", ownEvent, waiting)
	token, _ = s.previewed(t, "stranger", ownEvent)
	if a := s.preview(t, token, ""); !strings.Contains(string(a.raw), "Halle") {
		t.Errorf("the preview of its own event shows %s", a.raw)
	}
	s.enqueued(t)
	s.as(t, "platform", http.MethodPut, "/venue/"+waiting, fmt.Sprintf(`{"org_uuid": %q}`, s.org)).want(t, "move the venue", ok, "")
	if got := s.enqueued(t); !strings.Contains(got, "event "+atEvent) || s.placesOf(t, atEvent) != "Halle: Halle" {
		t.Errorf("once the venue is another organization's, %s is enqueued", got)
	}
}
