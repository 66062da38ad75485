package client

import (
	"net/http"
	"net/url"
	"strconv"

	"litfass/pkg/contracts/adminapi"
)

// Webhooks are the webhooks of an owner, by the path of their operations.
type Webhooks struct {
	admin Admin
	path  string
}

// OrganizationWebhooks are those of an organization.
func (a Admin) OrganizationWebhooks(org string) Webhooks {
	return Webhooks{a, at("organization", org, "webhooks")}
}

// OwnWebhooks are those of the person.
func (a Admin) OwnWebhooks() Webhooks { return Webhooks{a, at("user", "webhooks")} }

// PlatformWebhooks are those of the platform.
func (a Admin) PlatformWebhooks() Webhooks { return Webhooks{a, at("webhooks")} }

// List reads a page of them.
func (w Webhooks) List(paged url.Values) (adminapi.Webhooks, error) {
	return get[adminapi.Webhooks](w.admin, w.path, paged)
}

// Make makes one from the given fields.
func (w Webhooks) Make(fields map[string]any) (adminapi.SecretWebhook, error) {
	return send[adminapi.SecretWebhook](w.admin, http.MethodPost, w.path, fields)
}

// Webhook reads a webhook.
func (a Admin) Webhook(uuid string) (adminapi.Webhook, error) {
	return get[adminapi.Webhook](a, at("webhook", uuid), nil)
}

// ChangeWebhook changes the given fields of a webhook.
func (a Admin) ChangeWebhook(uuid string, fields map[string]any) error {
	return a.put(at("webhook", uuid), fields)
}

// DeleteWebhook deletes a webhook.
func (a Admin) DeleteWebhook(uuid string) error { return a.delete(at("webhook", uuid)) }

// RotateWebhook makes another secret of a webhook.
func (a Admin) RotateWebhook(uuid string) (adminapi.SecretWebhook, error) {
	return send[adminapi.SecretWebhook](a, http.MethodPost, at("webhook", uuid, "secret"), nil)
}

// TestWebhook sends a test to a webhook.
func (a Admin) TestWebhook(uuid string) error { return a.post(at("webhook", uuid, "test"), nil) }

// WebhookDeliveries reads a page of the log of a webhook.
func (a Admin) WebhookDeliveries(uuid string, paged url.Values) (adminapi.WebhookDeliveries, error) {
	return get[adminapi.WebhookDeliveries](a, at("webhook", uuid, "deliveries"), paged)
}

// RepeatDelivery sends a delivery of a webhook again.
func (a Admin) RepeatDelivery(uuid string, number int64) error {
	return a.post(at("webhook", uuid, "delivery", strconv.FormatInt(number, 10), "repeat"), nil)
}
