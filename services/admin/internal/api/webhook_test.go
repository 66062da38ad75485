package api_test

import (
	"net/http"
	"testing"
)

// TestFiltersOfWebhooksAreNamed: one that a webhook does not have is refused by its name, with the
// one that it may mean.
func TestFiltersOfWebhooksAreNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for filter, want := range map[string]string{
		`{"search": "jazz"}`: "filter.search", `{"start": "today"}`: "filter.start", `{"tag": ["jazz"]}`: "filter.tag",
		`{"cities": "Kiel"}`: "filter.cities", `{"tags": [""]}`: "filter.tags",
		`{"venues": ["x"]}`: "filter.venues",
	} {
		body := `{"name": "x", "url": "https://example.org/", "filter": ` + filter + `}`
		a := s.as(t, "owner", http.MethodPost, "/organization/"+s.org+"/webhooks", body)
		if a.want(t, filter, http.StatusBadRequest, ""); a.fields() != want {
			t.Errorf("%s: fields %s: %.300s", filter, a.fields(), a.raw)
		}
	}
}
