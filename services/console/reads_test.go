package main

import (
	"net/http"
	"regexp"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// TestPagesOnlyRead: what a link, an image or a prefetch of another site can have a browser ask
// for changes nothing, with scripts or without.
func TestPagesOnlyRead(t *testing.T) {
	c := pagetest.Start(t, mount)
	c.AnswerReads()
	c.Answer("GET /api/admin/user/attention", http.StatusOK, adminapi.Attention{OpenReports: new(int)}) // an administrator sees all pages
	pages, shown := c.Pages(), 0
	for _, path := range pages {
		address := regexp.MustCompile(`:(event|venue|space|organization|date|image|member|key|message|todo|link|place)`).ReplaceAllString(path, pagetest.Org)
		address = regexp.MustCompile(`:\w+`).ReplaceAllString(address, "released")
		for _, query := range []string{"", "?token=abc&notice=saved&lang=de&action=import&name=x&status=released&confirmed=1&event=" + pagetest.Org} {
			for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, pagetest.Script} {
				if got := c.Get(address+query, headers...); got.Status == http.StatusOK {
					shown++
				}
				for _, call := range c.Writes() {
					t.Fatalf("GET %s sends %s %s", address+query, call.Method, call.Path)
				}
			}
		}
	}
	if len(pages) < 60 || shown < 2*len(pages) {
		t.Errorf("%d pages, shown %d times", len(pages), shown)
	}
	if got := c.Get("/console/logout"); got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		t.Errorf("a link logs out: %d", got.Status)
	}
}
