package event

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/net/html"

	"litfass/pkg/contracts/language"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/sitetest"
)

// previewToken has the form of a token, and each kind of character that one may have.
var previewToken = strings.Repeat("aZ0-_", 8) + "abc"

// previewAdmin is a site that shows previews, above an admin service with one event for one token.
type previewAdmin struct {
	app *fiber.App
	log bytes.Buffer // of the site

	mu       sync.Mutex
	shown    *sitetest.EntityAPI
	status   int // of every answer; 0 answers with the event
	public   bool
	requests []*http.Request
}

func (a *previewAdmin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r)
	switch {
	case a.status != 0:
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, `{"error":"so it is","code":"said_so","retry_after":9}`)
	case r.URL.Path == "/api/preview/"+previewToken:
		_ = json.NewEncoder(w).Encode(sitetest.Enveloped(a.shown.Event))
	default:
		http.NotFound(w, r)
	}
}

// serveAPI is the public API, which knows the event once it is public.
func (a *previewAdmin) serveAPI(w http.ResponseWriter, r *http.Request) {
	if !a.public && strings.HasPrefix(r.URL.Path, "/api/event/"+sitetest.EventUUID) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"there is none","code":"not_found"}`)
		return
	}
	a.shown.ServeHTTP(w, r)
}

// previewSite returns a site that shows an event whose every text is the given one.
func previewSite(t *testing.T, text string) *previewAdmin {
	t.Helper()
	a := &previewAdmin{shown: sitetest.FullAPI(text)}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	d := sitetest.Deps(t, http.HandlerFunc(a.serveAPI), sitetest.Sunday)
	d.Previews = client.NewPreviews(server.URL+"/", time.Minute)
	a.app = sitetest.App(d, slog.NewJSONHandler(&a.log, &slog.HandlerOptions{Level: slog.LevelDebug}), Mount)
	return a
}

// wantHidden checks that no cache keeps an answer, no search engine lists it, and no other website
// learns its address; and that the log holds no token.
func (a *previewAdmin) wantHidden(t *testing.T, what string, head http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex", "Etag": "", "X-Frame-Options": "DENY",
	} {
		if got := head.Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
	if log := a.log.String(); strings.Contains(log, previewToken) || !strings.Contains(log, `"path":"/preview/`) {
		t.Errorf("%s: the log is %s", what, log)
	}
}

// article returns the element with the event of a page.
func article(t *testing.T, page string) *html.Node {
	t.Helper()
	for _, element := range sitetest.Elements(t, page) {
		if element.Data == "article" && strings.Contains(attributeOf(element, "class"), "detail") {
			return element
		}
	}
	t.Fatalf("no event in %s", page)
	return nil
}

func attributeOf(element *html.Node, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}

// shownBy returns the texts and the images of an event, in order.
func shownBy(article *html.Node) (all []string) {
	for node := range article.Descendants() {
		switch {
		case node.Type == html.TextNode && strings.TrimSpace(node.Data) != "":
			all = append(all, strings.TrimSpace(node.Data))
		case node.Data == "img":
			all = append(all, attributeOf(node, "src"), attributeOf(node, "srcset"), attributeOf(node, "alt"))
		}
	}
	return all
}

// TestPreviewShowsWhatThePageWill in every language and for every date, with the images that the
// token shows.
func TestPreviewShowsWhatThePageWill(t *testing.T) {
	public, a := sitetest.Over(t, sitetest.FullAPI("Jazz"), sitetest.Sunday, Mount), previewSite(t, "Jazz")
	for _, lang := range language.Codes {
		for _, query := range []string{"?lang=" + lang, "?date=01920000-0000-7000-8000-0000000000d2&lang=" + lang, "?date=gone&lang=" + lang} {
			page := sitetest.Page(t, a.app, "/preview/"+previewToken+query)
			below := strings.NewReplacer("/api/preview/"+previewToken+"/image/", "/api/image/")
			var shown []string
			for _, text := range shownBy(article(t, page)) {
				if strings.HasPrefix(text, "/api/image/") {
					t.Errorf("%s: the image %s is not public", query, text)
				}
				shown = append(shown, below.Replace(text))
			}
			want := shownBy(article(t, sitetest.Page(t, public, "/event/"+sitetest.EventUUID+query)))
			if !slices.Equal(shown, want) || len(want) < 40 {
				t.Errorf("%s shows\n%q, its page\n%q", query, shown, want)
			}
		}
	}
}

// TestPreviewKeepsToItself: the page is marked as a preview, leads nowhere that is not there yet,
// and nothing else learns of it.
func TestPreviewKeepsToItself(t *testing.T) {
	a := previewSite(t, "Jazz")
	for lang, banner := range map[string]string{
		"en": "this event is not public yet", "de": "Diese Veranstaltung ist noch nicht öffentlich", "da": "ikke offentligt endnu",
	} {
		status, head, page := sitetest.Ask(t, a.app, http.MethodGet, "/preview/"+previewToken, "", "Accept-Language", lang, "If-None-Match", "*")
		if status != http.StatusOK || head.Get("Content-Language") != lang {
			t.Fatalf("in %s: %d %s", lang, status, page)
		}
		a.wantHidden(t, lang, head)
		sitetest.Wants(t, page, banner, `<meta name="robots" content="noindex"`, `href="/preview/`+previewToken+`?date=`+sitetest.DateUUID, `role="link" aria-disabled="true"`)
		sitetest.Lacks(t, page, "https://litfass.example/preview", "canonical", "og:", "application/ld+json", ".ics", ".atom", ".json\"", "/report",
			"/event/"+sitetest.EventUUID, `data-favourite="`+sitetest.EventUUID, "data-share")
	}
	if got := a.requests[0]; len(a.requests) != 3 || len(got.URL.Query()) != 1 || !slices.Contains(language.Codes, got.URL.Query().Get("lang")) {
		t.Errorf("asked %d times, first for %s", len(a.requests), got.URL)
	}
	a.public = true
	if page := sitetest.Page(t, a.app, "/preview/"+previewToken); !strings.Contains(page, `<a href="/event/`+sitetest.EventUUID+`">Open the event’s page</a>`) {
		t.Errorf("of a public event: %s", page)
	}
}

// TestPreviewPassesOnTheVisitor's address and nothing else of the request.
func TestPreviewPassesOnTheVisitor(t *testing.T) {
	a := previewSite(t, "Jazz")
	sitetest.Ask(t, a.app, http.MethodGet, "/preview/"+previewToken+"?lang=de&limit=3", "", "X-Forwarded-For", "203.0.113.9",
		"Cookie", "session=1", "Authorization", "Bearer x", "X-API-Key", "mine", "Litfass-Visitor", "198.51.100.1")
	if len(a.requests) != 1 {
		t.Fatalf("asked %d times", len(a.requests))
	}
	head := a.requests[0].Header
	if got := head.Get("X-Forwarded-For"); got != "203.0.113.9" || a.requests[0].URL.RawQuery != "lang=de" {
		t.Errorf("asked %s for %q", a.requests[0].URL, got)
	}
	for _, name := range []string{"Cookie", "Authorization", "X-API-Key", "Litfass-Visitor", "Referer"} {
		if head.Get(name) != "" {
			t.Errorf("%s is passed on", name)
		}
	}
}

// TestPreviewsThatHaveEnded say so in the language of the reader.
func TestPreviewsThatHaveEnded(t *testing.T) {
	a := previewSite(t, "Jazz")
	a.status = http.StatusNotFound
	for lang, title := range map[string]string{
		"en": "This preview is no longer available", "de": "Diese Vorschau ist nicht mehr verfügbar", "da": "Forhåndsvisningen er ikke længere tilgængelig",
	} {
		status, head, page := sitetest.Ask(t, a.app, http.MethodGet, "/preview/"+previewToken, "", "Accept-Language", lang)
		if status != http.StatusNotFound || !strings.Contains(page, title) {
			t.Errorf("in %s: %d %s", lang, status, page)
		}
		sitetest.Lacks(t, page, "canonical", "https://litfass.example/preview")
		a.wantHidden(t, lang, head)
	}
}

// TestPreviewsThatCannotBeRead: an error of the admin service is a page, without its words.
func TestPreviewsThatCannotBeRead(t *testing.T) {
	a := previewSite(t, "Jazz")
	for answer, want := range map[int]int{429: 429, 500: 503, 503: 503, 401: 503, 302: 503} {
		a.status = answer
		status, head, page := sitetest.Ask(t, a.app, http.MethodGet, "/preview/"+previewToken, "")
		if status != want || strings.Contains(page, "so it is") || answer == 429 && head.Get("Retry-After") != "9" {
			t.Errorf("%d: %d %v %s", answer, status, head, page)
		}
		a.wantHidden(t, http.StatusText(answer), head)
	}
}

// TestWhatIsNoToken is asked for nowhere, and no part of it is logged.
func TestWhatIsNoToken(t *testing.T) {
	a := previewSite(t, "Jazz")
	for _, path := range []string{
		"/preview/x", "/preview/" + previewToken + "x", "/preview/" + previewToken[1:], "/preview/..%2F..%2Fadmin%2Fme", "/preview/%2e%2e%2fuser",
		"/preview/" + previewToken[2:] + "%2F", "/preview/" + previewToken[1:] + "%00", "/preview/" + previewToken[1:] + "%3F", "/preview/" + previewToken[1:] + "ä",
		"/preview/" + previewToken[3:] + "%0D%0A", "/preview/" + previewToken + "%0A", "/preview/" + previewToken + "/image", "/preview/" + strings.Repeat("a", 3000),
		"/preview/" + previewToken[1:] + "=", "/preview//" + previewToken, "/preview/",
	} {
		status, head, page := sitetest.Ask(t, a.app, http.MethodGet, path, "")
		if status != http.StatusNotFound || len(a.requests) != 0 {
			t.Fatalf("%s: %d %s, asked %d times", path, status, page, len(a.requests))
		}
		if path != "/preview/" {
			a.wantHidden(t, path, head)
		}
	}
	if status, head, _ := sitetest.Ask(t, a.app, http.MethodPost, "/preview/"+previewToken, ""); status != http.StatusMethodNotAllowed || len(a.requests) != 0 {
		t.Errorf("POST: %d", status)
	} else {
		a.wantHidden(t, "POST", head)
	}
	if status, _, _ := sitetest.Ask(t, sitetest.Over(t, sitetest.FullAPI("Jazz"), sitetest.Sunday, Mount), http.MethodGet, "/preview/"+previewToken, ""); status != http.StatusNotFound {
		t.Errorf("without an admin service: %d", status)
	}
}

// TestPreviewsAreHarmless: the texts of a draft run, load and submit nothing.
func TestPreviewsAreHarmless(t *testing.T) {
	for _, text := range sitetest.HostileTexts {
		a := previewSite(t, text)
		for _, element := range sitetest.Elements(t, sitetest.Page(t, a.app, "/preview/"+previewToken)) {
			sitetest.CheckHarmless(t, "a preview with "+text, element)
		}
	}
}
