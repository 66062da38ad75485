package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
)

// testSuggest requests suggestions by HTTP; their content is tested in package suggest.
func testSuggest(t *testing.T, s site) {
	ask := func(query string) []string {
		t.Helper()
		var got enveloped[publicapi.Suggestions]
		s.get(t, "/api/suggest?"+query, &got)
		if got.ResponseType != "get-suggest" || got.Data.Suggestions == nil {
			t.Errorf("%s: %+v", query, got)
		}
		var kinds []string
		for _, one := range got.Data.Suggestions {
			kinds = append(kinds, one.Kind+" "+string(one.UUID))
		}
		return kinds
	}
	if got := ask("q=onl"); !slices.Equal(got, []string{"event " + eventFair}) {
		t.Errorf("onl: %v", got)
	}
	if got := ask("q=%C3%84rz&limit=1&lang=da"); !slices.Equal(got, []string{"organization " + orgSued}) {
		t.Errorf("ärz: %v", got)
	}
	for _, typed := range []string{`"fair" -online`, "' OR 1=1", `x" OR uuid EXISTS OR uuid = "`, "fair*gone", strings.Repeat("ä", 100)} {
		ask("q=" + url.QueryEscape(typed))
	}
	for query, field := range map[string]string{
		"": "q", "q=": "q", "q=a": "q", "q=" + strings.Repeat("a", 101): "q", "q=" + strings.Repeat("a", 10_000): "q", "q=%00%00": "q",
		"q=a%00b": "q", "q=%ff%ff": "q", "q=!!!": "q", "q=" + strings.Repeat("a+", 11): "q", "q=ab&limit=0": "limit", "q=ab&limit=21": "limit",
		"q=ab&q=cd": "q", "q=ab&search=x": "search", "q=ab&filter=x": "filter",
	} {
		response, body := s.do(t, "GET", "/api/suggest?"+query, "")
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"field":"`+field+`"`) {
			t.Errorf("%.40s: %d %s", query, response.StatusCode, body)
		}
	}
}
