package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"litfass/pkg/contracts/publicapi"
)

// testAliases: each answers what its original answers, in the form of its clients.
func testAliases(t *testing.T, s site) {
	for _, test := range []struct{ name, path, want string }{
		{"states", "/api/geolist/states/deu", `[{"country_code":"","code":"","name":"SH","slug":"sh"}]`},
		{"states of an unknown country", "/api/geolist/states/xyz", `[]`},
		{"regions", "/api/geolist/regions/dnk/sd", `[{"code":"","name":"Als","slug":"als"}]`},
		{"a region", "/api/geolist/region/deu/sh/flensburg", `{"country":{"code":"","name":"DEU","slug":"deu"},"state":{"code":"","name":"SH","slug":"sh"},"region":{"code":"","name":"Flensburg","slug":"flensburg"}}`},
		{"types of venues", "/api/choosable-venue-types", `[]`},
		{"the venues of an event", "/api/events/venue-summary?event_uuids=" + eventJazz, `{"venue-summary":[{"venue_uuid":"` + venueHall + `","venue_name":"Große <b>Halle</b> & \"Söhne\"","date_count":3}]}`},
		{"other venues", "/api/events/venue-summary?event_uuids=" + eventJazz + "&venue_uuids=" + venueBar, `{"venue-summary":[]}`},
		{"no venues on a map", "/api/venues/geojson?bbox=0,0,1,1", `{"type":"FeatureCollection","features":[]}`},
	} {
		var got enveloped[json.RawMessage]
		if s.get(t, test.path, &got); string(got.Data) != test.want {
			t.Errorf("%s: %s, want %s", test.name, got.Data, test.want)
		}
	}
	var week enveloped[publicapi.Week]
	s.get(t, "/api/events/week?week_start=2026-11-16&event_uuids="+eventJazz, &week)
	if days := week.Data.Days; len(days) != 7 || days[4].EventDay != "2026-11-20" || len(days[4].Events) == 0 || days[4].MoreCount != 0 {
		t.Errorf("week: %+v", days)
	}
	for original, alias := range map[string]string{"2026-11-20-1930": "202611201930", "2028-02-29": "202802290000"} {
		event := eventJazz
		if original == "2028-02-29" {
			event = eventFair
		}
		var got, want enveloped[json.RawMessage]
		s.get(t, "/api/event/"+event+"/date/"+alias, &got)
		s.get(t, "/api/event/"+event+"/date/"+original, &want)
		if string(got.Data) != string(want.Data) {
			t.Errorf("%s: %s, want %s", alias, got.Data, want.Data)
		}
	}
	_, feed := s.do(t, http.MethodGet, "/api/event/"+eventJazz+"/date/2026-11-20-1930.ics", "")
	_, alias := s.do(t, http.MethodGet, "/api/event/"+eventJazz+"/date/2026-11-20-1930/ics", "")
	if !bytes.Equal(feed, alias) {
		t.Errorf("calendar: %s, want %s", alias, feed)
	}
}
