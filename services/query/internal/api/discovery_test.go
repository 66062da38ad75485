package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// testDiscovery requests the operations by which other programs find pages.
func testDiscovery(t *testing.T, s site) {
	fetch := func(path string, status int, contentType string, header ...string) (body string, tag string) {
		t.Helper()
		response, data := s.do(t, "GET", path, "", header...)
		if response.StatusCode != status || !strings.HasPrefix(response.Header.Get("Content-Type"), contentType) {
			t.Errorf("%s: %d %s: %s", path, response.StatusCode, response.Header.Get("Content-Type"), data)
		}
		return string(data), response.Header.Get("ETag")
	}
	index, tag := fetch("/sitemap.xml", 200, "application/xml")
	for _, want := range []string{"https://litfass.example/sitemap/lists.xml", "https://litfass.example/sitemap/1.xml", "https://litfass.example/sitemap/5.xml"} {
		if !strings.Contains(index, "<loc>"+want+"</loc>") {
			t.Errorf("the index lacks %s: %s", want, index)
		}
	}
	fetch("/sitemap.xml", 304, "", "If-None-Match", tag)
	events, _ := fetch("/sitemap/5.xml", 200, "application/xml")
	if !strings.Contains(events, "https://litfass.example/event/"+eventJazz) || strings.Contains(events, eventGone) {
		t.Errorf("events: %s", events)
	}
	for _, file := range []string{"0.xml", "6.xml", "01.xml", "1", "1.xml.gz", "-1.xml", "9999999.xml", "%00.xml"} {
		fetch("/sitemap/"+file, 404, "application/json")
	}
	robots, _ := fetch("/robots.txt", 200, "text/plain")
	for _, line := range []string{"User-agent: *", "Disallow: /api/", "Allow: /api/image/", "Sitemap: https://litfass.example/sitemap.xml"} {
		if !strings.Contains("\n"+robots, "\n"+line+"\n") {
			t.Errorf("robots.txt lacks %s: %s", line, robots)
		}
	}
	testOEmbed(t, fetch)
}

func testOEmbed(t *testing.T, fetch func(path string, status int, contentType string, header ...string) (body, tag string)) {
	const ours = "https://litfass.example"
	of := func(page string) string { return "/oembed?url=" + url.QueryEscape(page) }
	for page, title := range map[string]string{
		ours: "Litfass", ours + "/month?city=Kiel": "Litfass", ours + "/event/" + eventJazz: jazz().Title, ours + "/venue/" + venueHall: hallName,
		ours + "/organization/" + orgNord: "Kulturhaus Nord", ours + "/region/deu.sh.angeln": "Angeln",
	} {
		body, _ := fetch(of(page), 200, "application/json")
		var got struct{ Type, Title, HTML string }
		if err := json.Unmarshal([]byte(body), &got); err != nil || got.Type != "rich" || got.Title != title ||
			!strings.HasPrefix(got.HTML, `<iframe src="https://litfass.example/embed`) {
			t.Errorf("%s: %v in %s", page, err, body)
		}
	}
	for _, page := range []string{
		ours + "/event/" + eventGone, ours + "/venue/" + venueGone, ours + "/organization/" + unknown, ours + "/region/deu.sh.atlantis",
		"https://evil.example/event/" + eventJazz, ours + "/api/docs", "javascript:alert(1)", "\x00", strings.Repeat("a", 10_000),
	} {
		fetch(of(page), http.StatusNotFound, "application/json")
	}
	fetch(of(ours)+"&format=xml&dnt=1", 200, "text/xml")
	fetch(of(ours)+"&format=yaml", http.StatusNotImplemented, "application/json")
	for _, query := range []string{"", "?url=", "?maxwidth=1", "?url=" + ours + "&maxwidth=0", "?url=" + ours + "&maxheight=x"} {
		fetch("/oembed"+query, http.StatusBadRequest, "application/json")
	}
}
