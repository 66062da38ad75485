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

// TestParametersAreText: text that the database does not take is refused by name.
func TestParametersAreText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, parameter := range []string{"/user/choosable-series?search", "/contributors?search", "/venue/similar?name=x&city", "/venues?search"} {
		for _, value := range []string{"a%00", "a%FFb"} {
			a := s.as(t, "owner", http.MethodGet, parameter+"="+value, "")
			a.want(t, parameter, http.StatusBadRequest, "invalid_parameters")
			if name := parameter[strings.LastIndexAny(parameter, "?&")+1:]; a.fields() != name {
				t.Errorf("%s=%s: bad fields %q", parameter, value, a.fields())
			}
		}
	}
}

// TestRepeatedParameters: as in the public search, an empty value counts as absent, a list is
// joined, and every other parameter is given once.
func TestRepeatedParameters(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.event(t, s.org, "Entwurf", "draft", nil, 5)
	s.event(t, s.org, "Vorschlag", "review", nil, 5)
	s.event(t, s.org, "Film", "released", nil, 5)
	events := "/organization/" + s.org + "/events?per_event=true"
	for query, want := range map[string]int{
		"&statuses=draft&statuses=review": 2, "&statuses=draft,review&statuses=released": 3, "&statuses=&statuses=draft": 1,
		"&limit=&limit=2": 2,
	} {
		a := s.as(t, "owner", http.MethodGet, events+query, "")
		a.want(t, query, ok, "")
		if listed, _ := a.body["events"].([]any); len(listed) != want {
			t.Errorf("%s lists %d, want %d", query, len(listed), want)
		}
	}
	a := s.as(t, "owner", http.MethodGet, events+"&limit=1&limit=2&offset=0&offset=0&offset=0&lang=de&lang=da&x=1&x=2", "")
	a.want(t, "repeated", http.StatusBadRequest, "invalid_parameters")
	if a.fields() != "limit offset lang x" || !strings.Contains(string(a.raw), "is given 3 times; it takes one value") {
		t.Errorf("answer %s", a.raw)
	}
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	s.as(t, "owner", http.MethodDelete, "/event/"+event+"/image?index=1&index=2", "").
		want(t, "one image of two", http.StatusBadRequest, "invalid_parameters")
}
