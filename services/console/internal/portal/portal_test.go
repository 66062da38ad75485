package portal

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

const (
	kiel  = "0192f0a0-0000-7000-8000-0000000000f1"
	venue = "0192f0a0-0000-7000-8000-0000000000b1"
	root  = "/console/organization/" + pagetest.Org + "/portals"
)

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, Mount)
	c.Answer("GET /api/admin/organization/"+pagetest.Org, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher"}})
	c.Answer("GET /api/admin/portals", 200, adminapi.Portals{
		Portals: []adminapi.PortalRow{{UUID: kiel, Name: "Kiel <script>", Slug: "kiel", MayEdit: true}}, Page: adminapi.Page{TotalCount: 1, Limit: 50},
	})
	c.Answer("GET /api/admin/portal/"+kiel, 200, adminapi.Portal{
		UUID: kiel, OrgUUID: value.Text(pagetest.Org), Slug: "kiel", Name: "Kiel", Filter: adminapi.PortalFilter{City: "Kiel", Tags: []string{"Jazz"}},
		Titles: []adminapi.PortalTitle{{Language: "da", Title: "Kiel på dansk"}}, Languages: []string{"da", "de"},
		Include: adminapi.PortalSelection{VenueUUIDs: []string{venue}}, Look: adminapi.PortalLook{Accent: "#0b5d3b"},
	})
	c.Answer("GET /api/events/facets", 200, map[string]any{"data": publicapi.Facets{Total: 31}})
	return c
}

func TestPortalsAreListedAndShown(t *testing.T) {
	c := start(t)
	list := c.Get(root)
	if list.Status != http.StatusOK || !strings.Contains(list.Body, "Kiel &lt;script&gt;") || !strings.Contains(list.Body, "/p/kiel") {
		t.Errorf("%d %s", list.Status, list.Body)
	}
	shown := c.Get(root + "/" + kiel)
	for _, want := range []string{"31 upcoming events", "city=Kiel&amp;tags=Jazz", "/venue/" + venue, "Kiel på dansk", "#0b5d3b"} {
		if !strings.Contains(shown.Body, want) {
			t.Errorf("%q is missing in %s", want, shown.Body)
		}
	}
	c.Member(permission.All &^ permission.EditOrganization)
	if got := c.Get(root); got.Status != http.StatusForbidden {
		t.Errorf("without the right: %d", got.Status)
	}
}

// TestAnotherOrganizationsPortalIsNotFound: the address names both.
func TestAnotherOrganizationsPortalIsNotFound(t *testing.T) {
	c := start(t)
	c.Answer("GET /api/admin/portal/"+kiel, 200, adminapi.Portal{UUID: kiel, OrgUUID: value.Text(venue)})
	if got := c.Get(root + "/" + kiel); got.Status != http.StatusNotFound {
		t.Errorf("%d", got.Status)
	}
}

// TestTheOperatorsPortals: below the administration, next to those of organizations, by the same
// pages.
func TestTheOperatorsPortals(t *testing.T) {
	const root = "/console/administration/portals"
	c := start(t)
	if got := c.Get(root); got.Status != http.StatusForbidden {
		t.Errorf("to an owner of an organization: %d", got.Status)
	}
	open := 0
	c.Answer("GET /api/admin/user/attention", 200, adminapi.Attention{OpenReports: &open})
	c.Answer("GET /api/admin/portals", 200, adminapi.Portals{Portals: []adminapi.PortalRow{
		{UUID: kiel, Name: "Kiel", Slug: "kiel", MayEdit: true},
		{UUID: venue, OrgUUID: value.Text(pagetest.Org), OrgName: "Speicher <b>", Name: "Other", Slug: "other", MayEdit: true},
	}, Page: adminapi.Page{TotalCount: 2, Limit: 50}})
	list := c.Get(root).Body
	for _, want := range []string{
		`href="` + root + "/" + kiel, `href="/console/organization/` + pagetest.Org + "/portals/" + venue, "Speicher &lt;b&gt;", `aria-current="page"`,
		"a new one belongs to the operator",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is missing in %s", want, list)
		}
	}
	if calls := c.Calls("GET /api/admin/portals"); calls[0].Query.Has("org_uuid") {
		t.Errorf("asked for %v", calls[0].Query)
	}
	if got := c.Get(root + "/" + kiel); got.Status != http.StatusNotFound {
		t.Errorf("an organization's: %d", got.Status)
	}
	c.Answer("GET /api/admin/portal/"+kiel, 200, adminapi.Portal{UUID: kiel, Slug: "kiel", Name: "Kiel"})
	if got := c.Get(root + "/" + kiel); !strings.Contains(got.Body, `action="`+root+"/"+kiel+`"`) || !strings.Contains(got.Body, "<title>Kiel · Portals") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	c.Answer("PUT /api/admin/portal", http.StatusCreated, adminapi.WrittenPortal{Portal: adminapi.Portal{UUID: kiel}})
	got := c.Post(root, url.Values{"name": {"Kiel"}, "slug": {"kiel"}})
	if call := c.Calls("PUT /api/admin/portal")[0]; string(call.Body) != `{"name":"Kiel","slug":"kiel"}` || !strings.HasPrefix(got.Header.Get("Location"), root+"/"+kiel) {
		t.Errorf("to %q with %s", got.Header.Get("Location"), call.Body)
	}
	c.Answer("DELETE /api/admin/portal/"+kiel, http.StatusOK, adminapi.Deleted{UUID: kiel})
	got = c.Post(root+"/"+kiel+"/delete", url.Values{"password": {"right"}})
	if got.Header.Get("Location") != root+"?notice=portal_deleted" {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
}

func TestAPortalIsSaved(t *testing.T) {
	c := start(t)
	form := url.Values{
		"tag": {`"3"`}, "name": {"Kiel"}, "slug": {"kiel"}, "title-de": {"Kultur"}, "languages": {"de", "da"}, "first": {"da"}, "accent": {"#112233"},
		"filter":  {"https://litfass.example/?city=Kiel&tags=a&tags=b&categories=1,2&lat=54.3&lon=10.1&radius=5000&search="},
		"include": {"https://litfass.example/event/" + kiel + "?lang=de\n\n/venue/" + venue}, "exclude": {""},
	}
	c.Answer("PUT /api/admin/portal/"+kiel, 200, adminapi.WrittenPortal{})
	if got := c.Post(root+"/"+kiel, form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	call := c.Calls("PUT /api/admin/portal/" + kiel)[0]
	var sent adminapi.Portal
	if err := json.Unmarshal(call.Body, &sent); err != nil || call.Header.Get("If-Match") != `"3"` {
		t.Fatal(err, call.Header)
	}
	f := sent.Filter
	if f.City != "Kiel" || !reflect.DeepEqual(f.Tags, []string{"a", "b"}) || !reflect.DeepEqual(f.Categories, []int{1, 2}) || *f.Radius != 5000 ||
		!reflect.DeepEqual(sent.Languages, []string{"da", "de"}) || sent.Titles[0].Title != "Kultur" || sent.Look.Accent != "#112233" ||
		sent.Include.EventUUIDs[0] != kiel || sent.Include.VenueUUIDs[0] != venue || len(sent.Exclude.OrgUUIDs) != 0 {
		t.Errorf("%s", call.Body)
	}
}

// TestARefusedPortalKeepsWhatWasTyped, and names the field.
func TestARefusedPortalKeepsWhatWasTyped(t *testing.T) {
	c := start(t)
	for field, typed := range map[string]url.Values{
		"filter":  {"filter": {"/?city=Kiel&search=jazz"}, "name": {"Typed"}},
		"include": {"include": {"nonsense"}, "name": {"Typed"}},
		"exclude": {"exclude": {"/month"}, "name": {"Typed"}},
	} {
		got := c.Post(root+"/"+kiel, typed)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="Typed"`) || !strings.Contains(got.Body, `href="#`+field+`"`) {
			t.Errorf("%s: %d %s", field, got.Status, got.Body)
		}
	}
	if len(c.Calls("PUT /api/admin/portal/"+kiel)) > 0 {
		t.Error("a filter that cannot be read was sent")
	}
	c.Refuse("PUT /api/admin/portal/"+kiel, http.StatusBadRequest, adminapi.Error{Code: "invalid_portal", Error: "x", Details: []fault.Violation{
		{Field: "look.accent", Reason: "is odd", Code: "odd"}, {Field: "filter.tags[0]", Reason: "is odd", Code: "odd"},
	}})
	got := c.Post(root+"/"+kiel, url.Values{"name": {"Typed"}, "accent": {"#fff000"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#accent"`) || !strings.Contains(got.Body, `href="#filter"`) ||
		!strings.Contains(got.Body, "#fff000") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	c.Refuse("PUT /api/admin/portal/"+kiel, http.StatusPreconditionFailed, adminapi.Error{Code: "stale", Error: "x"})
	if got := c.Post(root+"/"+kiel, url.Values{"name": {"Typed"}}); !strings.Contains(got.Body, "Someone else has changed this portal") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestAFilterIsReadAsItIsWritten, with every field.
func TestAFilterIsReadAsItIsWritten(t *testing.T) {
	var full adminapi.PortalFilter
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		switch field := v.Field(i).Addr().Interface().(type) {
		case *[]int:
			*field = []int{1, 2}
		case *[]string:
			*field = []string{"a", "b c"}
		case *string:
			*field = "x*"
		case **float64:
			number := 1.5
			*field = &number
		}
	}
	got, refused := filterOf("/?lang=de&" + queryOf(full))
	if refused != "" || !reflect.DeepEqual(got, full) {
		t.Errorf("%+v, refused %q", got, refused)
	}
	for text, want := range map[string]string{"start=today": "start", "categories=x": "categories", "lat=north": "lat", "a=%zz": "a=%zz"} {
		if _, refused := filterOf(text); refused != want {
			t.Errorf("%s: refused %q, want %q", text, refused, want)
		}
	}
}

func TestAPortalIsAddedAndDeleted(t *testing.T) {
	c := start(t)
	c.Refuse("PUT /api/admin/portal", http.StatusConflict, adminapi.Error{Code: "refused", Error: "x", Details: []fault.Violation{
		{Field: "slug", Reason: "is that of another portal", Code: "slug_taken"},
	}})
	got := c.Post(root, url.Values{"name": {"Kiel"}, "slug": {"kiel"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "This address is taken.") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	c.Answer("PUT /api/admin/portal", http.StatusCreated, adminapi.WrittenPortal{Portal: adminapi.Portal{UUID: kiel}})
	if got := c.Post(root, url.Values{"name": {"Kiel"}, "slug": {"kiel"}}); !strings.Contains(got.Header.Get("Location"), root+"/"+kiel) {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
	c.Answer("DELETE /api/admin/portal/"+kiel, http.StatusOK, adminapi.Deleted{UUID: kiel})
	got = c.Post(root+"/"+kiel+"/delete", url.Values{"password": {"right"}})
	if !strings.Contains(got.Header.Get("Location"), "portals?notice=portal_deleted") {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
}

// TestTheEventsOfAFilterAreCounted while it is typed.
func TestTheEventsOfAFilterAreCounted(t *testing.T) {
	c := start(t)
	count := func(filter string) string {
		got := c.Post(root+"/"+kiel+"/count", url.Values{"filter": {filter}}, pagetest.Script...)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d", filter, got.Status)
		}
		return got.Body
	}
	if got := count("https://litfass.example/?city=Kiel&tags=Jazz&categories=1"); got != "This filter finds 31 upcoming events." {
		t.Errorf("it says %q", got)
	}
	calls := c.Calls("GET /api/events/facets")
	asked := calls[len(calls)-1].Query
	if asked.Get("city") != "Kiel" || asked.Get("tags") != "Jazz" || asked.Get("categories") != "1" || asked.Get("start") != "today" || asked.Get("group") != "event" {
		t.Errorf("asked %v", asked)
	}
	if got := count("search=jazz"); !strings.Contains(got, "search") || len(c.Calls("GET /api/events/facets")) != len(calls) {
		t.Errorf("words: it says %q", got)
	}
	c.Answer("GET /api/events/facets", http.StatusBadRequest, adminapi.Error{Code: "invalid_parameters"})
	if got := count("age=x"); got != "The search does not take this filter." {
		t.Errorf("a refused filter: it says %q", got)
	}
}
