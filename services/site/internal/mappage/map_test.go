package mappage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/media/pmtiles"
	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/sitetest"
	"litfass/services/site/internal/view"
)

// venueAt is a venue with a number of dates.
type venueAt struct {
	name     string
	lat, lon float64
	dates    int
}

// uuid is that of a venue: its name, as far as that is one word.
func (v venueAt) uuid() string { return "venue-" + strings.ToLower(v.name) }

// atlasOf answers for venues, as the public API does.
func atlasOf(venues ...venueAt) *sitetest.ComputedAPI {
	return &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/events/facets": func(url.Values) any {
			counts := publicapi.Facets{Facets: map[string][]publicapi.Facet{"venue_uuids": nil}}
			for _, v := range venues {
				counts.Total += v.dates
				if v.dates > 0 {
					counts.Facets["venue_uuids"] = append(counts.Facets["venue_uuids"], publicapi.Facet{Value: v.uuid(), Count: v.dates})
				}
			}
			return counts
		},
		"/api/events": func(parameters url.Values) any {
			begins, runs := sitetest.Entry("Jazz", "2026-11-24"), sitetest.Entry("Show", "2026-10-01")
			begins.ImageUUID, runs.ImageUUID = "image-jazz", "image-show"
			switch {
			case parameters.Get("ongoing") == "true":
				return sitetest.Events(runs, begins)
			case parameters.Get("tags") == "runs":
				return sitetest.Events()
			default:
				return sitetest.Events(begins)
			}
		},
		"/api/choosable-categories": func(url.Values) any { return []any{} },
		"/api/venues.geojson": func(parameters url.Values) any {
			var features []any
			offset, _ := strconv.Atoi(parameters.Get("offset"))
			limit, _ := strconv.Atoi(parameters.Get("limit"))
			for _, v := range venues {
				if inBox(parameters.Get("bbox"), v) {
					features = append(features, map[string]any{
						"id": v.uuid(), "geometry": map[string]any{"type": "Point", "coordinates": []float64{v.lon, v.lat}},
						"properties": map[string]any{"name": v.name, "city": "Flensburg"},
					})
				}
			}
			features = features[min(offset, len(features)):]
			return map[string]any{"type": "FeatureCollection", "features": features[:min(limit, len(features))]}
		},
	}}
}

// venueCounts returns the parameters of the requests for the numbers of events of venues.
func venueCounts(api *sitetest.ComputedAPI) []url.Values {
	return slices.DeleteFunc(api.Queries("/api/events/facets"), func(query url.Values) bool { return query.Get("by") != "venue_uuids" })
}

func inBox(box string, v venueAt) bool {
	if box == "" {
		return true
	}
	var west, south, east, north float64
	if _, err := fmt.Sscanf(box, "%g,%g,%g,%g", &west, &south, &east, &north); err != nil {
		panic(err)
	}
	meridians := v.lon >= west && v.lon <= east
	if west > east {
		meridians = v.lon >= west || v.lon <= east
	}
	return meridians && v.lat >= south && v.lat <= north
}

// pointsOf returns the points of a map by their labels, with where they lead.
func pointsOf(page string) map[string]string {
	points := map[string]string{}
	for _, part := range strings.Split(page, `<a class="map-point`)[1:] {
		tag, _, _ := strings.Cut(part, ">")
		points[sitetest.Attributes(tag, "aria-label")[0]] = sitetest.Attributes(tag, "href")[0]
	}
	return points
}

var (
	hall = venueAt{"Hall", 54.79, 9.43, 12}
	pub  = venueAt{"Pub", 54.791, 9.431, 3}
	club = venueAt{"Club", 54.32, 10.13, 1}
)

func TestTheMapShowsVenuesWithDates(t *testing.T) {
	api := atlasOf(hall, pub, club, venueAt{"Ruin", 60, 20, 0})
	status, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en&categories=2")
	if status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, page)
	}
	points := pointsOf(page)
	if len(points) != 2 || points["Club: 1 event"] != "/?categories=2&lang=en&venue_uuids=venue-club" {
		t.Errorf("the points are %v", points)
	}
	cluster := points["Hall and 1 more venue: 15 events"]
	if !strings.HasPrefix(cluster, "/map?bbox=") || !strings.HasSuffix(cluster, "&categories=2&lang=en") {
		t.Errorf("the points are %v", points)
	}
	sitetest.Wants(t, page, `<span class="found-count">16 events</span>`, "3 venues", `href="/venue/venue-hall?lang=en"`,
		`<meta property="og:image" content="https://litfass.example/api/image/image-jazz?`)
	_, runs := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en&tags=runs")
	sitetest.Wants(t, runs, `<meta property="og:image" content="https://litfass.example/api/image/image-show?`)
	sitetest.Lacks(t, page, "Ruin", ` style="`)
	if query := venueCounts(api); query[0].Encode() != "by=venue_uuids&categories=2&group=event&not_over=true&ongoing=true&start=today&venue=%2A" {
		t.Errorf("asked %v", query)
	}

	_, near := sitetest.Site(t, sitetest.Autumn, api, Mount)(cluster)
	if apart := pointsOf(near); len(apart) != 2 || apart["Hall: 12 events"] == "" || apart["Pub: 3 events"] == "" {
		t.Errorf("the cluster leads to %v", apart)
	}
}

// TestTheMapOfAPlace: a drawing of a box is an image with the colours of the page, without scripts,
// and refuses what is no box.
func TestTheMapOfAPlace(t *testing.T) {
	app := sitetest.Over(t, atlasOf(), sitetest.Autumn, Mount)
	status, header, drawing := sitetest.Ask(t, app, http.MethodGet, view.DrawingPath+"?bbox=9.9231,54.2408,10.3191,54.414&lang=da", "")
	if status != http.StatusOK || header.Get("Content-Type") != "image/svg+xml" || header.Get("Cache-Control") != "public, max-age=604800" ||
		header.Get("Content-Security-Policy") != stillPolicy {
		t.Errorf("answered %d with %v", status, header)
	}
	sitetest.Wants(t, drawing, `class="map-earth"`, ">Kiel<")
	sitetest.Lacks(t, drawing, "<script", "href")
	css, err := os.ReadFile(filepath.Join("..", "..", "assets", "css", "map.css"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sea", "land", "border", "road"} {
		colours := regexp.MustCompile(`--map-` + name + `: light-dark\((#\w+), (#\w+)\)`).FindStringSubmatch(string(css))
		if len(colours) != 3 || !strings.Contains(stillStyles, colours[1]) || !strings.Contains(stillStyles, colours[2]) {
			t.Errorf("the drawing lacks the colours of --map-%s: %q", name, colours)
		}
	}
	for _, query := range []string{"", "?bbox=", "?bbox=1,2,3", "?bbox=a,b,c,d", "?bbox=9,54,10,NaN"} {
		if status, _, _ := sitetest.Ask(t, app, http.MethodGet, view.DrawingPath+query, ""); status != http.StatusBadRequest {
			t.Errorf("%q: %d", query, status)
		}
	}
}

// TestSearchEnginesIndexOneMap: that of everything.
func TestSearchEnginesIndexOneMap(t *testing.T) {
	for path, want := range map[string]bool{
		"/map": true, "/map?lang=de": true, "/map?city=Kiel": false, "/map?bbox=9.3,54.7,9.5,54.8": false, "/map?offset=20": false, "/map?search=jazz": false,
	} {
		_, header, page := sitetest.Ask(t, sitetest.Over(t, atlasOf(hall), sitetest.Autumn, Mount), http.MethodGet, path, "")
		if got := !strings.Contains(page, `<meta name="robots" content="noindex">`); got != want || (header.Get("X-Robots-Tag") == "") != want {
			t.Errorf("%s is indexed: %t, %q", path, got, header.Get("X-Robots-Tag"))
		}
	}
	_, header, _ := sitetest.Ask(t, sitetest.Over(t, atlasOf(hall), sitetest.Autumn, Mount), http.MethodGet, "/map/part?bbox=9.3,54.7,9.5,54.8", "")
	if got := header.Get("X-Robots-Tag"); got != "noindex" {
		t.Errorf("the part of the map: %q", got)
	}
}

// TestAnEventAtSeveralVenuesCountsOnce: in the number of a point that stands for them.
func TestAnEventAtSeveralVenuesCountsOnce(t *testing.T) {
	api := atlasOf(hall, pub, club)
	counts := api.Answers["/api/events/facets"]
	api.Answers["/api/events/facets"] = func(parameters url.Values) any {
		answer := counts(parameters).(publicapi.Facets)
		switch parameters.Get("venue_uuids") {
		case "":
			answer.Total -= 2
		case "venue-hall,venue-pub":
			answer.Total = 13
		}
		return answer
	}
	_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en&categories=2")
	if points := pointsOf(page); len(points) != 2 || points["Hall and 1 more venue: 13 events"] == "" || points["Club: 1 event"] == "" {
		t.Errorf("the points are %v", points)
	}
}

// TestABoxIsReadAlone: venues of the box and dates around it, unless the filter has a circle.
func TestABoxIsReadAlone(t *testing.T) {
	api := atlasOf(hall, pub, club)
	status, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en&bbox=9.3,54.7,9.5,54.8")
	if points := pointsOf(page); status != http.StatusOK || len(points) != 1 || points["Club: 1 event"] != "" {
		t.Errorf("answered %d with %v", status, points)
	}
	sitetest.Wants(t, page, `<meta name="robots" content="noindex">`, `rel="canonical" href="https://litfass.example/map`)
	if box := api.Queries("/api/venues.geojson")[0].Get("bbox"); !inBox(box, hall) || inBox(box, club) {
		t.Errorf("asked for the venues in %s", box)
	}
	if query := venueCounts(api)[0]; query.Get("radius") == "" || query.Get("lon") == "" || query.Get("lat") == "" {
		t.Errorf("asked for the dates of %v", query)
	}
	api = atlasOf(hall)
	sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?bbox=9.3,54.7,9.5,54.8&lon=9&lat=54&radius=500")
	if query := venueCounts(api)[0]; query.Get("radius") != "500" || query.Get("lon") != "9" {
		t.Errorf("asked for the dates of %v", query)
	}
	if query := api.Queries("/api/venues.geojson")[0]; query.Get("radius") != "500" {
		t.Errorf("asked for the venues of %v", query)
	}
	api = atlasOf(hall)
	sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?bbox=-10,40,30,60")
	if query := venueCounts(api)[0]; query.Has("radius") {
		t.Errorf("a continent is a circle: %v", query)
	}
}

// TestABoxLeavesTheFilterAsItIs: the circle around a box narrows what is counted and nothing else,
// also where the filter says from when.
func TestABoxLeavesTheFilterAsItIs(t *testing.T) {
	api := atlasOf(hall, pub, club)
	status, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en&start=2026-11-20&bbox=9.3,54.7,9.6,54.9")
	if status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, page)
	}
	sitetest.Lacks(t, page, "radius=")
	if query := api.Queries("/api/venues.geojson"); len(query) != 1 || query[0].Has("radius") {
		t.Errorf("venues were asked for with %v", query)
	}
	if query := venueCounts(api); len(query) != 1 || !query[0].Has("radius") || query[0].Get("start") != "2026-11-20" {
		t.Errorf("dates were counted with %v", query)
	}
}

func TestTheMapAcrossTheAntimeridian(t *testing.T) {
	api := atlasOf(venueAt{"Suva", -18.1, 178.4, 2}, venueAt{"Apia", -13.8, -171.8, 3}, hall)
	get := sitetest.Site(t, sitetest.Autumn, api, Mount)
	for _, box := range []string{"175,-25,-168,-10", "175,-25,192,-10", "-185,-25,-168,-10"} {
		_, page := get("/map?lang=en&bbox=" + box)
		if points := pointsOf(page); len(points) != 2 || points["Suva: 2 events"] == "" || points["Apia: 3 events"] == "" {
			t.Errorf("%s: %v", box, points)
		}
	}
	api = atlasOf(venueAt{"Suva", -18.1, 178.4, 2}, venueAt{"Apia", -13.8, -171.8, 3})
	_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en")
	box, err := basemap.ParseBox(sitetest.Attributes(page, "data-bbox")[0])
	if err != nil {
		t.Fatal(err)
	}
	if wider := box.Zoomed(4); wider == box.Zoomed(100) || len(pointsOf(page)) != 2 {
		t.Errorf("two islands of the Pacific are shown in %s with %v", box, pointsOf(page))
	}
}

func TestABoxThatIsNone(t *testing.T) {
	api := atlasOf(hall)
	get := sitetest.Site(t, sitetest.Autumn, api, Mount)
	for _, path := range []string{"/map", "/map/part", "/map/land.json"} {
		for _, box := range []string{"x", "1,2,3", "9,55,10,54", "NaN,NaN,NaN,NaN", "9,54,10,95", "%22%3E%3Cscript%3E"} {
			if status, page := get(path + "?bbox=" + box); status != http.StatusBadRequest || !strings.Contains(page, "bbox") {
				t.Errorf("%s?bbox=%s: %d", path, box, status)
			}
		}
	}
	if len(api.Requests()) > 0 {
		t.Errorf("the API was asked %v", api.Requests())
	}
}

func TestAMapWithoutDates(t *testing.T) {
	status, page := sitetest.Site(t, sitetest.Autumn, atlasOf(), Mount)("/map?lang=en&city=Atlantis")
	if status != http.StatusOK || len(pointsOf(page)) != 0 {
		t.Errorf("answered %d with %v", status, pointsOf(page))
	}
	sitetest.Wants(t, page, "No dates in this part of the map")
}

// TestVenuesAtOnePlace lead to their dates: no box shows them apart.
func TestVenuesAtOnePlace(t *testing.T) {
	var venues []venueAt
	for i := range mostPlacesInLink + 20 {
		venues = append(venues, venueAt{fmt.Sprint(i), 54.79, 9.43, 1})
	}
	_, page := sitetest.Site(t, sitetest.Autumn, atlasOf(venues...), Mount)("/map?lang=en")
	points := pointsOf(page)
	if len(points) != 1 {
		t.Fatalf("the points are %v", points)
	}
	for label, link := range points {
		address, err := url.Parse(link)
		if err != nil || address.Path != "/" || len(strings.Split(address.Query().Get("venue_uuids"), ",")) != mostPlacesInLink {
			t.Errorf("%s leads to %s", label, link)
		}
		if !strings.HasSuffix(label, "119 more venues: 120 events") {
			t.Errorf("the point is %s", label)
		}
	}
}

const mostPlacesInLink = 100

// TestAMapOfManyVenues reads all of them, counts all of them, and lists those with the most dates.
func TestAMapOfManyVenues(t *testing.T) {
	var venues []venueAt
	dates := 0
	for i := range 6_500 {
		venues = append(venues, venueAt{fmt.Sprint(i), 47 + float64(i%50)/6, 6 + float64(i/50)/6, i%7 + 1})
		dates += i%7 + 1
	}
	api := atlasOf(venues...)
	_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map?lang=en")
	if n := len(api.Queries("/api/venues.geojson")); n != 1+2*pagesAtOnce {
		t.Errorf("the venues were read by %d requests", n)
	}
	sitetest.Wants(t, page, "6,500 venues", "and 6,460 more venues")
	if n := strings.Count(page, `<li data-venue=`); n != maxListed {
		t.Errorf("%d venues are listed", n)
	}
	total := 0
	for _, count := range sitetest.Attributes(page, "data-count") {
		n, err := strconv.Atoi(strings.ReplaceAll(count, ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	if total != dates {
		t.Errorf("the points stand for %d dates, want %d", total, dates)
	}
	if n := len(pointsOf(page)); n < 10 || n > 100 || len(page) > 250_000 {
		t.Errorf("a page of %d bytes with %d points", len(page), n)
	}
}

// TestTheVenuesOfTheFilterAlone: the counts by venue leave that filter out.
func TestTheVenuesOfTheFilterAlone(t *testing.T) {
	_, page := sitetest.Site(t, sitetest.Autumn, atlasOf(hall, club), Mount)("/map?lang=en&venue_uuids=VENUE-CLUB,venue-x")
	if points := pointsOf(page); len(points) != 1 || points["Club: 1 event"] == "" {
		t.Errorf("the points are %v", points)
	}
}

func TestThePartOfTheMap(t *testing.T) {
	status, page := sitetest.Site(t, sitetest.Autumn, atlasOf(hall), Mount)("/map/part?lang=de&bbox=9.3,54.7,9.5,54.8")
	if status != http.StatusOK || len(pointsOf(page)) != 1 {
		t.Errorf("answered %d: %s", status, page)
	}
	sitetest.Wants(t, page, "data-map-found", "1 Ort")
	sitetest.Lacks(t, page, "<html", "<header", `class="map-earth"`)
}

func TestAMapShowsHostileContentHarmlessly(t *testing.T) {
	api := atlasOf(venueAt{`"><script>alert(1)</script><svg onload=x>`, 54, 9, 2}, venueAt{strings.Repeat("w", 2_000) + "\u202e😀", 10, 9, 1})
	for _, path := range []string{"/map", "/map/part"} {
		_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)(path + "?lang=en&search=%22%3E%3Cscript%3Ealert(2)%3C/script%3E")
		sitetest.Lacks(t, page, "<script>", "<svg onload", ` style="`)
		sitetest.Wants(t, page, "&lt;script&gt;", `dir="auto"`)
	}
}

// TestTheMapIsDrawn without scripts: land, the names of towns, and whom it is from.
func TestTheMapIsDrawn(t *testing.T) {
	_, page := sitetest.Site(t, sitetest.Autumn, atlasOf(hall, club), Mount)("/map?lang=de")
	sitetest.Wants(t, page, `<path class="map-earth" d="M`, `class="map-town`, "© OpenStreetMap contributors (ODbL), GeoNames (CC BY 4.0)",
		`data-tiles="/map/tiles/`, `data-zoom="8"`, `data-far="4"`)
}

// TestAMapThatCannotBeRead leaves the venues on the map of the program, and the page is not cached.
func TestAMapThatCannotBeRead(t *testing.T) {
	var archive bytes.Buffer
	err := pmtiles.Write(&archive, []pmtiles.Tile{{Content: []byte("\xff\xff no tile")}}, [4]float64{-180, -85, 180, 85}, pmtiles.Metadata{})
	if err != nil {
		t.Fatal(err)
	}
	d := sitetest.Deps(t, atlasOf(hall, club), sitetest.Autumn)
	if d.Brand.Basemap, err = basemap.Open(t.Context(), pmtiles.FromReader(bytes.NewReader(archive.Bytes()))); err != nil {
		t.Fatal(err)
	}
	status, head, page := sitetest.Ask(t, sitetest.App(d, slog.DiscardHandler, Mount), http.MethodGet, "/map?lang=en", "")
	if status != http.StatusOK || head.Get("Cache-Control") != "no-store" || len(pointsOf(page)) != 2 {
		t.Errorf("answered %d, %s with %v", status, head.Get("Cache-Control"), pointsOf(page))
	}
	sitetest.Wants(t, page, `<path class="map-earth" d="M`, `data-base="`+basemap.Embedded().Address())
}

func TestTheLandOfABox(t *testing.T) {
	status, content := sitetest.Site(t, sitetest.Autumn, atlasOf(), Mount)("/map/land.json?bbox=165,-5,195,15")
	var geometry struct{ Type string }
	if err := json.Unmarshal([]byte(content), &geometry); err != nil || status != http.StatusOK || geometry.Type != "MultiPolygon" {
		t.Errorf("answered %d: %v", status, err)
	}
}

// TestMisspeltWords show the map of the API's spelling, with a way back to the exact words.
func TestMisspeltWords(t *testing.T) {
	api := atlasOf(hall)
	api.Correcting("jaz", "jazz")
	get := sitetest.Site(t, sitetest.Autumn, api, Mount)
	_, page := get("/map?search=jaz&city=Kiel&lang=en")
	sitetest.Wants(t, page, `aria-label="Hall: 12 events"`, `class="corrected"`, `value="jaz"`,
		`href="/map?city=Kiel&amp;exact=true&amp;lang=en&amp;search=jaz"`, `data-part="/map/part?city=Kiel&amp;lang=en&amp;search=jazz"`)
	_, page = get("/map?search=jaz&exact=true")
	sitetest.Lacks(t, page, `class="map-point`, `class="corrected"`)
}

// TestPointsAreApart: on the smallest screens each can be hit.
func TestPointsAreApart(t *testing.T) {
	var venues []venueAt
	for i := range 900 {
		venues = append(venues, venueAt{fmt.Sprint(i), 54 + float64(i%30)/100, 9 + float64(i/30)/100, 1 + i*7919%13})
	}
	api := atlasOf(venues...)
	_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/map")
	var at [][2]float64
	for _, part := range strings.Split(page, `<svg x="`)[1:] {
		var x, y float64
		if _, err := fmt.Sscanf(part, `%f%%" y="%f%%"`, &x, &y); err != nil {
			t.Fatal(err)
		}
		at = append(at, [2]float64{x / 100, y / 100 * basemap.Ratio})
	}
	if len(at) < 8 {
		t.Fatalf("%d points", len(at))
	}
	for i, a := range at {
		for _, b := range at[:i] {
			if (a[0]-b[0])*(a[0]-b[0])+(a[1]-b[1])*(a[1]-b[1]) < 0.999*apart*apart {
				t.Errorf("points at %v and %v", a, b)
			}
		}
	}
}
