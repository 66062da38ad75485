package view

import (
	"net/url"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/text"
)

// withNeed returns the items that a release requires, or the others.
func withNeed(items []adminapi.ChecklistItem, required bool) []adminapi.ChecklistItem {
	var kept []adminapi.ChecklistItem
	for _, item := range items {
		if item.Required == required {
			kept = append(kept, item)
		}
	}
	return kept
}

// checklistMessage returns the id of the message for an item.
func checklistMessage(item adminapi.ChecklistItem) string {
	if item.Kind == "event" {
		return "checklist." + item.Field
	}
	return "checklist." + item.Kind + "." + item.Field
}

// places are the sections of an event's page that have a field among others.
// nameOf returns a short name of a recommended field; a service that is newer may send others.
func nameOf(t *text.Texts, item adminapi.ChecklistItem) string {
	for _, message := range []string{"checklist.name." + item.Field, checklistMessage(item)} {
		if t.Has(message) {
			return t.T(message)
		}
	}
	return item.Field
}

var places = map[string]string{"venue_uuid": "place", "images": "pictures", "alt_text": "pictures"}

// fieldAddress returns where a field is filled in: on the page of its event, venue or space.
func fieldAddress(item adminapi.ChecklistItem) templ.SafeURL {
	field := item.Field
	if item.Kind == "venue" && field == "use" { // the owner's; the event's page shows the request
		return "#place"
	}
	if place, known := places[field]; known {
		field = place
	}
	address := "/console/" + url.PathEscape(item.Kind) + "/" + url.PathEscape(item.UUID) + "#" + url.PathEscape(field)
	return templ.URL(address)
}
