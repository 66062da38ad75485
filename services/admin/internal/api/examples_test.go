package api_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

// catalogueOnes write venues, spaces and events.
var catalogueOnes = []example{
	{operation: "PUT /api/admin/venue", who: "owner", body: `{"org_uuid": "{organizationId}", "name": "Saal", "lat": 54.5, "lon": 9.5}`, status: 201},
	{operation: "PUT /api/admin/venue", who: "owner", body: `{"org_uuid": "{organizationId}", "name": "Saal", "lat": 54.5, "lon": 9.5}`, status: 201},
	{operation: "GET /api/admin/venue/similar", who: "owner", address: "/api/admin/venue/similar?name=Saal&lat=54.5&lon=9.5"},
	{operation: "GET /api/admin/positions", who: "owner", address: "/api/admin/positions?street=Nordertor&city=Flensburg"},
	{operation: "GET /api/admin/towns", who: "owner", address: "/api/admin/towns?search=Flens"},
	{operation: "PUT /api/admin/venue/{venueId}", who: "owner", body: `{"city": "Kiel", "hours": {"weekly": [{"day": "tue", "from": "10:00", "to": "18:00"}], "closed": [{"from": "2026-12-24", "to": "2026-12-26", "note": "Weihnachten"}], "special": [{"date": "2026-12-31", "from": "10:00", "to": "14:00", "note": "Silvester"}]}}`},
	{operation: "POST /api/admin/organization/{organizationId}/import", who: "owner",
		body: `{"content": "Titel;Datum;x;Ort;Art\nJazz;24.12.2999;20:00;;Jam im Park\n;1.1.2027;;Mond;\n", "dry_run": false}`},
	{operation: "POST /api/admin/organization/{organizationId}/import", who: "owner",
		body: `{"content": "Titel;Datum\nTanz;24.12.2999\n", "dry_run": false, "mapping": [{"column": "Datum", "field": "start_date"}]}`},
	{operation: "POST /api/admin/event/create", who: "owner", status: 201,
		body: `{"org_uuid": "{organizationId}", "title": "x", "dates": [{"start_date": "2020-01-01", "all_day": true}]}`},
	{operation: "PATCH /api/admin/event/{eventId}", who: "owner", body: `{"title": "Jazz", "tags": ["hafen"]}`},
	{operation: "PUT /api/admin/event/{eventId}/header", who: "owner", body: `{"title": "Jazz"}`},
	{operation: "PUT /api/admin/event/{eventId}/description", who: "owner", body: `{"description": "x"}`},
	{operation: "PUT /api/admin/event/{eventId}/summary", who: "owner", body: `{"summary": "x"}`},
	{operation: "PUT /api/admin/event/{eventId}/types", who: "owner", body: `{"categories": [1]}`},
	{operation: "PUT /api/admin/event/{eventId}/place", who: "owner", body: `{"venue_uuid": "{venueId}"}`},
	{operation: "PUT /api/admin/event/{eventId}/tags", who: "owner", body: `{"tags": ["x"]}`},
	{operation: "PUT /api/admin/event/{eventId}/languages", who: "owner", body: `{"languages": ["de"]}`},
	{operation: "PUT /api/admin/event/{eventId}/texts", who: "owner", body: `{"text_language": "de", "texts": {"da": {"title": "Koncert"}}}`},
	{operation: "PUT /api/admin/event/{eventId}/participation-infos", who: "owner",
		body: `{"min_age": 1, "tariffs": [{"name": "Parkett", "min_price": 12, "max_price": 20, "currency": "EUR"}]}`},
	{operation: "PUT /api/admin/event/{eventId}/release-status", who: "owner", body: `{"release_status": "review"}`},
	{operation: "PUT /api/admin/event/{eventId}/images/order", who: "owner", body: `{"images": ["{image}"]}`,
		address: "/api/admin/event/{pictured}/images/order"},
	{operation: "PUT /api/admin/event/{eventId}/link", who: "owner", body: `{"type": "website", "url": "https://example.org"}`, status: 201},
	{operation: "PUT /api/admin/event/{eventId}/link/{linkId}", who: "owner", body: `{"label": "x"}`},
	{operation: "PUT /api/admin/series", who: "owner", status: 201,
		body: `{"org_uuid": "{organizationId}", "slug": "hafenfest", "title": "Hafenfest", "public": true, "start_date": "2026-12-01", "parts": [{"kind": "stage", "title": "Zelt"}]}`},
	{operation: "PUT /api/admin/series/{seriesId}", who: "owner", body: `{"subtitle": "Neu", "end_date": null}`},
	{operation: "PUT /api/admin/series/{seriesId}/event/{eventId}", who: "owner", body: `{"accepted": true}`},
	{operation: "PATCH /api/admin/event/{eventId}", who: "owner", body: `{"series": [{"series_uuid": "{seriesId}"}, {"series_uuid": "{otherSeries}"}]}`},
	{operation: "PUT /api/admin/contributor", who: "owner", status: 201, body: `{"org_uuid": "{organizationId}", "type": "group", "name": "Trio Nord", "wikidata": "Q254"}`},
	{operation: "PUT /api/admin/contributor/{contributorId}", who: "owner", body: `{"note": "Kiel", "web_link": "https://example.org"}`},
	{operation: "PUT /api/admin/event/{eventId}/contributors", who: "owner", body: `{"contributors": [{"uuid": "{otherContributor}", "role": "soloist"}, {"name": "Neu", "role": "dj"}]}`},
	{operation: "POST /api/admin/contributor/{contributorId}/merge", who: "platform", body: `{"into": "{otherContributor}"}`, address: "/api/admin/contributor/{mergedContributor}/merge"},
	{operation: "PUT /api/admin/list", who: "owner", status: 201,
		body: `{"org_uuid": "{organizationId}", "slug": "wochenende", "name": "Wochenende", "public": true, "titles": [{"language": "da", "title": "Weekend", "description": null}], "entries": [{"event_uuid": "{eventId}", "note": "Unser Tipp"}]}`},
	{operation: "PUT /api/admin/list/{listId}", who: "owner", body: `{"public": false, "description": "Neu"}`},
	{operation: "PUT /api/admin/list/{listId}/entry", who: "owner", body: `{"event_uuid": "{eventId}", "note": "Tipp", "place": 0}`},
	{operation: "PUT /api/admin/portal", who: "owner", status: 201,
		body: `{"org_uuid": "{organizationId}", "slug": "kiel", "name": "Kiel", "titles": [{"language": "da", "title": "Kiel"}], "look": {"accent": "#0b5d3b"}, "filter": {"city": "Kiel", "categories": [1]}}`},
	{operation: "PUT /api/admin/portal/{portalId}", who: "owner", body: `{"languages": ["da", "de"], "exclude": {"org_uuids": ["{organizationId}"]}}`},
	{operation: "PUT /api/admin/space", who: "owner", body: `{"venue_uuid": "{venueId}", "name": "Foyer"}`, status: 201},
	{operation: "PUT /api/admin/space/{spaceId}", who: "owner", body: `{"total_capacity": 7}`},
	{operation: "PUT /api/admin/events/bulk", who: "owner", body: `{"events": [{"uuid": "{draft}", "tags": ["x"]}]}`},
	{operation: "POST /api/admin/event/date-rule/preview", who: "owner",
		body: `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=3", "rdate": null, "exdate": ["2026-12-02"], "event_uuid": "{draft}"}`},
	{operation: "POST /api/admin/event/{eventId}/duplicate", who: "owner", body: `{"leave_out_dates": true}`, status: 201,
		address: "/api/admin/event/{draft}/duplicate"},
	{operation: "POST /api/admin/event/{eventId}/date", who: "owner", status: 201,
		body: `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=3"}`},
	{operation: "GET /api/admin/date/{dateId}/availability", who: "viewer"},
	{operation: "PUT /api/admin/date/{dateId}/availability", who: "owner", body: `{"availability": "few_left", "remaining_places": 7}`},
	{operation: "PUT /api/admin/event/{eventId}/date/{dateId}", who: "owner",
		body: `{"accessibility_info": "x", "all_day": true, "start_time": null, "end_time": null, "entry_time": null, "hours": {"weekly": [{"day": "tue", "from": "10:00", "to": "18:00"}], "closed": [{"from": "2026-12-24", "to": "2026-12-26", "note": "Weihnachten"}], "special": [{"date": "2026-12-31", "from": "10:00", "to": "14:00", "note": "Silvester"}]}}`},
}

// specialOnes are the answers that are like no other.
func (c *examples) specialOnes(t *testing.T) []example {
	t.Helper()
	const remove = "DELETE /api/admin/organization/{organizationId}"
	gone := example{operation: remove, who: "owner", body: `{"password": "{secret}"}`, address: "/api/admin/organization/{empty}"}
	used := gone
	used.address, used.status = "", http.StatusConflict
	c.wrongOnes(t, used)
	refresh := []string{"Authorization", "Bearer " + c.people["neighbour"].refresh}
	all := append(c.unknownOnes(), c.conflicts(t)...)
	all = append(append(append(all, c.uploads(t)...), c.tokenOnes(t)...), c.manyThings(t)...)
	return append(all,
		example{operation: "POST /api/login", body: `{"email": "x@example.org", "password": "x"}`, status: 401},
		example{operation: "PUT /api/admin/user/todo", who: "owner", body: `{"title": "x"}`, status: 201},
		example{operation: "POST /api/admin/organization/{organizationId}/team/invite", who: "owner", body: `{"email": "bert@example.org"}`},
		example{operation: "POST /api/admin/refresh", headers: refresh},
		example{operation: "POST /api/admin/refresh", headers: []string{"Authorization", "Bearer x"}, status: 401},
		used, gone,
	)
}

// unknownOnes name entities that do not exist.
func (c *examples) unknownOnes() []example {
	return []example{
		{operation: "DELETE /api/admin/label/{labelKey}", who: "platform", body: `{"password": "{secret}"}`, address: "/api/admin/label/unknown", status: 404},
		{operation: "GET /api/admin/series", who: "stranger", address: "/api/admin/series?org_uuid={organizationId}", status: 404},
		{operation: "PUT /api/admin/series", who: "stranger", body: `{"org_uuid": "{organizationId}", "slug": "x", "title": "x"}`, status: 404},
		{operation: "GET /api/admin/series/{seriesId}", who: "stranger", status: 404},
		{operation: "PUT /api/admin/series/{seriesId}", who: "stranger", body: `{"title": "x"}`, status: 404},
		{operation: "DELETE /api/admin/series/{seriesId}", who: "stranger", body: `{"password": "{secret}"}`, status: 404},
		{operation: "GET /api/admin/series/{seriesId}/image/meta", who: "stranger", status: 404},
		{operation: "GET /api/admin/series/{seriesId}/image", who: "stranger", status: 404},
		{operation: "POST /api/admin/series/{seriesId}/image", who: "stranger", status: 404},
		{operation: "DELETE /api/admin/series/{seriesId}/image", who: "stranger", status: 404},
		{operation: "GET /api/admin/series/{seriesId}/events", who: "stranger", status: 404},
		{operation: "PUT /api/admin/series/{seriesId}/event/{eventId}", who: "stranger", body: `{"accepted": true}`, status: 404},
		{operation: "POST /api/admin/contributor/{contributorId}/merge", who: "platform", body: `{"into": "{otherContributor}"}`, address: "/api/admin/contributor/{foreign}/merge", status: 404},
		{operation: "GET /api/admin/contributors", who: "stranger", address: "/api/admin/contributors?org_uuid={organizationId}", status: 404},
		{operation: "GET /api/admin/lists", who: "stranger", address: "/api/admin/lists?org_uuid={organizationId}", status: 404},
		{operation: "GET /api/admin/portals", who: "stranger", address: "/api/admin/portals?org_uuid={organizationId}", status: 404},
		{operation: "GET /api/admin/venues", who: "stranger", address: "/api/admin/venues?org_uuid={organizationId}", status: 404},
		{operation: "DELETE /api/admin/user/avatar", who: "owner", status: 404},
		{operation: "GET /api/preview/{token}", address: "/api/preview/{unknown}", status: 404},
		{operation: "GET /api/preview/{token}/image/{uuid}", address: "/api/preview/{token}/image/{unknown}", status: 404},
		{operation: "GET /api/user/{userId}/avatar", status: 404},
		{operation: "GET /api/user/{userId}/avatar/{size}", status: 404},
		{operation: "PUT /api/admin/user/message/{messageId}/read", who: "viewer", status: 404},
		{operation: "POST /api/admin/user/send-message", who: "owner", status: 404,
			body: `{"context": "organization", "context_id": "{unknown}", "subject": "x", "message": "x"}`},
		{operation: "POST /api/admin/user/message/{messageId}/reply", who: "viewer", body: `{"message": "x"}`, status: 404},
		{operation: "DELETE /api/admin/user/message/{messageId}", who: "neighbour", status: 404},
		{operation: "PUT /api/admin/people/{userId}/state", who: "platform", body: `{"active": true}`, status: 404,
			address: "/api/admin/people/2000000000/state"},
		{operation: "POST /api/admin/mails/{mailId}/retry", who: "platform", status: 404},
		{operation: "DELETE /api/admin/mails/{mailId}", who: "platform", address: "/api/admin/mails/{otherMail}", status: 404},
		{operation: "PUT /api/admin/people/{userId}/state", who: "platform", body: `{"active": false, "reason": "x"}`, status: 409,
			address: "/api/admin/people/{ownId}/state"},
		{operation: "PUT /api/admin/report/{reportId}", who: "platform", body: `{"outcome": "dismissed", "note": "x"}`, status: 404,
			address: "/api/admin/report/{unknown}"},
		{operation: "PUT /api/admin/user/todo", who: "viewer", body: `{"id": {todoId}}`, status: 404},
		{operation: "GET /api/admin/user/todo/{todoId}", who: "viewer", status: 404},
		{operation: "DELETE /api/admin/user/todo/{todoId}", who: "viewer", status: 404},
		{operation: "PUT /api/admin/organization", who: "owner", body: `{"name": "x", "holding_org_uuid": "{unknown}"}`, status: 404},
		{operation: "DELETE /api/admin/user/sessions/{sessionId}", who: "owner", status: 404},
		{operation: "PUT /api/admin/user/api-keys/{keyId}", who: "viewer", body: `{"name": "y"}`, status: 404},
		{operation: "DELETE /api/admin/user/api-keys/{keyId}", who: "owner", status: 404},
		{operation: "POST /api/admin/user/invitations/{invitationId}/accept", who: "viewer", status: 404},
		{operation: "POST /api/admin/user/invitations/{invitationId}/decline", who: "viewer", status: 404},
	}
}

// conflicts conflict with stored rows.
func (c *examples) conflicts(t *testing.T) []example {
	t.Helper()
	silent := authtest.Organization(t, c.db, "Silent")
	c.join(t, "former", c.org, permission.EditEvent)
	c.write(t, "former", "user", c.people["manager"].id, "x").want(t, "write", http.StatusCreated, "")
	var unanswerable string
	c.one(t, &unanswerable, "SELECT max(message_id)::text FROM message_recipient WHERE user_id = $1", c.people["manager"].id)
	c.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", c.people["former"].id)
	closed, decided := c.venue(t, c.org), newUUID()
	c.exec(t, "UPDATE venue SET use = 'closed' WHERE uuid = $1", closed)
	foreignEvent, ownEvent := c.event(t, c.foreign, "Gast", "draft", nil), c.event(t, c.org, "Gast", "draft", nil)
	c.exec(t, sceneRequest, decided, ownEvent, closed)
	c.exec(t, "UPDATE venue_request SET state = 'refused', decided_at = now() WHERE uuid = $1", decided)
	needless, _ := c.invitation(t, c.org, c.people["viewer"].email)
	c.exec(t, sceneSource, newUUID(), c.org, "https://example.org/known.ics", c.people["owner"].id)
	busy := newUUID()
	c.exec(t, sceneSource, busy, c.foreign, "https://example.org/busy.ics", c.people["owner"].id)
	c.exec(t, "UPDATE event_source SET claimed_until = $2 WHERE uuid = $1", busy, c.clock.Now().Add(time.Hour))
	const known = `{"name": "x", "address": "https://example.org/known.ics", "interval_minutes": 60}`
	return []example{
		{operation: "POST /api/admin/organization/{organizationId}/sources", who: "owner", status: 409, body: known},
		{operation: "PUT /api/admin/organization/{organizationId}/sources/{sourceId}", who: "owner", status: 409, body: known,
			address: "/api/admin/organization/{organizationId}/sources/" + c.source(t, c.org, ownEvent)},
		{operation: "POST /api/admin/organization/{organizationId}/sources/{sourceId}/read", who: "neighbour", status: 409,
			address: "/api/admin/organization/{foreign}/sources/" + busy + "/read"},
		{operation: "PUT /api/admin/series", who: "owner", status: 409, body: `{"org_uuid": "{organizationId}", "slug": "{takenSeries}", "title": "x"}`},
		{operation: "PUT /api/admin/series/{seriesId}", who: "owner", status: 409, body: `{"slug": "{takenSeries}"}`,
			address: "/api/admin/series/{otherSeries}"},
		{operation: "PUT /api/admin/contributor/{contributorId}", who: "neighbour", status: 409, body: `{"note": "x"}`,
			address: "/api/admin/contributor/" + c.named(t, c.foreign, c.concert(t, c.org))},
		{operation: "DELETE /api/admin/contributor/{contributorId}", who: "owner", status: 409, body: `{"password": "{secret}"}`, address: "/api/admin/contributor/{namedContributor}"},
		{operation: "PUT /api/admin/list", who: "owner", status: 409, body: `{"org_uuid": "{organizationId}", "slug": "{takenList}", "name": "x"}`},
		{operation: "PUT /api/admin/list/{listId}", who: "owner", status: 409, body: `{"slug": "{takenList}"}`,
			address: "/api/admin/list/{otherList}"},
		{operation: "PUT /api/admin/portal", who: "owner", status: 409, body: `{"org_uuid": "{organizationId}", "slug": "{takenSlug}", "name": "x"}`},
		{operation: "PUT /api/admin/portal/{portalId}", who: "owner", status: 409, body: `{"slug": "{takenSlug}"}`,
			address: "/api/admin/portal/{otherPortal}"},
		{operation: "POST /api/admin/event/{eventId}/duplicate", who: "owner", status: 409,
			address: "/api/admin/event/" + c.takenBack(t, c.org) + "/duplicate"},
		{operation: "POST /api/admin/event/{eventId}/venue-request", who: "owner", body: `{"venue_uuid": "{usedVenue}"}`, status: 409,
			address: "/api/admin/event/{draft}/venue-request"},
		{operation: "PUT /api/admin/venue-request/{requestId}", who: "owner", body: `{"accepted": true}`, status: 409,
			address: "/api/admin/venue-request/" + c.requested(t, foreignEvent, closed)},
		{operation: "DELETE /api/admin/venue-request/{requestId}", who: "owner", status: 409, address: "/api/admin/venue-request/" + decided},
		{operation: "PUT /api/admin/report/{reportId}", who: "platform", body: `{"outcome": "resolved", "note": "x"}`, status: 409},
		{operation: "POST /api/admin/event/{eventId}/preview-link", who: "owner", status: 409,
			address: "/api/admin/event/" + c.oftenPreviewed(t) + "/preview-link"},
		{operation: "POST /api/admin/user/invitations/{invitationId}/accept", who: "viewer", status: 409,
			address: "/api/admin/user/invitations/" + needless + "/accept"},
		{operation: "DELETE /api/admin/user", who: "owner", body: `{"password": "{secret}"}`, status: 409},
		{operation: "POST /api/admin/user/message/{messageId}/reply", who: "manager", body: `{"message": "x"}`, status: 409,
			address: "/api/admin/user/message/" + unanswerable + "/reply"},
		{operation: "POST /api/admin/user/send-message", who: "owner", status: 409,
			body: `{"context": "organization", "context_id": "` + silent + `", "subject": "x", "message": "x"}`},
		{operation: "POST /api/admin/organization/{organizationId}/team/invite", who: "owner", body: `{"email": "viewer@example.org"}`, status: 409},
		{operation: "PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions", who: "owner", body: `{"role": "viewer"}`, status: 409,
			address: "/api/admin/organization/{organizationId}/member/{ownerMember}/permissions"},
		{operation: "POST /api/admin/event/create", who: "owner", body: `{"org_uuid": "{organizationId}", "release_status": "cancelled"}`, status: 409},
		{operation: "PUT /api/admin/events/bulk", who: "owner", status: 409, body: `{"events": [{"uuid": "{draft}", "release_status": "cancelled"}]}`},
		{operation: "PUT /api/admin/event/{eventId}/release-status", who: "owner", body: `{"release_status": "cancelled"}`, status: 409,
			address: "/api/admin/event/{draft}/release-status"},
		{operation: "PATCH /api/admin/event/{eventId}", who: "owner", body: `{"release_status": "cancelled"}`, status: 409,
			address: "/api/admin/event/{draft}"},
		{operation: "PUT /api/admin/space/{spaceId}", who: "owner", body: `{"venue_uuid": "` + c.venue(t, c.org) + `"}`, status: 409,
			address: "/api/admin/space/{usedSpace}"},
		{operation: "DELETE /api/admin/space/{spaceId}", who: "owner", body: `{"password": "{secret}"}`, status: 409,
			address: "/api/admin/space/{usedSpace}"},
		{operation: "DELETE /api/admin/venue/{venueId}", who: "owner", body: `{"password": "{secret}"}`, status: 409,
			address: "/api/admin/venue/{usedVenue}"},
		{operation: "DELETE /api/admin/organization/{organizationId}/team/member/{memberId}", who: "owner", body: `{"password": "{secret}"}`, status: 409,
			address: "/api/admin/organization/{organizationId}/team/member/{ownerMember}"},
	}
}

// uploads are avatars that are refused.
func (c *examples) uploads(t *testing.T) []example {
	t.Helper()
	upload := func(field string, content []byte, status int) example {
		file, kind := form(t, field, "x.png", content)
		body, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return example{
			operation: "POST /api/admin/user/avatar", who: "owner", body: string(body), headers: []string{"Content-Type", kind}, status: status,
		}
	}
	tooLarge := func(operation, address string) example {
		e := imageExample(t, operation, bytes.Repeat([]byte{1}, 5<<20+1), http.StatusRequestEntityTooLarge)
		e.address = address
		return e
	}
	return []example{
		upload("picture", avatarFile(t), http.StatusBadRequest),
		upload("avatar", bytes.Repeat([]byte{1}, 5<<20+1), http.StatusRequestEntityTooLarge),
		tooLarge("POST /api/admin/event/{eventId}/image/{imageIndex}", "/api/admin/event/{draft}/image/2"),
		tooLarge("POST /api/admin/event/{eventId}/teaser/image", "/api/admin/event/{draft}/teaser/image"),
		tooLarge("POST /api/admin/series/{seriesId}/image", "/api/admin/series/{otherSeries}/image"),
	}
}

const giveSecret = `
UPDATE one_time_token
SET hash = $1, expires_at = $3
WHERE id = (SELECT max(id) FROM one_time_token WHERE purpose = $2)`

const insertReset = `
INSERT INTO one_time_token (purpose, user_id, created_at, expires_at)
VALUES ('reset', $1, now(), now())`

// tokenOnes are the answers to tokens from mails.
func (c *examples) tokenOnes(t *testing.T) []example {
	t.Helper()
	secret := func(purpose string) string {
		token := auth.NewSecret()
		c.exec(t, giveSecret, auth.Digest(token), purpose, c.clock.Now().AddDate(0, 0, 1))
		return token
	}
	c.exec(t, insertReset, c.people["contributor"].id)
	c.leaveBehind(t, c.people["contributor"].id)
	c.as(t, "owner", http.MethodPut, "/user/profile", `{"email": "twice@example.org", "password": "`+authtest.Password+`"}`)
	authtest.User(t, c.db, "twice@example.org")
	_, newcomer := c.invitation(t, c.org, "newcomer@example.org")
	_, member := c.invitation(t, c.foreign, "manager@example.org")
	c.as(t, "neighbour", http.MethodPost, "/organization/"+c.foreign+"/team/invite", `{"email": "owner@example.org"}`)
	const accept, activate, reset = "POST /api/admin/organization/team/invite/accept", "POST /api/activate", "POST /api/reset-password"
	const invitation, joining = "POST /api/invitation", "POST /api/invitation/join"
	invited := `{"token": "` + secret("invite") + `"}`
	all := []example{
		{operation: accept, body: invited, status: 401},
		{operation: accept, who: "viewer", body: invited, status: 403},
		{operation: accept, who: "owner", body: invited},
		{operation: accept, who: "owner", body: invited, status: 409},
		{operation: activate, body: activation(secret("activate"), "staple under the bridge")},
		{operation: activate, body: `{"token": "` + secret("email") + `"}`, status: 409},
		{operation: invitation, body: `{"token": "` + newcomer + `"}`},
		{operation: joining, body: activation(newcomer, "staple under the bridge"), status: 201},
		{operation: joining, body: activation(member, "staple under the bridge"), status: 409},
		{operation: reset, body: `{"token": "` + secret("reset") + `", "new_password": "staple under the bridge"}`},
	}
	for operation, who := range map[string]string{
		accept: "owner", activate: "", reset: "", invitation: "", joining: "", "POST /api/admin/refresh": "",
	} {
		all = append(all,
			example{operation: operation, who: who, body: `[]`, status: 400},
			example{operation: operation, who: who, body: strings.Repeat(" ", 700<<10), status: 413},
			example{operation: operation, who: who, body: `{}`, headers: []string{"Content-Type", "text/plain"}, status: 415})
	}
	return all
}

// leaveBehind creates the keys and invitations that remain after a user's password is reset.
func (c *examples) leaveBehind(t *testing.T, user int) {
	t.Helper()
	c.exec(t, insertKeys, newUUID(), nil, c.org, auth.Digest(auth.NewSecret()), user)
	sent, _ := c.invitation(t, c.org, "friend@example.org")
	c.exec(t, "UPDATE invitation SET invited_by = $1 WHERE uuid = $2", user, sent)
}

const insertKeys = `
INSERT INTO api_key (uuid, user_id, org_uuid, name, prefix, hash, permissions, created_by)
VALUES ($1, $2, nullif($3, '')::uuid, 'x', 'lfk_xxxx', $4, 1, $5)`

const insertTodos = `
INSERT INTO todo (user_id, title)
SELECT $1, 'x'
FROM generate_series(1, 1000)`

// manyThings creates the maximum number of keys and todos.
func (c *examples) manyThings(t *testing.T) []example {
	t.Helper()
	viewer := c.people["viewer"].id
	for range 50 {
		c.exec(t, insertKeys, newUUID(), viewer, "", auth.Digest(auth.NewSecret()), viewer)
		c.exec(t, insertKeys, newUUID(), nil, c.org, auth.Digest(auth.NewSecret()), viewer)
	}
	for i := range 200 {
		if i < 20 {
			c.webhook(t, nil, viewer)
			c.webhook(t, c.org, nil)
		}
		c.webhook(t, nil, nil)
	}
	c.exec(t, `INSERT INTO label (key, names) SELECT 'full-' || n, '{"en": "x"}' FROM generate_series(1, 199) AS n`)
	ended := c.webhook(t, c.org, nil)
	c.exec(t, "UPDATE webhook SET active = false, ended_at = now() WHERE uuid = $1", ended)
	c.exec(t, insertTodos, viewer)
	const key = `{"name": "x", "role": "viewer"}`
	return []example{
		{operation: "PUT /api/admin/user/todo", who: "viewer", body: `{"title": "x"}`, status: 409},
		{operation: "POST /api/admin/user/webhooks", who: "viewer", body: webhookBody, status: 409},
		{operation: "PUT /api/admin/label/{labelKey}", who: "platform", body: `{"names": {"en": "x"}}`, status: 409,
			address: "/api/admin/label/one-more"},
		{operation: "POST /api/admin/webhooks", who: "platform", body: webhookBody, status: 409},
		{operation: "POST /api/admin/organization/{organizationId}/webhooks", who: "owner", body: webhookBody, status: 409},
		{operation: "POST /api/admin/webhook/{webhookId}/test", who: "owner", status: 409,
			address: "/api/admin/webhook/" + ended + "/test"},
		{operation: "POST /api/admin/webhook/{webhookId}/delivery/{deliveryNumber}/repeat", who: "owner", status: 409,
			address: "/api/admin/webhook/" + ended + "/delivery/1/repeat"},
		{operation: "POST /api/admin/user/api-keys", who: "viewer", body: key, status: 409},
		{operation: "POST /api/admin/organization/{organizationId}/api-keys", who: "owner", body: key, status: 409},
	}
}
