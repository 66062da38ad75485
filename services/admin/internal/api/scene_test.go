package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

// scene holds the entities for an actor of the matrix until a request changes them: an organization
// of its own with a member of every role.
type scene struct {
	*stage
	actor string
	org   string
	ids   *strings.Replacer
	token string // the actor's credential; "" for none
}

const (
	sceneInvitation = `
INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, expires_at)
VALUES ($1, $2, $3, 'viewer', $4, $5, $6)`

	sceneToken = `
INSERT INTO one_time_token (purpose, invitation_uuid, hash, created_at, expires_at)
VALUES ('invite', $1, $2, $3, $4)`

	sceneKey = `
INSERT INTO api_key (uuid, user_id, org_uuid, name, prefix, hash, permissions, created_by)
VALUES ($1, $2, $3, 'x', $4, $5, 0, $6)`

	sceneTodo = `
INSERT INTO todo (user_id, title)
VALUES ($1, 'x')
RETURNING id::text`

	sceneMessage = `
WITH written AS (
    INSERT INTO message (from_user_id, subject, body)
    VALUES ($1, 'x', 'x')
    RETURNING id
)
INSERT INTO message_recipient (message_id, user_id)
SELECT id, $1
FROM written
RETURNING message_id::text`

	// sceneForget keeps the owner from having too many keys: every scene gives them one.
	sceneForget = `
UPDATE api_key
SET revoked_at = now()
WHERE user_id = $1 AND revoked_at IS NULL`

	sceneOnline = `
UPDATE event
SET online_link = 'https://example.org/live'
WHERE uuid = $1`

	sceneImage = `
INSERT INTO event_image (uuid, event_uuid, identifier, mime_type, width, height)
VALUES ($1, $2, $3, 'image/jpeg', 640, 480)`

	sceneSeriesImage = `
INSERT INTO event_image (uuid, series_uuid, identifier, mime_type, width, height)
VALUES ($1, $2, 'main', 'image/jpeg', 640, 480)`

	scenePreview = `
INSERT INTO preview_link (hash, event_uuid, created_at, expires_at, uuid, org_uuid, made_by)
VALUES (sha256(uuid_send($1)), $2, $5, $5::timestamptz + interval '1 day', $1, $3, $4)`

	// sceneSign counts until the test has ended; that of a request counts for seconds.
	sceneSign = `
INSERT INTO event_presence (event_uuid, user_id, seen_at)
VALUES ($1, $2, now() + interval '1 day')`

	sceneWebhook = `
INSERT INTO webhook (uuid, org_uuid, user_id, name, url, types, filter, secret, sealed, created_at, updated_at)
VALUES ($1, $2, $3, 'x', 'https://example.org/', '{event.updated}', '{}', 'x', false, now(), now())`

	sceneDelivery = `
INSERT INTO webhook_delivery (uuid, webhook_uuid, type, entity_id, body, created_at, due_at)
VALUES (gen_random_uuid(), $1, 'event.updated', $1, '{}', now(), now())
RETURNING number::text`

	sceneRequest = `
INSERT INTO venue_request (uuid, event_uuid, venue_uuid, org_uuid, asked_at)
SELECT $1, e.uuid, $3, e.org_uuid, now()
FROM event e
WHERE e.uuid = $2`

	sceneSource = `
INSERT INTO event_source (
    uuid, org_uuid, name, address, record, interval_minutes, paused, settings, answers_for, created_at, updated_at, next_read_at
)
VALUES ($1, $2, 'x', $3, $3, 60, false, '{"format": "guess", "missing": "keep", "defaults": {"release_status": "draft"}}', $4, now(), now(), now())`

	sceneDuplicate = `
INSERT INTO source_duplicate (source_uuid, external_id, event_uuid, entry, seen_at)
VALUES ($1, 'x', $2, '{"title": "x", "start": "2026-12-24", "venue_name": null, "source_link": null}', now())`

	sceneAvatar = `
UPDATE app_user
SET avatar_key = 'avatars/none', avatar_type = 'image/png'
WHERE id = $1`
)

// sceneLeave gives the organizations of former scenes to another account: there is a limit to those
// of one.
const sceneLeave = `
UPDATE membership
SET user_id = $1
WHERE role = 'owner' AND user_id IN ($2, $3) AND org_uuid NOT IN ($4, $5)`

func (s *stage) newScene(t *testing.T, actor string) *scene {
	t.Helper()
	former := authtest.User(t, s.db, newUUID()+"@example.org")
	s.exec(t, sceneLeave, former, s.people["owner"].id, s.people["neighbour"].id, s.org, s.foreign)
	org, foreign := authtest.Organization(t, s.db, "Kulturhaus"), authtest.Organization(t, s.db, "Jazzclub")
	empty := authtest.Organization(t, s.db, "Neubau") // has the same members and nothing else
	members := map[string]string{}
	for _, preset := range permission.Presets {
		name := string(preset.Role)
		members[name] = authtest.Member(t, s.db, org, s.people[name].id, preset.Set)
		authtest.Member(t, s.db, empty, s.people[name].id, preset.Set)
	}
	viewer, _ := permission.Of(permission.Viewer)
	members["target"] = authtest.Member(t, s.db, org, s.people["target"].id, viewer)
	authtest.Member(t, s.db, org, s.people["deactivated"].id, permission.All&^permission.DeleteOrganization)
	authtest.Member(t, s.db, foreign, s.people["neighbour"].id, permission.All)

	me, owner := s.people[actor], s.people["owner"]
	if me == nil {
		me = owner
	}
	var todo, message string
	s.one(t, &todo, sceneTodo, owner.id)
	s.one(t, &message, sceneMessage, owner.id)
	s.exec(t, sceneForget, owner.id)
	s.exec(t, sceneAvatar, me.id)
	waiting, token := s.invitation(t, org, me.email)
	venue, emptyVenue, foreignVenue, closedVenue := s.venue(t, org), s.venue(t, org), s.venue(t, foreign), s.venue(t, foreign)
	s.exec(t, "UPDATE venue SET use = 'closed' WHERE uuid = $1", closedVenue)
	askedVenue := s.venue(t, foreign)
	s.exec(t, "UPDATE venue SET use = 'ask' WHERE uuid IN ($1, $2, $3)", askedVenue, venue, emptyVenue)
	space, emptySpace := s.space(t, venue), s.space(t, venue)
	event, otherEvent := s.event(t, org, "Konzert", "draft", nil, 5), s.event(t, org, "Lesung", "draft", nil, 5)
	s.exec(t, sceneOnline, event)
	link := s.link(t, event)
	image, otherImage := newUUID(), newUUID()
	s.exec(t, sceneImage, image, event, "main")
	s.exec(t, sceneImage, otherImage, event, "gallery_5")
	others, othersToken := s.invitation(t, org, s.people["other"].email)
	foreignEvent, publicEvent := s.event(t, foreign, "Tanz", "draft", nil), s.event(t, org, "Film", "released", nil)
	s.exec(t, sceneOnline, publicEvent)
	publicImage, emptyEvent, reviewEvent := newUUID(), s.event(t, org, "Nichts", "draft", nil), s.event(t, org, "Vorschlag", "review", nil)
	s.exec(t, sceneImage, publicImage, publicEvent, "main")
	preview := newUUID()
	s.exec(t, scenePreview, preview, event, org, owner.id, s.clock.Now())
	takenBack := s.takenBack(t, org)
	date, otherDate, publicDate := s.datesOfARule(t, event), s.datesOfARule(t, otherEvent), s.datesOfARule(t, publicEvent)
	request, ownRequest := s.requested(t, foreignEvent, venue), s.requested(t, otherEvent, askedVenue)
	s.exec(t, "DELETE FROM webhook WHERE org_uuid IS NULL") // there is a limit to those of the owner and the platform
	hook := s.webhook(t, org, nil)
	listed := newUUID()
	list, _ := s.list(t, org, listed)
	operatorList, _ := s.list(t, "", listed)
	series, _ := s.series(t, org, foreignEvent)
	s.exec(t, sceneSeriesImage, newUUID(), series)
	foreignSeries, _ := s.series(t, foreign, "")
	contributor, operatorContributor := s.contributor(t, org, "Anna Thomsen"), s.contributor(t, "", "Trio Nord")
	foreignContributor := s.contributor(t, foreign, "Anna Thomsen")
	portal, _ := s.portal(t, org)
	operatorPortal, _ := s.portal(t, "")
	label := s.label(t)
	return &scene{stage: s, actor: actor, org: org, token: s.credential(t, actor), ids: strings.NewReplacer(
		"{newSlug}", newUUID(), ":seriesId", series, "{foreignSeries}", foreignSeries, ":contributorId", contributor, "{operatorContributor}", operatorContributor, "{foreignContributor}", foreignContributor,
		":listId", list, "{operatorList}", operatorList, "{listed}", listed, ":portalId", portal, ":labelKey", label, "{operatorPortal}", operatorPortal,
		"{org}", org, "{foreign}", foreign, "{emptyOrg}", empty, "{member}", members["target"], "{ownerMember}", members["owner"],
		"{invitation}", waiting, ":invitationId", waiting, "{othersInvitation}", others,
		"{token}", token, "{othersToken}", othersToken, "{password}", authtest.Password,
		"{venue}", venue, "{emptyVenue}", emptyVenue, "{foreignVenue}", foreignVenue, "{closedVenue}", closedVenue, "{askedVenue}", askedVenue,
		":requestId", request, "{ownRequest}", ownRequest, "{emptySpace}", emptySpace,
		"{space}", space, ":venueId", venue, ":spaceId", space,
		"{otherEvent}", otherEvent, "{link}", link, ":eventId", event, ":linkId", link, ":dateId", date,
		"{event}", event, "{date}", date, "{otherDate}", otherDate, "{foreignEvent}", foreignEvent,
		"{takenBackEvent}", takenBack, ":reportId", s.reported(t, publicEvent),
		":webhookId", hook, ":deliveryNumber", s.delivery(t, hook), "{ownWebhook}", s.webhook(t, nil, owner.id),
		"{platformWebhook}", s.webhook(t, nil, nil),
		":userId", strconv.Itoa(authtest.User(t, s.db, newUUID()+"@example.org")), ":mailId", s.undelivered(t),
		"{publicEvent}", publicEvent, "{publicLink}", s.link(t, publicEvent), "{publicImage}", publicImage,
		"{emptyEvent}", emptyEvent, "{reviewEvent}", reviewEvent, ":previewId", preview, "{publicDate}", publicDate,
		":imageIndex", "1", "{image}", image, "{otherImage}", otherImage,
		":sourceId", s.source(t, org, event), "{file}", calendarFile(t),
		"{key}", s.key(t, nil, org), "{ownKey}", s.key(t, owner.id, nil), "{todo}", todo,
		"{ownerUser}", strconv.Itoa(owner.id), "{targetUser}", strconv.Itoa(s.people["target"].id),
		":organizationId", org, ":memberId", members["target"], ":keyId", s.key(t, nil, org),
		":sessionId", s.stack.LogIn(t, s.db, owner.id).SessionID, ":todoId", todo, ":messageId", message,
	)}
}

// webhook makes a webhook of the organization, the user or neither, and returns its uuid.
func (s *stage) webhook(t *testing.T, org, user any) string {
	t.Helper()
	id := newUUID()
	s.exec(t, sceneWebhook, id, org, user)
	return id
}

// delivery makes a delivery to a webhook and returns its number.
func (s *stage) delivery(t *testing.T, hook string) (number string) {
	t.Helper()
	s.one(t, &number, sceneDelivery, hook)
	return number
}

// source makes a source of an organization that has a duplicate of an event, and returns its uuid.
func (s *stage) source(t *testing.T, org, event string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, sceneSource, id, org, calendarFile(t), s.people["owner"].id)
	s.exec(t, sceneDuplicate, id, event)
	return id
}

// calendarFile returns the address of a calendar with one event.
func calendarFile(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Jazz\r\nDTSTART:20271224T200000\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	}))
	t.Cleanup(site.Close)
	return site.URL + "/a.ics"
}

// requested makes a pending request of an event for a venue, and returns its uuid.
func (s *stage) requested(t *testing.T, event, venue string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, sceneRequest, id, event, venue)
	return id
}

// invitation makes an open invitation of a viewer, and returns its uuid and the secret of its link.
func (s *stage) invitation(t *testing.T, org, email string) (id, token string) {
	t.Helper()
	id, token = newUUID(), auth.NewSecret()
	viewer, _ := permission.Of(permission.Viewer)
	until := s.clock.Now().Add(time.Hour)
	s.exec(t, sceneInvitation, id, org, email, int64(viewer), s.people["owner"].id, until)
	s.exec(t, sceneToken, id, auth.Digest(token), s.clock.Now(), until)
	return id, token
}

// key makes an API key of the user or of the organization; the other one is nil.
func (s *stage) key(t *testing.T, user, org any) string {
	t.Helper()
	id, hash := newUUID(), auth.Digest(auth.NewSecret())
	s.exec(t, sceneKey, id, user, org, "lfk_test", hash, s.people["owner"].id)
	return id
}

// play sends the request of a row as the scene's actor.
func (s *scene) play(t *testing.T, row row) answer {
	t.Helper()
	method, path, _ := strings.Cut(row.operation, " ")
	if row.path != "" {
		path = row.path
	}
	var headers []string
	if s.token != "" {
		headers = []string{"Authorization", "Bearer " + s.token}
	}
	var body io.Reader
	switch row.body {
	case "":
	case "what is known":
		headers = append(headers, "If-None-Match", "*")
	case "a picture":
		var kind string
		body, kind = form(t, "avatar", "me.png", avatarFile(t))
		headers = append(headers, "Content-Type", kind)
	case "an image":
		var kind string
		body, kind = imageForm(t, avatarFile(t))
		headers = append(headers, "Content-Type", kind)
	case "a form":
		var kind string
		body, kind = imageForm(t, nil, "alt_text", "x")
		headers = append(headers, "Content-Type", kind)
	default:
		body = strings.NewReader(s.ids.Replace(row.body))
		headers = append(headers, "Content-Type", "application/json")
	}
	return s.send(t, method, api.Prefix+s.ids.Replace(path), body, headers...)
}

// credential returns the credential of an actor, from a new login; "" for none.
func (s *stage) credential(t *testing.T, actor string) string {
	t.Helper()
	switch actor {
	case "none":
		return ""
	case "garbage":
		return "eyJhbGciOiJub25lIn0.e30."
	case "refresh":
		return s.stack.LogIn(t, s.db, s.people["owner"].id).Refresh
	case "expired":
		return s.expired(t)
	default:
		return s.stack.LogIn(t, s.db, s.people[actor].id).Access
	}
}

// expired returns an access token of the owner that was issued an hour ago, for a session that is
// still open.
func (s *stage) expired(t *testing.T) string {
	t.Helper()
	past := func() time.Time { return s.clock.Now().Add(-time.Hour) }
	tokens := auth.NewTokens(s.stack.Keys, authtest.TokenConfig, past)
	session := s.stack.LogIn(t, s.db, s.people["owner"].id)
	token, _, err := tokens.Issue(t.Context(), auth.AccessToken, session.UserID, session.SessionID)
	if err != nil {
		t.Fatal(fmt.Errorf("issue a token of the past: %w", err))
	}
	return token
}
