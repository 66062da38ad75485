package webhook

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/admin/internal/publish/draft"
)

// The types of notifications, besides those of drafts.
const (
	eventPublished        = "event.published"
	eventUpdated          = "event.updated"
	eventWithdrawn        = "event.withdrawn"
	venuePublished        = "venue.published"
	venueUpdated          = "venue.updated"
	venueWithdrawn        = "venue.withdrawn"
	organizationPublished = "organization.published"
	organizationUpdated   = "organization.updated"
	organizationWithdrawn = "organization.withdrawn"
	testType              = "webhook.test"
)

// withdrawn is the data of a notification of an entity that is not shown any more.
type withdrawn struct {
	UUID string `json:"uuid"`
}

// tested is the data of a test.
type tested struct {
	UUID string `json:"uuid"` // of the webhook
	Name string `json:"name"`
}

// kinds are all types with the data of their notifications.
var kinds = []struct {
	name, description string
	data              any
}{
	{eventPublished, "An event became public, or entered the filter. The data is the event, as GET /api/event/{uuid} shows it, without the names of its types.", publicapi.Event{}},
	{eventUpdated, "An event in the filter changed, with any of its dates, or a venue that it shows.", publicapi.Event{}},
	{eventWithdrawn, "An event is no longer public, or left the filter.", withdrawn{}},
	{venuePublished, "A venue became public, or entered the filter.", publicapi.Venue{}},
	{venueUpdated, "A venue in the filter changed, with any of its spaces.", publicapi.Venue{}},
	{venueWithdrawn, "A venue is no longer public, or left the filter.", withdrawn{}},
	{organizationPublished, "An organization became public, or entered the filter.", publicapi.Organization{}},
	{organizationUpdated, "An organization in the filter changed.", publicapi.Organization{}},
	{organizationWithdrawn, "An organization is no longer public, or left the filter.", withdrawn{}},
	{draft.Saved, "An event of the organization that is not public was made or changed. Only for webhooks of organizations; not filtered.", publicapi.Event{}},
	{draft.Deleted, "An event of the organization that was not public was deleted, or moved to another organization.", withdrawn{}},
	{testType, "A test, sent on demand only.", tested{}},
}

// typeNames returns the types that a webhook may ask for.
func typeNames() []string {
	var names []string
	for _, kind := range kinds {
		if kind.name != testType {
			names = append(names, kind.name)
		}
	}
	return names
}

// typeOf returns the type of a notification of an entity that was within the filter, and is; "" for
// none.
func typeOf(kind change.Kind, was, is bool) string {
	switch {
	case was && is:
		return string(kind) + ".updated"
	case is:
		return string(kind) + ".published"
	case was:
		return string(kind) + ".withdrawn"
	}
	return ""
}

// body returns the body of a notification.
func body(name string, at time.Time, data any) ([]byte, error) {
	text, err := json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{name, stored(at), data})
	if err != nil {
		return nil, fmt.Errorf("encode a notification: %w", err)
	}
	return text, nil
}

// entryOf returns the public view of the entity after a change.
func entryOf(projector project.Projector, c change.Change) (any, error) {
	if c.Gone() {
		return withdrawn{c.ID}, nil
	}
	projected, err := projector.Project(c)
	if err != nil {
		return nil, err
	}
	switch record := projected.Record.(type) {
	case document.Event:
		return record.View.Value, nil
	case document.Venue:
		return record.View.Value, nil
	case document.Record[publicapi.Organization]:
		return record.View.Value, nil
	default:
		return nil, fmt.Errorf("webhooks show no entity of kind %q", c.Kind)
	}
}

// idOf returns the id of the delivery of a change to a webhook: the same for each attempt, and for
// a change that is announced twice.
func idOf(webhook uuid.UUID, kind, entity string, revision int64) string {
	return uuid.NewSHA1(webhook, fmt.Appendf(nil, "%s/%s/%d", kind, entity, revision)).String()
}

// Types returns all types with the JSON schemas of their bodies.
func Types() (adminapi.WebhookTypes, error) {
	var shown adminapi.WebhookTypes
	for _, kind := range kinds {
		schema, err := schemaOf(kind.name, kind.data)
		if err != nil {
			return shown, err
		}
		shown.Types = append(shown.Types, adminapi.WebhookType{Type: kind.name, Description: kind.description, Schema: schema})
	}
	return shown, nil
}
