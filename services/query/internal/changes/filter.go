package changes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

// Filter chooses entities of a kind. It is not changed once it is made.
type Filter struct {
	kind   params.Kind
	expr   filter.Expr
	circle *params.Circle
	region *params.Region
	places *places.Map // for the region; nil without one
	key    string      // equal filters have equal keys
}

// NewFilter returns the filter of a query. The error is that of the map of places.
func NewFilter(ctx context.Context, q params.Query, store *places.Store) (Filter, error) {
	f := Filter{kind: q.Kind, circle: q.Circle, region: q.Region}
	switch q.Kind {
	case params.KindVenues:
		f.expr = filter.Venues(q, filter.Places{})
	case params.KindOrganizations:
		f.expr = filter.Existing()
	default:
		f.expr = filter.Dates(q, filter.Places{})
	}
	f.expr = filter.Simplify(f.expr)
	var version uint64
	if q.Region != nil {
		var err error
		if f.places, err = store.Map(ctx); err != nil {
			return f, err
		}
		version = f.places.Version()
	}
	compiled, found := filter.Compile(f.expr)
	f.key = fmt.Sprintf("%s\x00%s\x00%t\x00%+v\x00%+v\x00%d", f.kind, compiled, found, f.circle, f.region, version)
	return f, nil
}

// follows reports whether changes of a kind of entity can matter to the filter.
func (f Filter) follows(kind change.Kind) bool {
	switch f.kind {
	case params.KindVenues:
		return kind == change.KindVenue
	case params.KindOrganizations:
		return kind == change.KindOrganization
	default:
		return kind == change.KindEvent
	}
}

// outdatedBy reports whether a change makes the filter another one: that of its region's area.
func (f Filter) outdatedBy(c *published) bool {
	return f.region != nil && c.kind == change.KindRegion &&
		strings.EqualFold(c.id, f.region.Country+"."+f.region.State+"."+f.region.Region)
}

// finds reports whether the search finds a document.
func (f Filter) finds(d *doc) bool {
	if !f.expr.Matches(d.found) {
		return false
	}
	return f.circle == nil && f.region == nil || d.point != nil && f.places.Within(f.circle, f.region, d.point.lat, d.point.lon)
}

// items returns what became of an entity between two states of it. The error is that of a state
// that cannot be projected.
func (f Filter) items(before, after *entity) ([]Item, error) {
	from, err := f.found(before)
	if err != nil {
		return nil, err
	}
	to, err := f.found(after)
	if err != nil {
		return nil, err
	}
	if f.kind == params.KindEvents {
		from, to = asEvent(from), asEvent(to)
	}
	former := make(map[string]shown, len(from))
	for _, one := range from {
		former[one.UUID] = one
	}
	var items []Item
	for _, one := range to {
		earlier, was := former[one.UUID]
		delete(former, one.UUID)
		switch {
		case !was:
			one.Change = Entered
		case one.DateCount == earlier.DateCount && bytes.Equal(one.Entry, earlier.Entry):
			continue
		default:
			one.Change = Changed
		}
		items = append(items, Item(one))
	}
	for _, one := range from {
		if _, gone := former[one.UUID]; gone {
			items = append(items, Item{Change: Left, UUID: one.UUID, EventUUID: one.EventUUID})
		}
	}
	return items, nil
}

// shown is an Item without its change.
type shown Item

// found returns what the search shows of an entity in a state.
func (f Filter) found(e *entity) ([]shown, error) {
	docs, err := e.docs()
	if err != nil {
		return nil, err
	}
	var all []shown
	for _, d := range docs {
		if f.finds(d) {
			all = append(all, shown{UUID: d.id, EventUUID: d.event, Entry: d.entry})
		}
	}
	return all, nil
}

// asEvent returns the event of dates that are in order: its first date stands for it.
func asEvent(dates []shown) []shown {
	if len(dates) == 0 {
		return nil
	}
	return []shown{{UUID: dates[0].EventUUID, DateCount: len(dates), Entry: dates[0].Entry}}
}
