package asset

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/ui/asset"
)

// get asks for a path of a site with a bundle of these files.
func get(t *testing.T, path string, files fstest.MapFS) *http.Response {
	t.Helper()
	app := web.New(web.Options{Service: "site", Log: slog.New(slog.DiscardHandler)})
	mount(app, asset.Must(files, "/assets/"))
	answer, err := app.Test(httptest.NewRequestWithContext(t.Context(), fiber.MethodGet, path, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// TestTheWidgetIsAskedForAgain: its address stays when its content changes.
func TestTheWidgetIsAskedForAgain(t *testing.T) {
	answer := get(t, "/widget.v1.js", fstest.MapFS{
		"dist/manifest.json": {Data: []byte(`{"widget.v1.js":"widget.v1.js"}`)},
		"dist/widget.v1.js":  {Data: []byte("console.log('Flensburg');")},
	})
	control := answer.Header.Get("Cache-Control")
	if answer.StatusCode != http.StatusOK || control != "public, max-age=600, stale-while-revalidate=86400" {
		t.Errorf("answered %d with Cache-Control %q", answer.StatusCode, control)
	}
	if answer.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Error("pages that isolate themselves cannot load it")
	}
}

func TestWithoutABundle(t *testing.T) {
	if got := get(t, "/widget.v1.js", fstest.MapFS{}).StatusCode; got != http.StatusServiceUnavailable {
		t.Errorf("the widget: %d", got)
	}
}
