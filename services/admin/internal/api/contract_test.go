package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/admin/internal/api/openapi"
)

// previewed is the answer to the reader of a preview link, which is that of the public API.
type previewed struct {
	web.Envelope
	Data publicapi.EventDetails `json:"data"`
}

// failedPreview is an error with the envelope of the public API.
type failedPreview struct {
	web.Envelope
	adminapi.Error
}

// contracts are the Go types of the operations' successful answers.
var contracts = map[string]any{
	"POST /api/login":                             adminapi.LoginResult{},
	"POST /api/signup":                            adminapi.Done{},
	"POST /api/activate":                          adminapi.Done{},
	"POST /api/invitation":                        adminapi.MailedInvitation{},
	"POST /api/invitation/join":                   adminapi.InvitedLogin{},
	"POST /api/forgot-password":                   adminapi.Done{},
	"POST /api/reset-password":                    adminapi.PasswordReset{},
	"POST /api/admin/refresh":                     adminapi.Refreshed{},
	"GET /api/admin/user/sessions":                adminapi.Sessions{},
	"DELETE /api/admin/user/sessions/{sessionId}": adminapi.Deleted{},
	"POST /api/admin/logout":                      adminapi.Done{},

	"POST /api/admin/user/avatar":   adminapi.Done{},
	"DELETE /api/admin/user/avatar": adminapi.Done{},
	"GET /api/admin/user/profile":   adminapi.Profile{},
	"PUT /api/admin/user/profile":   adminapi.WrittenProfile{},
	"PUT /api/admin/user/settings":  adminapi.WrittenProfile{},
	"PUT /api/admin/user/password":  adminapi.PasswordChanged{},
	"DELETE /api/admin/user":        adminapi.Done{},

	"GET /api/admin/user/messages":                   adminapi.Messages{},
	"POST /api/admin/user/send-message":              adminapi.Numbered{},
	"PUT /api/admin/user/message/{messageId}/read":   adminapi.Message{},
	"POST /api/admin/user/message/{messageId}/reply": adminapi.Numbered{},
	"DELETE /api/admin/user/message/{messageId}":     adminapi.Numbered{},
	"GET /api/admin/user/todos":                      adminapi.Todos{},
	"PUT /api/admin/user/todo":                       adminapi.WrittenTodo{},
	"GET /api/admin/user/todo/{todoId}":              adminapi.ReadTodo{},
	"DELETE /api/admin/user/todo/{todoId}":           adminapi.Numbered{},
	"GET /api/admin/user/event/notifications":        adminapi.Notifications{},
	"GET /api/admin/user/attention":                  adminapi.Attention{},
	"GET /api/admin/user/choosable-organizations":    adminapi.ChoosableOrganizations{},
	"GET /api/admin/user/choosable-event-places":     adminapi.ChoosablePlaces{},

	"GET /api/admin/organization/dashboard":                     adminapi.Dashboard{},
	"PUT /api/admin/organization":                               adminapi.WrittenOrganization{},
	"GET /api/admin/organization/{organizationId}":              adminapi.Organization{},
	"PUT /api/admin/organization/{organizationId}":              adminapi.WrittenOrganization{},
	"DELETE /api/admin/organization/{organizationId}":           adminapi.Deleted{},
	"GET /api/admin/organization/{organizationId}/venues":       adminapi.Venues{},
	"GET /api/admin/organization/{organizationId}/events":       adminapi.Events{},
	"GET /api/admin/organization/{organizationId}/audit":        adminapi.AuditLog{},
	"GET /api/admin/organization/{organizationId}/venue-guests": adminapi.VenueGuests{},
	"POST /api/admin/organization/{organizationId}/import":      adminapi.ImportReport{},

	"GET /api/admin/organization/{organizationId}/sources":                      adminapi.Sources{},
	"POST /api/admin/organization/{organizationId}/sources":                     adminapi.WrittenSource{},
	"POST /api/admin/organization/{organizationId}/sources/preview":             adminapi.ImportReport{},
	"GET /api/admin/organization/{organizationId}/sources/{sourceId}":           adminapi.ShownSource{},
	"PUT /api/admin/organization/{organizationId}/sources/{sourceId}":           adminapi.WrittenSource{},
	"DELETE /api/admin/organization/{organizationId}/sources/{sourceId}":        adminapi.Deleted{},
	"POST /api/admin/organization/{organizationId}/sources/{sourceId}/read":     adminapi.ShownSource{},
	"PUT /api/admin/organization/{organizationId}/sources/{sourceId}/duplicate": adminapi.ShownSource{},

	"PUT /api/admin/venue":                              adminapi.WrittenVenue{},
	"GET /api/admin/venues":                             adminapi.FoundVenues{},
	"GET /api/admin/venue/similar":                      adminapi.SimilarVenues{},
	"GET /api/admin/positions":                          adminapi.Positions{},
	"GET /api/admin/towns":                              adminapi.Positions{},
	"GET /api/admin/venue/{venueId}":                    adminapi.Venue{},
	"PUT /api/admin/venue/{venueId}":                    adminapi.WrittenVenue{},
	"DELETE /api/admin/venue/{venueId}":                 adminapi.Deleted{},
	"GET /api/admin/labels":                             adminapi.Labels{},
	"PUT /api/admin/label/{labelKey}":                   adminapi.WrittenLabel{},
	"DELETE /api/admin/label/{labelKey}":                adminapi.DeletedLabel{},
	"PUT /api/admin/event/{eventId}/labels":             adminapi.WrittenLabels{},
	"GET /api/admin/portals":                            adminapi.Portals{},
	"PUT /api/admin/portal":                             adminapi.WrittenPortal{},
	"GET /api/admin/portal/{portalId}":                  adminapi.Portal{},
	"PUT /api/admin/portal/{portalId}":                  adminapi.WrittenPortal{},
	"DELETE /api/admin/portal/{portalId}":               adminapi.Deleted{},
	"PUT /api/admin/space":                              adminapi.WrittenSpace{},
	"GET /api/admin/space/{spaceId}":                    adminapi.Space{},
	"PUT /api/admin/space/{spaceId}":                    adminapi.WrittenSpace{},
	"DELETE /api/admin/space/{spaceId}":                 adminapi.Deleted{},
	"GET /api/admin/contributors":                       adminapi.Contributors{},
	"PUT /api/admin/contributor":                        adminapi.WrittenContributor{},
	"GET /api/admin/contributor/{contributorId}":        adminapi.Contributor{},
	"PUT /api/admin/contributor/{contributorId}":        adminapi.WrittenContributor{},
	"DELETE /api/admin/contributor/{contributorId}":     adminapi.Deleted{},
	"POST /api/admin/contributor/{contributorId}/merge": adminapi.WrittenContributor{},
	"PUT /api/admin/event/{eventId}/contributors":       adminapi.WrittenContributors{},
	"GET /api/admin/series":                             adminapi.SeriesPage{},
	"PUT /api/admin/series":                             adminapi.WrittenSeries{},
	"GET /api/admin/series/{seriesId}":                  adminapi.Series{},
	"PUT /api/admin/series/{seriesId}":                  adminapi.WrittenSeries{},
	"DELETE /api/admin/series/{seriesId}":               adminapi.Deleted{},
	"GET /api/admin/series/{seriesId}/image/meta":       adminapi.ImageMeta{},
	"POST /api/admin/series/{seriesId}/image":           adminapi.WrittenImage{},
	"DELETE /api/admin/series/{seriesId}/image":         adminapi.Deleted{},
	"GET /api/admin/series/{seriesId}/events":           adminapi.SeriesEvents{},
	"PUT /api/admin/series/{seriesId}/event/{eventId}":  adminapi.WrittenSeriesEvent{},
	"GET /api/admin/user/choosable-series":              adminapi.ChoosableSeries{},
	"GET /api/admin/lists":                              adminapi.Lists{},
	"PUT /api/admin/list":                               adminapi.WrittenList{},
	"GET /api/admin/list/{listId}":                      adminapi.List{},
	"PUT /api/admin/list/{listId}":                      adminapi.WrittenList{},
	"DELETE /api/admin/list/{listId}":                   adminapi.Deleted{},
	"GET /api/admin/list/{listId}/entries":              adminapi.ListEntries{},
	"PUT /api/admin/list/{listId}/entry":                adminapi.WrittenList{},
	"DELETE /api/admin/list/{listId}/entry/{eventId}":   adminapi.WrittenList{},

	"POST /api/admin/event/create":                               adminapi.WrittenEvent{},
	"GET /api/admin/event/{eventId}":                             adminapi.Event{},
	"GET /api/admin/event/{eventId}/history":                     adminapi.EventHistory{},
	"GET /api/admin/event/{eventId}/presence":                    adminapi.Presence{},
	"POST /api/admin/event/{eventId}/venue-request":              adminapi.WrittenVenueRequest{},
	"GET /api/admin/event/{eventId}/venue-requests":              adminapi.EventRequests{},
	"GET /api/admin/venue-requests":                              adminapi.VenueRequests{},
	"PUT /api/admin/venue-request/{requestId}":                   adminapi.WrittenVenueRequest{},
	"DELETE /api/admin/venue-request/{requestId}":                adminapi.Done{},
	"DELETE /api/admin/event/{eventId}":                          adminapi.Deleted{},
	"PUT /api/admin/event/{eventId}/header":                      adminapi.WrittenHeader{},
	"PUT /api/admin/event/{eventId}/description":                 adminapi.WrittenDescription{},
	"PUT /api/admin/event/{eventId}/summary":                     adminapi.WrittenSummary{},
	"PUT /api/admin/event/{eventId}/types":                       adminapi.WrittenTypes{},
	"PUT /api/admin/event/{eventId}/place":                       adminapi.WrittenPlace{},
	"PUT /api/admin/event/{eventId}/tags":                        adminapi.WrittenTags{},
	"PUT /api/admin/event/{eventId}/languages":                   adminapi.WrittenLanguages{},
	"PUT /api/admin/event/{eventId}/texts":                       adminapi.WrittenTexts{},
	"PUT /api/admin/event/{eventId}/participation-infos":         adminapi.WrittenParticipation{},
	"PUT /api/admin/event/{eventId}/release-status":              adminapi.WrittenRelease{},
	"PUT /api/admin/event/{eventId}/link":                        adminapi.WrittenLink{},
	"PUT /api/admin/event/{eventId}/link/{linkId}":               adminapi.WrittenLink{},
	"DELETE /api/admin/event/{eventId}/link/{linkId}":            adminapi.Deleted{},
	"PUT /api/admin/events/bulk":                                 adminapi.BulkResult{},
	"POST /api/admin/event/date-rule/preview":                    adminapi.RuleDates{},
	"PATCH /api/admin/event/{eventId}":                           adminapi.WrittenEvent{},
	"POST /api/admin/event/{eventId}/duplicate":                  adminapi.WrittenEvent{},
	"POST /api/admin/event/{eventId}/date":                       adminapi.WrittenDates{},
	"GET /api/admin/date/{dateId}/availability":                  adminapi.AvailabilityOfDate{},
	"PUT /api/admin/date/{dateId}/availability":                  adminapi.WrittenAvailability{},
	"PUT /api/admin/event/{eventId}/date/{dateId}":               adminapi.WrittenDates{},
	"DELETE /api/admin/event/{eventId}/date/{dateId}":            adminapi.DeletedDates{},
	"GET /api/admin/event/{eventId}/image/{imageIndex}/meta":     adminapi.ImageMeta{},
	"POST /api/admin/event/{eventId}/image/{imageIndex}":         adminapi.WrittenImage{},
	"POST /api/admin/event/{eventId}/teaser/image":               adminapi.WrittenImage{},
	"DELETE /api/admin/event/{eventId}/image":                    adminapi.DeletedImages{},
	"PUT /api/admin/event/{eventId}/images/order":                adminapi.WrittenImageOrder{},
	"POST /api/admin/event/{eventId}/preview-link":               adminapi.PreviewLink{},
	"GET /api/admin/event/{eventId}/preview-link":                adminapi.PreviewLinks{},
	"DELETE /api/admin/event/{eventId}/preview-link":             adminapi.RevokedPreviewLinks{},
	"DELETE /api/admin/event/{eventId}/preview-link/{previewId}": adminapi.Deleted{},
	"GET /api/preview/{token}":                                   previewed{},

	"GET /api/admin/permissions/list":                                            adminapi.Permissions{},
	"GET /api/admin/roles/list":                                                  adminapi.Roles{},
	"GET /api/admin/organization/{organizationId}/team":                          adminapi.Team{},
	"POST /api/admin/organization/{organizationId}/team/invite":                  adminapi.WrittenInvitation{},
	"POST /api/admin/organization/team/invite/accept":                            adminapi.AcceptedInvitation{},
	"GET /api/admin/user/invitations":                                            adminapi.WaitingInvitations{},
	"POST /api/admin/user/invitations/{invitationId}/accept":                     adminapi.AcceptedInvitation{},
	"POST /api/admin/user/invitations/{invitationId}/decline":                    adminapi.Deleted{},
	"GET /api/admin/user/memberships":                                            adminapi.Memberships{},
	"DELETE /api/admin/organization/{organizationId}/team/member/{memberId}":     adminapi.Deleted{},
	"GET /api/admin/organization/{organizationId}/member/{memberId}/permissions": adminapi.Rights{},
	"PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions": adminapi.WrittenRights{},
	"GET /api/webhooks/event-types":                                              adminapi.WebhookTypes{},
	"GET /api/admin/organization/{organizationId}/webhooks":                      adminapi.Webhooks{},
	"POST /api/admin/organization/{organizationId}/webhooks":                     adminapi.SecretWebhook{},
	"GET /api/admin/user/webhooks":                                               adminapi.Webhooks{},
	"POST /api/admin/user/webhooks":                                              adminapi.SecretWebhook{},
	"GET /api/admin/webhooks":                                                    adminapi.Webhooks{},
	"POST /api/admin/webhooks":                                                   adminapi.SecretWebhook{},
	"GET /api/admin/webhook/{webhookId}":                                         adminapi.Webhook{},
	"PUT /api/admin/webhook/{webhookId}":                                         adminapi.WrittenWebhook{},
	"DELETE /api/admin/webhook/{webhookId}":                                      adminapi.Deleted{},
	"POST /api/admin/webhook/{webhookId}/secret":                                 adminapi.SecretWebhook{},
	"POST /api/admin/webhook/{webhookId}/test":                                   adminapi.WrittenDelivery{},
	"GET /api/admin/webhook/{webhookId}/deliveries":                              adminapi.WebhookDeliveries{},
	"POST /api/admin/webhook/{webhookId}/delivery/{deliveryNumber}/repeat":       adminapi.WrittenDelivery{},
	"GET /api/admin/user/api-keys":                                               adminapi.APIKeys{},
	"POST /api/admin/user/api-keys":                                              adminapi.MadeAPIKey{},
	"PUT /api/admin/user/api-keys/{keyId}":                                       adminapi.WrittenAPIKey{},
	"DELETE /api/admin/user/api-keys/{keyId}":                                    adminapi.Deleted{},
	"GET /api/admin/organization/{organizationId}/api-keys":                      adminapi.APIKeys{},
	"POST /api/admin/organization/{organizationId}/api-keys":                     adminapi.MadeAPIKey{},
	"PUT /api/admin/organization/{organizationId}/api-keys/{keyId}":              adminapi.WrittenAPIKey{},
	"DELETE /api/admin/organization/{organizationId}/api-keys/{keyId}":           adminapi.Deleted{},

	"GET /api/admin/organizations/pending":                  adminapi.PendingOrganizations{},
	"PUT /api/admin/organization/{organizationId}/approval": adminapi.WrittenApproval{},
	"GET /api/admin/reports":                                adminapi.Reports{},
	"PUT /api/admin/report/{reportId}":                      adminapi.WrittenReport{},
	"GET /api/admin/people":                                 adminapi.People{},
	"PUT /api/admin/people/{userId}/state":                  adminapi.WrittenPersonState{},
	"GET /api/admin/organizations":                          adminapi.PlatformOrganizations{},
	"GET /api/admin/mails":                                  adminapi.UndeliveredMails{},
	"POST /api/admin/mails/{mailId}/retry":                  adminapi.Done{},
	"DELETE /api/admin/mails/{mailId}":                      adminapi.Done{},
	"GET /api/admin/nodes":                                  adminapi.ReadNodes{},
	"PUT /api/admin/event/{eventId}/takedown":               adminapi.WrittenTakedown{},
	"DELETE /api/admin/event/{eventId}/takedown":            adminapi.WrittenTakedown{},
}

// files are the operations whose successful answers programs pass on as they are.
var files = []string{
	"GET /api/user/{userId}/avatar",
	"GET /api/user/{userId}/avatar/{size}",
	"GET /api/admin/event/{eventId}/image/{imageIndex}",
	"GET /api/admin/series/{seriesId}/image",
	"GET /api/preview/{token}/image/{uuid}",
	"GET /api/admin/user/export",
}

func TestEveryOperationHasAContract(t *testing.T) {
	t.Parallel()
	described := apidocstest.Describe(t, openapi.JSON()).Described()
	for _, operation := range described {
		if contracts[operation] == nil && !slices.Contains(files, operation) {
			t.Errorf("%s: nothing says what its answer is for programs", operation)
		}
	}
	for operation := range contracts {
		if !slices.Contains(described, operation) {
			t.Errorf("%s: is not described", operation)
		}
	}
}

// contractOf returns a new value to read an answer into, or an invalid one when it is not read.
func contractOf(operation string, status int) reflect.Value {
	var contract any
	switch {
	case status == http.StatusNotModified:
	case status < http.StatusBadRequest:
		contract = contracts[operation]
	case operation == "GET /api/preview/{token}":
		contract = failedPreview{}
	default:
		contract = adminapi.Error{}
	}
	if contract == nil {
		return reflect.Value{}
	}
	return reflect.New(reflect.TypeOf(contract))
}

// checkContract compares an answer with its contract: it has no other keys, and written again the
// contract says the same, so that no key is missing and no value is lost. The types that the answer
// has shown are added to shown.
func checkContract(operation string, status int, raw []byte, shown map[reflect.Type]bool) error {
	contract := contractOf(operation, status)
	if !contract.IsValid() {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(contract.Interface()); err != nil {
		return fmt.Errorf("not what the contract says: %w", err)
	}
	written, err := json.Marshal(contract.Interface())
	if err != nil {
		return err
	}
	var got, want any
	if err := json.Unmarshal(raw, &got); err != nil {
		return err
	}
	if err := json.Unmarshal(written, &want); err != nil {
		return err
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the contract reads it as %.1000s", written)
	}
	noteShown(contract, shown)
	return nil
}

// noteShown adds the types of all structs in a value.
func noteShown(v reflect.Value, shown map[reflect.Type]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			noteShown(v.Elem(), shown)
		}
	case reflect.Slice:
		for i := range v.Len() {
			noteShown(v.Index(i), shown)
		}
	case reflect.Struct:
		if shown[v.Type()] = true; v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			noteShown(v.Field(i), shown)
		}
	default:
	}
}

// structsOf adds the type and the types of all structs that a value of it may hold.
func structsOf(of reflect.Type, all map[reflect.Type]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		structsOf(of.Elem(), all)
	case reflect.Struct:
		if all[of] = true; of == reflect.TypeFor[time.Time]() {
			return
		}
		for _, field := range reflect.VisibleFields(of) { // including fields of embedded structs
			if !field.Anonymous {
				structsOf(field.Type, all)
			}
		}
	default:
	}
}

// mustHaveShown fails when a list of a contract was empty in every answer, so that its elements
// were never compared.
func mustHaveShown(t *testing.T, shown map[reflect.Type]bool) {
	t.Helper()
	all := map[reflect.Type]bool{}
	for _, contract := range contracts {
		structsOf(reflect.TypeOf(contract), all)
	}
	for of := range all {
		if !shown[of] {
			t.Errorf("no example shows a %s", of)
		}
	}
}
