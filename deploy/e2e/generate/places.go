package generate

import (
	"fmt"
	"math"
	"strings"

	"litfass/deploy/e2e/reference"
)

// regions have a hole, overlaps, an inlet, parts on both sides of the antimeridian, and a pole.
// Their corners have exact binary coordinates, so that a point on a border is on it in every
// arithmetic.
func regions() []*reference.Region {
	box := func(west, south, east, north float64) reference.Ring {
		return reference.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
	}
	one := func(rings ...reference.Ring) reference.Geometry {
		return reference.Geometry{Polygons: []reference.Polygon{rings}}
	}
	inlet := reference.Ring{{8, 50}, {12, 50}, {12, 54}, {10, 54}, {10, 52}, {9, 52}, {9, 54}, {8, 54}, {8, 50}}
	region := func(country, state, slug, name string, geometry reference.Geometry) *reference.Region {
		return &reference.Region{CountrySlug: country, StateSlug: state, RegionSlug: slug, Name: name, Geometry: geometry}
	}
	return []*reference.Region{
		region("deutschland", "sachsen", "ring", "Ring um den Markt", one(box(12, 50, 14, 52), box(12.5, 50.5, 13.5, 51.5))),
		region("deutschland", "sachsen", "markt", "Markt", one(box(12.75, 50.75, 13.25, 51.25))),
		region("deutschland", "nord", "bucht", "Bucht", one(inlet)),
		region("danmark", "syddanmark", "fyn", "Fyn & øer", one(box(9.75, 55, 10.75, 55.625))),
		region("fiji", "north", "antimeridian", "Both sides", reference.Geometry{Polygons: []reference.Polygon{
			{box(177, -19, 180, -16)}, {box(-180, -19, -178, -16)},
		}}),
		region("polar", "north", "cap", "North cap", one(box(-180, 85, 180, 90))),
	}
}

// spots are coordinates worth asking for: corners, borders and holes of the regions, the
// antimeridian and the poles.
var spots = [][2]float64{
	{50, 12}, {52, 14}, {50.5, 13}, {51, 12.5}, {51, 13}, {51.5, 13.5}, {51, 12.25}, {51.25, 13}, {50.75, 12.75}, {51, 13.9999999},
	{53, 9.5}, {53, 8.5}, {52, 9.5}, {54, 11}, {53, 10}, {50, 8}, {55.25, 10.25}, {55.40375, 10.40237},
	{-17, 179.9999}, {-17, -179.9999}, {-17, 180}, {-17, -180}, {-18.5, 177}, {-18.5, -177.5},
	{90, 0}, {89.9999, 120}, {-90, 0}, {85, 20}, {0, 0}, {51.0504, 13.7373}, {52.52, 13.405}, {48.8566, 2.3522},
}

type address struct{ postal, city, state, country, timezone string }

var addresses = []address{
	{"01067", "Dresden", "SN", "DEU", "Europe/Berlin"}, {"01099", "DRESDEN", "SN", "DEU", "Europe/Berlin"},
	{"50667", "Köln", "NW", "DEU", "Europe/Berlin"}, {"50668", "Ko\u0308ln", "NW", "DEU", "Europe/Berlin"}, {"00000", "Koln", "NW", "DEU", ""},
	{"06667", "Weißenfels", "ST", "DEU", "Europe/Berlin"}, {"06667", "WEISSENFELS", "ST", "DEU", ""},
	{"15230", "Frankfurt (Oder)", "BB", "DEU", "Europe/Berlin"}, {"60311", "Frankfurt", "HE", "DEU", "Europe/Berlin"},
	{"5000", "Odense C", "SD", "DNK", "Europe/Copenhagen"}, {"8000", "Århus", "MJ", "DNK", "Europe/Copenhagen"}, {"8000", "Aarhus", "MJ", "DNK", ""},
	{"34000", "İzmir", "", "TUR", "Europe/Istanbul"}, {"34001", "izmir", "", "TUR", ""}, {"604-8571", "京都", "", "JPN", "Asia/Tokyo"},
	{"SW1A 1AA", "London", "", "GBR", "Europe/London"}, {"sw1a 1ab", "london", "", "GBR", ""}, {"90-001", "Łódź", "", "POL", "Europe/Warsaw"},
	{"63366", `O'Fallon "The City"`, "", "USA", ""}, {"*123", "*City*", "", "USA", ""}, {"75001", "Paris", "", "FRA", "Europe/Paris"},
	{"", "Nowhere", "", "", ""}, {"1234", "", "", "FJI", "Pacific/Fiji"}, {"", "", "", "", ""},
}

// spaceTypes are some keys of the value set.
var spaceTypes = []string{"hall", "tent", "church", "theater_hall", "multifunctional_room", "garden", "cafe", "sports_hall"}

func (r random) organization(n int) *reference.Organization {
	o := &reference.Organization{UUID: r.uuid(), Name: fmt.Sprintf("%s %d", r.orgName(), n)}
	if r.chance(50) {
		o.WebLink, o.City, o.Country = "https://example.org/?a=1&b=2", "Köln", "DEU"
		o.ContactEmail, o.ContactPhone = "post@example.org", "+49 221 1"
	}
	return o
}

// orgName returns a text without the space of zero width, which the name of an organization and the
// title of a series must not hold.
func (r random) orgName() string { return strings.ReplaceAll(r.text(), "\u200b", "") }

func (r random) venue(org *reference.Organization) *reference.Venue {
	at := pick(r, addresses)
	v := &reference.Venue{
		UUID: r.uuid(), OrgUUID: org.UUID, Name: r.text(),
		PostalCode: reference.Text(at.postal), City: reference.Text(at.city), State: reference.Text(at.state),
		Country: reference.Text(at.country), Timezone: reference.Text(at.timezone),
		AccessibilityFlags: r.mask(),
	}
	if r.chance(15) {
		v.Name = r.rare(v.Name)
	}
	if r.chance(60) {
		v.Street, v.HouseNumber = reference.Text(r.text()), "12a"
	}
	if r.chance(90) {
		lat, lon := r.spot()
		v.Lat, v.Lon = &lat, &lon
	}
	if r.chance(30) {
		v.WikidataID, v.OSMID = pick(r, []reference.Text{"Q64", ""}), pick(r, []reference.Text{"way/123", "node/4", ""})
	}
	return v
}

// spot returns a point: one of the spots, one next to it, or anywhere with as many digits as a
// computer writes.
func (r random) spot() (lat, lon float64) {
	at := pick(r, spots)
	switch r.IntN(4) {
	case 0:
		return at[0], at[1]
	case 1:
		return 180*r.Float64() - 90, 360*r.Float64() - 180
	default:
		lat, lon = at[0]+r.NormFloat64()/2, at[1]+r.NormFloat64()/2
		return round(min(90, max(-90, lat))), round(min(180, max(-180, lon)))
	}
}

// round keeps seven decimals, as coordinates are usually given.
func round(degrees float64) float64 { return math.Round(degrees*1e7) / 1e7 }

func (r random) space(venue *reference.Venue) *reference.Space {
	s := &reference.Space{UUID: r.uuid(), VenueUUID: venue.UUID, Name: r.text(), AccessibilityFlags: r.mask()}
	if r.chance(80) {
		s.SpaceType = reference.Text(pick(r, spaceTypes))
	}
	return s
}

// mask returns an unset mask, an empty one, a full one, or some bits up to 63.
func (r random) mask() *reference.Mask {
	var mask reference.Mask
	switch r.IntN(6) {
	case 0, 1:
		return nil
	case 2:
		mask = 0
	case 3:
		mask = math.MaxUint64
	default:
		for range r.between(1, 6) {
			mask |= 1 << pick(r, []int{0, 1, 2, 3, 5, 7, 14, 31, 32, 47, 53, 62, 63})
		}
	}
	return &mask
}
