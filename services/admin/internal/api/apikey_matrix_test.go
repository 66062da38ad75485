package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

// forKeys are the operations that an API key may be used for; every other one needs a logged-in
// user.
var forKeys = map[string]bool{
	"GET /openapi.json": true, "GET /docs": true, "GET /docs/docs.js": true, "GET /docs/swagger-ui.css": true,
	"GET /docs/swagger-ui-bundle.js": true, "GET /permissions/list": true, "GET /roles/list": true,
	"GET /user/event/notifications": true, "GET /user/choosable-organizations": true, "GET /user/choosable-event-places": true,
	"GET /organization/dashboard": true, "GET /organization/:organizationId": true, "PUT /organization/:organizationId": true,
	"GET /organization/:organizationId/venues": true, "GET /organization/:organizationId/events": true,
	"GET /organization/:organizationId/audit": true, "GET /organization/:organizationId/team": true,
	"GET /organization/:organizationId/member/:memberId/permissions": true,
	"POST /organization/:organizationId/import":                      true,
	"GET /organization/:organizationId/sources":                      true, "GET /organization/:organizationId/sources/:sourceId": true,
	"DELETE /organization/:organizationId/sources/:sourceId": true, "POST /organization/:organizationId/sources/:sourceId/read": true,
	"PUT /organization/:organizationId/sources/:sourceId/duplicate": true,
	"PATCH /event/:eventId": true, "PUT /venue": true, "GET /venue/similar": true, "GET /positions": true, "GET /towns": true, "GET /venue/:venueId": true, "PUT /venue/:venueId": true,
	"PUT /events/bulk": true, "POST /event/date-rule/preview": true, "POST /event/:eventId/duplicate": true, "POST /event/:eventId/date": true,
	"GET /date/:dateId/availability": true, "PUT /date/:dateId/availability": true,
	"PUT /event/:eventId/date/:dateId": true, "DELETE /event/:eventId/date/:dateId": true,
	"POST /event/create": true, "GET /event/:eventId": true, "PUT /event/:eventId/header": true,
	"PUT /event/:eventId/description": true, "PUT /event/:eventId/summary": true, "PUT /event/:eventId/types": true,
	"PUT /event/:eventId/place": true, "PUT /event/:eventId/tags": true, "PUT /event/:eventId/languages": true, "PUT /event/:eventId/texts": true,
	"PUT /event/:eventId/participation-infos": true, "PUT /event/:eventId/release-status": true,
	"PUT /event/:eventId/link": true, "PUT /event/:eventId/link/:linkId": true, "DELETE /event/:eventId/link/:linkId": true,
	"GET /event/:eventId/history": true, "GET /event/:eventId/presence": true, "GET /event/:eventId/image/:imageIndex": true, "GET /venues": true,
	"GET /organization/:organizationId/venue-guests": true,
	"GET /event/:eventId/image/:imageIndex/meta":     true, "POST /event/:eventId/image/:imageIndex": true,
	"POST /event/:eventId/teaser/image": true, "DELETE /event/:eventId/image": true, "PUT /event/:eventId/images/order": true,
	"DELETE /organization/:organizationId": true, "DELETE /venue/:venueId": true, "DELETE /space/:spaceId": true, "DELETE /portal/:portalId": true, "DELETE /list/:listId": true, "DELETE /series/:seriesId": true, "DELETE /event/:eventId": true,
	"GET /event/:eventId/preview-link": true, "POST /event/:eventId/preview-link": true, "DELETE /event/:eventId/preview-link": true,
	"DELETE /event/:eventId/preview-link/:previewId": true,
	"POST /event/:eventId/venue-request":             true, "GET /event/:eventId/venue-requests": true, "GET /venue-requests": true,
	"PUT /venue-request/:requestId": true, "DELETE /venue-request/:requestId": true,
	"GET /organization/:organizationId/webhooks": true, "POST /organization/:organizationId/webhooks": true,
	"GET /user/webhooks": true, "POST /user/webhooks": true, "GET /webhook/:webhookId": true, "PUT /webhook/:webhookId": true,
	"DELETE /webhook/:webhookId": true, "POST /webhook/:webhookId/secret": true, "POST /webhook/:webhookId/test": true,
	"GET /webhook/:webhookId/deliveries": true, "POST /webhook/:webhookId/delivery/:deliveryNumber/repeat": true,
	"GET /series": true, "PUT /series": true, "GET /series/:seriesId": true, "PUT /series/:seriesId": true, "GET /series/:seriesId/events": true,
	"GET /series/:seriesId/image/meta": true, "GET /series/:seriesId/image": true, "POST /series/:seriesId/image": true, "DELETE /series/:seriesId/image": true,
	"PUT /series/:seriesId/event/:eventId": true, "GET /user/choosable-series": true,
	"GET /contributors": true, "PUT /contributor": true, "GET /contributor/:contributorId": true, "PUT /contributor/:contributorId": true,
	"DELETE /contributor/:contributorId": true, "PUT /event/:eventId/contributors": true,
	"GET /lists": true, "PUT /list": true, "GET /list/:listId": true, "PUT /list/:listId": true, "GET /list/:listId/entries": true,
	"PUT /list/:listId/entry": true, "DELETE /list/:listId/entry/:eventId": true,
	"GET /portals": true, "PUT /portal": true, "GET /portal/:portalId": true, "PUT /portal/:portalId": true,
	"PUT /space": true, "GET /space/:spaceId": true, "PUT /space/:spaceId": true,
}

// TestKeysInTheMatrix plays every row with keys of an owner that may do everything: where a key
// suffices, its answer is that of its owner; elsewhere it is refused.
func TestKeysInTheMatrix(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.joinOthers(t)
	for _, whose := range []string{"the owner's", "the organization's"} {
		var scene *scene
		for _, row := range matrix {
			if scene == nil {
				scene = s.newScene(t, "owner")
			}
			scene.token = scene.strongKey(t, row, whose)
			a := scene.play(t, row)
			owners := strings.Fields(row.want)[9]
			switch {
			case row.operation == "POST /refresh":
				a.want(t, "refresh with a key", http.StatusUnauthorized, "")
			case strings.Contains(row.body, "user_id") && a.status == http.StatusBadRequest: // it names a user, which this key is not
			case strings.Contains(row.body, "wrong"): // a key has no password
				a.want(t, row.operation+" with a key that is "+whose, http.StatusOK, "")
			case whose == "the organization's" && strings.HasSuffix(row.operation, "/user/webhooks"): // it is no user
				a.want(t, row.operation+" with a key of the organization", http.StatusForbidden, "login_required")
			case whose == "the organization's" && strings.Contains(row.path, "{ownWebhook}"):
				a.want(t, row.operation+" with a key of the organization", http.StatusNotFound, "")
			case !forKeys[row.operation]:
				a.want(t, row.operation+" with a key that is "+whose, http.StatusForbidden, "login_required")
			case strconv.Itoa(a.status) != owners:
				t.Errorf("%s %s with a key that is %s: %d, want %s: %.200s", row.operation, row.path, whose, a.status, owners, a.raw)
			}
			if row.alters(a) {
				scene = nil
			}
		}
	}
}

// strongKey makes a key with every permission, of the owner or of the organization that the row is
// about.
func (s *scene) strongKey(t *testing.T, row row, whose string) string {
	t.Helper()
	org := ""
	switch {
	case whose == "the owner's":
	case strings.Contains(row.path, "{emptyOrg}"):
		org = s.ids.Replace("{emptyOrg}")
	default:
		org = s.org
	}
	return authtest.Key(t, s.db, s.people["owner"].id, org, permission.All)
}
