package site

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// link is a link of Markdown.
var link = regexp.MustCompile(`\]\((https?://[^)]+)\)`)

// testGuide follows every link of llms.txt, as a program does that has only the site, and calls a
// tool.
func (s *siteTest) testGuide(t *testing.T) {
	guide, err := s.Client.Do(t.Context(), http.MethodGet, "/llms.txt", nil, nil)
	if err != nil || guide.Status != http.StatusOK {
		t.Fatalf("%v %d %s", err, guide.Status, guide.Body)
	}
	links := link.FindAllStringSubmatch(string(guide.Body), -1)
	if len(links) < 20 {
		t.Errorf("only %d links: %s", len(links), guide.Body)
	}
	for _, match := range links {
		address, err := url.Parse(match[1])
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Client.Do(t.Context(), http.MethodGet, address.RequestURI(), nil, nil)
		if err != nil || answer.Status != http.StatusOK {
			t.Errorf("%s: %v %d %.200s", match[1], err, answer.Status, answer.Body)
		}
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_event","arguments":{"uuid":"` + serenade + `"}}}`
	answer, err := s.Client.Do(t.Context(), http.MethodPost, "/mcp", http.Header{"Content-Type": {"application/json"}}, []byte(call))
	if err != nil || answer.Status != http.StatusOK || !strings.Contains(string(answer.Body), serenadeTitle) {
		t.Errorf("a tool: %v %d %.300s", err, answer.Status, answer.Body)
	}
}
