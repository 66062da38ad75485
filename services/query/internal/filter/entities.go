package filter

import (
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/params"
)

// Existing returns the condition for documents of every index but "dates" to be shown: the document
// of a deleted entity stays in the index, without a view.
func Existing() Expr { return equal("gone", "false") }

// EventsWithImage returns the condition for the event with an image. A deleted event has no
// images.
func EventsWithImage(uuid string) Expr {
	return and{Existing(), equal("pictures.uuid", quoted(uuid))}
}

// FormerEventsWithImage is EventsWithImage for documents of Version 3.
func FormerEventsWithImage(uuid string) Expr {
	return and{Existing(), equal("view.images.uuid", quoted(uuid))}
}

// Venues returns the condition for documents of the index "venues" to be found by a query.
func Venues(q params.Query, places Places) Expr {
	return and{
		Existing(),
		venues("id", q.VenueUUIDs, places),
		someOf("org_uuid", q.OrgUUIDs),
		someOf("country", q.Countries),
		allOf("accessibility_bits", q.Accessibility),
		text("name", q.Name),
		text("city", q.City),
		postalCodes(q.PostalCodes),
		inBox(q.Box),
	}
}

// Upcoming returns the condition for upcoming dates: they end today or later, and were neither
// cancelled nor deferred.
func Upcoming(today params.Day) Expr {
	return and{
		compare{"end_day", ">=", number(int(today))},
		someOf("release_status", []string{"released", "rescheduled"}),
	}
}

// AtVenues narrows an expression to dates at one of the venues, by uuid. Without any it matches
// nothing, as the three below.
func AtVenues(match Expr, uuids []string) Expr { return and{match, anyOf("venue_uuid", uuids, quoted)} }

// WithContributors is AtVenues for contributors.
func WithContributors(match Expr, uuids []string) Expr {
	return and{match, anyOf("contributor_uuids", uuids, quoted)}
}

// ByOrganizations is AtVenues for organizations.
func ByOrganizations(match Expr, uuids []string) Expr {
	return and{match, anyOf("org_uuid", uuids, quoted)}
}

// InCities is AtVenues for cities, by name.
func InCities(match Expr, names []string) Expr {
	return and{match, anyOf("city_key", names, func(name string) literal { return quoted(document.ExactKey(name)) })}
}

// Titled narrows an expression to dates of events with a title.
func Titled(match Expr, title string) Expr {
	return and{match, equal("title_key", quoted(document.ExactKey(title)))}
}

// Tagged narrows an expression to dates with a tag, by its key.
func Tagged(match Expr, key string) Expr { return and{match, equal("tag_keys", quoted(key))} }

// After narrows an expression to documents after an id, in the order of ids; "" is before all. Ids
// in the engine have neither quotes nor backslashes.
func After(match Expr, id string) Expr {
	if id == "" {
		return match
	}
	return and{match, compare{"id", ">", quoted(id)}}
}

// inBox requires a point in a box.
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

// VenuesOf returns the condition for the venues of an organization.
func VenuesOf(orgUUID string) Expr { return and{Existing(), equal("org_uuid", quoted(orgUUID))} }

// LocatedVenues returns the condition for venues with a point.
func LocatedVenues() Expr { return Located(Existing()) }

// Located narrows an expression to venues with a point.
func Located(match Expr) Expr { return and{match, exists{"lat"}, exists{"lon"}} }

// Named narrows an expression to the venues, organizations or contributors with these uuids.
func Named(match Expr, uuids []string) Expr { return and{match, anyOf("id", uuids, quoted)} }

// MergedContributor returns the condition for the contributor into which another one was merged.
func MergedContributor(uuid string) Expr { return and{Existing(), equal("former_uuids", quoted(uuid))} }

// Organizations returns the condition for organizations, or contributors, whose names contain part.
func Organizations(part string) Expr {
	return and{Existing(), contains{"name_key", document.PartKey(part)}}
}
