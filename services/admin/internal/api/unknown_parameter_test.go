package api_test

import (
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/services/admin/internal/api/openapi"
)

// images are for browsers, which may add a parameter to reload one.
var images = map[string]bool{"GET /api/user/{userId}/avatar": true, "GET /api/user/{userId}/avatar/{size}": true}

// TestEveryOperationRefusesUnknownParameters: before it reads anything else, and doing nothing.
func TestEveryOperationRefusesUnknownParameters(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, operation := range apidocstest.Describe(t, openapi.JSON()).Described() {
		if images[operation] {
			continue
		}
		method, path, _ := strings.Cut(operation, " ")
		a := s.send(t, method, path+"?limt=1&lang=de&nothing=", nil, "Authorization", "Bearer "+s.people["owner"].access)
		a.want(t, operation, http.StatusBadRequest, "invalid_parameters")
		if a.fields() != "limt" {
			t.Errorf("%s: bad fields %q", operation, a.fields())
		}
	}
	a := s.as(t, "owner", http.MethodGet, "/user/todos?limt=1&OFSET=2&x=3", "")
	if a.fields() != "limt OFSET x" || !strings.Contains(string(a.raw), "did you mean limit?") ||
		!strings.Contains(string(a.raw), "did you mean offset?") {
		t.Errorf("answer %s", a.raw)
	}
	s.as(t, "owner", http.MethodGet, "/user/todos?limt=&limit=5&lang=da", "").want(t, "an empty value", ok, "")
	s.as(t, "owner", http.MethodGet, "/user/todos?"+strings.Repeat("x=1&", 500)+"y=1", "").want(t, "many", http.StatusBadRequest, "")
}
