package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"litfass/deploy/e2e/reference"
)

// portalFilters are the parameters that the filter of a portal takes. Types and genres are drawn
// separately: a portal takes only those that exist.
var portalFilters = []string{
	"title", "venue", "postal_code", "city", "categories", "tags", "label", "languages", "release_statuses", "space_types", "countries", "age",
	"price", "price_types", "accessibility", "visitor_infos", "radius", "geolist_region", "org_uuids", "venue_uuids", "space_uuids", "series_uuids", "contributor",
}

// Portals draws portals about the dates that the reference holds: most with a filter, and with
// lists of what they include and exclude. The first has all dates.
func (q *Queries) Portals(n int) []*reference.Portal {
	portals := []*reference.Portal{{UUID: q.uuid(), Slug: "portal-0", Name: "Everything"}}
	for i := range n {
		portals = append(portals, q.portal(i+1))
	}
	return portals
}

// RedrawPortals replaces what every other portal selects, and returns these.
func (q *Queries) RedrawPortals(portals []*reference.Portal) (changed []*reference.Portal) {
	for i, portal := range portals {
		if i%2 == 1 {
			uuid := portal.UUID
			*portal = *q.portal(i)
			portal.UUID = uuid
			changed = append(changed, portal)
		}
	}
	return changed
}

func (q *Queries) portal(n int) *reference.Portal {
	p := &reference.Portal{UUID: q.uuid(), Slug: fmt.Sprintf("portal-%d", n), Name: fmt.Sprintf("Portal %d", n), Filter: reference.PortalFilter{}}
	if q.chance(50) {
		p.OrgUUID = reference.Text(pick(q.random, q.dates).Event.OrgUUID)
	}
	if q.chance(85) {
		p.Filter = q.portalFilter()
	}
	if len(p.Filter) == 0 || q.chance(60) {
		p.Include = q.entities()
	}
	if q.chance(60) {
		p.Exclude = q.entities()
	}
	return p
}

// maxPattern is the length of a text that the filter of a portal takes.
const maxPattern = 502

func (q *Queries) portalFilter() reference.PortalFilter {
	p, target := reference.Parameters{}, pick(q.random, q.dates)
	for _, maker := range sample(q.random, makers, q.between(2, 8)) {
		if slices.Contains(portalFilters, maker.name) {
			value := maker.draw(q, target)
			if value != "" && value == strings.TrimSpace(value) && utf8.RuneCountInString(value) <= maxPattern {
				p[maker.name] = value
			}
		}
	}
	if p["radius"] != "" {
		lat, lon := q.spot()
		p["lat"], p["lon"] = strconv.FormatFloat(lat, 'f', -1, 64), strconv.FormatFloat(lon, 'f', -1, 64)
	}
	if types := typesOf(target); len(types) > 0 && q.chance(20) {
		p["event_types"] = strconv.Itoa(pick(q.random, types))
	}
	return reference.PortalFilter(p)
}

// entities returns a few organizations, venues and events, one of them unknown now and then.
func (q *Queries) entities() (of reference.PortalEntities) {
	for range q.IntN(3) {
		of.OrgUUIDs = append(of.OrgUUIDs, pick(q.random, q.dates).Event.OrgUUID)
	}
	for range q.IntN(4) {
		if at := venue(pick(q.random, q.dates)).UUID; at != "" {
			of.VenueUUIDs = append(of.VenueUUIDs, at)
		}
	}
	for range q.IntN(5) {
		of.EventUUIDs = append(of.EventUUIDs, pick(q.random, q.dates).Event.UUID)
	}
	if q.chance(20) {
		of.EventUUIDs = append(of.EventUUIDs, q.uuid())
	}
	return of
}
