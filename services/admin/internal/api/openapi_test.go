package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/apidocs/apidocstest"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/auth/authtest"
	"litfass/services/admin/internal/openapi"
	"litfass/services/admin/internal/permission"
)

// example is a request whose answer must be as described. who is a person of the stage, "key" for
// an API key of the owner, or "" for no credentials.
type example struct {
	operation string // as the description names it: "GET /api/admin/user/todo/{todoId}"
	who, body string
	status    int    // 200 when it is 0
	address   string // where it is not the operation's path with the ids of the stage
	headers   []string
}

// newExamples returns a stage with everything that the examples speak of.
func newExamples(t *testing.T) *examples {
	t.Helper()
	return examplesOn(t, newStage(t))
}

func examplesOn(t *testing.T, s *stage) *examples {
	t.Helper()
	c := &examples{
		stage: s, description: apidocstest.Describe(t, openapi.JSON()), seen: map[string]bool{}, key: authtest.Key(t, s.db, s.people["owner"].id, "", permission.EditEvent),
	}
	c.prepare(t)
	return c
}

// examples asks for every described answer of every operation.
type examples struct {
	*stage
	description apidocstest.Description
	ids         *strings.Replacer
	key         string
	seen        map[string]bool
	asked       int

	usedVenue, usedSpace string // by an event
}

func TestAnswersAreAsDescribed(t *testing.T) {
	c := newExamples(t)
	for _, right := range c.rightOnes(t) {
		c.wrongOnes(t, right)
		c.ask(t, right)
	}
	for _, special := range c.specialOnes(t) {
		c.ask(t, special)
	}
	for path, operations := range c.description.Paths {
		for method := range operations.(map[string]any) {
			operation := strings.ToUpper(method) + " " + path
			for status := range c.description.Responses(method, path) {
				// Limits and an engine that is down are tested by themselves.
				if status != "429" && status != "503" && !c.seen[operation+" "+status] {
					t.Errorf("%s: no example brings about %s", operation, status)
				}
			}
		}
	}
}

// prepare makes what the examples speak of.
func (c *examples) prepare(t *testing.T) {
	t.Helper()
	venue := c.venue(t, c.org)
	space := c.space(t, venue)
	used := c.event(t, c.org, "Konzert", "draft", nil, 5, 6)
	c.usedVenue = c.venue(t, c.org)
	c.usedSpace = c.space(t, c.usedVenue)
	c.exec(t, "UPDATE event SET venue_uuid = $1, space_uuid = $2 WHERE uuid = $3", c.usedVenue, c.usedSpace, used)
	c.join(t, "leaver", "", 0)
	todo := c.as(t, "owner", http.MethodPut, "/user/todo", `{"title": "x", "due_date": "2026-12-01"}`)
	event := c.event(t, c.org, "Konzert", "draft", nil, 5)
	letter := c.write(t, "viewer", "user", c.people["owner"].id, "x")
	empty := c.as(t, "owner", http.MethodPut, "/organization", `{"name": "Empty"}`)
	personal := c.as(t, "owner", http.MethodPost, "/user/api-keys", `{"name": "k", "role": "viewer"}`)
	keyPath := "/organization/" + c.org + "/api-keys"
	shared := c.as(t, "owner", http.MethodPost, keyPath, `{"name": "k", "role": "viewer", "expires_at": "2999-01-01T00:00:00Z"}`)
	c.as(t, "owner", http.MethodPost, "/organization/"+c.org+"/team/invite", `{"email": "waiting@example.org"}`)
	c.as(t, "neighbour", http.MethodPost, "/organization/"+c.foreign+"/team/invite", `{"email": "owner@example.org"}`)
	c.ids = strings.NewReplacer(
		"{organizationId}", c.org, "{empty}", fmt.Sprint(empty.body["uuid"]), "{foreign}", c.foreign,
		"{memberId}", c.people["contributor"].member, "{ownerMember}", c.people["owner"].member,
		"{todoId}", fmt.Sprint(todo.body["id"]), "{messageId}", fmt.Sprint(letter.body["id"]),
		"{userId}", fmt.Sprint(c.people["owner"].id), "{size}", "64",
		"user/api-keys/{keyId}", "user/api-keys/"+fmt.Sprint(personal.body["uuid"]),
		"api-keys/{keyId}", "api-keys/"+fmt.Sprint(shared.body["uuid"]),
		"{venueId}", venue, "{spaceId}", space, "{eventId}", event, "{linkId}", c.link(t, event), "{dateId}", c.datesOfARule(t, event),
		"{draft}", used, "{usedVenue}", c.usedVenue, "{usedSpace}", c.usedSpace,
		"{secret}", authtest.Password, "{unknown}", newUUID(),
	)
}

// rightOnes are requests that succeed. What takes away comes last.
func (c *examples) rightOnes(t *testing.T) []example {
	t.Helper()
	file, kind := form(t, "avatar", "me.png", avatarFile(t))
	image, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	all := []example{
		{operation: "POST /api/login", body: `{"email": "owner@example.org", "password": "{secret}"}`},
		{operation: "POST /api/signup", body: `{"email": "new@example.org", "password": "staple under the bridge"}`, status: 201},
		{operation: "POST /api/forgot-password", body: `{"email": "owner@example.org"}`},
		{operation: "POST /api/admin/user/avatar", who: "owner", body: string(image), headers: []string{"Content-Type", kind}},
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
		{operation: "PUT /api/admin/venue", who: "owner", body: `{"org_uuid": "{organizationId}", "name": "Saal", "lat": 54.5, "lon": 9.5}`, status: 201},
		{operation: "PUT /api/admin/venue", who: "owner", body: `{"org_uuid": "{organizationId}", "name": "Saal", "lat": 54.5, "lon": 9.5}`, status: 201},
		{operation: "GET /api/admin/venue/similar", who: "owner", address: "/api/admin/venue/similar?name=Saal&lat=54.5&lon=9.5"},
		{operation: "PUT /api/admin/venue/{venueId}", who: "owner", body: `{"city": "Kiel"}`},
		{operation: "POST /api/admin/event/create", who: "owner", status: 201,
			body: `{"org_uuid": "{organizationId}", "title": "x", "dates": [{"start_date": "2020-01-01", "all_day": true}]}`},
		{operation: "PUT /api/admin/event/{eventId}/header", who: "owner", body: `{"title": "Jazz"}`},
		{operation: "PUT /api/admin/event/{eventId}/description", who: "owner", body: `{"description": "x"}`},
		{operation: "PUT /api/admin/event/{eventId}/summary", who: "owner", body: `{"summary": "x"}`},
		{operation: "PUT /api/admin/event/{eventId}/types", who: "owner", body: `{"categories": [1]}`},
		{operation: "PUT /api/admin/event/{eventId}/place", who: "owner", body: `{"venue_uuid": "{venueId}"}`},
		{operation: "PUT /api/admin/event/{eventId}/tags", who: "owner", body: `{"tags": ["x"]}`},
		{operation: "PUT /api/admin/event/{eventId}/languages", who: "owner", body: `{"languages": ["de"]}`},
		{operation: "PUT /api/admin/event/{eventId}/participation-infos", who: "owner", body: `{"min_age": 1}`},
		{operation: "PUT /api/admin/event/{eventId}/release-status", who: "owner", body: `{"release_status": "review"}`},
		{operation: "PUT /api/admin/event/{eventId}/link", who: "owner", body: `{"type": "website", "url": "https://example.org"}`, status: 201},
		{operation: "PUT /api/admin/event/{eventId}/link/{linkId}", who: "owner", body: `{"label": "x"}`},
		{operation: "PUT /api/admin/space", who: "owner", body: `{"venue_uuid": "{venueId}", "name": "Foyer"}`, status: 201},
		{operation: "PUT /api/admin/space/{spaceId}", who: "owner", body: `{"total_capacity": 7}`},
		{operation: "PUT /api/admin/events/bulk", who: "owner", body: `{"events": [{"uuid": "{draft}", "tags": ["x"]}]}`},
		{operation: "POST /api/admin/event/date-rule/preview", who: "owner",
			body: `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=3", "rdate": null, "exdate": ["2026-12-02"]}`},
		{operation: "POST /api/admin/event/{eventId}/duplicate", who: "owner", body: `{"leave_out_dates": true}`, status: 201,
			address: "/api/admin/event/{draft}/duplicate"},
		{operation: "POST /api/admin/event/{eventId}/date", who: "owner", status: 201,
			body: `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=3"}`},
		{operation: "PUT /api/admin/event/{eventId}/date/{dateId}", who: "owner", body: `{"accessibility_info": "x"}`},
		{operation: "POST /api/admin/organization/{organizationId}/team/invite", who: "owner", status: 201,
			body: `{"email": "bert@example.org", "role": "editor"}`},
		{operation: "PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions", who: "owner",
			body: `{"bit": 27, "enabled": true}`},
		{operation: "POST /api/admin/user/api-keys", who: "owner", body: `{"name": "x", "role": "viewer"}`, status: 201},
		{operation: "POST /api/admin/organization/{organizationId}/api-keys", who: "owner", status: 201,
			body: `{"name": "x", "permissions": "1"}`},
	}
	for _, path := range []string{
		"user/profile", "user/export", "user/messages", "user/todos", "user/todo/{todoId}", "user/event/notifications", "user/choosable-organizations",
		"user/choosable-event-places", "user/invitations", "user/api-keys", "permissions/list", "organization/dashboard",
		"organization/{organizationId}", "organization/{organizationId}/venues", "organization/{organizationId}/events",
		"organization/{organizationId}/audit", "organization/{organizationId}/team", "organization/{organizationId}/api-keys",
		"organization/{organizationId}/member/{memberId}/permissions", "venue/{venueId}", "space/{spaceId}",
		"event/{eventId}",
	} {
		all = append(all, example{operation: "GET /api/admin/" + path, who: "owner"})
	}
	const confirmed = `{"password": "{secret}"}`
	return append(all,
		example{operation: "DELETE /api/admin/event/{eventId}/date/{dateId}", who: "owner", body: confirmed},
		example{operation: "DELETE /api/admin/event/{eventId}/link/{linkId}", who: "owner"},
		example{operation: "DELETE /api/admin/event/{eventId}", who: "owner", body: confirmed},
		example{operation: "DELETE /api/admin/space/{spaceId}", who: "owner", body: confirmed},
		example{operation: "DELETE /api/admin/venue/{venueId}", who: "owner", body: confirmed},
		example{operation: "DELETE /api/admin/user/todo/{todoId}", who: "owner"},
		example{operation: "DELETE /api/admin/user/avatar", who: "owner"},
		example{operation: "DELETE /api/admin/user/api-keys/{keyId}", who: "owner"},
		example{operation: "DELETE /api/admin/organization/{organizationId}/api-keys/{keyId}", who: "owner"},
		example{operation: "DELETE /api/admin/organization/{organizationId}/team/member/{memberId}", who: "owner", body: confirmed},
		example{operation: "PUT /api/admin/user/password", who: "manager",
			body: `{"password": "{secret}", "new_password": "staple under the bridge"}`},
		example{operation: "POST /api/admin/logout", who: "editor"},
		example{operation: "DELETE /api/admin/user/message/{messageId}", who: "owner"},
		example{operation: "DELETE /api/admin/user", who: "leaver", body: confirmed},
	)
}

// wrongOnes changes a right request in each way for which an answer is described.
func (c *examples) wrongOnes(t *testing.T, right example) {
	t.Helper()
	method, path, _ := strings.Cut(right.operation, " ")
	for text := range c.description.Responses(method, path) {
		if wrong, apt := right.wronged(method, path, text); apt {
			c.ask(t, wrong)
		}
	}
}

// catalogued are the operations on what belongs to an organization that the path does not name.
var catalogued = regexp.MustCompile(`/api/admin/(venue|space|events?)(/|$)`)

// wronged returns the request changed so that it is answered with a status, and whether there is a
// way that does for all operations.
func (e example) wronged(method, path, status string) (example, bool) {
	inOrganization := strings.Contains(path, "{organizationId}") || catalogued.MatchString(e.operation)
	upload := strings.HasSuffix(path, "/avatar") && method == http.MethodPost
	switch {
	case status == "400" && e.body != "" && !upload:
		e.body, e.status = `[]`, http.StatusBadRequest
	case status == "400" && strings.Contains(path, "{"):
		e.address, e.status = path[:strings.IndexByte(path, '{')]+"x"+path[strings.IndexByte(path, '}')+1:], http.StatusBadRequest
	case status == "400" && method == http.MethodGet:
		e.address, e.status = path+"?limit=0", http.StatusBadRequest
	case status == "401" && e.who != "":
		e.who, e.status = "", http.StatusUnauthorized
	case status == "403" && inOrganization:
		e.who, e.status = "viewer", http.StatusForbidden
	case status == "403":
		e.who, e.status = "key", http.StatusForbidden
	case status == "404" && inOrganization:
		e.who, e.status = "stranger", http.StatusNotFound
	case status == "304":
		e.headers, e.status = []string{"If-None-Match", "*"}, http.StatusNotModified
	case status == "412":
		e.headers, e.status = append(slices.Clip(e.headers), "If-Match", `"0"`), http.StatusPreconditionFailed
	case status == "413" && !upload:
		e.body, e.status = strings.Repeat(" ", 700<<10), http.StatusRequestEntityTooLarge
	case status == "415":
		e.headers, e.status = []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType
	default:
		return e, false
	}
	return e, true
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
		example{operation: "POST /api/admin/refresh", headers: refresh, status: 401},
		used, gone,
	)
}

// unknownOnes ask for what is not there.
func (c *examples) unknownOnes() []example {
	return []example{
		{operation: "DELETE /api/admin/user/avatar", who: "owner", status: 404},
		{operation: "GET /api/user/{userId}/avatar", status: 404},
		{operation: "GET /api/user/{userId}/avatar/{size}", status: 404},
		{operation: "PUT /api/admin/user/message/{messageId}/read", who: "viewer", status: 404},
		{operation: "POST /api/admin/user/send-message", who: "owner", status: 404,
			body: `{"context": "organization", "context_id": "{unknown}", "subject": "x", "message": "x"}`},
		{operation: "POST /api/admin/user/message/{messageId}/reply", who: "viewer", body: `{"message": "x"}`, status: 404},
		{operation: "DELETE /api/admin/user/message/{messageId}", who: "neighbour", status: 404},
		{operation: "PUT /api/admin/user/todo", who: "viewer", body: `{"id": {todoId}}`, status: 404},
		{operation: "GET /api/admin/user/todo/{todoId}", who: "viewer", status: 404},
		{operation: "DELETE /api/admin/user/todo/{todoId}", who: "viewer", status: 404},
		{operation: "PUT /api/admin/organization", who: "owner", body: `{"name": "x", "holding_org_uuid": "{unknown}"}`, status: 404},
		{operation: "DELETE /api/admin/user/api-keys/{keyId}", who: "owner", status: 404},
	}
}

// conflicts do not go with what is stored.
func (c *examples) conflicts(t *testing.T) []example {
	t.Helper()
	silent := authtest.Organization(t, c.db, "Silent")
	c.join(t, "former", c.org, permission.EditEvent)
	c.write(t, "former", "user", c.people["manager"].id, "x").want(t, "write", http.StatusCreated, "")
	var unanswerable string
	c.one(t, &unanswerable, "SELECT max(message_id)::text FROM message_recipient WHERE user_id = $1", c.people["manager"].id)
	c.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", c.people["former"].id)
	return []example{
		{operation: "DELETE /api/admin/user", who: "owner", body: `{"password": "{secret}"}`, status: 409},
		{operation: "POST /api/admin/user/message/{messageId}/reply", who: "manager", body: `{"message": "x"}`, status: 409,
			address: "/api/admin/user/message/" + unanswerable + "/reply"},
		{operation: "POST /api/admin/user/send-message", who: "owner", status: 409,
			body: `{"context": "organization", "context_id": "` + silent + `", "subject": "x", "message": "x"}`},
		{operation: "POST /api/admin/organization/{organizationId}/team/invite", who: "owner", body: `{"email": "viewer@example.org"}`, status: 409},
		{operation: "PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions", who: "owner", body: `{"role": "viewer"}`, status: 409,
			address: "/api/admin/organization/{organizationId}/member/{ownerMember}/permissions"},
		{operation: "POST /api/admin/event/create", who: "owner", body: `{"org_uuid": "{organizationId}", "release_status": "cancelled"}`, status: 409},
		{operation: "PUT /api/admin/event/{eventId}/release-status", who: "owner", body: `{"release_status": "cancelled"}`, status: 409,
			address: "/api/admin/event/{draft}/release-status"},
		{operation: "PUT /api/admin/events/bulk", who: "owner", status: 409, body: `{"events": [{"uuid": "{draft}", "release_status": "cancelled"}]}`},
		{operation: "PUT /api/admin/events/bulk", who: "owner", status: 412, body: `{"events": [{"uuid": "{draft}", "if_match": "\"0\""}]}`},
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
	return []example{
		upload("picture", avatarFile(t), http.StatusBadRequest),
		upload("avatar", bytes.Repeat([]byte{1}, 5<<20+1), http.StatusRequestEntityTooLarge),
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
	c.as(t, "owner", http.MethodPut, "/user/profile", `{"email": "twice@example.org", "password": "`+authtest.Password+`"}`)
	authtest.User(t, c.db, "twice@example.org")
	c.as(t, "neighbour", http.MethodPost, "/organization/"+c.foreign+"/team/invite", `{"email": "owner@example.org"}`)
	const accept, activate, reset = "POST /api/admin/organization/team/invite/accept", "POST /api/activate", "POST /api/reset-password"
	invited := `{"token": "` + secret("invite") + `"}`
	all := []example{
		{operation: activate, body: `{"token": "x"}`, status: 401},
		{operation: accept, body: invited, status: 401},
		{operation: accept, who: "viewer", body: invited, status: 403},
		{operation: accept, who: "owner", body: invited},
		{operation: accept, who: "owner", body: invited, status: 409},
		{operation: activate, body: `{"token": "` + secret("activate") + `"}`},
		{operation: activate, body: `{"token": "` + secret("email") + `"}`, status: 409},
		{operation: reset, body: `{"token": "` + secret("reset") + `", "new_password": "staple under the bridge"}`},
	}
	for operation, who := range map[string]string{accept: "owner", activate: "", reset: "", "POST /api/admin/refresh": ""} {
		all = append(all,
			example{operation: operation, who: who, body: `[]`, status: 400},
			example{operation: operation, who: who, body: strings.Repeat(" ", 700<<10), status: 413},
			example{operation: operation, who: who, body: `{}`, headers: []string{"Content-Type", "text/plain"}, status: 415})
	}
	return all
}

const insertKeys = `
INSERT INTO api_key (uuid, user_id, org_uuid, name, prefix, hash, permissions, created_by)
VALUES ($1, $2, nullif($3, '')::uuid, 'x', 'lfk_xxxx', $4, 1, $5)`

const insertTodos = `
INSERT INTO todo (user_id, title)
SELECT $1, 'x'
FROM generate_series(1, 1000)`

// manyThings fills up what room there is for keys and todos.
func (c *examples) manyThings(t *testing.T) []example {
	t.Helper()
	viewer := c.people["viewer"].id
	for range 50 {
		c.exec(t, insertKeys, newUUID(), viewer, "", auth.Digest(auth.NewSecret()), viewer)
		c.exec(t, insertKeys, newUUID(), nil, c.org, auth.Digest(auth.NewSecret()), viewer)
	}
	c.exec(t, insertTodos, viewer)
	const key = `{"name": "x", "role": "viewer"}`
	return []example{
		{operation: "PUT /api/admin/user/todo", who: "viewer", body: `{"title": "x"}`, status: 409},
		{operation: "POST /api/admin/user/api-keys", who: "viewer", body: key, status: 409},
		{operation: "POST /api/admin/organization/{organizationId}/api-keys", who: "owner", body: key, status: 409},
	}
}

// ask sends an example and compares the answer with the description.
func (c *examples) ask(t *testing.T, e example) {
	t.Helper()
	method, path, _ := strings.Cut(e.operation, " ")
	address := e.address
	if address == "" {
		address = path
	}
	if e.status == 0 {
		e.status = http.StatusOK
	}
	a := c.send(t, method, c.ids.Replace(address), c.bodyOf(e), c.headersOf(e)...)
	if a.status != e.status {
		t.Errorf("%s by %q: %d %.300s, want %d", e.operation, e.who, a.status, a.raw, e.status)
		return
	}
	if err := c.description.Check(method, path, a.status, a.raw); err != nil {
		t.Errorf("%s: %d: %v in %.1000s", e.operation, a.status, err, a.raw)
	}
	c.seen[fmt.Sprintf("%s %d", e.operation, a.status)] = true
}

func (c *examples) bodyOf(e example) io.Reader {
	if e.body == "" {
		return nil
	}
	return strings.NewReader(c.ids.Replace(e.body))
}

// headersOf gives each request an address of its own, so that no limit is met.
func (c *examples) headersOf(e example) []string {
	c.asked++
	headers := append([]string{"X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", c.asked/250, 1+c.asked%250)}, e.headers...)
	switch {
	case e.who == "key":
		headers = append(headers, "Authorization", "Bearer "+c.key)
	case e.who != "":
		headers = append(headers, "Authorization", "Bearer "+c.people[e.who].access)
	}
	if e.body != "" && !slices.Contains(e.headers, "Content-Type") {
		headers = append(headers, "Content-Type", "application/json")
	}
	return headers
}
