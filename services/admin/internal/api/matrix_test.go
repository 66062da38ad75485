package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litfass/services/admin/internal/api"
)

// actors are the columns of the matrix. The neighbour owns another organization and uses this one's
// ids, in paths and in bodies. The expired token and the refresh token are the owner's, and the
// deactivated user was an owner: they lack access only for the reason that names their column.
var actors = strings.Fields(`none garbage expired refresh stranger viewer contributor editor manager owner neighbour
	deactivated platform`)

// Frequent expectations of a row, in the order of actors. Rows with others write them out.
const (
	anybodyLoggedIn = "401 401 401 401 200 200 200 200 200 200 200 401 200"
	creates         = "401 401 401 401 201 201 201 201 201 201 201 401 201"
	members         = "401 401 401 401 404 200 200 200 200 200 404 401 200"
	writers         = "401 401 401 401 404 403 200 200 200 200 404 401 200"
	managersRefused = "401 401 401 401 404 403 403 403 400 400 404 401 400"
	managers        = "401 401 401 401 404 403 403 403 200 200 404 401 200"
	editors         = "401 401 401 401 404 403 403 200 200 200 404 401 200"
	contributors    = "401 401 401 401 404 403 200 200 200 200 404 401 200"
	contributorsAdd = "401 401 401 401 404 403 201 201 201 201 404 401 201"
	editorsCreate   = "401 401 401 401 404 403 403 201 201 201 404 401 201"
	owners          = "401 401 401 401 404 403 403 403 403 200 404 401 200"
	administrators  = "401 401 401 401 403 403 403 403 403 403 403 401 200"
	ownerAlone      = "401 401 401 401 404 404 404 404 404 200 404 401 404"
	everybody       = "200 200 200 200 200 200 200 200 200 200 200 200 200"
)

// row is one operation: its method and route, the path if it is not the route with the scene's ids,
// a body, and the statuses. Everything in braces is an id of the scene.
type row struct {
	operation, path, body, want string
}

// matrix lists every operation below Prefix. An operation may have several rows. To add one, add a
// line; its entities are created in newScene.
var matrix = []row{
	{"GET /openapi.json", "", "", everybody},
	{"GET /docs", "", "", everybody},
	{"GET /docs/docs.js", "", "", everybody},
	{"GET /docs/swagger-ui.css", "", "", everybody},
	{"GET /docs/swagger-ui-bundle.js", "", "", everybody},

	{"POST /refresh", "", "", "401 401 401 200 401 401 401 401 401 401 401 401 401"},
	{"POST /logout", "", "", anybodyLoggedIn},
	{"GET /user/sessions", "", "", anybodyLoggedIn},
	{"DELETE /user/sessions/:sessionId", "", "", ownerAlone},
	{"POST /user/avatar", "", "a picture", anybodyLoggedIn},
	{"DELETE /user/avatar", "", "", anybodyLoggedIn},
	{"GET /permissions/list", "", "", anybodyLoggedIn},
	{"GET /roles/list", "", "", anybodyLoggedIn},

	{"GET /user/profile", "", "", anybodyLoggedIn},
	{"PUT /user/profile", "", `{"first_name": "Kim"}`, anybodyLoggedIn},
	{"PUT /user/profile", "", `{"user_id": {ownerUser}}`, "401 401 401 401 400 400 400 400 400 200 400 401 400"},
	{"PUT /user/settings", "", `{"theme": "dark"}`, anybodyLoggedIn},
	{"PUT /user/password", "", `{"password": "{password}", "new_password": "{password}"}`, anybodyLoggedIn},
	{"GET /user/messages", "", "", anybodyLoggedIn},
	{"POST /user/send-message", "", `{"context": "organization", "context_id": "{org}", "subject": "s", "message": "m"}`, creates},
	{"POST /user/send-message", "", `{"context": "user", "context_id": {targetUser}, "subject": "s", "message": "m"}`,
		"401 401 401 401 404 201 201 201 201 201 404 401 404"},
	{"PUT /user/message/:messageId/read", "", "", ownerAlone},
	{"POST /user/message/:messageId/reply", "", `{"message": "m"}`,
		"401 401 401 401 404 404 404 404 404 201 404 401 404"},
	{"DELETE /user/message/:messageId", "", "", ownerAlone},
	{"GET /user/export", "", "", anybodyLoggedIn},
	{deleteAccount, "", `{"password": "{password}"}`, "401 401 401 401 200 200 200 200 200 409 409 401 200"},
	{"GET /user/todos", "", "", anybodyLoggedIn},
	{"PUT /user/todo", "", `{"title": "t"}`, creates},
	{"PUT /user/todo", "", `{"id": {todo}, "title": "t"}`, ownerAlone},
	{"GET /user/todo/:todoId", "", "", ownerAlone},
	{"DELETE /user/todo/:todoId", "", "", ownerAlone},
	{"GET /user/event/notifications", "", "", anybodyLoggedIn},
	{"GET /user/attention", "", "", anybodyLoggedIn},
	{"GET /user/choosable-organizations", "", "", anybodyLoggedIn},
	{"GET /user/choosable-event-places", "", "", anybodyLoggedIn},

	{"GET /organization/dashboard", "", "", anybodyLoggedIn},
	{"PUT /organization", "", `{"name": "New"}`, creates},
	{"PUT /organization", "", `{"name": "New", "holding_org_uuid": "{org}"}`,
		"401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"GET /organization/:organizationId", "", "", members},
	{"PUT /organization/:organizationId", "", `{"city": "Kiel"}`, managers},
	{"PUT /organization/:organizationId", "/organization/{foreign}", `{"holding_org_uuid": "{org}"}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /organization/:organizationId", "/organization/{emptyOrg}", `{"password": "{password}"}`, owners},
	{"GET /organization/:organizationId/venues", "", "", members},
	{"GET /organization/:organizationId/events", "", "", members},
	{"GET /organization/:organizationId/audit", "", "", managers},
	{"GET /organization/:organizationId/venue-guests", "", "", editors},
	{"POST /organization/:organizationId/import", "", `{"content": "Titel;Datum\nJazz;24.12.2026\n", "dry_run": false}`, contributors},

	{"GET /organization/:organizationId/sources", "", "", contributors},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "{file}", "interval_minutes": 60}`, contributorsAdd},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "{file}", "interval_minutes": 60, "missing": "cancel"}`, editorsCreate},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "{file}", "interval_minutes": 60, "defaults": {"release_status": "released"}}`,
		editorsCreate},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "{file}", "interval_minutes": 60, "venues": [{"name": "x", "create": true}]}`,
		editorsCreate},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "{file}", "interval_minutes": 60, "format": "litfass"}`, contributorsAdd},
	{"POST /organization/:organizationId/sources", "", `{"name": "x", "address": "https://user:x@example.org", "interval_minutes": 60}`,
		"401 401 401 401 404 403 400 400 400 400 404 401 400"},
	{"POST /organization/:organizationId/sources/preview", "", `{"name": "x", "address": "{file}", "interval_minutes": 60}`, contributors},
	{"GET /organization/:organizationId/sources/:sourceId", "", "", contributors},
	{"GET /organization/:organizationId/sources/:sourceId", "/organization/{foreign}/sources/:sourceId", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"PUT /organization/:organizationId/sources/:sourceId", "", `{"name": "y"}`, contributors},
	{"PUT /organization/:organizationId/sources/:sourceId", "", `{"missing": "draft"}`, editors},
	{"PUT /organization/:organizationId/sources/:sourceId", "/organization/{foreign}/sources/:sourceId", `{"name": "y"}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"POST /organization/:organizationId/sources/:sourceId/read", "", "", contributors},
	{"POST /organization/:organizationId/sources/:sourceId/read", "", `{"missing": true}`, editors},
	{"PUT /organization/:organizationId/sources/:sourceId/duplicate", "", `{"external_id": "x", "decision": "same"}`, contributors},
	{"DELETE /organization/:organizationId/sources/:sourceId", "", "", contributors},
	{"DELETE /organization/:organizationId/sources/:sourceId", "/organization/{foreign}/sources/:sourceId", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},

	{"GET /organizations/pending", "", "", administrators},
	{"GET /organizations", "", "", administrators},
	{"GET /people", "", "", administrators},
	{"PUT /people/:userId/state", "", `{"active": false, "reason": "x"}`, administrators},
	{"GET /mails", "", "", administrators},
	{"POST /mails/:mailId/retry", "", "", administrators},
	{"DELETE /mails/:mailId", "", "", administrators},
	{"GET /nodes", "", "", administrators},
	{"GET /reports", "", "", administrators},
	{"PUT /report/:reportId", "", `{"outcome": "dismissed", "note": "no"}`, administrators},
	{"PUT /event/:eventId/takedown", "", `{"reason": "no"}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /event/:eventId/takedown", "/event/{publicEvent}/takedown", `{"reason": "no"}`,
		"401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"DELETE /event/:eventId/takedown", "/event/{takenBackEvent}/takedown", "", "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /event/:eventId/release-status", "/event/{takenBackEvent}/release-status", `{"release_status": "released"}`,
		"401 401 401 401 404 403 403 409 409 409 404 401 409"},
	{"PUT /organization/:organizationId/approval", "", `{"approved": false, "reason": "no"}`,
		"401 401 401 401 404 403 403 403 403 403 404 401 200"},

	{"GET /event/:eventId/preview-link", "", "", contributors},
	{"GET /event/:eventId/preview-link", "/event/{foreignEvent}/preview-link", "", "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"POST /event/:eventId/preview-link", "", "", contributorsAdd},
	{"POST /event/:eventId/preview-link", "/event/{foreignEvent}/preview-link", "",
		"401 401 401 401 404 404 404 404 404 404 201 401 201"},
	{"DELETE /event/:eventId/preview-link", "", "", contributors},
	{"DELETE /event/:eventId/preview-link/:previewId", "", "", contributors},
	{"DELETE /event/:eventId/preview-link/:previewId", "/event/{otherEvent}/preview-link/:previewId", "",
		"401 401 401 401 404 403 404 404 404 404 404 401 404"},
	{"DELETE /event/:eventId/preview-link", "/event/{foreignEvent}/preview-link", "",
		"401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"GET /positions", "/positions?city=Kiel", "", anybodyLoggedIn},
	{"GET /towns", "/towns?search=Kie", "", anybodyLoggedIn},
	{"POST /event/:eventId/venue-request", "", `{"venue_uuid": "{askedVenue}"}`, "401 401 401 401 404 403 201 201 201 201 404 401 409"},
	{"POST /event/:eventId/venue-request", "", `{"venue_uuid": "{closedVenue}"}`, "401 401 401 401 404 403 403 403 403 403 404 401 409"},
	{"POST /event/:eventId/venue-request", "/event/{foreignEvent}/venue-request", `{"venue_uuid": "{emptyVenue}"}`,
		"401 401 401 401 404 404 404 404 404 404 201 401 409"},
	{"GET /event/:eventId/venue-requests", "", "", members},
	{"GET /event/:eventId/venue-requests", "/event/{foreignEvent}/venue-requests", "", "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"GET /venue-requests", "", "", anybodyLoggedIn},
	{"PUT /venue-request/:requestId", "", `{"accepted": true, "answer": "x"}`, editors},
	{"PUT /venue-request/:requestId", "", `{"accepted": false, "for_organization": true}`, "401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PUT /venue-request/:requestId", "/venue-request/{ownRequest}", `{"accepted": true}`, "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"DELETE /venue-request/:requestId", "", "", "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"DELETE /venue-request/:requestId", "/venue-request/{ownRequest}", "", contributors},
	{"PUT /event/:eventId/place", "", `{"venue_uuid": "{askedVenue}"}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /venue", "", `{"org_uuid": "{org}", "name": "New"}`, editorsCreate},
	{"GET /venue/similar", "/venue/similar?name=Saal&lat=54.8&lon=9.4", "", anybodyLoggedIn},
	{"GET /venues", "", "", anybodyLoggedIn},
	{"GET /venues", "/venues?search=Saal&lat=54.8&lon=9.4&org_uuid={org}", "", members},
	{"GET /venue/:venueId", "", "", members},
	{"PUT /venue/:venueId", "", `{"city": "Kiel"}`, editors},
	{"PUT /venue/:venueId", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 403 404 404 404 404 401 200"},
	{"PUT /venue/:venueId", "/venue/{foreignVenue}", `{"org_uuid": "{org}"}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /venue/:venueId", "/venue/{emptyVenue}", `{"password": "{password}"}`, managers},
	{"GET /labels", "", "", administrators},
	{"PUT /label/:labelKey", "", `{"names": {"en": "New"}}`, administrators},
	{"PUT /label/:labelKey", "/label/{newSlug}", `{"names": {"en": "New"}}`, "401 401 401 401 403 403 403 403 403 403 403 401 201"},
	{"PUT /label/:labelKey", "/label/{newSlug}", `{"names": {}}`, "401 401 401 401 403 403 403 403 403 403 403 401 400"},
	{"DELETE /label/:labelKey", "", `{"password": "{password}"}`, administrators},
	{"DELETE /label/:labelKey", "/label/{newSlug}", `{"password": "{password}"}`, "401 401 401 401 403 403 403 403 403 403 403 401 404"},
	{"PUT /event/:eventId/labels", "", `{"labels": [":labelKey"]}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /event/:eventId/labels", "/event/{publicEvent}/labels", `{"labels": [":labelKey"]}`,
		"401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /event/:eventId/labels", "", `{"labels": ["{newSlug}"]}`, "401 401 401 401 404 403 403 403 403 403 404 401 400"},
	{"PATCH /event/:eventId", "", `{"labels": [":labelKey"]}`, "401 401 401 401 404 403 400 400 400 400 404 401 400"},
	{"GET /portals", "", "", anybodyLoggedIn},
	{"GET /portals", "/portals?org_uuid={org}", "", members},
	{"PUT /portal", "", `{"org_uuid": "{org}", "slug": "{newSlug}", "name": "New"}`, "401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"PUT /portal", "", `{"org_uuid": "{org}", "slug": "", "name": "New"}`, "401 401 401 401 400 403 403 403 400 400 400 401 400"},
	{"PUT /portal", "", `{"slug": "{newSlug}", "name": "Of the operator"}`, "401 401 401 401 403 403 403 403 403 403 403 401 201"},
	{"GET /portal/:portalId", "", "", members},
	{"GET /portal/:portalId", "/portal/{operatorPortal}", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"PUT /portal/:portalId", "", `{"name": "New", "filter": {"tags": ["x"]}}`, managers},
	{"PUT /portal/:portalId", "", `{"org_uuid": null}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /portal/:portalId", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 403 403 404 404 404 401 200"},
	{"PUT /portal/:portalId", "/portal/{operatorPortal}", `{"org_uuid": "{org}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /portal/:portalId", "", `{"password": "{password}"}`, managers},
	{"DELETE /portal/:portalId", "/portal/{operatorPortal}", `{"password": "{password}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"GET /series", "", "", anybodyLoggedIn},
	{"GET /series", "/series?org_uuid={org}", "", members},
	{"GET /user/choosable-series", "", "", anybodyLoggedIn},
	{"PUT /series", "", `{"org_uuid": "{org}", "slug": "{newSlug}", "title": "New"}`, "401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"PUT /series", "", `{"org_uuid": "{org}", "slug": "", "title": "New"}`, "401 401 401 401 400 403 403 403 400 400 400 401 400"},
	{"GET /series/:seriesId", "", "", members},
	{"PUT /series/:seriesId", "", `{"title": "New", "parts": [{"title": "x"}]}`, managers},
	{"PUT /series/:seriesId", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 403 403 404 404 404 401 200"},
	{"DELETE /series/:seriesId", "", `{"password": "{password}"}`, managers},
	{"GET /series/:seriesId/image/meta", "", "", members},
	{"GET /series/:seriesId/image", "", "what is known", "401 401 401 401 404 304 304 304 304 304 404 401 304"},
	{"GET /series/:seriesId/image", "/series/{foreignSeries}/image", "", "401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"POST /series/:seriesId/image", "", "a form", managers},
	{"POST /series/:seriesId/image", "", "an image", managers},
	{"POST /series/:seriesId/image", "/series/{foreignSeries}/image", "an image", "401 401 401 401 404 404 404 404 404 404 201 401 201"},
	{"DELETE /series/:seriesId/image", "", "", managers},
	{"GET /series/:seriesId/events", "", "", members},
	{"PUT /series/:seriesId/event/:eventId", "/series/:seriesId/event/{foreignEvent}", `{"accepted": true}`, managers},
	{"PUT /series/:seriesId/event/:eventId", "/series/:seriesId/event/{event}", `{"accepted": true}`,
		"401 401 401 401 404 403 403 403 404 404 404 401 404"},
	{"PUT /series/:seriesId/event/:eventId", "/series/{foreignSeries}/event/{event}", `{"accepted": true}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"GET /contributors", "", "", anybodyLoggedIn},
	{"GET /contributors", "/contributors?org_uuid={org}", "", members},
	{"PUT /contributor", "", `{"org_uuid": "{org}", "name": "New"}`, contributorsAdd},
	{"PUT /contributor", "", `{"org_uuid": "{org}", "name": ""}`, "401 401 401 401 400 403 400 400 400 400 400 401 400"},
	{"PUT /contributor", "", `{"name": "Of the operator"}`, "401 401 401 401 403 403 403 403 403 403 403 401 201"},
	{"GET /contributor/:contributorId", "", "", members},
	{"GET /contributor/:contributorId", "/contributor/{operatorContributor}", "", anybodyLoggedIn},
	{"PUT /contributor/:contributorId", "", `{"name": "New"}`, contributors},
	{"PUT /contributor/:contributorId", "", `{"org_uuid": null}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /contributor/:contributorId", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 404 404 404 404 404 401 200"},
	{"PUT /contributor/:contributorId", "/contributor/{operatorContributor}", `{"name": "New"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /contributor/:contributorId", "", `{"password": "{password}"}`, contributors},
	{"POST /contributor/:contributorId/merge", "", `{"into": "{operatorContributor}"}`, administrators},
	{"POST /contributor/:contributorId/merge", "", `{"into": "x"}`, "401 401 401 401 403 403 403 403 403 403 403 401 400"},
	{"PUT /event/:eventId/contributors", "", `{"contributors": [{"uuid": ":contributorId", "role": "dj"}, {"name": "New", "role": "dj"}]}`, contributors},
	{"PUT /event/:eventId/contributors", "", `{"contributors": [{"uuid": "{foreignContributor}", "role": "dj"}]}`,
		"401 401 401 401 404 403 404 404 404 404 404 401 200"},
	{"PUT /event/:eventId/contributors", "", `{"contributors": [{"role": "dj"}]}`, "401 401 401 401 404 403 400 400 400 400 404 401 400"},
	{"PUT /event/:eventId/contributors", "/event/{foreignEvent}/contributors", `{"contributors": [{"uuid": "{operatorContributor}", "role": "dj"}]}`, "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"PATCH /event/:eventId", "", `{"contributors": [{"uuid": "{foreignContributor}", "role": "dj"}]}`, "401 401 401 401 404 403 404 404 404 404 404 401 200"},
	{"GET /lists", "", "", anybodyLoggedIn},
	{"GET /lists", "/lists?org_uuid={org}", "", members},
	{"PUT /list", "", `{"org_uuid": "{org}", "slug": "{newSlug}", "name": "New"}`, "401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"PUT /list", "", `{"org_uuid": "{org}", "slug": "", "name": "New"}`, "401 401 401 401 400 403 403 403 400 400 400 401 400"},
	{"PUT /list", "", `{"slug": "{newSlug}", "name": "Of the operator"}`, "401 401 401 401 403 403 403 403 403 403 403 401 201"},
	{"GET /list/:listId", "", "", members},
	{"GET /list/:listId", "/list/{operatorList}", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"PUT /list/:listId", "", `{"name": "New", "entries": []}`, managers},
	{"PUT /list/:listId", "", `{"org_uuid": null}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /list/:listId", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 403 403 404 404 404 401 200"},
	{"PUT /list/:listId", "/list/{operatorList}", `{"org_uuid": "{org}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /list/:listId", "", `{"password": "{password}"}`, managers},
	{"DELETE /list/:listId", "/list/{operatorList}", `{"password": "{password}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"GET /list/:listId/entries", "", "", members},
	{"GET /list/:listId/entries", "/list/{operatorList}/entries", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"PUT /list/:listId/entry", "", `{"event_uuid": "{foreignEvent}"}`, managers},
	{"PUT /list/:listId/entry", "", `{"event_uuid": "x"}`, "401 401 401 401 404 403 403 403 400 400 404 401 400"},
	{"PUT /list/:listId/entry", "/list/{operatorList}/entry", `{"event_uuid": "{foreignEvent}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"DELETE /list/:listId/entry/:eventId", "/list/:listId/entry/{listed}", "", managers},
	{"DELETE /list/:listId/entry/:eventId", "/list/:listId/entry/{foreignEvent}", "", "401 401 401 401 404 403 403 403 404 404 404 401 404"},
	{"PUT /space", "", `{"venue_uuid": "{venue}", "name": "New"}`, editorsCreate},
	{"GET /space/:spaceId", "", "", members},
	{"PUT /space/:spaceId", "", `{"total_capacity": 100}`, editors},
	{"PUT /space/:spaceId", "/space/{emptySpace}", `{"venue_uuid": "{foreignVenue}"}`,
		"401 401 401 401 404 403 403 404 404 404 404 401 200"},
	{"DELETE /space/:spaceId", "/space/{emptySpace}", `{"password": "{password}"}`, managers},

	{"POST /event/create", "", `{"org_uuid": "{org}", "title": "New"}`, "401 401 401 401 404 403 201 201 201 201 404 401 201"},
	{"POST /event/create", "", `{"org_uuid": "{org}", "title": "New", "online_link": "https://example.org", "release_status": "released",
		"dates": [{"start_date": "2027-01-01", "all_day": true}]}`, editorsCreate},
	{"POST /event/create", "", `{"org_uuid": "{org}", "venue_uuid": "{foreignVenue}"}`, "401 401 401 401 404 403 201 201 201 201 404 401 201"},
	{"POST /event/create", "", `{"org_uuid": "{org}", "venue_uuid": "{closedVenue}"}`, "401 401 401 401 404 403 403 403 403 403 404 401 201"},
	{"POST /event/create", "", `{"org_uuid": "{org}", "title": 5}`, "401 401 401 401 400 403 400 400 400 400 400 401 400"},
	{"POST /event/create", "", `{"org_uuid": "{org}", "title": "New", "release_status": "released"}`,
		"401 401 401 401 400 403 403 400 400 400 400 401 400"},
	{"PUT /venue", "", `{"org_uuid": "{org}", "name": ""}`, "401 401 401 401 400 403 403 400 400 400 400 401 400"},
	{"PUT /space", "", `{"venue_uuid": "{venue}", "name": 5}`, "401 401 401 401 400 403 403 400 400 400 400 401 400"},
	{"GET /event/:eventId", "", "", members},
	{"GET /event/:eventId/history", "", "", contributors},
	{"GET /event/:eventId/history", "/event/{foreignEvent}/history", "", "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"GET /event/:eventId/presence", "/event/{event}/presence?open=true", "", members},
	{"GET /event/:eventId/presence", "/event/{foreignEvent}/presence?open=true", "", "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"PATCH /event/:eventId", "", `{"title": "New", "tags": ["New"], "dates": [], "release_status": "review"}`, contributors},
	{"PATCH /event/:eventId", "", `{"title": "New", "release_status": "released"}`, editors},
	{"PATCH /event/:eventId", "", `{"title": 5, "release_status": "released"}`, "401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PATCH /event/:eventId", "", `{"title": "New", "org_uuid": "{foreign}"}`, "401 401 401 401 404 403 404 404 404 404 404 401 200"},
	{"PATCH /event/:eventId", "", `{"title": "New", "venue_uuid": "{foreignVenue}"}`, contributors},
	{"PATCH /event/:eventId", "", `{"title": "New", "venue_uuid": "{closedVenue}"}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PATCH /event/:eventId", "", `{"dates": [{"uuid": "{otherDate}", "start_date": "2026-12-01", "all_day": true}]}`,
		"401 401 401 401 404 403 400 400 400 400 404 401 400"},
	{"PATCH /event/:eventId", "/event/{foreignEvent}", `{"title": "New"}`, "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"PATCH /event/:eventId", "/event/{publicEvent}", `{"title": "New", "summary": "New", "tags": ["New"]}`, editors},
	{"PATCH /event/:eventId", "/event/{publicEvent}", `{"title": 5}`, "401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PATCH /event/:eventId", "/event/{publicEvent}", `{"title": "New", "release_status": "draft"}`, editors},
	{"PATCH /event/:eventId", "/event/{takenBackEvent}", `{"title": "New", "release_status": "released"}`,
		"401 401 401 401 404 403 403 409 409 409 404 401 409"},
	{"DELETE /event/:eventId", "", `{"password": "{password}"}`, editors},
	{"PUT /event/:eventId/header", "", `{"title": "New"}`, contributors},
	{"PUT /event/:eventId/header", "", `{"org_uuid": "{foreign}"}`, "401 401 401 401 404 403 404 404 404 404 404 401 200"},
	{"PUT /event/:eventId/description", "", `{"description": "New"}`, contributors},
	{"PUT /event/:eventId/summary", "", `{"summary": "New"}`, contributors},
	{"PUT /event/:eventId/types", "", `{"categories": [1]}`, contributors},
	{"PUT /event/:eventId/place", "", `{"venue_uuid": "{venue}", "space_uuid": "{space}"}`, contributors},
	{"PUT /event/:eventId/place", "", `{"venue_uuid": "{foreignVenue}"}`, contributors},
	{"PUT /event/:eventId/place", "", `{"venue_uuid": "{closedVenue}"}`, "401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"PUT /event/:eventId/tags", "", `{"tags": ["New"]}`, contributors},
	{"PUT /event/:eventId/languages", "", `{"languages": ["da"]}`, contributors},
	{"PUT /event/:eventId/texts", "", `{"texts": {"da": {"title": "Koncert"}}}`, contributors},
	{"PUT /event/:eventId/participation-infos", "", `{"min_age": 12}`, contributors},
	{"PUT /event/:eventId/release-status", "", `{"release_status": "review"}`, contributors},
	{"PUT /event/:eventId/release-status", "", `{"release_status": "released"}`, editors},
	{"PUT /event/:eventId/release-status", "/event/{reviewEvent}/release-status", `{"release_status": "draft"}`, contributors},
	{"PUT /event/:eventId/release-status", "/event/{reviewEvent}/release-status", `{"release_status": "released", "release_date": 5}`,
		"401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PUT /event/:eventId/release-status", "/event/{emptyEvent}/release-status", `{"release_status": "released"}`,
		"401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PUT /event/:eventId/release-status", "/event/{publicEvent}/release-status", `{"release_date": "2099-01-01T00:00:00Z"}`,
		"401 401 401 401 404 403 403 409 409 409 404 401 409"},
	{"PUT /event/:eventId/link", "", `{"type": "website", "url": "https://example.org/new"}`,
		"401 401 401 401 404 403 201 201 201 201 404 401 201"},
	{"PUT /event/:eventId/link/:linkId", "", `{"label": "New"}`, contributors},
	{"PUT /event/:eventId/link/:linkId", "/event/{otherEvent}/link/{link}", `{"label": "New"}`,
		"401 401 401 401 404 403 404 404 404 404 404 401 404"},
	{"DELETE /event/:eventId/link/:linkId", "", "", contributors},

	{"POST /event/date-rule/preview", "", `{"start_date": "2026-12-01", "all_day": true, "rrule": "FREQ=DAILY;COUNT=2"}`, anybodyLoggedIn},
	{"POST /event/date-rule/preview", "", `{"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}"}`, members},
	{"POST /event/date-rule/preview", "", `{"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}", "venue_uuid": "{foreignVenue}"}`, members},
	{"POST /event/date-rule/preview", "", `{"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}", "venue_uuid": "{closedVenue}"}`,
		"401 401 401 401 404 403 403 403 403 403 404 401 200"},
	{"POST /event/date-rule/preview", "", `{"start_date": "2026-12-01", "all_day": true, "venue_uuid": "{venue}"}`, members},
	{"PUT /events/bulk", "", `{"events": [{"uuid": "{event}", "tags": ["New"]}, {"uuid": "{otherEvent}", "release_status": "review"}]}`, contributors},
	{"PUT /events/bulk", "", `{"events": [{"uuid": "{event}", "tags": ["New"]}, {"uuid": "{publicEvent}", "release_status": "cancelled"}]}`, editors},
	{"PUT /events/bulk", "", `{"events": [{"uuid": "{foreignEvent}", "tags": ["New"]}]}`, "401 401 401 401 404 404 404 404 404 404 200 401 200"},
	{"POST /event/:eventId/duplicate", "", "", contributorsAdd},
	{"POST /event/:eventId/duplicate", "", `{"shift_days": 7}`, contributorsAdd},
	{"POST /event/:eventId/duplicate", "/event/{foreignEvent}/duplicate", "", "401 401 401 401 404 404 404 404 404 404 201 401 201"},
	{"POST /event/:eventId/date", "", `{"start_date": "2026-12-01", "all_day": true}`, contributorsAdd},
	{"POST /event/:eventId/date", "", `{"start_date": "2026-12-01", "all_day": true, "release_status": "deferred"}`, contributorsAdd},
	{"POST /event/:eventId/date", "", `{"start_date": "2026-12-01", "all_day": true, "venue_uuid": "{foreignVenue}"}`, contributorsAdd},
	{"POST /event/:eventId/date", "", `{"start_date": "2026-12-01", "all_day": true, "venue_uuid": "{closedVenue}"}`,
		"401 401 401 401 404 403 403 403 403 403 404 401 201"},
	{"PUT /event/:eventId/date/:dateId", "", `{"start_date": "2026-12-01"}`, contributors},
	{"PUT /event/:eventId/date/:dateId", "", `{"release_status": "cancelled"}`, contributors},
	{"GET /date/:dateId/availability", "/date/{publicDate}/availability", "", members},
	{"PUT /date/:dateId/availability", "/date/{publicDate}/availability", `{"availability": "sold_out"}`, contributors},
	{"PUT /date/:dateId/availability", "", `{"remaining_places": 3}`, contributors},
	{"PUT /date/:dateId/availability", "", `{"availability": "x"}`, "401 401 401 401 404 403 400 400 400 400 404 401 400"},
	{"PUT /event/:eventId/date/:dateId", "/event/{publicEvent}/date/{publicDate}", `{"release_status": "cancelled"}`, editors},
	{"PUT /event/:eventId/date/:dateId", "/event/{publicEvent}/date/{publicDate}", `{"accessibility_info": "x"}`, editors},
	{"PUT /event/:eventId/date/:dateId", "/event/{event}/date/{date}?scope=all", `{"accessibility_info": "x"}`, contributors},
	{"PUT /event/:eventId/date/:dateId", "/event/{event}/date/{otherDate}", `{"start_date": "2026-12-01"}`,
		"401 401 401 401 404 403 404 404 404 404 404 401 404"},
	{"PUT /event/:eventId/date/:dateId", "/event/{foreignEvent}/date/{date}", `{"start_date": "2026-12-01"}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"DELETE /event/:eventId/date/:dateId", "", "", contributors},
	{"DELETE /event/:eventId/date/:dateId", "/event/{event}/date/{date}?scope=following", "", contributors},
	{"DELETE /event/:eventId/date/:dateId", "/event/{event}/date/{otherDate}", "",
		"401 401 401 401 404 403 404 404 404 404 404 401 404"},

	{"PUT /event/:eventId/header", "/event/{publicEvent}/header", `{"title": "New"}`, editors},
	{"PUT /event/:eventId/header", "/event/{publicEvent}/header", `{"title": "Film"}`, editors},
	{"PUT /event/:eventId/header", "/event/{publicEvent}/header", `{"title": 5}`, "401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"PUT /event/:eventId/description", "/event/{publicEvent}/description", `{"description": "New"}`, editors},
	{"PUT /event/:eventId/summary", "/event/{publicEvent}/summary", `{"summary": "New"}`, editors},
	{"PUT /event/:eventId/types", "/event/{publicEvent}/types", `{"categories": [1]}`, editors},
	{"PUT /event/:eventId/place", "/event/{publicEvent}/place", `{"venue_uuid": "{venue}"}`, editors},
	{"PUT /event/:eventId/tags", "/event/{publicEvent}/tags", `{"tags": ["New"]}`, editors},
	{"PUT /event/:eventId/languages", "/event/{publicEvent}/languages", `{"languages": ["da"]}`, editors},
	{"PUT /event/:eventId/texts", "/event/{publicEvent}/texts", `{"texts": {"da": {"title": "Koncert"}}}`, editors},
	{"PUT /event/:eventId/participation-infos", "/event/{publicEvent}/participation-infos", `{"min_age": 12}`, editors},
	{"PUT /event/:eventId/link", "/event/{publicEvent}/link", `{"type": "website", "url": "https://example.org/new"}`, editorsCreate},
	{"PUT /event/:eventId/link/:linkId", "/event/{publicEvent}/link/{publicLink}", `{"label": "New"}`, editors},
	{"DELETE /event/:eventId/link/:linkId", "/event/{publicEvent}/link/{publicLink}", "", editors},
	{"PUT /events/bulk", "", `{"events": [{"uuid": "{publicEvent}", "tags": ["New"]}]}`, editors},
	{"PUT /events/bulk", "", `{"events": [{"uuid": "{event}", "tags": [""]}, {"uuid": "{publicEvent}", "tags": ["New"]}]}`,
		"401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"POST /event/:eventId/duplicate", "/event/{publicEvent}/duplicate", "", contributorsAdd},
	{"POST /event/:eventId/date", "/event/{publicEvent}/date", `{"start_date": "2026-12-01", "all_day": true}`, editorsCreate},
	{"POST /event/:eventId/date", "/event/{publicEvent}/date", `{}`, "401 401 401 401 404 403 403 400 400 400 404 401 400"},
	{"DELETE /event/:eventId/date/:dateId", "/event/{publicEvent}/date/{publicDate}", "", editors},
	{"DELETE /event/:eventId", "/event/{publicEvent}", `{"password": "{password}"}`, editors},
	{"DELETE /event/:eventId", "/event/{publicEvent}", `{"password": "wrong"}`, "401 401 401 401 404 403 403 403 403 403 404 401 403"},
	{"POST /event/:eventId/image/:imageIndex", "/event/{publicEvent}/image/1", "a form", editors},
	{"POST /event/:eventId/image/:imageIndex", "/event/{publicEvent}/image/1", "an image", editors},
	{"POST /event/:eventId/teaser/image", "/event/{publicEvent}/teaser/image", "an image", editors},
	{"PUT /event/:eventId/images/order", "/event/{publicEvent}/images/order", `{"images": ["{publicImage}"]}`, editors},
	{"DELETE /event/:eventId/image", "/event/{publicEvent}/image", "", editors},

	{"GET /organization/:organizationId/team", "", "", managers},
	{"POST /organization/:organizationId/team/invite", "", `{"email": "new@example.org"}`,
		"401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"POST /organization/:organizationId/team/invite", "", `{"email": "new@example.org", "role": "owner"}`,
		"401 401 401 401 404 403 403 403 403 201 404 401 201"},
	{"DELETE /organization/:organizationId/team/member/:memberId", "", `{"password": "{password}"}`, managers},
	{"DELETE /organization/:organizationId/team/member/:memberId", "/organization/{org}/team/member/{invitation}",
		`{"password": "{password}"}`, managers},
	{"DELETE /organization/:organizationId/team/member/:memberId", "/organization/{org}/team/member/{ownerMember}",
		`{"password": "{password}"}`, "401 401 401 401 404 403 403 403 403 409 404 401 409"},
	{"DELETE /organization/:organizationId/team/member/:memberId", "/organization/{foreign}/team/member/{member}",
		`{"password": "{password}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"DELETE /organization/:organizationId/team/member/:memberId", "/organization/{foreign}/team/member/{invitation}",
		`{"password": "{password}"}`, "401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"POST /organization/team/invite/accept", "", `{"token": "{token}"}`,
		"401 401 401 401 200 409 409 409 409 409 200 401 200"},
	{"POST /organization/team/invite/accept", "", `{"token": "{othersToken}"}`,
		"401 401 401 401 403 403 403 403 403 403 403 401 403"},
	{"GET /organization/:organizationId/member/:memberId/permissions", "", "", managers},
	{"GET /organization/:organizationId/member/:memberId/permissions", "/organization/{foreign}/member/{member}/permissions", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"PUT /organization/:organizationId/member/:memberId/permissions", "", `{"role": "editor"}`, managers},
	{"PUT /organization/:organizationId/member/:memberId/permissions", "", `{"role": 5, "x"`, managersRefused},
	{"PUT /organization/:organizationId/member/:memberId/permissions", "", `{"role": "owner"}`, owners},
	{"PUT /organization/:organizationId/member/:memberId/permissions", "/organization/{org}/member/{ownerMember}/permissions",
		`{"bit": 4, "enabled": false}`, "401 401 401 401 404 403 403 403 403 409 404 401 409"},
	{"PUT /organization/:organizationId/member/:memberId/permissions", "/organization/{foreign}/member/{member}/permissions",
		`{"role": "editor"}`, "401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"GET /user/memberships", "", "", anybodyLoggedIn},
	{"GET /user/invitations", "", "", anybodyLoggedIn},
	{"POST /user/invitations/:invitationId/accept", "", "", "401 401 401 401 200 409 409 409 409 409 200 401 200"},
	{"POST /user/invitations/:invitationId/accept", "/user/invitations/{othersInvitation}/accept", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"POST /user/invitations/:invitationId/decline", "", "", anybodyLoggedIn},
	{"POST /user/invitations/:invitationId/decline", "/user/invitations/{othersInvitation}/decline", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},

	{"GET /event/:eventId/image/:imageIndex/meta", "", "", members},
	{"GET /event/:eventId/image/:imageIndex", "", "what is known", "401 401 401 401 404 304 304 304 304 304 404 401 304"},
	{"GET /event/:eventId/image/:imageIndex", "/event/{event}/image/7", "", "401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"POST /event/:eventId/image/:imageIndex", "", "a form", writers},
	{"POST /event/:eventId/image/:imageIndex", "", "an image", writers},
	{"POST /event/:eventId/image/:imageIndex", "/event/{event}/image/2", "an image",
		"401 401 401 401 404 403 201 201 201 201 404 401 201"},
	{"POST /event/:eventId/teaser/image", "", "an image", writers},
	{"DELETE /event/:eventId/image", "", "", writers},
	{"PUT /event/:eventId/images/order", "", `{"images": ["{otherImage}", "{image}"]}`, contributors},
	{"PUT /event/:eventId/images/order", "/event/{foreignEvent}/images/order", `{"images": ["{image}"]}`,
		"401 401 401 401 404 404 404 404 404 404 400 401 400"},

	{"GET /organization/:organizationId/webhooks", "", "", managers},
	{"POST /organization/:organizationId/webhooks", "", `{"name": ""}`, managersRefused},
	{"POST /organization/:organizationId/webhooks", "", webhookBody, "401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"GET /user/webhooks", "", "", anybodyLoggedIn},
	{"POST /user/webhooks", "", webhookBody, creates},
	{"GET /webhooks", "", "", administrators},
	{"POST /webhooks", "", webhookBody, "401 401 401 401 403 403 403 403 403 403 403 401 201"},
	{"GET /webhook/:webhookId", "", "", managers},
	{"GET /webhook/:webhookId", "/webhook/{ownWebhook}", "", ownerAlone},
	{"GET /webhook/:webhookId", "/webhook/{platformWebhook}", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"PUT /webhook/:webhookId", "", `[]`, managersRefused},
	{"PUT /webhook/:webhookId", "", `{"name": "y"}`, managers},
	{"PUT /webhook/:webhookId", "/webhook/{ownWebhook}", `{"name": "y"}`, ownerAlone},
	{"PUT /webhook/:webhookId", "/webhook/{platformWebhook}", `{"name": "y"}`, "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"POST /webhook/:webhookId/secret", "", "", managers},
	{"POST /webhook/:webhookId/secret", "/webhook/{ownWebhook}/secret", "", ownerAlone},
	{"POST /webhook/:webhookId/test", "", "", "401 401 401 401 404 403 403 403 202 202 404 401 202"},
	{"POST /webhook/:webhookId/test", "/webhook/{ownWebhook}/test", "", "401 401 401 401 404 404 404 404 404 202 404 401 404"},
	{"POST /webhook/:webhookId/test", "/webhook/{platformWebhook}/test", "", "401 401 401 401 404 404 404 404 404 404 404 401 202"},
	{"POST /webhook/:webhookId/secret", "/webhook/{platformWebhook}/secret", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"GET /webhook/:webhookId/deliveries", "/webhook/{platformWebhook}/deliveries", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 200"},
	{"GET /webhook/:webhookId/deliveries", "", "", managers},
	{"GET /webhook/:webhookId/deliveries", "/webhook/{ownWebhook}/deliveries", "", ownerAlone},
	{"POST /webhook/:webhookId/delivery/:deliveryNumber/repeat", "", "", "401 401 401 401 404 403 403 403 202 202 404 401 202"},
	{"POST /webhook/:webhookId/delivery/:deliveryNumber/repeat", "/webhook/{ownWebhook}/delivery/:deliveryNumber/repeat", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"DELETE /webhook/:webhookId", "", "", managers},
	{"DELETE /webhook/:webhookId", "/webhook/{ownWebhook}", "", ownerAlone},
	{"DELETE /webhook/:webhookId", "/webhook/{platformWebhook}", "", "401 401 401 401 404 404 404 404 404 404 404 401 200"},

	{"GET /user/api-keys", "", "", anybodyLoggedIn},
	{"POST /user/api-keys", "", `{"name": "x", "role": "owner"}`, creates},
	{"PUT /user/api-keys/:keyId", "/user/api-keys/{ownKey}", `{"name": "y"}`, ownerAlone},
	{"DELETE /user/api-keys/:keyId", "/user/api-keys/{ownKey}", "", ownerAlone},
	{"GET /organization/:organizationId/api-keys", "", "", managers},
	{"POST /organization/:organizationId/team/invite", "", `{"email": "someone"}`, managersRefused},
	{"POST /organization/:organizationId/api-keys", "", `{"name": ""}`, managersRefused},
	{"PUT /organization/:organizationId/api-keys/:keyId", "", `[]`, managersRefused},
	{"POST /organization/:organizationId/api-keys", "", `{"name": "x", "role": "viewer"}`,
		"401 401 401 401 404 403 403 403 201 201 404 401 201"},
	{"PUT /organization/:organizationId/api-keys/:keyId", "", `{"name": "y"}`, managers},
	{"PUT /organization/:organizationId/api-keys/:keyId", "/organization/{foreign}/api-keys/{key}", `{"name": "y"}`,
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
	{"DELETE /organization/:organizationId/api-keys/:keyId", "", "", managers},
	{"DELETE /organization/:organizationId/api-keys/:keyId", "/organization/{foreign}/api-keys/{key}", "",
		"401 401 401 401 404 404 404 404 404 404 404 401 404"},
}

const webhookBody = `{"name": "x", "url": "https://example.org/"}`

const deleteAccount = "DELETE /user"

func TestRightsMatrix(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.checkComplete(t)
	s.joinOthers(t)
	for i, actor := range actors {
		var scene *scene
		for _, row := range matrix {
			wanted := strings.Fields(row.want)
			if len(wanted) != len(actors) {
				t.Fatalf("%s expects %d statuses for %d actors", row.operation, len(wanted), len(actors))
			}
			if scene == nil {
				scene = s.newScene(t, actor)
			}
			a := scene.play(t, row)
			if strconv.Itoa(a.status) != wanted[i] {
				t.Errorf("%s %s %s as %s: %d, want %s: %.200s", row.operation, row.path, row.body, actor, a.status, wanted[i], a.raw)
			}
			scene.checkRecorded(t, row, a)
			if row.operation == deleteAccount && a.status == http.StatusOK {
				s.rejoin(t, actor)
			}
			if row.alters(a) {
				scene = nil
			}
		}
	}
}

// alters reports whether the request may have changed its scene; only reads and refusals leave it
// as it was.
func (r row) alters(a answer) bool {
	refused := a.status >= http.StatusBadRequest && a.status < http.StatusInternalServerError
	return !refused && !strings.HasPrefix(r.operation, http.MethodGet)
}

// unrecorded are the rows that succeed without an audit entry.
var unrecorded = map[string]bool{
	"POST /refresh": true, // it continues a login that was recorded
	`PUT /event/:eventId/header {"title": "Film"}`:                                                                                         true, // they change nothing
	`PUT /event/:eventId/images/order {"images": ["{publicImage}"]}`:                                                                       true,
	`POST /organization/:organizationId/sources/preview {"name": "x", "address": "{file}", "interval_minutes": 60}`:                        true, // it stores nothing
	`PUT /user/profile {"user_id": {ownerUser}}`:                                                                                           true, // it changes nothing
	`POST /event/date-rule/preview {"start_date": "2026-12-01", "all_day": true, "rrule": "FREQ=DAILY;COUNT=2"}`:                           true, // it stores nothing
	`POST /event/date-rule/preview {"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}"}`:                                 true,
	`POST /event/date-rule/preview {"start_date": "2026-12-01", "all_day": true, "venue_uuid": "{venue}"}`:                                 true,
	`POST /event/date-rule/preview {"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}", "venue_uuid": "{foreignVenue}"}`: true,
	`POST /event/date-rule/preview {"start_date": "2026-12-01", "all_day": true, "event_uuid": "{event}", "venue_uuid": "{closedVenue}"}`:  true,
}

// checkRecorded checks the audit: each write leaves an entry with actor, time and address; reads
// and refused requests leave none.
func (s *scene) checkRecorded(t *testing.T, row row, a answer) {
	t.Helper()
	id := a.header.Get("X-Request-Id")
	writes := !strings.HasPrefix(row.operation, http.MethodGet) && a.status < http.StatusBadRequest
	if id == "" || unrecorded[strings.TrimSpace(row.operation+" "+row.body)] {
		return
	}
	var actor, entries, whole, repeated int
	if person := s.people[s.actor]; person != nil {
		actor = person.id
	}
	err := s.db.Pool().QueryRow(t.Context(), countEntries, id, actor, s.clock.Now(), row.operation == deleteAccount).
		Scan(&entries, &whole, &repeated)
	if err != nil {
		t.Fatal(err)
	}
	if writes != (entries > 0) || whole != entries || repeated > 0 {
		t.Errorf("%s %s as %s answers %d and leaves %d audit entries, %d of them whole, %d repeated",
			row.operation, row.body, s.actor, a.status, entries, whole, repeated)
	}
	if positioned := a.header.Get("Litfass-Position") != ""; writes != positioned {
		t.Errorf("%s %s as %s answers %d, with a position: %t", row.operation, row.body, s.actor, a.status, positioned)
	}
}

// countEntries counts the entries of a request: all, the complete ones (without an address if the
// account was deleted), and those with the action, entity and organization of another one.
const countEntries = `
SELECT
    count(*),
    count(*) FILTER (WHERE CASE
        WHEN $4 THEN address IS NULL
        ELSE actor_user_id = $2 AND address = '127.0.0.1' AND at = $3
    END),
    count(*) - count(DISTINCT (action, entity_kind, entity_id, org_uuid))
FROM audit_entry
WHERE request_id = $1`

// checkComplete compares the matrix with the routes that the service has.
func (s *stage) checkComplete(t *testing.T) {
	t.Helper()
	registered, listed := map[string]bool{}, map[string]bool{}
	for _, route := range s.app.GetRoutes(true) {
		if path, below := strings.CutPrefix(route.Path, api.Prefix); below && route.Method != http.MethodHead {
			registered[route.Method+" "+path] = true
		}
	}
	for _, row := range matrix {
		listed[row.operation] = true
	}
	for _, operation := range slices.Sorted(maps.Keys(registered)) {
		if !listed[operation] {
			t.Errorf("the matrix does not list %s", operation)
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(listed)) {
		if !registered[operation] {
			t.Errorf("the service does not have %s", operation)
		}
	}
}

// joinOthers makes the actors that a stage lacks, and two more people: "target", whom others act
// upon, and "other".
func (s *stage) joinOthers(t *testing.T) {
	t.Helper()
	for _, name := range []string{"deactivated", "platform", "target", "other"} {
		s.join(t, name, "", 0)
	}
	s.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", s.people["deactivated"].id)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["platform"].id)
}

// rejoin makes an actor again who deleted their account.
func (s *stage) rejoin(t *testing.T, actor string) {
	t.Helper()
	s.join(t, actor, "", 0)
	if actor == "platform" {
		s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people[actor].id)
	}
}
