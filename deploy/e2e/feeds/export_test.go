package feeds_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testExport exports an event with everything that could be lost on the way, imports the table into
// another organization, and exports it again: both tables are the same but for ids.
func (s subscriber) testExport(t *testing.T) {
	e := s.SignUp(t, "export@example.org")
	found := func(name string) string {
		return fmt.Sprint(e.Write(t, http.MethodPut, "/organization", fmt.Sprintf(`{"name": %q}`, name))["uuid"])
	}
	org := found("Exporteur")
	venue := e.Write(t, http.MethodPut, "/venue", fmt.Sprintf(
		`{"org_uuid": %q, "name": "Güterhalle", "street": "Kai", "house_number": "3a", "postal_code": "01067", "city": "Dresden"}`, org))["uuid"]
	created := e.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "=1+1; das \"Fest\"",
		"subtitle": "-2 Grad", "summary": "Zeile, eins\n\nZeile zwei", "categories": [4, 1], "event_types": [{"type_id": 19}, {"type_id": 1}],
		"tags": ["Jazz", "open air"], "languages": ["de", "da"], "price_type": "tiered_prices", "min_price": 8.5, "max_price": 12, "currency": "EUR",
		"min_age": 6, "max_age": 12, "online_link": "https://stream.example/a?b=c&d=e", "dates": [{"start_date": %q, "start_time": "00:00"},
		{"start_date": %q, "start_time": "20:30", "end_time": "22:00"}, {"start_date": %q, "all_day": true, "end_date": %q}]}`,
		org, venue, harness.Day(3), harness.Day(5), harness.Day(7), harness.Day(8)))
	_, position := e.Change(t, http.MethodPut, fmt.Sprint("/event/", created["uuid"], "/release-status"), `{"release_status": "released"}`)
	want := s.exported(t, org, position)
	if len(want) != 4 {
		t.Fatalf("exported %v", want)
	}
	for _, format := range []string{"csv", "xlsx"} {
		other := found("Importeur " + format)
		_, table := s.feed(t, "/api/events."+format+"?lang=de&org_uuids="+org, position)
		report, position := e.Change(t, http.MethodPost, "/organization/"+other+"/import", fmt.Sprintf(
			`{"content_base64": %q, "dry_run": false, "defaults": {"release_status": "released"}}`, base64.StdEncoding.EncodeToString(table)))
		if got := s.exported(t, other, position); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: imported as\n%q, want\n%q: %v", format, got, want, report)
		}
	}
}

// exported returns the table of an organization's dates without its ids and names.
func (s subscriber) exported(t *testing.T, org string, position uint64) [][]string {
	t.Helper()
	status, table := s.feed(t, "/api/events.csv?lang=de&org_uuids="+org, position)
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v %.300s", status, err, table)
	}
	kept := make([][]string, len(rows))
	for n, row := range rows {
		for c, name := range rows[0] {
			if !slices.Contains([]string{"external_id", "org_name", "page_url", "date_uuid"}, name) {
				kept[n] = append(kept[n], row[c])
			}
		}
	}
	return kept
}
