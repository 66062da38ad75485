package editing

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
)

// TestDatesOfRulesReachTheSearch: the dates of rules are found as they were expanded, also around
// daylight-saving changes and on leap days: times are local time.
func TestDatesOfRulesReachTheSearch(t *testing.T) {
	s := harness.Start(t)
	e := s.LogIn(t)
	org := e.Write(t, http.MethodPut, "/organization", `{"name": "Kulturhaus"}`)
	venue := e.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Saal", "timezone": "Europe/Berlin"}`, org["uuid"]))
	event := e.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Reihe",
		"release_status": "released", "dates": [{"start_date": "2036-01-01", "start_time": "20:00"}]}`, org["uuid"], venue["uuid"]))
	want := []string{"2036-01-01 20:00  "}
	for _, rule := range []struct{ body, dates string }{
		{`"start_date": "2037-03-28", "start_time": "02:30", "end_time": "03:30", "rrule": "FREQ=DAILY;COUNT=3"`, // the clock skips the second
			"2037-03-28 02:30  03:30, 2037-03-29 02:30  03:30, 2037-03-30 02:30  03:30"},
		{`"start_date": "2037-10-24", "start_time": "22:00", "end_date": "2037-10-25", "end_time": "02:30", "rrule": "FREQ=DAILY;COUNT=2"`, // 02:30 comes twice
			"2037-10-24 22:00 2037-10-25 02:30, 2037-10-25 22:00 2037-10-26 02:30"},
		{`"start_date": "2036-02-29", "start_time": "20:00", "rrule": "FREQ=YEARLY;COUNT=3"`,
			"2036-02-29 20:00  , 2040-02-29 20:00  , 2044-02-29 20:00  "},
		{`"start_date": "2036-01-31", "all_day": true, "rrule": "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "exdate": ["2036-03-31"], "rdate": ["2036-02-28"]`,
			"2036-01-31 00:00  , 2036-02-28 00:00  , 2036-02-29 00:00  "},
	} {
		e.Write(t, http.MethodPost, fmt.Sprintf("/event/%s/date", event["uuid"]), "{"+rule.body+"}")
		want = append(want, strings.Split(rule.dates, ", ")...)
	}
	slices.Sort(want)
	harness.Await(t, "the dates are found", func() error {
		answer, err := s.Client.Get(t.Context(), fmt.Sprintf("/api/events?limit=200&event_uuids=%s", event["uuid"]))
		if err != nil {
			return err
		}
		page, err := client.Data[client.Page](answer, "get-events")
		if err != nil {
			return err
		}
		var found []string
		for _, d := range page.Events {
			found = append(found, strings.Join([]string{d.Text("start_date"), d.Text("start_time"), d.Text("end_date"), d.Text("end_time")}, " "))
		}
		slices.Sort(found)
		if !slices.Equal(found, want) {
			return fmt.Errorf("found %q, want %q", found, want)
		}
		return nil
	})
}
