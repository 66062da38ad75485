package changes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
)

// Filter chooses entities of a kind. It is not changed once it is made.
type Filter struct {
	kind   params.Kind
	expr   filter.Expr
	circle *params.Circle
	region *params.Region
	places *places.Map // for the regions; nil without one
	portal *selected   // nil without one
	key    string      // equal filters have equal keys
	// ties are the portal, the list and the regions that the filter is made of. After a change of one
	// it is another filter.
	ties []entityKey
}

// selected is the portal of a filter. Its own area is not part of the filter's expr.
type selected struct {
	circle *params.Circle
	region *params.Region
	// included matches what the portal has in any place; nil for nothing.
	included filter.Expr
}

// NewFilter returns the filter of a query. The errors are those of the map of places and of the
// portals, and an Invalid fault for an unknown portal.
func NewFilter(ctx context.Context, q params.Query, store *places.Store, known *portals.Store) (Filter, error) {
	f := Filter{kind: q.Kind, circle: q.Circle, region: q.Region, ties: appendRegion(nil, q.Region)}
	switch q.Kind {
	case params.KindVenues:
		f.expr = filter.Venues(q, filter.Places{})
	case params.KindOrganizations, params.KindContributors, params.KindSeries:
		f.expr = filter.Existing()
	default:
		f.expr = filter.Dates(q, filter.Places{})
	}
	f.expr = filter.Simplify(f.expr)
	if q.Portal != "" {
		if err := f.narrow(ctx, q.Portal, known); err != nil {
			return f, err
		}
	}
	var version uint64
	if q.Region != nil || f.portal != nil && f.portal.region != nil {
		var err error
		if f.places, err = store.Map(ctx); err != nil {
			return f, err
		}
		version = f.places.Version()
	}
	compiled, found := filter.Compile(f.expr)
	f.key = fmt.Sprintf("%s\x00%s\x00%t\x00%+v\x00%+v\x00%d", f.kind, compiled, found, f.circle, f.region, version)
	if f.portal != nil {
		f.key += fmt.Sprintf("\x00%s\x00%+v\x00%+v", q.Portal, f.portal.circle, f.portal.region)
	}
	return f, nil
}

// narrow narrows the filter to the dates of a portal.
func (f *Filter) narrow(ctx context.Context, slug string, known *portals.Store) error {
	portal, _, err := known.Of(ctx, slug)
	if err != nil {
		return err
	}
	own := f.expr
	f.expr = filter.InPortal(own, portal.Query, filter.Places{}, portal.Include, portal.Exclude)
	f.portal, f.ties = &selected{}, append(f.ties, entityKey{change.KindPortal, portal.View.UUID})
	if portal.Query == nil {
		return nil
	}
	f.portal.circle, f.portal.region = portal.Query.Circle, portal.Query.Region
	f.ties = appendRegion(f.ties, f.portal.region)
	if in := portal.Include; len(in.OrgUUIDs)+len(in.VenueUUIDs)+len(in.EventUUIDs) > 0 {
		f.portal.included = filter.InPortal(own, nil, filter.Places{}, in, portal.Exclude)
	}
	return nil
}

// Tied reports whether the filter depends on what the index holds: on a portal, a list or a region.
func (f Filter) Tied() bool { return len(f.ties) > 0 }

func appendRegion(ties []entityKey, region *params.Region) []entityKey {
	if region == nil {
		return ties
	}
	return append(ties, tieOf(change.KindRegion, region.Country+"."+region.State+"."+region.Region))
}

// tieOf returns the key of an entity that filters may be made of. Regions are named in any case.
func tieOf(kind change.Kind, id string) entityKey {
	if kind == change.KindRegion {
		id = strings.ToLower(id)
	}
	return entityKey{kind, id}
}

// follows reports whether changes of a kind of entity can matter to the filter.
func (f Filter) follows(kind change.Kind) bool {
	switch f.kind {
	case params.KindVenues:
		return kind == change.KindVenue
	case params.KindOrganizations:
		return kind == change.KindOrganization
	case params.KindContributors:
		return kind == change.KindContributor
	case params.KindSeries:
		return kind == change.KindSeries
	default:
		return kind == change.KindEvent
	}
}

// InList returns the filter narrowed to the dates of a list.
func (f Filter) InList(list *curated.List) Filter {
	f.expr = filter.InList(f.expr, list.Events, list.Dates)
	f.ties = append(slices.Clip(f.ties), entityKey{change.KindList, list.View.UUID})
	if f.portal != nil && f.portal.included != nil {
		narrowed := *f.portal
		narrowed.included = filter.InList(narrowed.included, list.Events, list.Dates)
		f.portal = &narrowed
	}
	compiled, found := filter.Compile(f.expr)
	f.key += fmt.Sprintf("\x00%s\x00%s\x00%t", list.View.UUID, compiled, found)
	return f
}

// outdatedBy reports whether a change makes the filter another one.
func (f Filter) outdatedBy(c *published) bool { return slices.Contains(f.ties, tieOf(c.kind, c.id)) }

// finds reports whether the search finds a document.
func (f Filter) finds(d *doc) bool {
	if !f.expr.Matches(d.found) {
		return false
	}
	if !f.within(d, f.circle, f.region) {
		return false
	}
	p := f.portal
	return p == nil || f.within(d, p.circle, p.region) || p.included != nil && p.included.Matches(d.found)
}

// within reports whether a document lies in an area, which both may be nil for.
func (f Filter) within(d *doc, circle *params.Circle, region *params.Region) bool {
	return circle == nil && region == nil || d.point != nil && f.places.Within(circle, region, d.point.lat, d.point.lon)
}

// found returns what the search shows of an entity in a state, and how many documents were made for
// that. The error is that of a state that cannot be projected.
func (f Filter) found(e *entity) (all []shown, made int, err error) {
	docs, made, err := e.docs()
	if err != nil {
		return nil, made, err
	}
	for _, d := range docs {
		if f.finds(d) {
			all = append(all, shown{UUID: d.id, EventUUID: d.event, Entry: d.entry})
		}
	}
	if f.kind == params.KindEvents {
		return asEvent(all), made, nil
	}
	return all, made, nil
}

// asEvent returns the event of dates that are in order: its first date stands for it.
func asEvent(dates []shown) []shown {
	if len(dates) == 0 {
		return nil
	}
	return []shown{{UUID: dates[0].EventUUID, DateCount: len(dates), Entry: dates[0].Entry}}
}
