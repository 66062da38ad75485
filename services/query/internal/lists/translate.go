package lists

import (
	"strconv"

	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/feed"
)

// Translate returns an item with the names of its event's categories, types, labels, status,
// availability and roles of contributors in a language.
func (s ValueSets) Translate(item feed.Item, lang string) feed.Item {
	item.Types = s.Keywords(item.Categories, item.EventTypes, lang)
	for _, key := range item.Labels {
		if name := s.Name(change.LookupLabels, key, lang); name != "" {
			item.LabelNames = append(item.LabelNames, name)
		}
	}
	for _, id := range item.Categories {
		item.CategoryNames = append(item.CategoryNames, s.Name(change.LookupCategories, strconv.Itoa(id), lang))
	}
	for _, one := range item.EventTypes {
		item.TypeNames = append(item.TypeNames, s.Name(change.LookupEventTypes, strconv.Itoa(one.TypeID), lang))
	}
	item.AvailabilityName = s.Name(change.LookupAvailabilities, item.Availability, lang)
	if item.PreviousStart != "" {
		item.MovedName = s.Name(change.LookupReleaseStatuses, "rescheduled", lang)
	}
	if item.Details != nil {
		for _, p := range item.Details.Contributors {
			item.RoleNames = append(item.RoleNames, s.Name(change.LookupContributorRoles, p.Role, lang))
		}
	}
	item.StatusName = s.Name(change.LookupReleaseStatuses, item.ReleaseStatus, lang)
	item.OpenHours = item.Hours.Text(lang)
	return item
}
