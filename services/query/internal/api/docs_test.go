package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/chassis/index"
	"litfass/services/query/internal/api/openapi"
)

func TestDocumentationNeedsNoOtherHost(t *testing.T) {
	s := newSite(t, index.Connect(index.Config{URL: "http://127.0.0.1:9"})) // nor the engine
	response, document := s.do(t, "GET", "/api/openapi.json", "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "application/json" || !bytes.Equal(document, openapi.JSON()) {
		t.Errorf("openapi.json: %d %v", response.StatusCode, response.Header)
	}
	for _, path := range []string{"/api/docs", "/api/docs/"} {
		page, body := s.do(t, "GET", path, "")
		policy := page.Header.Get("Content-Security-Policy")
		if page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") ||
			!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d %v", path, page.StatusCode, page.Header)
		}
		used := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllSubmatch(body, -1)
		if len(used) < 4 {
			t.Errorf("%s: found only %q", path, used)
		}
		for _, address := range used {
			s.asset(t, string(address[1]))
		}
	}
}

// asset checks that the files of the page come from this host, compressed or not as the client
// accepts.
func (s site) asset(t *testing.T, address string) {
	t.Helper()
	if address == "data:," {
		return
	}
	if !strings.HasPrefix(address, "/api/") {
		t.Errorf("the page uses %s", address)
		return
	}
	plain, text := s.do(t, "GET", address, "", "Accept-Encoding", "identity")
	if plain.StatusCode != http.StatusOK || len(text) == 0 || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("%s: %d %v", address, plain.StatusCode, plain.Header)
	}
	packed, body := s.do(t, "GET", address, "", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" {
		return
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(reader)
	if err != nil || !bytes.Equal(unpacked, text) {
		t.Errorf("%s: unpacks to something else: %v", address, err)
	}
}
