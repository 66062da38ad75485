package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/api/openapi"
	"litfass/services/query/internal/feed"
)

var update = flag.Bool("update", false, "renew the examples of the description")

// exampleAddresses are the requests of the examples by path, for paths that need parameters or
// whose answers would be too long.
var exampleAddresses = map[string]string{
	"/api/events":                                    "/api/events?search=jazz&limit=1",
	"/api/events/facets":                             "/api/events/facets?by=city,event_types&search=jazz",
	"/api/event/{uuid}":                              "/api/event/" + eventJazz + "?lang=de",
	"/api/event/{uuid}/date/{date}":                  "/api/event/" + eventJazz + "/date/2026-11-20-1930?lang=de",
	"/api/event/{uuid}/report":                       "/api/event/" + eventJazz + "/report",
	"/api/changes":                                   "/api/changes?after=" + positionAt(7) + "&limit=1",
	"/api/suggest":                                   "/api/suggest?q=kulturhaus",
	"/api/venues":                                    "/api/venues?city=Flens*",
	"/api/venue/{uuid}":                              "/api/venue/" + venueHall,
	"/api/organizations":                             "/api/organizations?search=kultur",
	"/api/organization/{uuid}":                       "/api/organization/" + orgNord,
	"/api/contributors":                              "/api/contributors?search=trio",
	"/api/contributor/{uuid}":                        "/api/contributor/" + contributorTrio,
	"/api/lists":                                     "/api/lists",
	"/api/series":                                    "/api/series",
	"/api/series/{slug}":                             "/api/series/hafenfest",
	"/api/list/{slug}":                               "/api/list/tipps",
	"/api/portal/{slug}":                             "/api/portal/nord",
	"/api/choosable-event-genres/event-type/{id}":    "/api/choosable-event-genres/event-type/1",
	"/api/choosable-venues/organization/{uuid}":      "/api/choosable-venues/organization/" + orgNord,
	"/api/choosable-spaces/venue/{uuid}":             "/api/choosable-spaces/venue/" + venueHall,
	"/api/event/{uuid}/date/{date}/ics":              "/api/event/" + eventJazz + "/date/202611201930/ics",
	"/api/events/week":                               "/api/events/week?week_start=2026-11-16&search=jazz",
	"/api/venues/geojson":                            "/api/venues/geojson?bbox=9,54,10,55",
	"/api/geolist/states/{country}":                  "/api/geolist/states/deu",
	"/api/geolist/regions/{country}/{state}":         "/api/geolist/regions/deu/sh",
	"/api/geolist/region/{country}/{state}/{region}": "/api/geolist/region/deu/sh/flensburg",
}

// exampleAddress returns the request of the example of a path. Feeds use that of their entity.
func exampleAddress(path string) string {
	for _, format := range feed.Formats {
		if of, shown := strings.CutSuffix(path, "."+format.Name); shown && of != "/api/venues" && of != "/api/catalog" {
			address, query, asked := strings.Cut(exampleAddresses[of], "?")
			if address += "." + format.Name; asked {
				address += "?" + query
			}
			return address
		}
	}
	return cmp.Or(exampleAddresses[path], path)
}

// exampleBodies are the bodies of the POST requests that are no searches, by operationId.
var exampleBodies = map[string]string{
	"postEventsFacets": `{"by":["city","event_types"],"search":"jazz"}`,
	"validateAnswers":  `{"answers":[{"path":"/api/events?search=jazz","etag":"W/\"0\""},{"path":"/api/choosable-countries","etag":"W/\"0\""}]}`,
	"reportEvent":      `{"reason":"wrong","text":"The concert was cancelled last week.","email":"anna@example.org"}`,
}

// hasNoText reports whether the answers of a path are no text to show.
func hasNoText(path string) bool {
	return strings.HasPrefix(path, "/api/image/") || strings.HasPrefix(path, "/api/dumps/") || strings.HasSuffix(path, ".xlsx")
}

// TestExamplesAreRealAnswers requests every operation of the description and compares its answer
// with its example, which -update writes.
func TestExamplesAreRealAnswers(t *testing.T) {
	client := indextest.New(t)
	for name, documents := range exampleCatalogue() {
		for _, one := range documents {
			put(t, client, name, encode(t, one))
		}
	}
	s := newSite(t, client, dumped(t))
	known := map[string]bool{}
	for address, operations := range describe(t).Paths {
		if hasNoText(address) {
			continue
		}
		for method, operation := range operations.(map[string]any) {
			id := operation.(map[string]any)["operationId"].(string)
			known[id] = true
			s.checkExample(t, strings.ToUpper(method), exampleAddress(address), id)
		}
	}
	files, err := fs.ReadDir(openapi.Examples(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] {
			t.Errorf("%s is the example of no operation", file.Name())
		}
	}
}

func (s site) checkExample(t *testing.T, method, address, operationID string) {
	t.Helper()
	var sent string
	if method == http.MethodPost {
		address, _, _ = strings.Cut(address, "?")
		sent = cmp.Or(exampleBodies[operationID], `{"search":"jazz","limit":1}`)
	}
	response, body := s.do(t, method, address, sent, "Content-Type", "application/json")
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusAccepted {
		t.Errorf("%s %s: %d %s", method, address, response.StatusCode, body)
		return
	}
	name, got := operationID+".txt", body
	if strings.HasSuffix(response.Header.Get("Content-Type"), "json") {
		name, got = operationID+".json", asExample(t, body)
	}
	if *update {
		file := filepath.Join("openapi", "examples", name)
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := fs.ReadFile(openapi.Examples(), name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s %s answers otherwise than its example (%v); run this test with -update and look at the difference:\n%s",
			method, address, err, got)
	}
}

// that differ in each answer
var (
	timestamp    = regexp.MustCompile(`"timestamp":"[^"]+"`)
	responseTime = regexp.MustCompile(`"response_time_ms":\d+`)
)

// asExample indents an answer and replaces the parts that differ in each.
func asExample(t *testing.T, body []byte) []byte {
	t.Helper()
	body = timestamp.ReplaceAll(body, []byte(`"timestamp":"2026-11-20T18:30:00Z"`))
	body = responseTime.ReplaceAll(body, []byte(`"response_time_ms":3`))
	var indented bytes.Buffer
	if err := json.Indent(&indented, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(indented.Bytes(), '\n')
}

// exampleCatalogue is a small catalogue as an organizer would write it.
func exampleCatalogue() map[string][]any {
	const kulturhaus, halle, saal = "Kulturhaus Nord", "Kulturhalle am Hafen", "Großer Saal"
	venue := hall()
	venue.Name, venue.OrgName, venue.Summary = halle, kulturhaus, "Backsteinhalle **direkt am Wasser**"
	venue.Spaces = venue.Spaces[:1]
	venue.Spaces[0].Name, venue.Spaces[0].Description = saal, "Mit Empore"

	event := jazz()
	event.Title, event.Subtitle, event.Summary = "Jazz am Hafen", "Drei Abende", "Drei Abende *live*"
	event.Description = "Sechs Bands an drei Abenden.\n\n- Einlass eine Stunde vorher"
	flags := value.Mask(1<<7 | 1<<16 | 1<<27) // Outdoor, Food Stalls, Quiet Room
	event.Tags, event.VisitorInfoFlags = []string{"Jazz", "open air"}, &flags
	event.Place = examplePlace(event.Place, halle, saal)
	for i := range event.Dates {
		event.Dates[i].Place = event.Place
	}
	return map[string][]any{
		document.Organizations: {recordOf(orgNord, exampleOrganization(kulturhaus), kulturhaus, "Flensburg")},
		document.Venues:        {venueOf(venue)},
		document.Events:        {eventOf(event)},
		document.Dates:         datesOf(event),
		document.Regions:       {regionOf("deu", "sh", "flensburg", 9.3, 54.7, 9.6, 54.85)},
		document.Portals:       {portalOf("nord", document.PortalSelects{Filter: json.RawMessage(`{"city":"Flensburg"}`)})},
		document.Contributors:  {contributorOf(contributorTrio, "Trio Nord", contributorMerged)},
		document.Lists:         {listOf("tipps", change.ListEntry{EventUUID: event.UUID, Note: "Unser Tipp"})},
		document.Series:        {seriesOf("hafenfest")},
		document.Lookups:       valueSets(),
	}
}

func examplePlace(place publicapi.Place, venue, space string) publicapi.Place {
	place.VenueName, place.SpaceName = venue, space
	place.VenueAccessibilityFlags = place.SpaceAccessibilityFlags
	return place
}

func exampleOrganization(name string) publicapi.Organization {
	return publicapi.Organization{
		UUID: orgNord, Name: name, Description: "Kultur im Norden seit 1987", LegalForm: "registered_association",
		ContactEmail: "kontakt@kulturhaus.example", WebLink: "https://kulturhaus.example", Street: "Hafenstraße",
		HouseNumber: "3", PostalCode: "24937", City: "Flensburg", State: "SH", Country: "DEU", Lat: at(54.79), Lon: at(9.43),
	}
}
