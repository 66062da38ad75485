package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

const (
	otherOrg = "0192f0a0-0000-7000-8000-000000000002"
	thirdOrg = "0192f0a0-0000-7000-8000-000000000003"
)

// inOrganizations makes the person a member of three organizations.
func inOrganizations(c *pagetest.Console, here, other, third permission.Set) {
	c.Answer("GET /api/admin/user/memberships", http.StatusOK, adminapi.Memberships{Memberships: []adminapi.Membership{
		{OrgUUID: pagetest.Org, OrgName: "Speicher", Permissions: value.Mask(here)},
		{OrgUUID: otherOrg, OrgName: "<b>Hof", Permissions: value.Mask(other)},
		{OrgUUID: thirdOrg, OrgName: "Turm", Permissions: value.Mask(third)},
	}})
}

func TestAnEventMovesToAnotherOrganization(t *testing.T) {
	c := start(t, stored())
	if body := c.Get(address).Body; strings.Contains(body, `id="move"`) {
		t.Error("a person with one organization is offered to move the event")
	}
	inOrganizations(c, permission.EditEvent, permission.EditEvent, permission.ViewEventInsights)
	body := c.Get(address).Body
	for _, want := range []string{
		`<option value="` + pagetest.Org + `" selected>Speicher</option>`, `<option value="` + otherOrg + `">&lt;b&gt;Hof</option>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is missing in %s", want, body)
		}
	}
	if strings.Contains(body, `<option value="`+thirdOrg) {
		t.Error("an organization where the person may not edit events is offered")
	}
	c.Answer("PUT "+operation+"/header", http.StatusOK, adminapi.HeaderPart{OrgUUID: otherOrg})
	form := url.Values{"org_uuid": {otherOrg}, "base": {base(t, body, "edit-organization")}}
	got := c.Post(address+"/edit/organization", form)
	calls := c.Calls("PUT " + operation + "/header")
	if got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"org_uuid":"`+otherOrg+`"}` {
		t.Errorf("%d, %d writes", got.Status, len(calls))
	}
	c.Refuse("PUT "+operation+"/header", http.StatusForbidden, adminapi.Error{Error: "needs EditEvent", Code: "permission_missing"})
	got = c.Post(address+"/edit/organization", form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="`+otherOrg+`" selected`) {
		t.Errorf("a move that is refused: %d", got.Status)
	}
	inOrganizations(c, permission.ViewEventInsights, permission.EditEvent, permission.EditEvent)
	if body := c.Get(address).Body; strings.Contains(body, `id="move"`) {
		t.Error("a viewer is offered to move the event")
	}
}
