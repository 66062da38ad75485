package api_test

import (
	"net/http"
	"testing"
)

// platformOnes are of people, organizations, operators, webhooks, sources and keys.
var platformOnes = []example{
	{operation: "POST /api/login", body: `{"email": "owner@example.org", "password": "{secret}"}`},
	{operation: "POST /api/signup", body: `{"email": "new@example.org", "password": "staple under the bridge"}`, status: 201},
	{operation: "POST /api/forgot-password", body: `{"email": "owner@example.org"}`},
	{operation: "GET /api/user/{userId}/avatar"},
	{operation: "GET /api/user/{userId}/avatar/{size}"},
	{operation: "PUT /api/admin/user/profile", who: "owner", body: `{"first_name": "Olga"}`},
	{operation: "PUT /api/admin/user/settings", who: "owner", body: `{"locale": "da"}`},
	{operation: "POST /api/admin/user/send-message", who: "owner", status: 201,
		body: `{"context": "organization", "context_id": "{foreign}", "subject": "x", "message": "x"}`},
	{operation: "PUT /api/admin/user/message/{messageId}/read", who: "owner"},
	{operation: "POST /api/admin/user/message/{messageId}/reply", who: "owner", body: `{"message": "x"}`, status: 201},
	{operation: "PUT /api/admin/user/todo", who: "owner", body: `{"id": {todoId}, "completed": true}`},
	{operation: "PUT /api/admin/organization", who: "owner", body: `{"name": "x", "lat": 54.5, "lon": 9.5}`, status: 201},
	{operation: "PUT /api/admin/organization/{organizationId}", who: "owner", body: `{"city": "Kiel"}`},
	{operation: "POST /api/admin/organization/{organizationId}/team/invite", who: "owner", status: 201,
		body: `{"email": "bert@example.org", "role": "editor"}`},
	{operation: "PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions", who: "owner",
		body: `{"bit": 27, "enabled": true}`},
	{operation: "GET /api/admin/organizations/pending", who: "platform"},
	{operation: "GET /api/admin/organizations", who: "platform", address: "/api/admin/organizations?approval=pending&sort=-created"},
	{operation: "GET /api/admin/people", who: "platform", address: "/api/admin/people?search=owner&state=active&sort=name"},
	{operation: "PUT /api/admin/people/{userId}/state", who: "platform", body: `{"active": true}`},
	{operation: "PUT /api/admin/people/{userId}/state", who: "platform", body: `{"active": false, "reason": "x"}`,
		address: "/api/admin/people/{founderId}/state"},
	{operation: "GET /api/admin/mails", who: "platform"},
	{operation: "POST /api/admin/mails/{mailId}/retry", who: "platform"},
	{operation: "DELETE /api/admin/mails/{mailId}", who: "platform", address: "/api/admin/mails/{otherMail}"},
	{operation: "GET /api/admin/nodes", who: "platform"},
	{operation: "GET /api/admin/event/{eventId}/presence", who: "editor", address: "/api/admin/event/{eventId}/presence?open=true"},
	{operation: "PUT /api/admin/organization/{organizationId}/approval", who: "platform", body: `{"approved": true, "reason": "x"}`},
	{operation: "GET /api/admin/reports", who: "platform", address: "/api/admin/reports?state=open&event_uuid={draft}"},
	{operation: "PUT /api/admin/report/{reportId}", who: "platform", body: `{"outcome": "dismissed", "note": "x"}`},
	{operation: "GET /api/admin/reports", who: "platform"},
	{operation: "POST /api/admin/event/{eventId}/venue-request", who: "owner", address: "/api/admin/event/{draft}/venue-request", body: `{"venue_uuid": "{askedVenue}", "note": "x"}`, status: http.StatusCreated},
	{operation: "POST /api/admin/event/{eventId}/venue-request", who: "owner", address: "/api/admin/event/{draft}/venue-request", body: `{"venue_uuid": "{askedVenue}"}`},
	{operation: "GET /api/admin/event/{eventId}/venue-requests", who: "owner", address: "/api/admin/event/{draft}/venue-requests"},
	{operation: "GET /api/admin/venue-requests", who: "owner", address: "/api/admin/venue-requests?state=pending"},
	{operation: "PUT /api/admin/venue-request/{requestId}", who: "owner", body: `{"accepted": true, "for_organization": true, "answer": "x"}`},
	{operation: "DELETE /api/admin/venue-request/{requestId}", who: "owner", address: "/api/admin/venue-request/{pendingRequest}"},
	{operation: "PUT /api/admin/event/{eventId}/takedown", who: "platform", body: `{"reason": "x"}`},
	{operation: "DELETE /api/admin/event/{eventId}/takedown", who: "platform"},
	{operation: "PUT /api/admin/label/{labelKey}", who: "platform", body: `{"names": {"en": "Tip", "da": "Tip"}}`},
	{operation: "PUT /api/admin/label/{labelKey}", who: "platform", status: 201, address: "/api/admin/label/new", body: `{"names": {"en": "New"}}`},
	{operation: "PUT /api/admin/event/{eventId}/labels", who: "platform", body: `{"labels": ["{labelKey}", "new"]}`},
	{operation: "GET /api/admin/labels", who: "platform"},
	{operation: "POST /api/admin/event/{eventId}/preview-link", who: "owner", status: 201},
	{operation: "GET /api/preview/{token}"},
	{operation: "GET /api/preview/{token}/image/{uuid}"},
	{operation: "GET /api/webhooks/event-types"},
	{operation: "POST /api/admin/organization/{organizationId}/webhooks", who: "owner", status: 201,
		body: `{"name": "x", "url": "https://example.org/x", "types": ["draft.saved"], "filter": {"tags": ["jazz"], "genres": [1]}, "active": false}`},
	{operation: "POST /api/admin/user/webhooks", who: "owner", body: webhookBody, status: 201},
	{operation: "POST /api/admin/webhooks", who: "platform", body: webhookBody, status: 201},
	{operation: "GET /api/admin/webhooks", who: "platform"},
	{operation: "PUT /api/admin/webhook/{webhookId}", who: "owner", body: `{"active": true, "name": "y"}`},
	{operation: "POST /api/admin/webhook/{webhookId}/secret", who: "owner"},
	{operation: "POST /api/admin/webhook/{webhookId}/test", who: "owner", status: 202},
	{operation: "POST /api/admin/webhook/{webhookId}/delivery/{deliveryNumber}/repeat", who: "owner", status: 202},
	{operation: "POST /api/admin/user/api-keys", who: "owner", body: `{"name": "x", "role": "viewer"}`, status: 201},
	{operation: "POST /api/admin/organization/{organizationId}/api-keys", who: "owner", status: 201,
		body: `{"name": "x", "permissions": "1"}`},
	{operation: "POST /api/admin/organization/{organizationId}/sources", who: "owner", status: 201,
		body: `{"name": "x", "address": "{file}", "interval_minutes": 60}`},
	{operation: "POST /api/admin/organization/{organizationId}/sources/preview", who: "owner",
		body: `{"name": "x", "address": "{otherFile}", "interval_minutes": 60}`},
	{operation: "PUT /api/admin/organization/{organizationId}/sources/{sourceId}", who: "owner",
		body: `{"name": "y", "mapping": [{"column": "UID", "field": "external_id"}], "venues": [{"name": "Mond", "venue_uuid": "{usedVenue}"}],
			"kinds": [{"name": "Jam", "type_id": 1}]}`},
	{operation: "PUT /api/admin/organization/{organizationId}/sources/{sourceId}/duplicate", who: "owner",
		body: `{"external_id": "x", "decision": "same"}`},
	{operation: "GET /api/admin/organization/{organizationId}/sources/{sourceId}", who: "owner"},
	{operation: "POST /api/admin/organization/{organizationId}/sources/{sourceId}/read", who: "owner", body: `{"missing": true}`},
	{operation: "GET /api/admin/organization/{organizationId}/sources", who: "owner"},
	{operation: "PUT /api/admin/user/api-keys/{keyId}", who: "owner", body: `{"name": "y"}`},
	{operation: "PUT /api/admin/organization/{organizationId}/api-keys/{keyId}", who: "owner", body: `{"name": "y"}`},
}

// shownOnes are the paths that an owner reads.
var shownOnes = []string{
	"event/{eventId}/image/{imageIndex}/meta", "event/{eventId}/image/{imageIndex}", "event/{eventId}/history", "event/{eventId}/presence",
	"venues", "organization/{organizationId}/venue-guests", "user/attention",
	"user/profile", "user/sessions", "user/export", "user/messages", "user/todos", "user/todo/{todoId}",
	"user/event/notifications", "user/choosable-organizations", "user/choosable-event-places", "user/invitations",
	"organization/{organizationId}/webhooks", "user/webhooks", "webhook/{webhookId}", "webhook/{webhookId}/deliveries",
	"user/memberships", "user/api-keys", "permissions/list", "roles/list", "organization/dashboard",
	"organization/{organizationId}", "organization/{organizationId}/venues", "organization/{organizationId}/events",
	"organization/{organizationId}/audit", "organization/{organizationId}/team", "organization/{organizationId}/api-keys",
	"organization/{organizationId}/member/{memberId}/permissions", "venue/{venueId}", "space/{spaceId}",
	"event/{eventId}", "event/{eventId}/preview-link", "portals", "portal/{portalId}",
	"contributors", "contributor/{contributorId}", "lists", "list/{listId}", "list/{listId}/entries",
	"series", "series/{seriesId}", "series/{seriesId}/image/meta", "series/{seriesId}/image", "series/{seriesId}/events", "user/choosable-series",
}

// confirmed is the body of requests that ask for a password.
const confirmed = `{"password": "{secret}"}`

// lastOnes delete entities that other examples need.
var lastOnes = []example{
	{operation: "DELETE /api/admin/event/{eventId}/image", who: "owner"},
	{operation: "DELETE /api/admin/event/{eventId}/preview-link/{previewId}", who: "owner"},
	{operation: "DELETE /api/admin/event/{eventId}/preview-link", who: "owner"},
	{operation: "DELETE /api/admin/event/{eventId}/date/{dateId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/event/{eventId}/link/{linkId}", who: "owner"},
	{operation: "DELETE /api/admin/event/{eventId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/space/{spaceId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/list/{listId}/entry/{eventId}", who: "owner"},
	{operation: "DELETE /api/admin/contributor/{contributorId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/list/{listId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/series/{seriesId}/image", who: "owner"},
	{operation: "DELETE /api/admin/series/{seriesId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/portal/{portalId}", who: "owner", body: confirmed},
	{operation: "DELETE /api/admin/label/{labelKey}", who: "platform", body: confirmed, address: "/api/admin/label/new"},
	{operation: "DELETE /api/admin/venue/{venueId}", who: "owner", body: confirmed},
	{operation: "POST /api/admin/user/invitations/{invitationId}/accept", who: "editor"},
	{operation: "POST /api/admin/user/invitations/{invitationId}/decline", who: "manager"},
	{operation: "DELETE /api/admin/user/todo/{todoId}", who: "owner"},
	{operation: "DELETE /api/admin/user/sessions/{sessionId}", who: "owner"},
	{operation: "DELETE /api/admin/user/avatar", who: "owner"},
	{operation: "DELETE /api/admin/webhook/{webhookId}", who: "owner"},
	{operation: "DELETE /api/admin/organization/{organizationId}/sources/{sourceId}", who: "owner"},
	{operation: "DELETE /api/admin/user/api-keys/{keyId}", who: "owner"},
	{operation: "DELETE /api/admin/organization/{organizationId}/api-keys/{keyId}", who: "owner"},
	{operation: "DELETE /api/admin/organization/{organizationId}/team/member/{memberId}", who: "owner", body: confirmed},
	{operation: "PUT /api/admin/user/password", who: "manager",
		body: `{"password": "{secret}", "new_password": "staple under the bridge"}`},
	{operation: "POST /api/admin/logout", who: "editor"},
	{operation: "DELETE /api/admin/user/message/{messageId}", who: "owner"},
	{operation: "DELETE /api/admin/user", who: "leaver", body: confirmed},
}

// fullOnes returns requests to add one thing more than an owner may add in a day.
func (c *examples) fullOnes(t *testing.T) []example {
	t.Helper()
	c.exec(t, `
INSERT INTO quota (owner, thing, day, added)
SELECT owner, thing, (now() AT TIME ZONE 'UTC')::date, 1000000
FROM (
    SELECT uuid::text FROM organization
    UNION ALL
    SELECT uuid::text FROM venue
    UNION ALL
    SELECT id::text FROM app_user
) AS owners (owner), unnest(ARRAY['organizations', 'venues', 'spaces', 'contributors']) AS thing
ON CONFLICT (owner, thing) DO UPDATE SET added = excluded.added`)
	return []example{
		{operation: "PUT /api/admin/organization", who: "owner", status: 409, body: `{"name": "x"}`},
		{operation: "PUT /api/admin/venue", who: "owner", status: 409, body: `{"org_uuid": "{organizationId}", "name": "x"}`},
		{operation: "PUT /api/admin/space", who: "owner", status: 409, body: `{"venue_uuid": "{usedVenue}", "name": "x"}`},
		{operation: "PUT /api/admin/contributor", who: "owner", status: 409, body: `{"org_uuid": "{organizationId}", "type": "group", "name": "x"}`},
		{operation: "PUT /api/admin/event/{eventId}/contributors", who: "owner", status: 409, body: `{"contributors": [{"name": "x", "role": "dj"}]}`,
			address: "/api/admin/event/{pictured}/contributors"},
	}
}
