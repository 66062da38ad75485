package seen_test

import (
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/seen"
)

const (
	address   = "/console/seen?position=12"
	operation = "GET /api/events"
)

func TestVisitorsSeeIt(t *testing.T) {
	c := pagetest.Start(t, seen.Mount)
	c.Answer(operation, http.StatusOK, map[string]any{})
	got := c.Get(address, pagetest.Script...)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "visitors see it") || strings.Contains(got.Body, "hx-get") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestASlowPublicSideIsNoFailure: what was saved is stored, and the page asks again.
func TestASlowPublicSideIsNoFailure(t *testing.T) {
	c := pagetest.Start(t, seen.Mount)
	for status, code := range map[int]string{
		http.StatusConflict: "not_yet_applied", http.StatusServiceUnavailable: "unavailable", http.StatusTooManyRequests: "too_many_requests",
	} {
		c.Refuse(operation, status, adminapi.Error{Error: "not now", Code: code})
		for query, want := range map[string]string{
			"":         `hx-get="/console/seen?position=12&amp;tries=1" hx-trigger="load delay:2s"`,
			"&tries=3": `hx-get="/console/seen?position=12&amp;tries=4" hx-trigger="load delay:16s"`,
			"&tries=x": `tries=1"`,
		} {
			got := c.Get(address+query, pagetest.Script...)
			if got.Status != http.StatusOK || !strings.Contains(got.Body, want) || got.Header.Get("HX-Retarget") != "" {
				t.Errorf("%s%s: %d %s lacks %s", code, query, got.Status, got.Body, want)
			}
		}
		for _, tries := range []string{"7", "1000000"} {
			got := c.Get(address+"&tries="+tries, pagetest.Script...)
			if !strings.Contains(got.Body, "visitors will see it shortly") || strings.Contains(got.Body, "hx-get") {
				t.Errorf("%s after %s tries: %s", code, tries, got.Body)
			}
		}
	}
}

func TestOtherFailuresAreShown(t *testing.T) {
	c := pagetest.Start(t, seen.Mount)
	c.Refuse(operation, http.StatusBadRequest, adminapi.Error{Error: "no", Code: "invalid_parameters"})
	for _, asked := range []string{address, "/console/seen?position=x"} {
		if got := c.Get(asked, pagetest.Script...); got.Status != http.StatusBadRequest || got.Header.Get("HX-Retarget") != "#alert" {
			t.Errorf("%s: %d %s", asked, got.Status, got.Body)
		}
	}
}
