package organization_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/version"
)

// located runs the pages over an organization with a state, and has the service answer every write.
func located(t *testing.T) (c *pagetest.Console, base string) {
	t.Helper()
	c = start(t)
	o := adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher", Country: "DEU", State: "SH"}}
	c.Answer("GET "+api, http.StatusOK, o)
	c.Answer("PUT "+api, http.StatusOK, adminapi.WrittenOrganization{Organization: o})
	keys := []string{"street", "house_number", "address_addition", "postal_code", "city", "country", "state"}
	return c, version.ValuesOf(o).DigestOf(keys...)
}

// TestAStateBelongsToItsCountry: that of the country before is dropped. Without an answer of the
// public API the stored one stays, and the admin service decides.
func TestAStateBelongsToItsCountry(t *testing.T) {
	for _, test := range []struct {
		states  []publicapi.Item // nil: the public API does not answer
		country string
		want    string
	}{
		{[]publicapi.Item{{ID: "SH", Name: "Schleswig-Holstein"}}, "DEU", `"state":"SH"`},
		{[]publicapi.Item{{ID: "83", Name: "Syddanmark"}}, "DNK", `"state":null`},
		{nil, "DEU", `"state":"SH"`},
		{nil, "", `"state":null`},
	} {
		c, base := located(t)
		c.Refuse("GET /api/choosable-states", http.StatusServiceUnavailable, adminapi.Error{Error: "not now", Code: "unavailable"})
		if test.states != nil {
			c.Answer("GET /api/choosable-states", http.StatusOK, test.states)
		}
		form := url.Values{"street": {"Sandhafen"}, "country": {test.country}, "state": {"SH"}, "base": {base}}
		got := c.Post(root+"/settings/address", form)
		calls := c.Calls("PUT " + api)
		if len(calls) != 1 || !strings.Contains(string(calls[0].Body), test.want) {
			t.Errorf("%q with the states %v: %d, the service gets %+v, want %s", test.country, test.states, got.Status, calls, test.want)
		}
	}
}

// TestAnOrganizationIsSeenOncePublic: without a public event or an approval visitors see nothing
// of it.
func TestAnOrganizationIsSeenOncePublic(t *testing.T) {
	for _, seen := range []bool{true, false} {
		c, base := located(t)
		if seen {
			c.Answer("GET /api/organization/"+pagetest.Org, http.StatusOK, map[string]any{})
		}
		form := url.Values{"street": {"Sandhafen"}, "base": {base}}
		got := c.Post(root+"/settings/address", form, pagetest.Script...)
		if !strings.Contains(got.Body, "data-saved") || strings.Contains(got.Body, "auto-seen") != seen {
			t.Errorf("public %t: %s", seen, got.Body)
		}
	}
}
