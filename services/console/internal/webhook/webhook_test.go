package webhook_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/webhook"
)

const (
	api      = "/api/admin/organization/" + pagetest.Org
	list     = "/console/organization/" + pagetest.Org + "/webhooks"
	id       = "0192f0a0-0000-7000-8000-0000000000d1"
	delivery = "0192f0a0-0000-5000-8000-0000000000d2"
	script   = `<script>alert(1)</script>`
)

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, webhook.Mount)
	hook := adminapi.Webhook{UUID: id, Owner: adminapi.WebhookOfOrganization, OrgUUID: pagetest.Org, WebhookEdit: adminapi.WebhookEdit{
		Name: "Portal " + script, URL: "https://portal.example/", Types: []string{"event.updated"}, Active: true,
		Filter: adminapi.WebhookFilter{Organizations: []string{pagetest.Org}, Genres: []int{7}, Label: []string{"gone"}},
	}}
	c.Answer("GET "+api, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher"}})
	c.Answer("GET "+api+"/webhooks", 200, adminapi.Webhooks{Webhooks: []adminapi.Webhook{hook}, Page: adminapi.Page{TotalCount: 1, Limit: 25}})
	c.Answer("GET /api/admin/webhook/"+id, 200, hook)
	status := 500
	c.Answer("GET /api/admin/webhook/"+id+"/deliveries", 200, adminapi.WebhookDeliveries{Deliveries: []adminapi.WebhookDelivery{{
		Number: 4711, UUID: delivery, Type: "event.updated", State: "failed", Status: &status, Answer: script, Attempts: 3, CreatedAt: pagetest.Now,
	}}, Page: adminapi.Page{TotalCount: 1, Limit: 25}})
	return c
}

// sent returns the body of the only request for an operation.
func sent(t *testing.T, c *pagetest.Console, operation string) (body map[string]any) {
	t.Helper()
	calls := c.Calls(operation)
	if len(calls) != 1 {
		t.Fatalf("%d times %s", len(calls), operation)
	}
	if err := json.Unmarshal(calls[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestASecretIsShownOnce(t *testing.T) {
	c := start(t)
	c.Answer("POST "+api+"/webhooks", 201, adminapi.SecretWebhook{Secret: "whsec_abc"})
	got := c.Post(list, url.Values{"name": {"Portal"}, "url": {"https://portal.example/"}, "types": {"event.updated"}, "own": {"yes"}, "tags": {"jazz, blues"}})
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "whsec_abc") {
		t.Errorf("%d, without the secret", got.Status)
	}
	filter, _ := sent(t, c, "POST "+api+"/webhooks")["filter"].(map[string]any)
	if want := `{"organizations":["` + pagetest.Org + `"],"tags":["jazz","blues"]}`; !sameJSON(filter, want) {
		t.Errorf("filter %v, want %s", filter, want)
	}
	if strings.Contains(c.Get(list).Body, "whsec_abc") {
		t.Error("the secret is shown again")
	}
}

func sameJSON(got any, want string) bool {
	text, _ := json.Marshal(got)
	return string(text) == want
}

// TestLabelsAreChosen: by their names; one that was deleted is still shown, so that it can be left
// out.
func TestLabelsAreChosen(t *testing.T) {
	c := start(t)
	if strings.Contains(c.Get(list).Body, `name="label"`) {
		t.Error("labels are offered where there are none")
	}
	c = start(t)
	c.Answer("GET /api/choosable-labels", 200, []publicapi.Item{{ID: "tip", Name: "Tip of the <b>week"}})
	c.Answer("PUT /api/admin/webhook/"+id, 200, adminapi.WrittenWebhook{})
	body := c.Get("/console/webhook/" + id).Body
	for _, want := range []string{"Tip of the &lt;b&gt;week", `value="tip"`, `value="gone" checked`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in %s", want, body)
		}
	}
	form := url.Values{"name": {"x"}, "url": {"https://portal.example/"}, "label": {"tip", "gone"}}
	c.Post("/console/webhook/"+id, form)
	if filter := sent(t, c, "PUT /api/admin/webhook/"+id)["filter"]; !sameJSON(filter, `{"genres":[7],"label":["tip","gone"]}`) {
		t.Errorf("filter %v", filter)
	}
	c.Refuse("PUT /api/admin/webhook/"+id, http.StatusBadRequest, adminapi.Error{Code: "invalid_webhook", Error: "x", Details: []fault.Violation{
		{Field: "filter.label[1]", Reason: "is odd", Code: "odd"},
	}})
	if got := c.Post("/console/webhook/"+id, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#label-0"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if !strings.Contains(c.Get(list).Body, `href="/api/webhooks/event-types"`) {
		t.Error("nothing leads to the description of notifications")
	}
}

// TestOtherFiltersAreKept: the form has only some.
func TestOtherFiltersAreKept(t *testing.T) {
	c := start(t)
	c.Answer("PUT /api/admin/webhook/"+id, 200, adminapi.WrittenWebhook{})
	got := c.Post("/console/webhook/"+id, url.Values{"name": {"x"}, "url": {"https://portal.example/"}, "cities": {"Kiel"}})
	body := sent(t, c, "PUT /api/admin/webhook/"+id)
	if got.Status != http.StatusSeeOther || !sameJSON(body["filter"], `{"cities":["Kiel"],"genres":[7]}`) || !sameJSON(body["types"], "[]") {
		t.Errorf("%d %v", got.Status, body)
	}
}

func TestDeliveriesAreSentAgain(t *testing.T) {
	c := start(t)
	body := c.Get("/console/webhook/" + id).Body
	if strings.Contains(body, script) || !strings.Contains(body, "Status 500") || !strings.Contains(body, delivery) || !strings.Contains(body, "Event changed") || !strings.Contains(body, "/webhook/"+id+"/delivery/4711") {
		t.Error("the log is not shown, or holds a script")
	}
	for path, operation := range map[string]string{
		"/delivery/4711": "/delivery/4711/repeat", "/test": "/test",
	} {
		c.Answer("POST /api/admin/webhook/"+id+operation, 202, adminapi.WrittenDelivery{})
		if got := c.Post("/console/webhook/"+id+path, nil); got.Status != http.StatusSeeOther || len(c.Calls("POST /api/admin/webhook/"+id+operation)) != 1 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}

func TestOthersAreRefused(t *testing.T) {
	c := start(t)
	c.Member(permission.All &^ permission.EditOrganization)
	for _, path := range []string{list, "/console/administration/webhooks"} {
		if got := c.Get(path); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}
