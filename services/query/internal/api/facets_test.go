package api

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
)

// counted are the facets of theDates: "value:count" in their order, and the total.
var counted = []struct {
	query, by string
	total     int
	want      string
}{
	{"", "city", 8, "Flensburg:3 SØNDERBORG:1"},
	{"city=flensburg", "city", 3, "Flensburg:3 SØNDERBORG:1"},
	{"city=flensburg&accessibility=3", "city", 2, "Flensburg:2"},
	{"city=flensburg&accessibility=3", "accessibility", 2, "3:2 0:1 63:1"},
	{"", "tags", 8, "50%:1 Jazz:1 family:1 open air:1 say \"no\":1"},
	{"tags=JAZZ", "tags", 1, "50%:1 Jazz:1 family:1 open air:1 say \"no\":1"},
	{"", "categories", 8, "1:1 5:1 6:1"},
	{"categories=6&visitor_infos=42", "categories", 0, "1:1 5:1"},
	{"", "event_types", 8, "1:2 3:2"},
	{"event_types=3", "event_types", 2, "1:2 3:2"},
	{"event_types=3", "genres", 2, "1002:1 3001:1"},
	{"price=free", "price_type", 1, "not_specified:3 regular_price:3 donation:1 free:1"},
	{"price=9.99,EUR&languages=de", "price_type", 1, "regular_price:1"},
	{"", "languages", 8, "da:1 de:1 en:1"},
	{"", "visitor_infos", 8, "7:2 42:1"},
	{"", "space_types", 8, "hall:1 tent:1"},
	{"countries=DNK", "countries", 1, "DEU:3 DNK:1"},
	{"release_statuses=cancelled", "release_statuses", 1, "released:7 cancelled:1"},
	{"city=*", "venue_uuids", 4, venueID('k') + ":3 " + venueID('s') + ":1"},
	{"languages=da", "org_uuids", 1, orgID('y') + ":1"},
	{"search=jazz", "city", 3, "Flensburg:2"},
	{"search=nothing", "city", 0, ""},
	{"geolist_region=deu,sh,kiel", "city", 0, ""},
	{"venue_uuids=" + venueID('s') + "&geolist_region=deu,sh,flensburg", "venue_uuids", 0, venueID('k') + ":3"},
	{"on=2026-11-19,2026-11-22", "day", 6, "2026-11-19:1 2026-11-20:6 2026-11-21:1 2026-11-22:0"},
	{"start=2026-11-20&end=2026-11-21", "day", 5, "2026-11-20:5 2026-11-21:0"},
	{"limit=1&offset=3&sort=start", "countries", 8, "DEU:3 DNK:1"},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + dateID('f'), "countries", 8, "DEU:3 DNK:1"},
	{"group=event&city=flensburg", "city", 3, "Flensburg:3 SØNDERBORG:1"},
}

// facetsCount counts by GET and by POST.
func facetsCount(t *testing.T, s site) {
	for _, test := range counted {
		query := "by=" + test.by + "&" + test.query
		var got, posted enveloped[publicapi.Facets]
		s.get(t, "/api/events/facets?"+query, &got)
		s.post(t, "/api/events/facets", asJSON(t, query), &posted)
		for _, answer := range []publicapi.Facets{got.Data, posted.Data} {
			if counts := shownCounts(answer.Facets[test.by]); counts != test.want || answer.Total != test.total || len(answer.Facets) != 1 {
				t.Errorf("%s: %s of %d, want %s of %d", query, counts, answer.Total, test.want, test.total)
			}
		}
	}
}

func shownCounts(facets []publicapi.Facet) string {
	var shown []string
	for _, f := range facets {
		shown = append(shown, fmt.Sprintf("%s:%d", f.Value, f.Count))
	}
	return strings.Join(shown, " ")
}

// valuesFindWhatIsCounted: the parameter of a dimension takes its values, and finds as many.
func valuesFindWhatIsCounted(t *testing.T, s site) {
	var all enveloped[publicapi.Facets]
	s.get(t, "/api/events/facets?start=2026-01-01&by=city,tags,categories,event_types,genres,languages,accessibility,visitor_infos,"+
		"space_types,countries,release_statuses,venue_uuids,org_uuids", &all)
	for dimension, facets := range all.Data.Facets {
		if len(facets) == 0 {
			t.Errorf("nothing is counted by %s", dimension)
		}
		for _, f := range facets {
			query := theSearch + "start=2026-01-01&" + dimension + "=" + url.QueryEscape(f.Value)
			var got enveloped[page]
			s.get(t, query, &got)
			if found := len(got.Data.Events); found != f.Count {
				t.Errorf("%s finds %d, counted are %d", query, found, f.Count)
			}
		}
	}
}

// testCountedIdsAreNamed in the requested language; texts are their own names.
func testCountedIdsAreNamed(t *testing.T, s site) {
	var got enveloped[publicapi.Facets]
	s.get(t, "/api/events/facets?lang=de&by=event_types,genres,languages,countries,city,venue_uuids,org_uuids,accessibility,tags,categories", &got)
	for dimension, want := range map[string]publicapi.Facet{
		"event_types": {Value: "1", Name: "Konzert"}, "genres": {Value: "1003", Name: "Jazz"}, "countries": {Value: "DEU", Name: "Deutschland"},
		"city": {Value: "Flensburg"}, "venue_uuids": {Value: venueHall, Name: hall().Name}, "org_uuids": {Value: orgNord, Name: "Kulturhaus Nord"},
		"categories": {Value: "1", Name: "Kultur"},
	} {
		found := false
		for _, f := range got.Data.Facets[dimension] {
			found = found || f.Value == want.Value && f.Name == want.Name
		}
		if !found {
			t.Errorf("%s: %+v is not among %+v", dimension, want, got.Data.Facets[dimension])
		}
	}
}
