package reference

import (
	"slices"
	"strconv"
	"strings"
)

// Parameters are the query parameters of one request, by name. An empty value counts as absent.
// They must be valid: the reference computes results, not refusals, and panics on parameters that
// it cannot read.
type Parameters map[string]string

// filter is one condition that a date meets or not.
type filter func(*Dated) bool

// filters returns the conditions of all parameters; a date is found when it meets every one.
func (r *Reference) filters(p Parameters, today string) []filter {
	var filters []filter
	add := func(name string, build func(value string) filter) {
		if value := p[name]; value != "" {
			filters = append(filters, build(value))
		}
	}
	add("start", func(v string) filter { return startsFrom(day(v, today), p["ongoing"] == "true") })
	add("end", func(v string) filter { return endsBy(day(v, today)) })
	add("on", func(v string) filter { return runsOn(days(v, today)) })
	add("starts_before", func(v string) filter { return startsBy(day(v, today)) })
	if p["not_over"] == "true" {
		filters = append(filters, r.notOver())
	}
	add("time", func(v string) filter { return atTime(v, p["on"], today) })
	add("title", func(v string) filter { return titled(pattern(v)) })
	add("venue", func(v string) filter { return on(pattern(v), func(d *Dated) string { return d.venue }) })
	add("city", func(v string) filter { return on(pattern(v), func(d *Dated) string { return d.city }) })
	add("postal_code", func(v string) filter { return on(patterns(v), func(d *Dated) string { return d.postal }) })
	add("search", func(v string) filter { return on(everyWord(v), func(d *Dated) string { return d.words }) })
	add("categories", inCategories)
	add("tags", hasTag)
	add("label", hasLabel)
	add("availability", func(v string) filter { return oneOf(v, func(d *Dated) string { return string(d.Date.Availability) }) })
	if p["available"] == "true" {
		filters = append(filters, isAvailable)
	}
	add("contributor", r.hasContributor)
	add("languages", inLanguage)
	add("release_statuses", func(v string) filter { return oneOf(v, func(d *Dated) string { return d.Status }) })
	add("event_types", hasType)
	add("genres", hasGenre)
	add("space_types", inSpaceType)
	add("countries", inCountry)
	add("age", suitsAge)
	add("price", costsAtMost)
	add("price_types", func(v string) filter { return oneOf(v, func(d *Dated) string { return d.priceType() }) })
	add("accessibility", isAccessible)
	add("visitor_infos", informsVisitors)
	add("geolist_region", r.inRegion)
	add("org_uuids", func(v string) filter { return oneOf(v, func(d *Dated) string { return d.Event.OrgUUID }) })
	add("venue_uuids", func(v string) filter { return oneOf(v, venueUUID) })
	add("event_uuids", func(v string) filter { return oneOf(v, func(d *Dated) string { return d.Event.UUID }) })
	add("space_uuids", func(v string) filter { return oneOf(v, spaceUUID) })
	add("series_uuids", r.inSeries)
	add("list", func(v string) filter { return r.list(v).Has })
	add("portal", func(v string) filter { return r.inPortal(v, today) })
	if p["lon"] != "" && p["lat"] != "" && p["radius"] != "" {
		within := withinRadius(p)
		filters = append(filters, func(d *Dated) bool { return d.Place.Venue != nil && within(d.Place.Venue) })
	}
	return filters
}

// titled asks a question about the title in any language.
func titled(met func(folded string) bool) filter {
	return func(d *Dated) bool { return slices.ContainsFunc(d.titles, met) }
}

// on asks a question about one text of a date.
func on(met func(folded string) bool, text func(*Dated) string) filter {
	return func(d *Dated) bool { return met(text(d)) }
}

// startsFrom: start_date >= start; with ongoing, the end instead of the start.
func startsFrom(start string, ongoing bool) filter {
	return func(d *Dated) bool {
		if ongoing {
			return d.endDay() >= start
		}
		return d.Date.StartDate >= start
	}
}

// endsBy: coalesce(end_date, start_date) <= end.
func endsBy(end string) filter {
	return func(d *Dated) bool { return d.endDay() <= end }
}

// startsBy: start_date <= day.
func startsBy(day string) filter {
	return func(d *Dated) bool { return d.Date.StartDate <= day }
}

// runsOn: start_date <= to and coalesce(end_date, start_date) >= from; with opening hours, open on
// one of the days.
func runsOn(from, to string) filter {
	return func(d *Dated) bool { return d.runsOn(from, to) }
}

// startsBetween reads "a,b" or "a-b", both inclusive; a > b wraps past midnight; all-day dates
// never match.
func startsBetween(value string) filter {
	from, to, _ := strings.Cut(strings.Replace(value, "-", ",", 1), ",")
	a, b := clock(from), clock(to)
	return func(d *Dated) bool {
		if d.Date.AllDay {
			return false
		}
		t := string(d.Date.StartTime)
		if a > b {
			return t >= a || t <= b
		}
		return a <= t && t <= b
	}
}

// clock turns "H", "HH" or "HHMM" into "HH:MM"; "24:00" comes after every start.
func clock(value string) string {
	switch len(value) {
	case 1:
		return "0" + value + ":00"
	case 2:
		return value + ":00"
	case 4:
		return value[:2] + ":" + value[2:]
	}
	panic("time " + value)
}

func inCategories(value string) filter {
	wanted := numbers(value)
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.Categories, func(c int) bool { return slices.Contains(wanted, c) })
	}
}

func hasTag(value string) filter {
	wanted := strings.Split(Fold(value), ",")
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.tags, func(tag string) bool { return slices.Contains(wanted, tag) })
	}
}

func hasLabel(value string) filter {
	wanted := strings.Split(value, ",")
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.Labels, func(key string) bool { return slices.Contains(wanted, key) })
	}
}

// isAvailable: there are places, as the date states, and it takes place.
func isAvailable(d *Dated) bool {
	switch d.Date.Availability {
	case "available", "few_left", "free_entry":
		return d.Status != "cancelled" && d.Status != "deferred"
	}
	return false
}

// hasContributor finds a contributor also by the uuid of one that was merged into it.
func (r *Reference) hasContributor(value string) filter {
	wanted := strings.Split(strings.ToLower(value), ",")
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.Contributors, func(p Participant) bool {
			known := []string{p.UUID}
			if c := r.contributors[p.UUID]; c != nil {
				known = append(known, c.FormerUUIDs...)
			}
			return slices.ContainsFunc(known, func(uuid string) bool { return slices.Contains(wanted, uuid) })
		})
	}
}

func inLanguage(value string) filter {
	wanted := strings.Split(strings.ToLower(value), ",")
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.Languages, func(code string) bool { return slices.Contains(wanted, code) })
	}
}

func hasType(value string) filter {
	wanted := numbers(value)
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.EventTypes, func(t EventType) bool { return slices.Contains(wanted, t.TypeID) })
	}
}

func hasGenre(value string) filter {
	wanted := numbers(value)
	return func(d *Dated) bool {
		return slices.ContainsFunc(d.Event.EventTypes, func(t EventType) bool { return slices.Contains(wanted, t.GenreID) })
	}
}

func inSpaceType(value string) filter {
	wanted := strings.Split(value, ",")
	return func(d *Dated) bool {
		return d.Place.Space != nil && slices.Contains(wanted, string(d.Place.Space.SpaceType))
	}
}

func inCountry(value string) filter {
	wanted := strings.Split(strings.ToUpper(value), ",")
	return func(d *Dated) bool {
		return d.Place.Venue != nil && slices.Contains(wanted, string(d.Place.Venue.Country))
	}
}

// suitsAge reads "n" or "a,b": both must lie inside the bounds; a missing bound is open, no bound
// at all matches nothing.
func suitsAge(value string) filter {
	ages := numbers(value)
	return func(d *Dated) bool {
		from, to := d.Event.MinAge, d.Event.MaxAge
		if from == nil && to == nil {
			return false
		}
		return (from == nil || *from <= slices.Min(ages)) && (to == nil || slices.Max(ages) <= *to)
	}
}

// costsAtMost reads "free", "donation" or "amount,currency"; the last also finds free events of any
// currency.
func costsAtMost(value string) filter {
	text, currency, hasAmount := strings.Cut(value, ",")
	if !hasAmount {
		return func(d *Dated) bool { return d.priceType() == value }
	}
	amount := number(text)
	return func(d *Dated) bool {
		kind, low, _ := d.Price()
		return kind == "free" || low != nil && *low <= amount && string(d.Money()) == currency
	}
}

// isAccessible: all bits are set in the flags of the place; an unset mask matches nothing.
func isAccessible(value string) filter {
	bits := numbers(value)
	return func(d *Dated) bool { return hasAll(d.Place.Accessibility(), bits) }
}

// Accessibility returns the flags of the space; if it has none, or there is no space, the venue's.
func (p Place) Accessibility() *Mask {
	if p.Space != nil && p.Space.AccessibilityFlags != nil {
		return p.Space.AccessibilityFlags
	}
	if p.Venue != nil {
		return p.Venue.AccessibilityFlags
	}
	return nil
}

func informsVisitors(value string) filter {
	bits := numbers(value)
	return func(d *Dated) bool { return hasAll(d.Event.VisitorInfoFlags, bits) }
}

func hasAll(mask *Mask, bits []int) bool {
	return !slices.ContainsFunc(bits, func(bit int) bool { return !mask.Has(bit) })
}

func oneOf(value string, of func(*Dated) string) filter {
	wanted := strings.Split(value, ",")
	return func(d *Dated) bool { return slices.Contains(wanted, of(d)) }
}

func venueUUID(d *Dated) string {
	if d.Place.Venue == nil {
		return ""
	}
	return d.Place.Venue.UUID
}

func spaceUUID(d *Dated) string {
	if d.Place.Space == nil {
		return ""
	}
	return d.Place.Space.UUID
}

// inRegion finds dates at venues whose point lies in the region; an unknown region finds nothing.
func (r *Reference) inRegion(value string) filter {
	contains := r.region(value)
	return func(d *Dated) bool { return d.Place.Venue != nil && contains(d.Place.Venue) }
}

func (r *Reference) region(value string) func(*Venue) bool {
	for _, region := range r.catalogue.Regions {
		if region.Slugs() == value {
			return func(v *Venue) bool { return v.Lat != nil && region.Geometry.Contains(Point{*v.Lon, *v.Lat}) }
		}
	}
	return func(*Venue) bool { return false }
}

// Slugs returns the region as geolist_region names it.
func (region *Region) Slugs() string {
	return region.CountrySlug + "," + region.StateSlug + "," + region.RegionSlug
}

func withinRadius(p Parameters) func(*Venue) bool {
	lat, lon, radius := number(p["lat"]), number(p["lon"]), number(p["radius"])
	return func(v *Venue) bool { return v.Lat != nil && Distance(lat, lon, *v.Lat, *v.Lon) <= radius }
}

func numbers(value string) []int {
	var numbers []int
	for part := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

func number(value string) float64 {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(err)
	}
	return n
}
