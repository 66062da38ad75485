package reference

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Portal is a line of kind "portal".
type Portal struct {
	UUID    string         `json:"uuid"`
	OrgUUID Text           `json:"org_uuid"`
	Slug    string         `json:"slug"`
	Name    string         `json:"name"`
	Filter  PortalFilter   `json:"filter"`
	Include PortalEntities `json:"include"`
	Exclude PortalEntities `json:"exclude"`
}

// PortalEntities are organizations, venues and events.
type PortalEntities struct {
	OrgUUIDs   []string `json:"org_uuids"`
	VenueUUIDs []string `json:"venue_uuids"`
	EventUUIDs []string `json:"event_uuids"`
}

// PortalFilter is the parameters of a portal, written as an object: lists as arrays, numbers as
// numbers.
type PortalFilter Parameters

// These parameters are lists of texts and of integers, and numbers.
var (
	textLists = []string{
		"tags", "label", "price_types", "release_statuses", "space_types", "postal_code", "org_uuids", "venue_uuids", "space_uuids", "series_uuids",
	}
	numberLists      = []string{"categories", "event_types", "genres", "accessibility", "visitor_infos"}
	numberParameters = []string{"lon", "lat", "radius"}
)

// MarshalJSON writes the object as an export has it.
func (f PortalFilter) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for name, value := range f {
		switch {
		case value == "":
		case name == "countries":
			object[name] = set(strings.Split(strings.ToUpper(value), ","))
		case name == "languages" || name == "contributor":
			object[name] = set(strings.Split(strings.ToLower(value), ","))
		case slices.Contains(textLists, name):
			object[name] = set(strings.Split(value, ","))
		case slices.Contains(numberLists, name):
			object[name] = set(numbers(value))
		case slices.Contains(numberParameters, name):
			object[name] = json.Number(strconv.FormatFloat(number(value), 'f', -1, 64))
		default:
			object[name] = value
		}
	}
	return json.Marshal(object)
}

// MarshalJSON writes the lists as an export has them.
func (e PortalEntities) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]string{
		"org_uuids": set(e.OrgUUIDs), "venue_uuids": set(e.VenueUUIDs), "event_uuids": set(e.EventUUIDs),
	})
}

// set returns the distinct elements in order, never nil.
func set[T cmp.Ordered](list []T) []T {
	return append([]T{}, slices.Compact(slices.Sorted(slices.Values(list)))...)
}

// inPortal: the filter finds the date or it is included, and it is not excluded. A portal that has
// neither a filter nor anything included has all dates.
func (r *Reference) inPortal(slug string, today string) filter {
	for _, portal := range r.catalogue.Portals {
		if portal.Slug != slug {
			continue
		}
		conditions := r.filters(Parameters(portal.Filter), today)
		return func(d *Dated) bool {
			meets := func(f filter) bool { return f(d) }
			found := portal.Include.have(d) || len(conditions) == 0 && portal.Include.isEmpty()
			if len(conditions) > 0 {
				found = found || !slices.ContainsFunc(conditions, func(f filter) bool { return !meets(f) })
			}
			return found && !portal.Exclude.have(d)
		}
	}
	panic("portal " + slug)
}

func (e PortalEntities) isEmpty() bool {
	return len(e.OrgUUIDs)+len(e.VenueUUIDs)+len(e.EventUUIDs) == 0
}

func (e PortalEntities) have(d *Dated) bool {
	return slices.Contains(e.OrgUUIDs, d.Event.OrgUUID) || slices.Contains(e.EventUUIDs, d.Event.UUID) ||
		d.Place.Venue != nil && slices.Contains(e.VenueUUIDs, d.Place.Venue.UUID)
}
