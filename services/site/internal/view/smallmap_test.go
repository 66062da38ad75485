package view

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/services/site/internal/text"
)

func TestSmallMap(t *testing.T) {
	s := Shown{Text: text.Of("en"), Today: time.Now(), Link: func(path string, parameters url.Values) string {
		return path + "?" + parameters.Encode()
	}}
	for _, at := range [][2]float64{{54.79, 9.43}, {-18.1, 179.99}, {90, 0}, {-90, -180}} {
		var html strings.Builder
		if err := SmallMap(s, `"><script>`, at[0], at[1]).Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		if page := html.String(); strings.Contains(page, "<script>") || !strings.Contains(page, `href="/map?bbox=`) ||
			strings.Contains(page, "NaN") || strings.Contains(page, ` style="`) {
			t.Errorf("%v: %s", at, page)
		}
	}
}
