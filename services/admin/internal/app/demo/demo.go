// Package demo generates a catalogue of plausible events around a day, for demonstrations and for
// trying searches: cities in Germany, Denmark and Scotland, their organizations, venues and
// regions, and programmes in three languages.
//
// The catalogue of a day is always the same. On another day the same events have later dates, so
// that filling in the demo again updates it instead of adding to it. Places and people are
// invented; streets and coordinates are real.
package demo

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// Catalogue is the result of Generate; in each list referenced entities come first.
type Catalogue struct {
	Regions       []rules.Region
	Organizations []rules.Organization
	Venues        []rules.Venue
	Spaces        []rules.Space
	Labels        []rules.Label
	Series        []rules.Series
	Contributors  []rules.Contributor
	Events        []rules.Event

	posters map[string]int // which one an image shows, by its uuid
}

// Generate returns the catalogue around day; only its date counts.
func Generate(day time.Time) Catalogue {
	g := &generator{today: time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)}
	g.made.posters, g.made.Labels, g.made.Contributors = map[string]int{}, slices.Clone(labels), contributors()
	for _, r := range wideRegions {
		g.addRegion(r.countrySlug, r.countryName, r.stateSlug, r.stateName, r.slug, r.name,
			box(r.south, r.west, r.north, r.east))
	}
	for _, c := range cities {
		g.addCity(c)
	}
	return g.made
}

type generator struct {
	today time.Time
	made  Catalogue
}

// addCity adds a city's region, organizations, venues with spaces, and the programme of its venues.
func (g *generator) addCity(c city) {
	g.addRegion(c.countrySlug, c.countryName, c.stateSlug, c.stateName, c.slug, c.name, circle(c.lat, c.lon, c.radiusKM))
	var hosts []host
	for i, p := range c.places {
		org := g.addOrganization(c, p)
		venue := g.addVenue(c, p, org)
		hosts = append(hosts, host{city: c, place: p, org: org, venue: venue, spaces: g.addSpaces(c, p, venue, i)})
	}
	first := len(g.made.Events)
	for i, h := range hosts {
		g.addProgramme(h, hosts[(i+1)%len(hosts)])
	}
	g.addFestival(c, hosts, first)
}

func (g *generator) addRegion(
	countrySlug, countryName, stateSlug, stateName, slug, name string, geometry json.RawMessage,
) {
	g.made.Regions = append(g.made.Regions, rules.Region{
		CountrySlug: countrySlug, CountryName: value.Text(countryName),
		StateSlug: stateSlug, StateName: value.Text(stateName),
		RegionSlug: slug, Name: name, Geometry: geometry,
	})
}

func (g *generator) addOrganization(c city, p place) string {
	id := identity("organization", c.slug, p.name)
	lat, lon := p.lat, p.lon
	g.made.Organizations = append(g.made.Organizations, rules.Organization{
		UUID: id, Name: organizationName(c, p), LegalForm: value.Text(p.form), Nonprofit: pointer(p.form != "limited"),
		Description:  value.Text(fill(words[c.language].aboutHost, c, p)),
		ContactEmail: value.Text("info@" + domain(c, p)), WebLink: value.Text("https://www." + domain(c, p)),
		Street: value.Text(p.street), HouseNumber: value.Text(p.number), PostalCode: value.Text(p.postal),
		City: value.Text(c.name), State: value.Text(c.state), Country: value.Text(c.country), Lat: &lat, Lon: &lon,
	})
	return id
}

func (g *generator) addVenue(c city, p place, org string) string {
	id := identity("venue", c.slug, p.name)
	lat, lon := p.lat, p.lon
	g.made.Venues = append(g.made.Venues, rules.Venue{
		UUID: id, OrgUUID: org, Name: p.name, Description: value.Text(fill(words[c.language].aboutVenue, c, p)),
		ContactEmail: value.Text("info@" + domain(c, p)), WebLink: value.Text("https://www." + domain(c, p)),
		Street: value.Text(p.street), HouseNumber: value.Text(p.number), PostalCode: value.Text(p.postal),
		City: value.Text(c.name), State: value.Text(c.state), Country: value.Text(c.country),
		Lat: &lat, Lon: &lon, Timezone: value.Text(c.timezone),
		Hours:              openings(),
		AccessibilityFlags: accessibility(chance(id)),
	})
	return id
}

func (g *generator) addSpaces(c city, p place, venue string, turn int) []string {
	var ids []string
	for i, room := range rooms[p.kind] {
		id := identity("space", venue, room.key)
		ids = append(ids, id)
		seats := room.capacity + 10*turn
		g.made.Spaces = append(g.made.Spaces, rules.Space{
			UUID: id, VenueUUID: venue, Name: room.name[c.language], SpaceType: value.Text(room.key),
			BuildingLevel: pointer(i), TotalCapacity: &seats, SeatingCapacity: pointer(seats / 2),
			AccessibilityFlags: accessibility(chance(id)),
		})
	}
	return ids
}

// accessibility returns a plausible set of flags, or nil for a place without information.
func accessibility(r *rand.Rand) *value.Mask {
	if r.IntN(5) == 0 {
		return nil
	}
	var mask value.Mask
	for _, bit := range []int{0, 1, 2, 4, 5, 7, 16, 26, 37, 44} {
		if r.IntN(2) == 0 {
			mask |= 1 << bit
		}
	}
	return &mask
}

// identity returns the uuid of a name: always the same, of version 7, with a fixed timestamp in
// 2025.
func identity(parts ...string) string {
	digest := sha256.New()
	for _, part := range parts {
		digest.Write([]byte(part + "\x00"))
	}
	var id uuid.UUID
	copy(id[:], digest.Sum(nil))
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(time.Date(2025, 1, 6, 8, 0, 0, 0, time.UTC).UnixMilli()))
	copy(id[:6], stamp[2:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// chance returns the random numbers of a name, seeded by it: always the same.
func chance(name string) *rand.Rand {
	sum := fnv.New64a()
	sum.Write([]byte(name))
	return rand.New(rand.NewPCG(sum.Sum64(), 1))
}

// circle returns a polygon of twelve corners around a point.
func circle(lat, lon, radiusKM float64) json.RawMessage {
	const corners, kmPerDegree = 12, 111.2
	ring := make([][2]float64, 0, corners+1)
	for i := range corners {
		angle := 2 * math.Pi * float64(i) / corners
		ring = append(ring, [2]float64{
			round(lon+radiusKM*math.Cos(angle)/kmPerDegree/math.Cos(lat*math.Pi/180), 5),
			round(lat+radiusKM*math.Sin(angle)/kmPerDegree, 5),
		})
	}
	return polygon(append(ring, ring[0]))
}

func box(south, west, north, east float64) json.RawMessage {
	return polygon([][2]float64{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}})
}

func polygon(ring [][2]float64) json.RawMessage {
	geometry, err := json.Marshal(struct {
		Type        string         `json:"type"`
		Coordinates [][][2]float64 `json:"coordinates"`
	}{"Polygon", [][][2]float64{ring}})
	if err != nil {
		panic(err) // numbers of this size always encode
	}
	return geometry
}

func round(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

func pointer[T any](v T) *T { return &v }
