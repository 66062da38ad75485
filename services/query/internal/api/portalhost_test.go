package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/index/indextest"
)

// inSitemap is an address of a sitemap.
var inSitemap = regexp.MustCompile(`<loc>([^<]*)</loc>`)

// sitemapAt returns all addresses of the sitemap of a host.
func (s site) sitemapAt(t *testing.T, host string) (files, pages []string) {
	t.Helper()
	read := func(path string) (found []string) {
		response, body := s.do(t, http.MethodGet, path, "", "Host", host)
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != contentXML {
			t.Fatalf("%s of %s: %d %s", path, host, response.StatusCode, body)
		}
		for _, one := range inSitemap.FindAllStringSubmatch(string(body), -1) {
			found = append(found, one[1])
		}
		return found
	}
	files = read("/sitemap.xml")
	for _, file := range files {
		_, path, _ := strings.Cut(strings.TrimPrefix(file, "https://"), "/")
		pages = append(pages, read("/"+path)...)
	}
	return files, pages
}

// TestSitemapOfAPortalsHost: at a host of its own a portal has a sitemap of its own, with its pages
// at this host and no others. That of the site names no page of a portal.
func TestSitemapOfAPortalsHost(t *testing.T) {
	client := indextest.New(t)
	for name, documents := range catalogue() {
		for _, one := range documents {
			put(t, client, name, encode(t, one))
		}
	}
	const host = "https://kultur.example"
	s := newSite(t, client, func(d *Deps) {
		d.PortalHosts = map[string]string{"kultur.example": "jazz", "gone.example": "gone", "port.example:81": "nord"}
	})
	files, pages := s.sitemapAt(t, "KULTUR.example:8080")
	want := []string{host + "/sitemap/lists.xml", host + "/sitemap/1.xml", host + "/sitemap/2.xml", host + "/sitemap/3.xml"}
	if !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	want = nil
	for _, path := range []string{"/", "/lists", "/list/tipps", "/organization/" + orgNord, "/venue/" + venueHall, "/event/" + eventJazz} {
		want = append(want, host+path, host+path+"?lang=da") // the languages of the portal, in which the site's is not
	}
	if !slices.Equal(pages, want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
	for asked, base := range map[string]string{
		"kultur.example": host, "Kultur.example.": host, "kultur.example.:8080": host, "port.example.:81": "https://port.example:81", "litfass.example": "https://litfass.example",
	} {
		_, robots := s.do(t, http.MethodGet, "/robots.txt", "", "Host", asked)
		if line := "\nSitemap: " + base + "/sitemap.xml\n"; !strings.HasSuffix(string(robots), line) {
			t.Errorf("robots.txt of %s: %s", asked, robots)
		}
	}
	for _, path := range []string{"/sitemap.xml", "/sitemap/lists.xml", "/sitemap/1.xml", "/robots.txt"} {
		if response, _ := s.do(t, http.MethodGet, path, "", "Host", "gone.example"); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s of a portal that is not there: %d", path, response.StatusCode)
		}
	}
	_, pages = s.sitemapAt(t, "litfass.example")
	for _, page := range pages {
		if !strings.HasPrefix(page, "https://litfass.example/") || strings.Contains(page, "/p/") {
			t.Errorf("the site lists %s", page)
		}
	}
	if !slices.Contains(pages, "https://litfass.example/event/"+eventFair) {
		t.Errorf("the site lists %v", pages)
	}
}
