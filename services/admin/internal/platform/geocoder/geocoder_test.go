package geocoder_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/geocoder"
)

// Answers in the form that the documents of both engines show, with their further fields.
const (
	photon = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.1394, 54.3233]}, "properties": {"osm_type": "W", "osm_id": 38862723,
			"osm_key": "amenity", "osm_value": "arts_centre", "type": "house", "name": "Pumpe", "street": "Haßstraße", "housenumber": "22",
			"postcode": "24103", "city": "Kiel", "state": "Schleswig-Holstein", "country": "Deutschland", "countrycode": "DE",
			"extent": [10.139, 54.3235, 10.14, 54.323], "extra": {"website": "https://example.org"}}},
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.14, 54.32, 5]}, "properties": {"name": "Haßstraße", "city": "Kiel",
			"countrycode": "DE", "type": "street"}},
		{"geometry": {"coordinates": [10.13, 54.33]}, "properties": {"name": "Kiel", "type": "city", "countrycode": "DE"}},
		{"geometry": {"coordinates": [-97, 44]}, "properties": {"name": "Haßstraße 22", "type": "house", "countrycode": "US"}},
		{"geometry": {"coordinates": [200, 54.32]}, "properties": {"name": "nowhere", "countrycode": "DE"}},
		{"geometry": null, "properties": {}}, {"geometry": {"coordinates": []}, "properties": null}]}`

	nominatim = `[{"place_id": 100149, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright", "osm_type": "way",
		"osm_id": 107775, "boundingbox": ["54.3232", "54.3234", "10.139", "10.14"], "lat": "54.3233", "lon": "10.1394", "category": "amenity",
		"type": "arts_centre", "place_rank": 30, "importance": 0.000074, "addresstype": "amenity", "name": "Pumpe",
		"display_name": "Pumpe, 22, Haßstraße, Kiel, 24103, Deutschland", "address": {"amenity": "Pumpe", "house_number": "22",
		"road": "Haßstraße", "suburb": "Altstadt", "town": "Kiel", "state": "Schleswig-Holstein", "ISO3166-2-lvl4": "DE-SH",
		"postcode": "24103", "country": "Deutschland", "country_code": "de"}}]`
)

var pumpe = geocoder.Address{Street: "Haßstraße", HouseNumber: "22", PostalCode: "24103", City: "Kiel", Country: "DEU"}

func TestFind(t *testing.T) {
	t.Parallel()
	for path, answer := range map[string]string{"/api": photon, "/search": nominatim} {
		var asked atomic.Int32
		engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			query := r.URL.Query()
			if q := query.Get("q"); q != "Haßstraße 22, 24103 Kiel" || !strings.Contains(r.UserAgent(), "https://events.example") {
				t.Errorf("asked %q by %q", q, r.UserAgent())
			}
			if names := slices.Sorted(maps.Keys(query)); path == "/api" && !slices.Equal(names, []string{"limit", "q"}) {
				http.Error(w, `{"message": "Unknown query parameter"}`, http.StatusBadRequest) // as Photon does
				return
			}
			if path == "/search" && (query.Get("countrycodes") != "de" || query.Get("format") != "jsonv2" || query.Get("addressdetails") != "1") {
				t.Errorf("asked %s", r.URL.RawQuery)
			}
			fmt.Fprint(w, answer)
		}))
		t.Cleanup(engine.Close)
		g := mustNew(t, geocoder.Config{URL: engine.URL + path, Interval: time.Hour, Credit: "OSM"})
		for range 2 {
			found := g.Find(t.Context(), pumpe)
			first, last := found.Positions[0], found.Positions[len(found.Positions)-1]
			want := adminapi.Position{
				Name: "Pumpe", Street: "Haßstraße", HouseNumber: "22", PostalCode: "24103", City: "Kiel", Country: "DEU",
				Lat: 54.3233, Lon: 10.1394, Precision: adminapi.PreciseAddress,
			}
			if first != want || last.Name != "Kiel" || last.Precision != adminapi.PreciseTown {
				t.Errorf("%s: %+v", path, found)
			}
			if fmt.Sprint(found.Credits) != "[OSM GeoNames (CC BY 4.0)]" {
				t.Errorf("credits %q", found.Credits)
			}
		}
		other := pumpe
		other.Street = "Holstenstraße"
		if found := g.Find(t.Context(), other); len(found.Positions) != 1 || asked.Load() != 1 {
			t.Errorf("%s: asked %d times within the interval: %+v", path, asked.Load(), found)
		}
	}
}

// TestAnEngineThatFailsIsLeftOut: its answers are those of another program, and it leads nowhere
// else.
func TestAnEngineThatFailsIsLeftOut(t *testing.T) {
	t.Parallel()
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed a redirect") }))
	t.Cleanup(inner.Close)
	for name, answer := range map[string]http.HandlerFunc{
		"an error":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusTooManyRequests) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inner.URL, http.StatusFound) },
		"no number": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"features": [{"geometry": {"coordinates": [1e999, 1]}, "properties": {"countrycode": "DE"}}]}`)
		},
		"texts for numbers": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"features": [{"geometry": {"coordinates": ["10.1", "54.3"]}, "properties": {"countrycode": "DE"}}]}`)
		},
		"off the earth": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"features": [{"geometry": {"coordinates": [54.3, 100.1]}, "properties": {"countrycode": "DE"}}]}`)
		},
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"too much": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"features": [], "x": "`+strings.Repeat("x", 2<<20)+`"}`)
		},
		"long texts": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"features": [{"geometry": {"coordinates": [1, 1]}, "properties": {"name": %q}}]}`, strings.Repeat("x", 501))
		},
	} {
		engine := httptest.NewServer(answer)
		t.Cleanup(engine.Close)
		found := mustNew(t, geocoder.Config{URL: engine.URL + "/api"}).Find(t.Context(), pumpe)
		if len(found.Positions) != 1 || found.Positions[0].Name != "Kiel" || len(found.Credits) != 1 {
			t.Errorf("%s: %+v", name, found)
		}
	}
	for _, address := range []string{"ftp://example.org/api", "https://example.org/", "/api", "http://[::1/api"} {
		if _, err := geocoder.New(geocoder.Config{URL: address}, ""); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
}

// TestAnEngineIsLeftAloneForAsLongAsItSays: a refusal over its limits stops all requests, not only
// those for this address.
func TestAnEngineIsLeftAloneForAsLongAsItSays(t *testing.T) {
	t.Parallel()
	for retryAfter, again := range map[string]int32{
		"": 1, "60": 1, "99999999999": 1, "-1": 1, "soon": 1, time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): 1,
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): 3, // it may be asked again at once
	} {
		var asked atomic.Int32
		engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Retry-After", retryAfter)
			http.Error(w, "too many", http.StatusTooManyRequests)
		}))
		t.Cleanup(engine.Close)
		g := mustNew(t, geocoder.Config{URL: engine.URL + "/api"})
		for number := range 3 {
			address := pumpe
			address.HouseNumber = fmt.Sprint(number)
			if found := g.Find(t.Context(), address); len(found.Positions) != 1 {
				t.Errorf("%+v", found)
			}
		}
		if asked.Load() != again {
			t.Errorf("with Retry-After %q it is asked %d times, want %d", retryAfter, asked.Load(), again)
		}
	}
}

// TestSlowEngine: who no longer waits for the engine gets the towns.
func TestSlowEngine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	engine := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(engine.Close)
	found := mustNew(t, geocoder.Config{URL: engine.URL + "/search"}).Find(ctx, pumpe)
	if len(found.Positions) != 1 || found.Positions[0].Name != "Kiel" {
		t.Errorf("%+v", found)
	}
}

func TestTowns(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"Kiel DEU": "Kiel", "kiel": "Kiel", "KØBENHAVN": "København", "Kopenhagen": "København", "Koebenhavn": "København",
		"Flensb DEU": "Flensburg", "Flesnburg DEU": "Flensburg", "Sonderborg": "Sønderborg", "Sønderborg DEU": "",
		"": "", "!": "", "Xyzzyheim": "", "Frankfurt DEU": "Frankfurt am Main",
	} {
		name, country, _ := strings.Cut(asked, " ")
		got := ""
		for _, p := range geocoder.Towns(name, country, 1) {
			got = p.Name
		}
		if got != want {
			t.Errorf("%s is %s, want %s", asked, got, want)
		}
	}
	if many := geocoder.Towns("s", "", 8); len(many) != 8 {
		t.Errorf("%d towns", len(many))
	}
}

func mustNew(t *testing.T, config geocoder.Config) *geocoder.Geocoder {
	t.Helper()
	g, err := geocoder.New(config, "https://events.example")
	if err != nil {
		t.Fatal(err)
	}
	return g
}
