package asset

import (
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

// script is long enough to be compressed.
var script = strings.Repeat("console.log('Flensburg');", 100)

// folder is a bundle with one file of each sort.
func folder() fstest.MapFS {
	return fstest.MapFS{
		"dist/README.md":           {Data: []byte("placeholder")},
		"dist/manifest.json":       {Data: []byte(`{"site.js":"site-AAAAAAAA.js","land.svg":"land-BBBBBBBB.svg","widget.v1.js":"widget.v1.js"}`)},
		"dist/site-AAAAAAAA.js":    {Data: []byte(script)},
		"dist/land-BBBBBBBB.svg":   {Data: []byte("<svg/>")},
		"dist/widget.v1.js":        {Data: []byte(script)},
		"dist/part-CCCCCCCC.js":    {Data: []byte("export{}")},
		"dist/layers-DDDDDDDD.png": {Data: []byte("\x89PNG")},
	}
}

// site returns a function that asks an app for a path, with headers as pairs.
func site(t *testing.T, tree fstest.MapFS) (*Bundle, func(path string, headers ...string) *http.Response) {
	t.Helper()
	b, err := read(tree, "/assets/")
	if err != nil {
		t.Fatal(err)
	}
	app := web.New(web.Options{Service: "site", Log: slog.New(slog.DiscardHandler), Compress: true})
	b.Mount(app)
	return b, func(path string, headers ...string) *http.Response {
		t.Helper()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		answer, err := app.Test(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
}

// body returns the body of an answer.
func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	var from io.Reader = answer.Body
	if answer.Header.Get(fiber.HeaderContentEncoding) == "gzip" {
		reader, err := gzip.NewReader(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = reader
	}
	content, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestFilesAreKeptForever(t *testing.T) {
	b, get := site(t, folder())
	answer := get(b.URL("site.js"), "Accept-Encoding", "gzip")
	want := map[string]string{
		"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable",
		"Content-Encoding": "gzip", "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding",
		"Access-Control-Allow-Origin": "*", "Content-Security-Policy": "default-src 'none'; connect-src 'self'", // a worker obeys it
	}
	for name, value := range want {
		if got := answer.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if got := body(t, answer); answer.StatusCode != http.StatusOK || got != script {
		t.Errorf("answered %d with %d bytes, want %d", answer.StatusCode, len(got), len(script))
	}
	again := get(b.URL("site.js"), "If-None-Match", answer.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
		t.Errorf("asked again with its tag: %d", again.StatusCode)
	}
}

func TestEveryFileHasItsType(t *testing.T) {
	_, get := site(t, folder())
	for path, kind := range map[string]string{
		"/assets/land-BBBBBBBB.svg": "image/svg+xml", "/assets/part-CCCCCCCC.js": "text/javascript; charset=utf-8",
		"/assets/layers-DDDDDDDD.png": "image/png",
	} {
		if answer := get(path); answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != kind {
			t.Errorf("%s: %d %q", path, answer.StatusCode, answer.Header.Get("Content-Type"))
		}
	}
}

func TestOtherFilesAreNotAnswered(t *testing.T) {
	_, get := site(t, folder())
	for _, path := range []string{
		"/assets/manifest.json", "/assets/README.md", "/assets/widget.v1.js", "/assets/site.js", "/assets/..%2fmanifest.json", "/assets/",
	} {
		if answer := get(path); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

func TestURLByName(t *testing.T) {
	b, _ := site(t, folder())
	if got := b.URL("land.svg") + b.URL("none.svg"); got != "/assets/land-BBBBBBBB.svg" {
		t.Errorf("got %q", got)
	}
}

func TestWithoutABundle(t *testing.T) {
	b, get := site(t, fstest.MapFS{"dist/README.md": {Data: []byte("placeholder")}})
	if b.URL("site.css") != "" {
		t.Error("pages link what is not there")
	}
	if got := get("/assets/site-AAAAAAAA.js").StatusCode; got != http.StatusNotFound {
		t.Errorf("a file: %d", got)
	}
}

func TestADamagedBundleIsRefused(t *testing.T) {
	for name, manifest := range map[string]string{
		"a missing file": `{"site.js":"site-ZZZZZZZZ.js"}`, "no JSON": `{`,
	} {
		tree := folder()
		tree["dist/manifest.json"].Data = []byte(manifest)
		if _, err := read(tree, "/assets/"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
