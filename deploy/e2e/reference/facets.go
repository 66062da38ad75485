package reference

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Facet is one value of a dimension with the number of dates, or events, that have it.
type Facet struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Dimensions are the dimensions of facets but day.
var Dimensions = append(slices.Sorted(maps.Keys(valuesBy)), "series_uuids")

// valuesBy returns the values of a date by dimension.
var valuesBy = map[string]func(*Dated) []string{
	"categories":       func(d *Dated) []string { return decimals(d.Event.Categories) },
	"event_types":      func(d *Dated) []string { return pairs(d, func(t EventType) int { return t.TypeID }) },
	"genres":           func(d *Dated) []string { return pairs(d, func(t EventType) int { return t.GenreID }) },
	"price_type":       func(d *Dated) []string { return []string{d.priceType()} },
	"languages":        func(d *Dated) []string { return d.Event.Languages },
	"accessibility":    func(d *Dated) []string { return setBits(d.Place.Accessibility()) },
	"visitor_infos":    func(d *Dated) []string { return setBits(d.Event.VisitorInfoFlags) },
	"space_types":      func(d *Dated) []string { return []string{spaceType(d)} },
	"city":             func(d *Dated) []string { return []string{countedCity(d)} },
	"countries":        func(d *Dated) []string { return []string{country(d)} },
	"tags":             func(d *Dated) []string { return d.Event.Tags },
	"label":            func(d *Dated) []string { return d.Event.Labels },
	"availability":     func(d *Dated) []string { return []string{string(d.Date.Availability)} },
	"contributor":      contributorsOf,
	"release_statuses": func(d *Dated) []string { return []string{d.Status} },
	"venue_uuids":      func(d *Dated) []string { return []string{venueUUID(d)} },
	"org_uuids":        func(d *Dated) []string { return []string{d.Event.OrgUUID} },
}

func contributorsOf(d *Dated) (values []string) {
	for _, p := range d.Event.Contributors {
		values = append(values, p.UUID)
	}
	return values
}

func decimals(numbers []int) (values []string) {
	for _, n := range numbers {
		values = append(values, strconv.Itoa(n))
	}
	return values
}

// pairs returns the parts of types, without 0.
func pairs(d *Dated, of func(EventType) int) (values []string) {
	for _, t := range d.Event.EventTypes {
		if id := of(t); id != 0 {
			values = append(values, strconv.Itoa(id))
		}
	}
	return values
}

func setBits(mask *Mask) (bits []string) {
	for bit := range 64 {
		if mask.Has(bit) {
			bits = append(bits, strconv.Itoa(bit))
		}
	}
	return bits
}

func spaceType(d *Dated) string {
	if d.Place.Space == nil {
		return ""
	}
	return string(d.Place.Space.SpaceType)
}

func country(d *Dated) string {
	if d.Place.Venue == nil {
		return ""
	}
	return string(d.Place.Venue.Country)
}

// countedCity returns the city, unless its name is too long to be counted: lower-case letters and
// digits take a byte of 460, others four.
func countedCity(d *Dated) string {
	if d.Place.Venue == nil {
		return ""
	}
	city := string(d.Place.Venue.City)
	plain := strings.Count(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return '.'
		}
		return ' '
	}, city), ".")
	if plain+4*(utf8.RuneCountInString(city)-plain) > 460 {
		return ""
	}
	return city
}

// Total returns the number of dates in a result, or of events with group=event.
func (r *Reference) Total(p Parameters, today string) int {
	found := r.Events(p, today).Found
	if p["group"] == "event" {
		return len(Grouped(found))
	}
	return len(found)
}

// unit returns what a request counts: dates, or with group=event their events.
func unit(p Parameters) func(*Dated) string {
	if p["group"] == "event" {
		return func(d *Dated) string { return d.Event.UUID }
	}
	return func(d *Dated) string { return d.Date.UUID }
}

// Facets counts for each dimension the result of a search without the filter of the dimension
// itself, the most frequent values first. Bits are counted with that filter, as all are needed.
func (r *Reference) Facets(p Parameters, today string) map[string][]Facet {
	all := r.Events(p, today).Found
	facets := make(map[string][]Facet, len(Dimensions))
	for _, dimension := range Dimensions {
		less := maps.Clone(p)
		switch dimension {
		case "accessibility", "visitor_infos":
		case "price_type":
			delete(less, "price_types")
			if !strings.Contains(less["price"], ",") {
				delete(less, "price")
			}
		default:
			delete(less, dimension)
		}
		found := all
		if len(less) < len(p) {
			found = r.Events(less, today).Found
		}
		values := valuesBy[dimension]
		if dimension == "series_uuids" {
			values = r.seriesUUIDs
		}
		facets[dimension] = countBy(dimension, values, found, unit(p))
	}
	return facets
}

// countBy counts what is found by the values of a dimension. An event whose dates spell a city
// differently counts for the first of these spellings in order.
func countBy(dimension string, values func(*Dated) []string, found []*Dated, unit func(*Dated) string) []Facet {
	spelled := map[[2]string]string{} // by unit and folded text
	for _, d := range found {
		seen := map[string]bool{}
		for _, value := range values(d) {
			folded := value
			if dimension == "city" || dimension == "tags" {
				folded = Fold(value)
			}
			if value == "" || seen[folded] {
				continue
			}
			seen[folded] = true
			key := [2]string{unit(d), folded}
			if known, counted := spelled[key]; !counted || value < known {
				spelled[key] = value
			}
		}
	}
	spellings := map[string]map[string]int{} // by folded text
	for key, value := range spelled {
		if spellings[key[1]] == nil {
			spellings[key[1]] = map[string]int{}
		}
		spellings[key[1]][value]++
	}
	facets := []Facet{}
	for _, counts := range spellings {
		facets = append(facets, together(counts))
	}
	slices.SortFunc(facets, func(a, b Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), compareNumbers(a.Value, b.Value), cmp.Compare(a.Value, b.Value))
	})
	return facets
}

// together counts the spellings of a text as the most frequent one.
func together(counts map[string]int) (f Facet) {
	most := 0
	for _, spelling := range slices.Sorted(maps.Keys(counts)) {
		f.Count += counts[spelling]
		if counts[spelling] > most {
			f.Value, most = spelling, counts[spelling]
		}
	}
	return f
}

// compareNumbers orders whole numbers by size; other texts are equal to it.
func compareNumbers(a, b string) int {
	x, xErr := strconv.Atoi(a)
	y, yErr := strconv.Atoi(b)
	if xErr != nil || yErr != nil {
		return 0
	}
	return cmp.Compare(x, y)
}

// Histogram counts the dates, or with group=event the events, that run on each day of a window,
// those with opening hours at the time of the parameters; ok is false when these name none of 1 to
// 62 days.
func (r *Reference) Histogram(p Parameters, today string) (counts []Facet, ok bool) {
	from, to := today, ""
	if p["start"] != "" {
		from = day(p["start"], today)
	}
	for _, name := range []string{"end", "starts_before"} {
		if p[name] != "" && (to == "" || day(p[name], today) < to) {
			to = day(p[name], today)
		}
	}
	switch {
	case to == "":
		to = move(from, 61)
	case p["start"] == "" && to < today:
		from = move(to, -61)
	}
	if p["on"] != "" {
		from, to = days(p["on"], today)
	}
	if to < from || to > move(from, 61) {
		return nil, false
	}
	found := r.Events(p, today).Found
	for at := parse(from); at.Format(time.DateOnly) <= to; at = at.AddDate(0, 0, 1) {
		counted, units := Facet{Value: at.Format(time.DateOnly)}, map[string]bool{}
		inTime := func(*Dated) bool { return true }
		if p["time"] != "" {
			inTime = atTime(p["time"], counted.Value, today)
		}
		for _, d := range found {
			if d.runsOn(counted.Value, counted.Value) && inTime(d) {
				units[unit(p)(d)] = true
			}
		}
		counted.Count = len(units)
		counts = append(counts, counted)
	}
	return counts, true
}

// Group is an event, or a series, with its first date among some, and their number.
type Group struct {
	First *Dated
	Dates int
}

// Grouped returns the events of dates, each at the place of its first one.
func Grouped(dates []*Dated) []Group {
	return grouped(dates, func(d *Dated) string { return d.Event.UUID })
}

func grouped(dates []*Dated, by func(*Dated) string) (groups []Group) {
	at := map[string]int{}
	for _, d := range dates {
		n, known := at[by(d)]
		if !known {
			n = len(groups)
			at[by(d)] = n
			groups = append(groups, Group{First: d})
		}
		groups[n].Dates++
	}
	return groups
}
