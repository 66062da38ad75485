package site

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
)

// previewed creates a link to the preview of an event and returns its path, which shows the draft
// with its image.
func (s *siteTest) previewed(t *testing.T, organizer harness.Editor, event string) (path string) {
	t.Helper()
	link := organizer.Write(t, http.MethodPost, "/event/"+event+"/preview-link", "")["url"]
	path, own := strings.CutPrefix(fmt.Sprint(link), s.URL())
	page := string(s.feed(t, path+"?lang=en"))
	picture := regexp.MustCompile(`<img\s+src="(/api/preview/[^"]+)"`).FindStringSubmatch(page)
	if !own || picture == nil || !strings.Contains(page, "not public yet") || strings.Contains(page, "/event/"+event) {
		t.Fatalf("the preview at %s: %s", link, page)
	}
	if kind := http.DetectContentType(s.feed(t, html.UnescapeString(picture[1]))); kind != "image/jpeg" {
		t.Errorf("the picture of the preview is %s", kind)
	}
	return path
}

// wantAsPreviewed compares the page of an event that is public by now with its preview, which ends
// then.
func (s *siteTest) wantAsPreviewed(t *testing.T, organizer harness.Editor, event, path string) {
	t.Helper()
	preview, page := s.feed(t, path+"?lang=en"), s.feed(t, "/event/"+event+"?lang=en")
	if got, want := articleText(t, preview), articleText(t, page); got != want {
		t.Errorf("the preview shows %s\nthe page %s", got, want)
	}
	if !strings.Contains(string(preview), "this event is public") {
		t.Errorf("the preview of a public event: %s", preview)
	}
	organizer.Write(t, http.MethodDelete, "/event/"+event+"/preview-link", "")
	s.wantHeaders(t, "a preview that was revoked", path, http.StatusNotFound)
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

// articleText returns the text of the first article of a page, in one line.
func articleText(t *testing.T, page []byte) string {
	t.Helper()
	_, begun, found := strings.Cut(string(page), "<article")
	article, _, ended := strings.Cut(begun, "</article>")
	text := strings.Join(strings.Fields(anyTag.ReplaceAllString("<article"+article, " ")), " ")
	if !found || !ended || text == "" {
		t.Fatalf("there is no article in %s", page)
	}
	return text
}
