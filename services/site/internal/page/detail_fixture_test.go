package page

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/net/html"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The entities of the API that stands for the real one.
const (
	detailEvent  = "01920000-0000-7000-8000-0000000000e1"
	detailDate   = "01920000-0000-7000-8000-0000000000d1"
	detailVenue  = "01920000-0000-7000-8000-0000000000f1"
	detailOrg    = "01920000-0000-7000-8000-0000000000a1"
	detailRegion = "deutschland,schleswig-holstein,flensburg"
)

// detailAPI answers what the pages of entities read.
type detailAPI struct {
	event        publicapi.EventDetails
	venue        publicapi.Venue
	organization publicapi.Organization
	related      []publicapi.Listed
	text         string // names of everything
	structured   string

	mu       sync.Mutex
	asked    []string
	reports  []string // bodies
	visitors []string
	answer   int // to a report
}

func (a *detailAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, r.URL.RequestURI())
	w.Header().Set("ETag", `W/"1"`)
	w.Header().Set(web.HeaderPosition, "7")
	answers := map[string]any{
		"/api/event/" + detailEvent:                       enveloped(a.event),
		"/api/venue/" + detailVenue:                       enveloped(a.venue),
		"/api/organization/" + detailOrg:                  enveloped(a.organization),
		"/api/events":                                     enveloped(publicapi.Events{Events: a.related}),
		"/api/accessibility/flags":                        a.flags(),
		"/api/visitor-info/flags":                         a.flags(),
		"/api/choosable-venues/organization/" + detailOrg: []publicapi.Named{{UUID: detailVenue, Name: a.text, City: a.text}},
		"/api/geolist/countries":                          enveloped(publicapi.GeoCountries{Countries: []publicapi.GeoCountry{{Slug: "deutschland", Name: a.text}}}),
		"/api/geolist/states":                             enveloped(publicapi.GeoStates{States: []publicapi.GeoState{{CountrySlug: "deutschland", Slug: "schleswig-holstein", Name: a.text}}}),
		"/api/geolist/regions":                            enveloped(publicapi.GeoRegions{Regions: []publicapi.GeoRegion{{CountrySlug: "deutschland", StateSlug: "schleswig-holstein", Slug: "flensburg", Name: a.text, GeolistRegion: detailRegion}}}),
	}
	answer, known := answers[r.URL.Path]
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/api/event/"+detailEvent+"/report":
		a.takeReport(w, r)
		return
	case r.URL.Path == "/api/event/"+detailEvent+".jsonld" && a.structured != "":
		_, _ = io.WriteString(w, a.structured)
		return
	case strings.HasPrefix(r.URL.Path, "/api/choosable-") && !known:
		answer = []publicapi.Item{{ID: "x", Name: a.text}, {ID: a.text, Name: a.text}}
	case !known:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"error": "there is none", "code": "not_found"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (a *detailAPI) flags() []publicapi.Flag {
	return []publicapi.Flag{
		{ID: "0", Name: a.text, TopicID: "1", TopicName: a.text}, {ID: "3", Name: "Ramp available", TopicID: "1", TopicName: a.text},
		{ID: "14", Name: a.text, TopicID: "3", TopicName: a.text},
	}
}

func (a *detailAPI) takeReport(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.reports, a.visitors = append(a.reports, string(body)), append(a.visitors, r.Header.Get(web.HeaderVisitor))
	w.WriteHeader(a.answer)
	_, _ = io.WriteString(w, `{"error":"so it is","code":"said_so","details":[{"field":"email","reason":"is not right"}],"retry_after":9}`)
}

func enveloped(data any) any { return map[string]any{"data": data} }

// detailNow is the moment of the tests, a Sunday.
var detailNow = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// detailSite returns the site in front of an API.
func detailSite(t *testing.T, api *detailAPI) *fiber.App {
	t.Helper()
	return siteOver(t, api, detailNow)
}

// fill sets every text of a value to one text, every number to n, and makes lists of one element.
func fill(v reflect.Value, text string, n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Uint64:
		v.SetUint(1<<0 | 1<<14 | 1<<63)
	case reflect.Float64:
		v.SetFloat(float64(n) + 0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text, n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text, n)
		}
	default:
		panic(fmt.Sprintf("a field of kind %s", v.Kind()))
	}
}

// full returns an API whose every text is the given one, but for what names entities and times.
func full(text string) *detailAPI {
	a := &detailAPI{text: text, answer: http.StatusAccepted, related: make([]publicapi.Listed, 1)}
	fill(reflect.ValueOf(&a.event).Elem(), text, 7)
	fill(reflect.ValueOf(&a.venue).Elem(), text, 7)
	fill(reflect.ValueOf(&a.organization).Elem(), text, 7)
	fill(reflect.ValueOf(&a.related[0]).Elem(), text, 7)
	structured, err := json.Marshal(map[string]string{"@type": "Event", "name": text})
	if err != nil {
		panic(err)
	}
	a.structured = string(structured)
	a.event.UUID, a.venue.UUID, a.organization.UUID, a.related[0].UUID = detailEvent, detailVenue, detailOrg, detailVenue
	a.related[0].StartDate, a.related[0].StartTime = "2026-12-01", "20:00"
	a.related[0].EndDate, a.related[0].EndTime, a.related[0].AllDay = "2026-12-01", "21:00", false
	a.event.VenueUUID, a.event.Dates[0].VenueUUID = detailVenue, detailVenue
	a.organization.HoldingOrgUUID = detailOrg
	a.event.Dates = []publicapi.Date{
		dated(a.event.Dates[0], detailDate, "2026-11-27", "released"),
		dated(a.event.Dates[0], "01920000-0000-7000-8000-0000000000d2", "2026-11-28", "cancelled"),
	}
	a.event.Dates[1].VenueUUID = value.Text(detailOrg) // elsewhere
	return a
}

func dated(d publicapi.Date, uuid, day, status string) publicapi.Date {
	d.UUID, d.Slug, d.StartDate, d.ReleaseStatus = uuid, day, day, status
	d.StartTime, d.EndDate, d.EndTime, d.EntryTime, d.AllDay = "20:00", "", "", "", false
	return d
}

// elements returns the elements of a page.
func elements(t *testing.T, page string) (all []*html.Node) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		if node.Type == html.ElementNode {
			all = append(all, node)
		}
	}
	return all
}
