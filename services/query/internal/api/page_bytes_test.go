package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// TestPagesOfVenuesAreBoundedInBytes: a page ends where the texts of venues are long, the next one
// begins there, and a map has all of them.
func TestPagesOfVenuesAreBoundedInBytes(t *testing.T) {
	client := indextest.New(t)
	const count, length = 12, 1_000_000
	for n := range count {
		lat, lon := 54.0, 9.0
		v := publicapi.Venue{UUID: fmt.Sprintf("01920000-0000-7000-8000-%012x", n), Name: fmt.Sprintf("Halle %02d", n), Description: strings.Repeat("x", length), Lat: &lat, Lon: &lon}
		d := venueOf(v)
		d.ViewBytes = length
		put(t, client, document.Venues, encode(t, d))
	}
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 1<<20)
	seen := 0
	for pages := 1; ; pages++ {
		response, body := s.do(t, http.MethodGet, fmt.Sprintf("/api/venues?limit=200&offset=%d", seen), "")
		if response.StatusCode != http.StatusOK || len(body) > 5_000_000 {
			t.Fatalf("%d with %d bytes", response.StatusCode, len(body))
		}
		found := strings.Count(string(body), `"name":"Halle`)
		if !strings.Contains(string(body), fmt.Sprintf(`"total":%d`, count)) || found == 0 {
			t.Fatalf("%d venues after %d: %s", found, seen, body[len(body)-100:])
		}
		if seen += found; seen == count {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
	}
	for _, path := range []string{"/api/venues.geojson?bbox=8,53,10,55", "/api/venues/geojson?bbox=8,53,10,55"} {
		response, body := s.do(t, http.MethodGet, path, "")
		if found := strings.Count(string(body), `"Feature"`); response.StatusCode != http.StatusOK || found != count || len(body) > 50_000 {
			t.Errorf("%s: %d with %d of %d venues, %d bytes", path, response.StatusCode, found, count, len(body))
		}
	}
}
