package page

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// detailPages are the pages of entities.
var detailPages = []string{
	"/event/" + detailEvent, "/event/" + detailEvent + "?date=" + detailDate, "/event/" + detailEvent + "/report",
	"/venue/" + detailVenue, "/organization/" + detailOrg, view.RegionPath(detailRegion), "/regions",
}

// hostileTexts are texts that must stay texts.
var hostileTexts = []string{
	`"><script>alert(1)</script><img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`,
	`javascript:alert(1)`, ` JaVaScRiPt:alert(1)`, `data:text/html,<script>alert(1)</script>`, `//evil.example/x`,
	`[x](javascript:alert(1)) ![x](https://evil.example/x.png) <a href="javascript:x" onclick=x>`,
	`https://bank.example@evil.example/`, strings.Repeat("W", 2000), "\u202eמזרח 🎭👩🏽‍🎤\u202c", `' onfocus=alert(1) autofocus '`,
	"x", `{{.Title}} %s ${a}`,
}

// TestDetailPagesAreHarmless: what an organizer writes runs, loads and submits nothing.
func TestDetailPagesAreHarmless(t *testing.T) {
	for _, text := range hostileTexts {
		app := detailSite(t, full(text))
		for _, path := range detailPages {
			for _, element := range elements(t, pageOf(t, app, path)) {
				checkHarmless(t, path+" with "+text, element)
			}
		}
	}
}

func with(path, parameter string) string {
	if strings.Contains(path, "?") {
		return path + "&" + parameter
	}
	return path + "?" + parameter
}

func checkHarmless(t *testing.T, where string, element *html.Node) {
	t.Helper()
	if slices.Contains([]string{"iframe", "object", "embed", "base", "style", "math", "template", "audio", "video"}, element.Data) {
		t.Errorf("%s: there is <%s>", where, element.Data)
	}
	attributes := map[string]string{}
	for _, attribute := range element.Attr {
		attributes[attribute.Key] = attribute.Val
		if strings.HasPrefix(attribute.Key, "on") || attribute.Key == "style" || attribute.Key == "autofocus" {
			t.Errorf("%s: <%s> has %s", where, element.Data, attribute.Key)
		}
	}
	if element.Data == "script" && attributes["src"] == "" {
		content := element.FirstChild.Data
		if attributes["type"] != "application/ld+json" || !json.Valid([]byte(content)) || strings.Contains(content, "<") {
			t.Errorf("%s: there is a script %s", where, content)
		}
	}
	for _, name := range []string{"href", "src", "action", "formaction"} {
		checkAddress(t, where, element.Data, name, attributes[name])
	}
}

func checkAddress(t *testing.T, where, element, name, address string) {
	t.Helper()
	own := strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "#")
	scheme, _, _ := strings.Cut(address, ":")
	linked := slices.Contains([]string{"https", "http", "mailto", "tel", "geo"}, scheme)
	switch {
	case address == "" || own:
	case element == "a" && linked:
	case element == "link" && strings.HasPrefix(address, "https://litfass.example/"):
	default:
		t.Errorf("%s: <%s> has %s=%q", where, element, name, address)
	}
}

// TestDetailPagesAreWhole: one heading of the first level, no attribute without need, each language
// says that it is it, and what the head promises.
func TestDetailPagesAreWhole(t *testing.T) {
	app := detailSite(t, full("Jazz"))
	for _, path := range detailPages {
		for _, lang := range language.Codes {
			page := pageOf(t, app, with(path, "lang="+lang))
			headings, ids := 0, map[string]bool{}
			for _, element := range elements(t, page) {
				if element.Data == "h1" {
					headings++
				}
				for _, attribute := range element.Attr {
					if attribute.Key == "id" && ids[attribute.Val] {
						t.Errorf("%s: id %q is there twice", path, attribute.Val)
					}
					ids[attribute.Val] = ids[attribute.Val] || attribute.Key == "id"
				}
			}
			if headings != 1 || !strings.Contains(page, `<html lang="`+lang+`"`) || strings.Contains(page, "no value") {
				t.Errorf("%s in %s: %d headings in %s", path, lang, headings, page)
			}
			clean, _, _ := strings.Cut(path, "?")
			if !strings.Contains(page, `rel="canonical" href="https://litfass.example`+clean+`"`) {
				t.Errorf("%s: the canonical address is missing", path)
			}
		}
	}
}

// TestRegionsAsTheSearchNamesThem lead to the same page.
func TestRegionsAsTheSearchNamesThem(t *testing.T) {
	app := detailSite(t, full("Jazz"))
	for _, key := range []string{detailRegion, strings.ReplaceAll(detailRegion, ",", "%2C")} {
		page := pageOf(t, app, "/region/"+key)
		if !strings.Contains(page, `rel="canonical" href="https://litfass.example/region/deutschland_schleswig-holstein_flensburg"`) {
			t.Errorf("%s: %s", key, page)
		}
	}
}

// TestMinimalEvent: what is not known leaves nothing behind.
func TestMinimalEvent(t *testing.T) {
	app := detailSite(t, &detailAPI{
		event: publicapi.EventDetails{Event: publicapi.Event{UUID: detailEvent, Title: "Jazz", ReleaseStatus: "released"}},
		venue: publicapi.Venue{UUID: detailVenue, Name: "Hall"}, organization: publicapi.Organization{UUID: detailOrg, Name: "Club"},
	})
	for _, lang := range language.Codes {
		for _, path := range []string{"/event/" + detailEvent, "/venue/" + detailVenue} {
			page := pageOf(t, app, with(path, "lang="+lang))
			for _, absent := range []string{
				`href=""`, "<img", "ticket-when", "ticket-line", "<dl", `id="dates"`, "access-title", "application/ld+json", "<address", "og:image",
			} {
				if strings.Contains(page, absent) {
					t.Errorf("%s in %s has %s", path, lang, absent)
				}
			}
		}
		pageOf(t, app, with("/organization/"+detailOrg, "lang="+lang))
	}
	if page := pageOf(t, app, "/event/"+detailEvent); !strings.Contains(page, "poster") {
		t.Error("there is no poster in place of the picture")
	}
}

// TestWhatIsGone: each page says what is not there, and an address that names nothing asks for
// nothing.
func TestWhatIsGone(t *testing.T) {
	api := &detailAPI{}
	app := detailSite(t, api)
	const none = "01920000-0000-7000-8000-00000000dead"
	for path, want := range map[string]string{
		"/event/" + none: "This event is no longer here", "/event/" + none + "/report": "This event is no longer here",
		"/venue/" + none: "This venue is not listed", "/organization/" + none: "This organizer is not listed",
		"/region/a,b,c": "This region is not known",
	} {
		if status, _, page := ask(t, app, http.MethodGet, path, ""); status != http.StatusNotFound || !strings.Contains(page, want) {
			t.Errorf("%s: %d %s", path, status, page)
		}
	}
	api.asked = nil
	for _, path := range []string{
		"/event/x", "/event/..%2Fvenues", "/event/" + none + "%3Flang=de", "/venue/%00", "/organization/1", "/region/a,b", "/region/a,,c", "/region/%2F",
	} {
		if status, _, page := ask(t, app, http.MethodGet, path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, page)
		}
	}
	if len(api.asked) > 0 {
		t.Errorf("asked for %q", api.asked)
	}
}
