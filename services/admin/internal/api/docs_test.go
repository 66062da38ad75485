package api_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/services/admin/internal/api/openapi"
)

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	described, served := apidocstest.Describe(t, openapi.JSON()).Described(), apidocstest.Served(s.app)
	for _, operation := range described {
		if !slices.Contains(served, operation) {
			t.Errorf("described and not served: %s", operation)
		}
	}
	for _, operation := range served {
		if !slices.Contains(described, operation) {
			t.Errorf("served and not described: %s", operation)
		}
	}
}

func TestDocumentationNeedsNoLogin(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for path, kind := range map[string]string{
		"/openapi.json": "application/json", "/docs": "text/html; charset=utf-8", "/docs/": "text/html; charset=utf-8",
		"/docs/docs.js": "text/javascript; charset=utf-8", "/docs/swagger-ui.css": "text/css; charset=utf-8",
		"/docs/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	} {
		a := s.send(t, http.MethodGet, admin+path, nil)
		if got := a.header.Get("Content-Type"); a.status != ok || strings.Replace(got, "application/javascript", "text/javascript", 1) != kind {
			t.Errorf("%s: %d %s", path, a.status, got)
		}
	}
	page := s.send(t, http.MethodGet, admin+"/docs", nil)
	for _, address := range []string{admin + "/openapi.json", admin + "/docs/swagger-ui-bundle.js", admin + "/docs/docs.js"} {
		if !bytes.Contains(page.raw, []byte(`"`+address+`"`)) {
			t.Errorf("the page does not use %s:\n%s", address, page.raw)
		}
	}
}
