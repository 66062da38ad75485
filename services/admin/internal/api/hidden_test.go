package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// hiddenTitle is the name of entities that strangers must not learn of.
const hiddenTitle = "Kalthalle"

// similarTo are the names of the venues that a person learns of by asking, and by adding one like
// them to an organization.
func (s *stage) similarTo(t *testing.T, who, org string) string {
	t.Helper()
	asked := s.as(t, who, http.MethodGet, "/venue/similar?name="+url.QueryEscape(hiddenTitle)+"&lat=54&lon=9", "")
	asked.want(t, "ask for similar venues", ok, "")
	added := s.as(t, who, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": %q, "lat": 54, "lon": 9}`, org, hiddenTitle))
	added.want(t, "add a similar venue", http.StatusCreated, "")
	s.exec(t, "DELETE FROM venue WHERE uuid = $1", added.body["uuid"])
	return fmt.Sprintf("%d %d", len(asked.body["venues"].([]any)), len(added.body["warnings"].([]any)))
}

// Entities of an organization that waits for approval, or was refused, appear in no warning and no
// list of strangers; its own members see them.
func TestNothingOfAHiddenOrganizationIsNamed(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, venue, event := s.found(t, "stranger")
	s.exec(t, "UPDATE venue SET name = $2, lat = 54, lon = 9 WHERE uuid = $1", venue, hiddenTitle)
	house := s.venue(t, s.org)
	space := s.space(t, house)
	s.exec(t, "UPDATE event SET title = $2, venue_uuid = $3, space_uuid = $4 WHERE uuid = $1", event, hiddenTitle, house, space)
	taken := func() bool {
		a := s.as(t, "owner", http.MethodPost, "/event/create", fmt.Sprintf(
			`{"org_uuid": %q, "title": "x", "venue_uuid": %q, "space_uuid": %q, "dates": [{"start_date": %q, "all_day": true}]}`,
			s.org, house, space, s.clock.Now().AddDate(0, 0, 5).Format(time.DateOnly)))
		a.want(t, "an event in the same space", http.StatusCreated, "")
		s.exec(t, "DELETE FROM event WHERE uuid = $1", a.body["uuid"])
		return strings.Contains(string(a.raw), hiddenTitle)
	}
	for _, approved := range []bool{false, true, false} {
		if approved || s.decided(t, org) {
			s.as(t, "platform", http.MethodPut, "/organization/"+org+"/approval", fmt.Sprintf(`{"approved": %t, "reason": "x"}`, approved)).
				want(t, "decide", ok, "")
		}
		if got := taken(); got != approved {
			t.Errorf("approved %t: the warning of a taken space names the event: %t", approved, got)
		}
		want := map[bool]string{false: "0 0", true: "1 1"}[approved]
		if got := s.similarTo(t, "owner", s.org); got != want {
			t.Errorf("approved %t: a stranger learns of %s similar venues, want %s", approved, got, want)
		}
		if got := s.similarTo(t, "stranger", org); got != "1 1" {
			t.Errorf("approved %t: its owner learns of %s similar venues", approved, got)
		}
	}
}

// decided reports whether the approval of an organization was decided before.
func (s *stage) decided(t *testing.T, org string) (decided bool) {
	t.Helper()
	s.one(t, &decided, "SELECT state <> 'pending' FROM organization_approval WHERE org_uuid = $1", org)
	return decided
}
