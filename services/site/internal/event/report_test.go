package event

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/language"
	"litfass/services/site/internal/sitetest"
)

const (
	reportPath = "/event/" + sitetest.EventUUID + "/report"
	formType   = "application/x-www-form-urlencoded"
)

// TestReportsAreHandedOn with the address of the visitor, whom the API limits.
func TestReportsAreHandedOn(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	app := sitetest.Over(t, api, sitetest.Sunday, Mount)
	form := url.Values{"reason": {"wrong"}, "text": {" It is \r\nover. "}, "email": {"Anna@Example.org"}}.Encode()
	for _, from := range [][]string{
		{"Sec-Fetch-Site", "same-origin"}, {"Origin", "https://litfass.example"}, {"Origin", "http://site.example", "Host", "site.example"},
	} {
		head := append([]string{"Content-Type", formType, "X-Forwarded-For", "203.0.113.9"}, from...)
		status, answer, body := sitetest.Ask(t, app, http.MethodPost, "http://site.example"+reportPath+"?lang=de", form, head...)
		if status != http.StatusSeeOther || answer.Get("Location") != reportPath+"?lang=de&sent=true" || answer.Get("Cache-Control") != "no-store" {
			t.Errorf("from %q: %d %v %s", from, status, answer, body)
		}
	}
	want := `{"email":"anna@example.org","reason":"wrong","text":"It is \nover."}`
	if !slices.Equal(api.Reports, []string{want, want, want}) {
		t.Errorf("handed on %q", api.Reports)
	}
	if !slices.Equal(api.Visitors, []string{"203.0.113.9", "203.0.113.9", "203.0.113.9"}) {
		t.Errorf("of visitors %q", api.Visitors)
	}
	for lang, thanks := range map[string]string{"en": "Thank you.", "de": "Danke.", "da": "Tak."} {
		if page := sitetest.Page(t, app, reportPath+"?sent=true&lang="+lang); !strings.Contains(page, thanks) {
			t.Errorf("in %s: %s", lang, page)
		}
	}
}

// TestReportsThatAreRefused: they are refused before anything is handed on.
func TestReportsThatAreRefused(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	app := sitetest.Over(t, api, sitetest.Sunday, Mount)
	form := "reason=spam"
	for name, test := range map[string]struct {
		path, body string
		head       []string
		want       int
	}{
		"another website":  {reportPath, form, []string{"Content-Type", formType, "Sec-Fetch-Site", "cross-site", "Origin", "https://litfass.example"}, 403},
		"a neighbour":      {reportPath, form, []string{"Content-Type", formType, "Sec-Fetch-Site", "same-site"}, 403},
		"another origin":   {reportPath, form, []string{"Content-Type", formType, "Origin", "https://evil.example"}, 403},
		"a hidden origin":  {reportPath, form, []string{"Content-Type", formType, "Origin", "null"}, 403},
		"no origin":        {reportPath, form, []string{"Content-Type", formType}, 403},
		"no form":          {reportPath, `{"reason":"spam"}`, []string{"Content-Type", "application/json", "Sec-Fetch-Site", "same-origin"}, 415},
		"a packed form":    {reportPath, form, []string{"Content-Type", formType, "Content-Encoding", "gzip", "Sec-Fetch-Site", "same-origin"}, 415},
		"a long form":      {reportPath, form + "&text=" + strings.Repeat("a", maxForm), []string{"Content-Type", formType, "Sec-Fetch-Site", "same-origin"}, 413},
		"no event":         {"/event/x/report", form, []string{"Content-Type", formType, "Sec-Fetch-Site", "same-origin"}, 404},
		"an unknown event": {"/event/" + sitetest.VenueUUID + "/report", form, []string{"Content-Type", formType, "Sec-Fetch-Site", "same-origin"}, 404},
	} {
		if status, _, body := sitetest.Ask(t, app, http.MethodPost, test.path, test.body, test.head...); status != test.want {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if len(api.Reports) > 0 {
		t.Errorf("handed on %q", api.Reports)
	}
}

// TestReportsThatAreNotRight are shown again, as they were filled in, with their violations.
func TestReportsThatAreNotRight(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	app := sitetest.Over(t, api, sitetest.Sunday, Mount)
	for _, lang := range language.Codes {
		form := url.Values{"reason": {"boring"}, "text": {`</textarea><script>"` + strings.Repeat("ü", 2001)}, "email": {`a"b`}}.Encode()
		status, _, page := sitetest.Ask(t, app, http.MethodPost, reportPath+"?lang="+lang, form, "Content-Type", formType, "Sec-Fetch-Site", "same-origin")
		if status != http.StatusBadRequest || strings.Count(page, `class="form-field-bad"`) != 3 || !strings.Contains(page, `value="a&#34;b"`) ||
			!strings.Contains(page, "&lt;/textarea&gt;&lt;script&gt;") {
			t.Errorf("in %s: %d %s", lang, status, page)
		}
	}
	if len(api.Reports) > 0 {
		t.Errorf("handed on %q", api.Reports)
	}
}

// TestAnswersToReports: the page shows the errors of the API.
func TestAnswersToReports(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	app := sitetest.Over(t, api, sitetest.Sunday, Mount)
	for answer, want := range map[int]int{
		http.StatusBadRequest: 400, http.StatusTooManyRequests: 429, http.StatusServiceUnavailable: 503, http.StatusNotFound: 404, http.StatusInternalServerError: 503,
	} {
		api.Answer = answer
		status, head, page := sitetest.Ask(t, app, http.MethodPost, reportPath, "reason=spam&email=a@b.example", "Content-Type", formType, "Sec-Fetch-Site", "same-origin")
		if status != want || strings.Contains(page, "so it is") || answer == 429 && head.Get("Retry-After") != "9" {
			t.Errorf("%d: %d %v %s", answer, status, head, page)
		}
	}
}
