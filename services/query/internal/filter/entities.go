package filter

import (
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/params"
)

// Existing returns what the documents of every index but "dates" must fulfil to be shown at all:
// the document of an entity that is gone stays in the index, without a view.
func Existing() Expr { return equal("gone", "false") }

// EventsWithPicture returns what the document of the event with a picture fulfils. An event that is
// gone has no pictures.
func EventsWithPicture(uuid string) Expr {
	return and{Existing(), equal("pictures.uuid", quoted(uuid))}
}

// FormerEventsWithPicture is EventsWithPicture for documents of Version 3.
func FormerEventsWithPicture(uuid string) Expr {
	return and{Existing(), equal("view.images.uuid", quoted(uuid))}
}

// Venues returns what the documents of the index "venues" must fulfil to be found by a query.
func Venues(q params.Query, places Places) Expr {
	return and{
		Existing(),
		venues("id", q.VenueUUIDs, places),
		someOf("org_uuid", q.OrgUUIDs),
		someOf("country", q.Countries),
		allOf("accessibility_bits", q.Accessibility),
		text("name", q.Name),
		text("city", q.City),
		text("postal", q.PostalCode),
		inBox(q.Box),
	}
}

// Upcoming returns what the documents of dates that are still to take place fulfil: they end today
// or later, and were neither cancelled nor put off.
func Upcoming(today params.Day) Expr {
	return and{
		compare{"end_day", ">=", number(int(today))},
		someOf("release_status", []string{"released", "rescheduled"}),
	}
}

// AtVenues returns what the documents of dates fulfil that match an expression and are at one of
// the venues, by uuid. Without any it matches nothing, as the two below.
func AtVenues(match Expr, uuids []string) Expr { return and{match, anyOf("venue_uuid", uuids, quoted)} }

// ByOrganizations is AtVenues for organizations.
func ByOrganizations(match Expr, uuids []string) Expr {
	return and{match, anyOf("org_uuid", uuids, quoted)}
}

// InCities is AtVenues for cities, by name.
func InCities(match Expr, names []string) Expr {
	return and{match, anyOf("city_key", names, func(name string) literal { return quoted(document.ExactKey(name)) })}
}

// Tagged returns what the documents of dates fulfil that match an expression and have a tag, by its
// key.
func Tagged(match Expr, key string) Expr { return and{match, equal("tag_keys", quoted(key))} }

// ExistingBehind returns what the documents fulfil of Existing that follow an id, in the order of
// ids; "" is before all. An id that the engine holds has neither quotes nor backslashes.
func ExistingBehind(id string) Expr {
	if id == "" {
		return Existing()
	}
	return and{Existing(), compare{"id", ">", quoted(id)}}
}

// inBox asks for a point in a box.
func inBox(b *params.Box) Expr {
	if b == nil {
		return all{}
	}
	eastOfWest, westOfEast := compare{"lon", ">=", float(b.West)}, compare{"lon", "<=", float(b.East)}
	var meridians Expr = and{eastOfWest, westOfEast}
	if b.West > b.East {
		meridians = or{eastOfWest, westOfEast}
	}
	return and{compare{"lat", ">=", float(b.South)}, compare{"lat", "<=", float(b.North)}, meridians}
}

// VenuesOf returns what the documents of the venues of one organization fulfil.
func VenuesOf(orgUUID string) Expr { return and{Existing(), equal("org_uuid", quoted(orgUUID))} }

// LocatedVenues returns what the documents of the venues that have a point fulfil.
func LocatedVenues() Expr { return and{Existing(), exists{"lat"}, exists{"lon"}} }

// Organizations returns what the documents of the index "organizations" must fulfil to hold part in
// their names.
func Organizations(part string) Expr {
	return and{Existing(), contains{"name_key", document.PartKey(part)}}
}
