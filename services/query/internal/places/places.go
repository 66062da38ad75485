// Package places finds the venues in a circle or a region. It holds the points of all public venues
// and the polygons of all regions in memory; distances to some thousand points cost less than any
// index of the engine would.
package places

import (
	"slices"
	"strings"
	"sync"

	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// Venue is a public venue with a point.
type Venue struct {
	UUID string  `json:"id"`
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
}

// Map is the venues and regions of one moment. It is safe for concurrent use.
type Map struct {
	version uint64
	venues  []Venue // by uuid
	regions map[params.Region]*region
}

type region struct {
	area    area
	once    sync.Once
	members []string // uuids of the venues inside, once needed
}

func newMap(venues []Venue, areas map[params.Region]area) *Map {
	m := &Map{venues: slices.Clone(venues), regions: make(map[params.Region]*region, len(areas))}
	slices.SortFunc(m.venues, func(a, b Venue) int { return strings.Compare(a.UUID, b.UUID) })
	for name, area := range areas {
		m.regions[name] = &region{area: area}
	}
	return m
}

// parseRegions parses geometries; unreadable are the regions whose geometry is not a polygon.
func parseRegions(
	geometries map[params.Region][]byte,
) (areas map[params.Region]area, unreadable map[params.Region]error) {
	areas, unreadable = make(map[params.Region]area, len(geometries)), map[params.Region]error{}
	for name, geometry := range geometries {
		area, err := parseArea(geometry)
		if err != nil {
			unreadable[name] = err
			continue
		}
		areas[name] = area
	}
	return areas, unreadable
}

// Version is another number for each map of a store, from 1; it is 0 of no map.
func (m *Map) Version() uint64 {
	if m == nil {
		return 0
	}
	return m.version
}

// Allowed returns the venues in the query's circle and region, ordered by uuid. Without either, m
// may be nil.
func (m *Map) Allowed(circle *params.Circle, name *params.Region) filter.Places {
	allowed := filter.Places{Limited: circle != nil || name != nil}
	switch {
	case circle != nil && name != nil:
		allowed.Venues = both(m.inCircle(*circle), m.inRegion(*name))
	case circle != nil:
		allowed.Venues = m.inCircle(*circle)
	case name != nil:
		allowed.Venues = m.inRegion(*name)
	}
	return allowed
}

// Within reports whether a point is in a circle and a region, nil for any. Without a region, m may
// be nil.
func (m *Map) Within(circle *params.Circle, name *params.Region, lat, lon float64) bool {
	if circle != nil && !inCircle(*circle, lat, lon) {
		return false
	}
	if name == nil {
		return true
	}
	r := m.regions[*name]
	return r != nil && r.area.contains(lon, lat)
}

func (m *Map) inCircle(c params.Circle) (uuids []string) {
	for _, v := range m.venues {
		if inCircle(c, v.Lat, v.Lon) {
			uuids = append(uuids, v.UUID)
		}
	}
	return uuids
}

// inRegion finds nothing in an unknown region.
func (m *Map) inRegion(name params.Region) []string {
	r := m.regions[name]
	if r == nil {
		return nil
	}
	r.once.Do(func() {
		for _, v := range m.venues {
			if r.area.contains(v.Lon, v.Lat) {
				r.members = append(r.members, v.UUID)
			}
		}
	})
	return r.members
}

// both returns the intersection of two ascending lists.
func both(a, b []string) (common []string) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common = append(common, a[i])
			i, j = i+1, j+1
		}
	}
	return common
}
