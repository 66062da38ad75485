package generate

import (
	"strconv"
	"time"

	"litfass/deploy/e2e/reference"
)

// Query is one request of the event search and how it is sent.
type Query struct {
	Parameters reference.Parameters
	Post       bool // as a JSON body
	Slash      bool // with a slash after the path
	Repeat     bool // lists as a repeated parameter instead of with commas
}

// Queries draws queries about one catalogue. Most values are taken from one of its dates, so that
// the query finds at least that date, or from another one, so that it often does not.
type Queries struct {
	random
	dates   []*reference.Dated
	regions []*reference.Region
	portals []*reference.Portal
	lists   []*reference.List
	today   time.Time
}

// NewQueries returns the queries of a seed about the dates that the reference holds.
func NewQueries(seed uint64, r *reference.Reference, c *reference.Catalogue, today time.Time) *Queries {
	return &Queries{random: newRandom(seed), dates: r.Dates(), regions: c.Regions, portals: c.Portals, lists: c.Lists, today: today}
}

// maker draws a value of one parameter that the date meets; empty when none can be said.
type maker struct {
	name string
	draw func(*Queries, *reference.Dated) string
}

// makers are the parameters of the search (RULES.md, Search). Some set more than their own
// parameter: see Next.
var makers = []maker{
	{"start", func(q *Queries, d *reference.Dated) string { return q.near(d.Date.StartDate, -40) }},
	{"end", func(q *Queries, d *reference.Dated) string { return q.near(lastDay(d), 40) }},
	{"on", (*Queries).on},
	{"starts_before", func(q *Queries, d *reference.Dated) string { return q.near(d.Date.StartDate, 40) }},
	{"not_over", func(q *Queries, _ *reference.Dated) string { return pick(q.random, []string{"true", "true", "false"}) }},
	{"time", (*Queries).time},
	{"title", (*Queries).title},
	{"venue", func(q *Queries, d *reference.Dated) string { return q.pattern(venue(d).Name) }},
	{"postal_code", (*Queries).postalCodes},
	{"city", func(q *Queries, d *reference.Dated) string { return q.pattern(string(venue(d).City)) }},
	{"categories", func(q *Queries, d *reference.Dated) string { return q.numbers(d.Event.Categories, 1, 6) }},
	{"tags", (*Queries).tags},
	{"label", (*Queries).labels},
	{"availability", func(q *Queries, d *reference.Dated) string {
		return q.keys(string(d.Date.Availability), availabilities)
	}},
	{"available", func(q *Queries, _ *reference.Dated) string { return pick(q.random, []string{"true", "true", "false"}) }},
	{"contributor", (*Queries).contributors},
	{"languages", (*Queries).languages},
	{"release_statuses", func(q *Queries, d *reference.Dated) string { return q.keys(d.Status, publicStatuses) }},
	{"event_types", func(q *Queries, d *reference.Dated) string { return q.numbers(typesOf(d), 1, 63) }},
	{"genres", func(q *Queries, d *reference.Dated) string { return q.numbers(genresOf(d), 1001, 1033) }},
	{"space_types", func(q *Queries, d *reference.Dated) string { return q.keys(spaceType(d), spaceTypes) }},
	{"countries", (*Queries).countries},
	{"search", (*Queries).search},
	{"age", (*Queries).age},
	{"price", (*Queries).price},
	{"price_types", (*Queries).priceTypes},
	{"accessibility", func(q *Queries, d *reference.Dated) string { return q.bits(d.Place.Accessibility()) }},
	{"visitor_infos", func(q *Queries, d *reference.Dated) string { return q.bits(d.Event.VisitorInfoFlags) }},
	{"radius", (*Queries).radius},
	{"geolist_region", (*Queries).region},
	{"org_uuids", func(q *Queries, d *reference.Dated) string {
		return q.uuids(d.Event.OrgUUID, func(d *reference.Dated) string { return d.Event.OrgUUID })
	}},
	{"venue_uuids", func(q *Queries, d *reference.Dated) string {
		return q.uuids(venue(d).UUID, func(d *reference.Dated) string { return venue(d).UUID })
	}},
	{"event_uuids", func(q *Queries, d *reference.Dated) string {
		return q.uuids(d.Event.UUID, func(d *reference.Dated) string { return d.Event.UUID })
	}},
	{"series_uuids", (*Queries).series},
	{"portal", (*Queries).inPortal},
	{"list", (*Queries).inList},
	{"space_uuids", func(q *Queries, d *reference.Dated) string { return q.uuids(spaceUUID(d), spaceUUID) }},
}

// Next draws a query of up to six filters, a page, and a way to send it.
func (q *Queries) Next() Query {
	p := reference.Parameters{}
	target := pick(q.random, q.dates)
	for _, maker := range sample(q.random, makers, q.between(1, 6)) {
		date := target
		if q.chance(20) {
			date = pick(q.random, q.dates)
		}
		if value := maker.draw(q, date); value != "" {
			p[maker.name] = value
		}
	}
	if p["radius"] != "" {
		q.centre(p, target)
	}
	if p["event_types"] != "" {
		delete(p, "genres") // only one of the two may be given
	}
	if p["start"] != "" && q.chance(40) {
		p["ongoing"] = pick(q.random, []string{"true", "false"})
	}
	if name := pick(q.random, makers).name; p[name] == "" && q.chance(10) {
		p[name] = "" // an empty value counts as absent
	}
	if q.chance(50) {
		p["lang"] = pick(q.random, []string{"de", "da", "en", "de-DE", "DA"})
	}
	q.page(p)
	return Query{Parameters: p, Post: q.chance(20) || tooLongForURL(p), Slash: q.chance(50), Repeat: q.chance(20)}
}

// tooLongForURL keeps request lines under what servers commonly accept.
func tooLongForURL(p reference.Parameters) bool {
	size := 0
	for _, value := range p {
		size += len(value)
	}
	return size > 1000
}

// page adds limit, offset, the cursor pair and the sort order, as far as they may go together.
func (q *Queries) page(p reference.Parameters) {
	if q.chance(50) {
		p["limit"] = strconv.Itoa(pick(q.random, []int{1, 2, 7, 20, 50, 200}))
	}
	if ((p["search"] != "" || p["list"] != "") && q.chance(60)) || q.chance(5) {
		p["sort"] = "start"
	}
	if q.chance(20) {
		p["total"] = pick(q.random, []string{"true", "true", "false"})
	}
	switch mayUseCursor := p["search"] == "" && p["list"] == "" || p["sort"] == "start"; {
	case mayUseCursor && q.chance(25):
		p["last_event_start_at"], p["last_event_date_uuid"] = q.cursor()
	case q.chance(30):
		p["offset"] = strconv.Itoa(pick(q.random, []int{0, 1, 3, 20, 400, 10000}))
	}
}

// cursor points at a date, whether the query finds it or not, or between two.
func (q *Queries) cursor() (startAt, uuid string) {
	date := pick(q.random, q.dates)
	if q.chance(20) {
		return date.StartAt(), q.uuid()
	}
	return date.StartAt(), date.Date.UUID
}

// NextVenues draws filters of GET /api/venues.
func (q *Queries) NextVenues() reference.Parameters {
	p := reference.Parameters{}
	target := pick(q.random, q.dates)
	own := venue(target)
	for _, name := range sample(q.random, []string{
		"name", "city", "postal_code", "countries", "radius", "geolist_region", "org_uuids", "venue_uuids", "accessibility",
	}, q.between(0, 3)) {
		switch name {
		case "name":
			p[name] = q.pattern(own.Name)
		case "city":
			p[name] = q.pattern(string(own.City))
		case "postal_code":
			p[name] = q.postalCodes(target)
		case "countries":
			p[name] = q.countries(target)
		case "radius":
			p[name] = q.radius(target)
			q.centre(p, target)
		case "geolist_region":
			p[name] = q.region(target)
		case "org_uuids":
			p[name] = q.uuids(own.OrgUUID, func(d *reference.Dated) string { return venue(d).OrgUUID })
		case "venue_uuids":
			p[name] = q.uuids(own.UUID, func(d *reference.Dated) string { return venue(d).UUID })
		case "accessibility":
			p[name] = q.bits(own.AccessibilityFlags)
		}
	}
	return p
}
