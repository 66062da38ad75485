package filter

import (
	"litfass/pkg/document"
	"litfass/services/query/internal/params"
)

// There is what the documents of an index of entities must fulfil to be shown at all: the document of an entity that is
// gone stays in the index, without a view.
func There() Expr { return equal("gone", "false") }

// Venues returns what the documents of the index "venues" must fulfil to be found by a query.
func Venues(q params.Query, places Places) Expr {
	return and{
		There(),
		venues("id", q.VenueUUIDs, places),
		someOf("org_uuid", q.OrgUUIDs),
		someOf("country", q.Countries),
		allOf("accessibility_bits", q.Accessibility),
		text("name", q.Name),
		text("city", q.City),
		text("postal", q.PostalCode),
	}
}

// VenuesOf returns what the documents of the venues of one organization fulfil.
func VenuesOf(orgUUID string) Expr { return and{There(), equal("org_uuid", quoted(orgUUID))} }

// Organizations returns what the documents of the index "organizations" must fulfil to hold part in their names.
func Organizations(part string) Expr {
	return and{There(), contains{"name_key", document.PartKey(part)}}
}
