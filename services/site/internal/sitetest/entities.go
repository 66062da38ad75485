package sitetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The entities of the API that stands for the real one.
const (
	EventUUID = "01920000-0000-7000-8000-0000000000e1"
	DateUUID  = "01920000-0000-7000-8000-0000000000d1"
	VenueUUID = "01920000-0000-7000-8000-0000000000f1"
	OrgUUID   = "01920000-0000-7000-8000-0000000000a1"

	ContributorUUID = "01920000-0000-7000-8000-0000000000c1"

	RegionKey = "deutschland,schleswig-holstein,flensburg"
)

// EntityAPI answers the reads of the pages of entities.
type EntityAPI struct {
	Event        publicapi.EventDetails
	Venue        publicapi.Venue
	Organization publicapi.Organization
	Contributor  publicapi.Contributor
	Related      []publicapi.Listed
	Text         string // names of everything
	Structured   string

	mu       sync.Mutex
	requests []string
	Reports  []string // bodies
	Visitors []string
	Answer   int // to a report
}

// ServeHTTP answers as the API does.
func (a *EntityAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r.URL.RequestURI())
	w.Header().Set("ETag", `W/"1"`)
	w.Header().Set(web.HeaderPosition, "7")
	answers := map[string]any{
		"/api/event/" + EventUUID:                       Enveloped(a.Event),
		"/api/venue/" + VenueUUID:                       Enveloped(a.Venue),
		"/api/organization/" + OrgUUID:                  Enveloped(a.Organization),
		"/api/contributor/" + ContributorUUID:           Enveloped(a.Contributor),
		"/api/events":                                   Enveloped(publicapi.Events{Events: a.Related}),
		"/api/accessibility/flags":                      a.flags(),
		"/api/visitor-info/flags":                       a.flags(),
		"/api/choosable-venues/organization/" + OrgUUID: []publicapi.Named{{UUID: VenueUUID, Name: a.Text, City: a.Text}},
		"/api/geolist/countries":                        Enveloped(publicapi.GeoCountries{Countries: []publicapi.GeoCountry{{Slug: "deutschland", Name: a.Text}}}),
		"/api/geolist/states":                           Enveloped(publicapi.GeoStates{States: []publicapi.GeoState{{CountrySlug: "deutschland", Slug: "schleswig-holstein", Name: a.Text}}}),
		"/api/geolist/regions":                          Enveloped(publicapi.GeoRegions{Regions: []publicapi.GeoRegion{{CountrySlug: "deutschland", StateSlug: "schleswig-holstein", Slug: "flensburg", Name: a.Text, GeolistRegion: RegionKey}}}),
	}
	answer, known := answers[r.URL.Path]
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/api/event/"+EventUUID+"/report":
		a.takeReport(w, r)
		return
	case r.URL.Path == "/api/event/"+EventUUID+".jsonld" && a.Structured != "":
		_, _ = io.WriteString(w, a.Structured)
		return
	case strings.HasPrefix(r.URL.Path, "/api/choosable-") && !known:
		answer = []publicapi.Item{{ID: "x", Name: a.Text}, {ID: a.Text, Name: a.Text}}
	case !known:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"error": "there is none", "code": "not_found"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (a *EntityAPI) flags() []publicapi.Flag {
	return []publicapi.Flag{
		{ID: "0", Name: a.Text, TopicID: "1", TopicName: a.Text}, {ID: "3", Name: "Ramp available", TopicID: "1", TopicName: a.Text},
		{ID: "14", Name: a.Text, TopicID: "3", TopicName: a.Text},
	}
}

func (a *EntityAPI) takeReport(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.Reports, a.Visitors = append(a.Reports, string(body)), append(a.Visitors, r.Header.Get(web.HeaderVisitor))
	w.WriteHeader(a.Answer)
	_, _ = io.WriteString(w, `{"error":"so it is","code":"said_so","details":[{"field":"email","reason":"is not right"}],"retry_after":9}`)
}

// Requests returns the addresses of all requests.
func (a *EntityAPI) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// Enveloped returns data in the envelope of the API.
func Enveloped(data any) any { return map[string]any{"data": data} }

// Sunday is the moment of the tests, a Sunday.
var Sunday = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

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
	case reflect.Map: // by language
		item := reflect.New(v.Type().Elem()).Elem()
		fill(item, text, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("en"), item)
	case reflect.Struct:
		if count, ok := v.Addr().Interface().(*value.Count); ok {
			*count = value.Counted(n)
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text, n)
		}
	default:
		panic(fmt.Sprintf("a field of kind %s", v.Kind()))
	}
}

// FullAPI returns an API whose every text is the given one, but for what names entities and times.
func FullAPI(text string) *EntityAPI {
	a := &EntityAPI{Text: text, Answer: http.StatusAccepted, Related: make([]publicapi.Listed, 1)}
	fill(reflect.ValueOf(&a.Event).Elem(), text, 7)
	fill(reflect.ValueOf(&a.Venue).Elem(), text, 7)
	fill(reflect.ValueOf(&a.Organization).Elem(), text, 7)
	fill(reflect.ValueOf(&a.Contributor).Elem(), text, 7)
	fill(reflect.ValueOf(&a.Related[0]).Elem(), text, 7)
	structured, err := json.Marshal(map[string]string{"@type": "Event", "name": text})
	if err != nil {
		panic(err)
	}
	a.Structured = string(structured)
	a.Event.UUID, a.Venue.UUID, a.Organization.UUID, a.Related[0].UUID = EventUUID, VenueUUID, OrgUUID, VenueUUID
	a.Contributor.UUID, a.Event.Contributors[0].UUID = ContributorUUID, ContributorUUID
	a.Related[0].StartDate, a.Related[0].StartTime = "2026-12-01", "20:00"
	a.Related[0].EndDate, a.Related[0].EndTime, a.Related[0].AllDay = "2026-12-01", "21:00", false
	a.Event.VenueUUID, a.Event.Dates[0].VenueUUID = VenueUUID, VenueUUID
	a.Organization.HoldingOrgUUID = OrgUUID
	a.Event.Dates = []publicapi.Date{
		Dated(a.Event.Dates[0], DateUUID, "2026-11-27", "released"),
		Dated(a.Event.Dates[0], "01920000-0000-7000-8000-0000000000d2", "2026-11-28", "cancelled"),
	}
	a.Event.Dates[1].VenueUUID = value.Text(OrgUUID) // elsewhere
	return a
}

// Dated returns a date with another uuid, day and status.
func Dated(d publicapi.Date, uuid, day, status string) publicapi.Date {
	d.UUID, d.Slug, d.StartDate, d.ReleaseStatus = uuid, day, day, status
	d.StartTime, d.EndDate, d.EndTime, d.EntryTime, d.AllDay = "20:00", "", "", "", false
	return d
}
