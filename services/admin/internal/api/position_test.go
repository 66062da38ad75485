package api_test

import (
	"net/http"
	"strconv"
	"testing"
)

// The answer of a write carries the number of its transaction, which grows; reads and refused
// writes carry none.
func TestWritesNameTheirPosition(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := "/organization/" + s.org
	last := uint64(0)
	for _, write := range []struct{ method, path, body string }{
		{http.MethodPut, path, `{"city": "Kiel"}`},
		{http.MethodPut, path, `{"city": "Kiel"}`}, // changes nothing
		{http.MethodPut, "/organization", `{"name": "New"}`},
		{http.MethodPut, "/user/todo", `{"title": "t"}`},
	} {
		a := s.as(t, "owner", write.method, write.path, write.body)
		position, err := strconv.ParseUint(a.header.Get("Litfass-Position"), 10, 64)
		if err != nil || position <= last || a.status >= http.StatusMultipleChoices {
			t.Errorf("%s %s %s: %d, position %q after %d", write.method, write.path, write.body, a.status, a.header.Get("Litfass-Position"), last)
		}
		last = position
	}
	for _, other := range []struct{ who, method, path, body string }{
		{"owner", http.MethodGet, path, ""},
		{"owner", http.MethodPut, path, `{"name": ""}`},
		{"viewer", http.MethodPut, path, `{"city": "Kiel"}`},
	} {
		if a := s.as(t, other.who, other.method, other.path, other.body); a.header.Get("Litfass-Position") != "" {
			t.Errorf("%s %s %s %s has position %s", other.who, other.method, other.path, other.body, a.header.Get("Litfass-Position"))
		}
	}
}
