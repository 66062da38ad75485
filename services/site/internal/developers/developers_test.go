package developers

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/sitetest"
)

// catalogue is what the API of the tests has: one event at a venue, whose names are hostile.
func catalogue(city string) map[string]any {
	entry := sitetest.Entry("Jazz", "2026-11-24")
	entry.VenueUUID = "01890000-0000-7000-8000-0000000000b1"
	found := sitetest.Events(entry)
	found.Facets = &publicapi.Facets{Facets: map[string][]publicapi.Facet{"city": {{Value: city, Count: 3}}}}
	return map[string]any{"/api/events": found, "/api/catalog.jsonld": `{"@graph":[]}`}
}

// TestExamplesAskForWhatIsThere: with the city, the event and the venue of the catalogue, and the
// files with the whole catalogue; without these the page says so.
func TestExamplesAskForWhatIsThere(t *testing.T) {
	data := catalogue("Kiel")
	app, api := sitetest.New(t, data, Mount)
	page := sitetest.Page(t, app, "/developers")
	sitetest.Wants(t, page,
		`<code data-command>curl &#39;https://litfass.example/api/events?city=Kiel&amp;start=today&amp;group=event&amp;limit=3&#39;</code>`,
		`action="/api/event/01890000-0000-7000-8000-000000000001"`, `action="/api/venue/01890000-0000-7000-8000-0000000000b1"`,
		`&lt;litfass-events city=&#34;Kiel&#34;`, `<litfass-events city="Kiel"`, `href="/api/dumps/events.jsonl.gz"`, `action="/api/catalog.jsonld"`,
		`href="/api/docs"`, `href="/llms.txt"`, `-d &#39;{`,
	)
	if asked := api.LastQuery("/api/events"); asked.Get("start") != "today" || asked.Get("facets") != "city" {
		t.Errorf("asked for %v", asked)
	}
	delete(data, "/api/catalog.jsonld")
	page = sitetest.Page(t, app, "/developers?lang=da")
	sitetest.Lacks(t, page, "/api/dumps/", `action="/api/catalog.jsonld"`)
	sitetest.Wants(t, page, "ingen sådanne filer", `href="/embed/builder?lang=da"`)
}

// TestAnEmptyCatalogueHasExamples, too.
func TestAnEmptyCatalogueHasExamples(t *testing.T) {
	app, _ := sitetest.New(t, map[string]any{"/api/events": publicapi.Events{}}, Mount)
	page := sitetest.Page(t, app, "/developers")
	sitetest.Wants(t, page, `curl &#39;https://litfass.example/api/events?start=today&amp;group=event&amp;limit=3&#39;`)
	sitetest.Lacks(t, page, `action="/api/event/`, `action="/api/venue/`, `id="entities"`)
}

// TestExamplesInAPortalSelectIt: the examples read the portal and its dates, and the links to other
// languages stay in the portal.
func TestExamplesInAPortalSelectIt(t *testing.T) {
	data := catalogue("Kiel")
	data["/api/portal/kiel"] = publicapi.Portal{Slug: "kiel", Name: "Kiel"}
	app, _ := sitetest.New(t, data, Mount)
	page := sitetest.Page(t, app, "/p/kiel/developers")
	sitetest.Wants(t, page, `action="/api/portal/kiel"`, `start=today&amp;portal=kiel&amp;group=event`, `<litfass-events city="Kiel"`, `portal="kiel"`)
	sitetest.Wants(t, page, `href="/p/kiel/developers?lang=da"`)
}

// TestFormsSendTheirCommands: without scripts a form asks for what its command asks. Fields that
// an answer fills are empty.
func TestFormsSendTheirCommands(t *testing.T) {
	app, _ := sitetest.New(t, catalogue("Kiel"), Mount)
	ids := map[string]bool{}
	for _, element := range sitetest.Elements(t, sitetest.Page(t, app, "/developers")) {
		sitetest.CheckHarmless(t, "/developers", element)
		if id := attribute(element, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %s", id)
			}
			ids[id] = true
		}
		if element.Data != "form" {
			continue
		}
		var sent []string
		command := ""
		for part := range element.Descendants() {
			switch {
			case part.Data == "input" && attribute(part, "value") != "":
				sent = append(sent, attribute(part, "name")+"="+attribute(part, "value"))
			case part.Data == "code" && slices.ContainsFunc(part.Attr, func(a html.Attribute) bool { return a.Key == "data-command" }):
				command = part.FirstChild.Data
			}
		}
		address := "https://litfass.example" + attribute(element, "action")
		if len(sent) > 0 {
			address += "?" + strings.Join(sent, "&")
		}
		if want := "curl '" + address + "'"; command != want && !strings.HasPrefix(command, want+" -H ") {
			t.Errorf("the command %s, the form %s", command, want)
		}
	}
}

func attribute(element *html.Node, name string) string {
	for _, a := range element.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestCommandsAreShellWords also where the name of a city has quotes or other special characters.
func TestCommandsAreShellWords(t *testing.T) {
	of := subject{city: "L'Île $(x) & `y`", public: "https://litfass.example"}
	want := `curl 'https://litfass.example/api/events?city=L%27%C3%8Ele+%24%28x%29+%26+%60y%60&start=today'`
	if got := of.dates("search", "/api/events").curl(of.public); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	message := of.call()
	command := example{path: "/mcp", body: message}.curl(of.public)
	if !strings.Contains(command, `L'\''Île`) || !json.Valid([]byte(message)) {
		t.Errorf("%s", command)
	}
	app, _ := sitetest.New(t, catalogue(`"><script>alert(1)</script>`), Mount)
	status, _, page := sitetest.Ask(t, app, http.MethodGet, "/developers", "")
	if status != http.StatusOK {
		t.Fatal(status)
	}
	sitetest.WantHarmless(t, "/developers", page)
}
