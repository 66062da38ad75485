package filter

import (
	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/params"
)

// InPortal narrows an expression of dates to those that a portal selects: by its filter with the
// places that it allows, nil for none, and beyond it what is included, in any case without what is
// excluded. Without a filter and without anything included, it selects all dates.
func InPortal(match Expr, q *params.Query, places Places, include, exclude change.PortalSelection) Expr {
	selected := or{
		anyOf("org_uuid", include.OrgUUIDs, quoted), anyOf("venue_uuid", include.VenueUUIDs, quoted),
		anyOf("uuid", include.EventUUIDs, quoted),
	}
	switch {
	case q != nil:
		selected = append(selected, Dates(*q, places))
	case len(include.OrgUUIDs)+len(include.VenueUUIDs)+len(include.EventUUIDs) == 0:
		selected = or{all{}}
	}
	return Simplify(and{
		match, selected, notIn{"org_uuid", literalsOf(exclude.OrgUUIDs)}, notIn{"venue_uuid", literalsOf(exclude.VenueUUIDs)},
		notIn{"uuid", literalsOf(exclude.EventUUIDs)},
	})
}

func literalsOf(uuids []string) []literal {
	quotedOnes := make([]literal, len(uuids))
	for i, uuid := range uuids {
		quotedOnes[i] = quoted(uuid)
	}
	return quotedOnes
}
