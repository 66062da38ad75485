package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func testTypeGenreLookup(t *testing.T, s site) {
	type types struct {
		Types map[string]struct {
			Name   string
			Genres map[string]string
		}
	}
	for query, langs := range map[string][]string{"": {"da", "de", "en"}, "?lang=de": {"de"}, "?lang=de,xx": {"de", "en"}} {
		var got enveloped[map[string]types]
		s.get(t, "/api/event/type-genre-lookup"+query, &got)
		var keys []string
		for lang := range got.Data {
			keys = append(keys, lang)
		}
		slices.Sort(keys)
		concert := got.Data["de"].Types["1"]
		if !slices.Equal(keys, langs) || concert.Name != "Konzert" || concert.Genres["1013"] != "Klassik" ||
			got.ResponseType != "get-event-type-genre-lookup" {
			t.Errorf("%s: got %+v", query, got)
		}
	}
}

func testGeolist(t *testing.T, s site) {
	for path, want := range map[string]string{
		"countries":                    `{"countries":[{"slug":"deu","name":"DEU"},{"slug":"dnk","name":"DNK"}]}`,
		"states":                       `{"states":[{"country_slug":"deu","slug":"sh","name":"SH"},{"country_slug":"dnk","slug":"sd","name":"SD"}]}`,
		"states?country=dnk":           `{"states":[{"country_slug":"dnk","slug":"sd","name":"SD"}]}`,
		"states?country=atlantis":      `{"states":[]}`,
		"regions?country=dnk&state=sd": `{"regions":[{"country_slug":"dnk","state_slug":"sd","slug":"als","name":"Als","geolist_region":"dnk,sd,als"}]}`,
		"regions?state=sh": `{"regions":[{"country_slug":"deu","state_slug":"sh","slug":"angeln","name":"Angeln","geolist_region":"deu,sh,angeln"},` +
			`{"country_slug":"deu","state_slug":"sh","slug":"flensburg","name":"Flensburg","geolist_region":"deu,sh,flensburg"}]}`,
	} {
		var got enveloped[json.RawMessage]
		s.get(t, "/api/geolist/"+path, &got)
		if string(got.Data) != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got.Data, want)
		}
	}
}

func testChoosable(t *testing.T, s site) {
	for path, want := range map[string]string{
		"languages":                             `[{"id":"da","name":"Danish"},{"id":"de","name":"German"}]`,
		"languages?lang=de":                     `[{"id":"da","name":"Dänisch"},{"id":"de","name":"Deutsch"}]`,
		"countries":                             `[{"id":"DNK","name":"Denmark"},{"id":"DEU","name":"Germany"}]`,
		"countries?lang=xx":                     `[{"id":"DNK","name":"Denmark"},{"id":"DEU","name":"Germany"}]`,
		"countries?lang=de":                     `[{"id":"DNK","name":"Dänemark"},{"id":"DEU","name":"Deutschland"}]`,
		"states?country=DNK":                    `[{"id":"SD","name":"Syddanmark","country":"DNK"}]`,
		"states?country-code=dnk":               `[{"id":"SD","name":"Syddanmark","country":"DNK"}]`,
		"states?country=XXX":                    `[]`,
		"event-types?lang=de":                   `[{"id":1,"name":"Konzert"},{"id":3,"name":"Party"}]`,
		"event-genres?event_type=3":             `[{"id":3010,"name":"Karaoke","event_type":3}]`,
		"event-genres?event_type=99":            `[]`,
		"event-genres/event-type/1?lang=de":     `[{"id":1003,"name":"Jazz","event_type":1},{"id":1013,"name":"Klassik","event_type":1}]`,
		"space-types":                           `[{"id":"hall","name":"Hall"}]`,
		"price-types":                           `[{"id":"not_specified","name":"Not specified"}]`,
		"availabilities?lang=de":                `[{"id":"few_left","name":"Wenige Restplätze"},{"id":"sold_out","name":"Ausverkauft"}]`,
		"currencies":                            `[{"id":"EUR","name":"Euro"}]`,
		"licenses":                              `[{"id":"cc-by","name":"CC BY","spdx":"CC-BY-4.0","url":"https://creativecommons.org/licenses/by/4.0/"}]`,
		"legal-forms?lang=de":                   `[{"id":"foundation","name":"Stiftung"}]`,
		"contributor-roles?lang=de":             `[{"id":"ensemble","name":"Ensemble"},{"id":"author","name":"Autorschaft"}]`,
		"link-types":                            `[{"id":"website","name":"Website"}]`,
		"release-statuses":                      `[{"id":"released","name":"Released"}]`,
		"event-occasions?lang=de":               `[{"id":0,"name":"Keine Angabe"},{"id":1,"name":"Eröffnung"}]`,
		"categories":                            `[{"id":1,"name":"Culture"}]`,
		"venues/organization/" + orgSued:        `[{"id":"` + venueAttic + `","name":"attic","city":"Sønderborg"},{"id":"` + venueOpen + `","name":"bar 1","city":""}]`,
		"spaces/venue/" + venueHall:             `[{"id":"` + spaceHall + `","name":"` + spaceName + `","space_type":"hall"},{"id":"` + spaceFoyer + `","name":"Foyer","space_type":"foyer"}]`,
		"spaces/venue/" + venueBar + "?lang=de": `[]`,
	} {
		_, body := s.do(t, "GET", "/api/choosable-"+path, "")
		if string(body) != want {
			t.Errorf("%s:\n got %s\nwant %s", path, body, want)
		}
	}
	var venues, organizations []struct{ ID, Name string }
	s.get(t, "/api/choosable-venues", &venues)
	if len(venues) != 4 || venues[0].ID != venueAttic || venues[3].Name != hallName {
		t.Errorf("venues: %+v", venues)
	}
	s.get(t, "/api/choosable-organizations/", &organizations)
	if len(organizations) != 2 {
		t.Errorf("organizations: %+v", organizations)
	}
}

func testFlags(t *testing.T, s site) {
	for path, want := range map[string]string{
		"accessibility/flags?lang=de": `[{"id":"0","name":"Rollstuhlgerecht","key":"wheelchair_accessible","topic_id":"1","topic_name":"Physisch"},` +
			`{"id":"47","name":"Sprachsteuerung","key":"voice_command_support","topic_id":"6","topic_name":"Digital"}]`,
		"visitor-info/flags?lang=da": `[{"id":"5","name":"Pet Friendly","key":"pet_friendly","topic_id":"1","topic_name":"Audience"},` +
			`{"id":"63","name":"Last bit","key":"last","topic_id":"5","topic_name":"Safety"}]`,
	} {
		if _, body := s.do(t, "GET", "/api/"+path, ""); string(body) != want {
			t.Errorf("%s:\n got %s\nwant %s", path, body, want)
		}
	}
}

func testCaching(t *testing.T, s site) {
	for path, control := range map[string]string{
		"/api/choosable-countries":         "public, max-age=300",
		"/api/accessibility/flags":         "public, max-age=300",
		"/api/choosable-venues":            "no-cache",
		"/api/event/type-genre-lookup":     "public, max-age=300",
		"/api/venue/" + venueHall:          "no-cache",
		"/api/events":                      "no-cache",
		"/api/events/type-summary":         "no-cache",
		"/api/venue/" + unknown:            "no-store",
		"/api/choosable-venues?x=1":        "no-store",
		"/api/event/type-genre-lookup?x=1": "no-store",
	} {
		response, _ := s.do(t, "GET", path, "")
		if got := response.Header.Get("Cache-Control"); got != control {
			t.Errorf("%s: %q, want %q", path, got, control)
		}
	}
	for _, path := range []string{
		"/api/events", "/api/events?search=jazz", "/api/events/type-summary", "/api/event/" + eventJazz,
		"/api/event/" + eventFair + "/date/2028-02-29", "/api/venues", "/api/venue/" + venueHall, "/api/organizations?search=nord",
		"/api/organization/" + orgNord, "/api/geolist/regions", "/api/event/type-genre-lookup", "/api/choosable-venues",
		"/api/choosable-states", "/api/visitor-info/flags", "/api/openapi.json", "/api/docs",
	} {
		s.wantRevalidated(t, path)
	}
	posted, body := s.do(t, "POST", "/api/events", "{}", "Content-Type", "application/json", "If-None-Match", "*")
	if posted.StatusCode != http.StatusOK || posted.Header.Get("ETag") != "" || posted.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("POST: %d %v %s", posted.StatusCode, posted.Header, body)
	}
}

// wantRevalidated checks that a path answers HEAD like GET, and 304 to who has its payload.
func (s site) wantRevalidated(t *testing.T, path string) {
	t.Helper()
	got, body := s.do(t, "GET", path, "", "Accept-Encoding", "identity")
	tag := got.Header.Get("ETag")
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(tag, `W/"`) {
		t.Fatalf("%s: %d, tag %s", path, got.StatusCode, tag)
	}
	head, _ := s.do(t, "HEAD", path, "", "Accept-Encoding", "identity")
	same, none := s.do(t, "GET", path, "", "If-None-Match", `"x", `+tag)
	other, _ := s.do(t, "GET", path, "", "If-None-Match", `"x"`)
	if head.StatusCode != http.StatusOK || same.StatusCode != http.StatusNotModified || len(none) > 0 || other.StatusCode != http.StatusOK {
		t.Errorf("%s: HEAD %d, unchanged %d with %d bytes, changed %d", path, head.StatusCode, same.StatusCode, len(none), other.StatusCode)
	}
	const digits = 4 // of the response time
	if difference := head.ContentLength - int64(len(body)); difference < -digits || difference > digits {
		t.Errorf("HEAD %s: length %d, GET sends %d", path, head.ContentLength, len(body))
	}
	for _, name := range []string{"ETag", "Cache-Control", "Vary", "Content-Type"} {
		want := got.Header.Get(name)
		if head.Header.Get(name) != want || (same.Header.Get(name) != want && name != "Content-Type") {
			t.Errorf("%s: %s is %q, of HEAD %q, unchanged %q", path, name, want, head.Header.Get(name), same.Header.Get(name))
		}
	}
}
