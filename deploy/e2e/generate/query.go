package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	{"price_types", func(q *Queries, d *reference.Dated) string { return q.keys(d.Event.PriceType, priceTypes) }},
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

// series returns series and parts of the date, or now and then of others.
func (q *Queries) series(d *reference.Dated) string {
	if q.chance(20) {
		d = pick(q.random, q.dates)
	}
	uuids := []string{}
	for _, of := range d.Event.Series {
		uuids = append(uuids, of.SeriesUUID)
	}
	if d.Date.SeriesPart != "" && q.chance(60) {
		uuids = []string{string(d.Date.SeriesPart)}
	}
	if len(uuids) == 0 || q.chance(20) {
		uuids = append(uuids, q.uuid())
	}
	return q.list(uuids)
}

// title returns a pattern of the title in one of its languages.
func (q *Queries) title(d *reference.Dated) string {
	titles := []string{d.Event.Title}
	for _, language := range textLanguages {
		if title := d.Event.Texts[language].Title; title != "" {
			titles = append(titles, string(title))
		}
	}
	return q.pattern(pick(q.random, titles))
}

// inPortal returns the slug of a portal, "" without any.
func (q *Queries) inPortal(*reference.Dated) string {
	if len(q.portals) == 0 {
		return ""
	}
	return pick(q.random, q.portals).Slug
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

// near returns a day at most so many days away, or the word "today".
func (q *Queries) near(day string, most int) string {
	if q.chance(10) {
		return "today"
	}
	shift := 0
	if q.chance(70) {
		shift = q.between(min(most, 0), max(most, 0))
	}
	return shifted(day, shift)
}

// on returns a day on which the date runs, a range around it, or a word.
func (q *Queries) on(d *reference.Dated) string {
	if d.Date.Hours != nil && q.chance(80) { // a few days, or many, within the period or around its ends
		from := shifted(d.Date.StartDate, q.between(-5, 120))
		return from + "," + shifted(from, pick(q.random, []int{0, 0, 1, 3, 7, 13, 30, 31, 90}))
	}
	switch q.IntN(6) {
	case 0:
		return pick(q.random, []string{"today", "tomorrow", "weekend"})
	case 1:
		return q.near(d.Date.StartDate, 0)
	case 2:
		return lastDay(d)
	default:
		return shifted(d.Date.StartDate, -q.IntN(5)) + "," + shifted(lastDay(d), q.IntN(5))
	}
}

func shifted(day string, days int) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}

// time returns two times around the start, in one of the formats, sometimes past midnight.
func (q *Queries) time(d *reference.Dated) string {
	hour := q.IntN(24)
	if start := string(d.Date.StartTime); start != "" && q.chance(80) {
		if q.chance(30) { // exactly the start
			exact := strings.Replace(start, ":", "", 1)
			return exact + pick(q.random, []string{",", "-"}) + exact
		}
		hour, _ = strconv.Atoi(start[:2])
	}
	if h := d.Date.Hours; h != nil && len(h.Weekly) > 0 && q.chance(70) { // around an opening or an end
		opening := pick(q.random, h.Weekly)
		hour, _ = strconv.Atoi(pick(q.random, []string{opening.From, opening.To})[:2])
	}
	end := q.clock(hour + q.IntN(4))
	if q.chance(10) { // the end of the day
		end = pick(q.random, []string{"24", "2400"})
	}
	return q.clock(hour-q.IntN(4)) + pick(q.random, []string{",", "-"}) + end
}

func (q *Queries) clock(hour int) string {
	hour = (hour + 24) % 24
	switch {
	case q.chance(30):
		return fmt.Sprintf("%02d%02d", hour, pick(q.random, []int{0, 1, 29, 30, 59}))
	case hour < 10 && q.chance(50):
		return strconv.Itoa(hour)
	default:
		return fmt.Sprintf("%02d", hour)
	}
}

// numbers returns one of the numbers, when there are any, among others.
func (q *Queries) numbers(of []int, low, high int) string {
	if len(of) == 0 && q.chance(80) {
		return ""
	}
	values := []string{}
	if len(of) > 0 {
		values = append(values, strconv.Itoa(pick(q.random, of)))
	}
	for range q.between(0, 3) + max(0, 1-len(values)) {
		values = append(values, strconv.Itoa(q.between(low, high)))
	}
	return q.list(values)
}

func (q *Queries) keys(one string, all []string) string {
	keys := some(q.random, all, 2)
	if one != "" {
		keys = append(keys, one)
	}
	return q.list(keys)
}

// postalCodes returns a pattern that the date meets, or two of which it meets one.
func (q *Queries) postalCodes(d *reference.Dated) string {
	met := q.pattern(string(venue(d).PostalCode))
	if met == "" || q.chance(70) {
		return met
	}
	return q.list([]string{met, pick(q.random, []string{"9*", "*1", "24937", "x"})})
}

func (q *Queries) list(values []string) string {
	q.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return strings.Join(values, ",")
}

// tags returns tags of the date and others, in another case now and then. A tag with a comma cannot
// be asked for.
func (q *Queries) tags(d *reference.Dated) string {
	own := slices.DeleteFunc(slices.Clone(d.Event.Tags), func(tag string) bool { return strings.Contains(tag, ",") })
	wanted := append(some(q.random, own, 2), some(q.random, []string{"jazz", "none", "two", "*", "50%", "strasse"}, 1)...)
	for i := range wanted {
		wanted[i] = q.otherCase(wanted[i])
	}
	return q.list(wanted)
}

// labels returns labels of the date and others, one of them unknown now and then.
func (q *Queries) labels(d *reference.Dated) string {
	return q.list(append(some(q.random, d.Event.Labels, 2), some(q.random, []string{"kids", "tip", "unknown"}, 1)...))
}

// contributors returns contributors of the date and others, one of them merged or unknown now and
// then.
func (q *Queries) contributors(d *reference.Dated) string {
	var own []string
	for _, p := range d.Event.Contributors {
		own = append(own, p.UUID)
	}
	others := []string{contributorID(0), formerContributor, unknownContributor}
	return q.otherCase(q.list(append(some(q.random, own, 2), some(q.random, others, 1)...)))
}

func (q *Queries) languages(d *reference.Dated) string {
	own := ""
	if len(d.Event.Languages) > 0 {
		own = pick(q.random, d.Event.Languages)
	}
	return q.otherCase(q.keys(own, languages))
}

func (q *Queries) countries(d *reference.Dated) string {
	return q.otherCase(q.keys(string(venue(d).Country), []string{"DEU", "DNK", "JPN", "ATA"}))
}

// translated returns the searched texts of an event in other languages.
func translated(e *reference.Event) string {
	var texts []string
	for _, language := range textLanguages {
		t := e.Texts[language]
		texts = append(texts, string(t.Title), string(t.Subtitle), string(t.Summary), string(t.Description))
	}
	return strings.Join(texts, " ")
}

// search asks for rare words of the date, all or with one more.
func (q *Queries) search(d *reference.Dated) string {
	text := reference.Spell(strings.Join([]string{
		d.Event.Title, string(d.Event.Subtitle), string(d.Event.Summary), string(d.Event.Description),
		strings.Join(d.Event.Tags, " "), venue(d).Name, translated(d.Event), namesOf(d.Event),
	}, " "))
	own := slices.DeleteFunc(slices.Clone(RareWords), func(word string) bool { return !strings.Contains(text, reference.Spell(word)) })
	words := some(q.random, own, 3)
	if len(words) == 0 || q.chance(10) {
		words = append(words, pick(q.random, RareWords))
	}
	for i := range words {
		words[i] = q.spelling(words[i])
	}
	return q.otherCase(strings.Join(words, " "))
}

// namesOf returns the names of the contributors of an event.
func namesOf(e *reference.Event) string {
	var names []string
	for n, name := range contributors {
		if slices.ContainsFunc(e.Contributors, func(p reference.Participant) bool { return p.UUID == contributorID(n) }) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func (q *Queries) age(d *reference.Dated) string {
	a := q.between(0, 20)
	if d.Event.MinAge != nil {
		a = *d.Event.MinAge + q.between(-1, 2)
	} else if d.Event.MaxAge != nil {
		a = *d.Event.MaxAge + q.between(-2, 1)
	}
	a = max(a, 0)
	if q.chance(50) {
		return strconv.Itoa(a)
	}
	return fmt.Sprintf("%d,%d", a, a+q.IntN(10))
}

func (q *Queries) price(d *reference.Dated) string {
	if q.chance(30) {
		return pick(q.random, []string{"free", "donation"})
	}
	amount, currency := pick(q.random, prices), pick(q.random, currencies)
	if d.Event.MinPrice != nil {
		amount, currency = *d.Event.MinPrice+pick(q.random, []float64{0, 0, 0.01, 5, -0.01}), string(d.Event.Currency)
	}
	return strconv.FormatFloat(max(amount, 0), 'f', -1, 64) + "," + currency
}

// bits returns up to three set bits of the mask, sometimes one more.
func (q *Queries) bits(mask *reference.Mask) string {
	var set []int
	for bit := range 64 {
		if mask.Has(bit) {
			set = append(set, bit)
		}
	}
	var values []string
	for _, bit := range some(q.random, set, 3) {
		values = append(values, strconv.Itoa(bit))
	}
	if len(values) == 0 || q.chance(10) {
		values = append(values, strconv.Itoa(q.IntN(64)))
	}
	return q.list(values)
}

func (q *Queries) radius(*reference.Dated) string {
	if q.chance(50) {
		return strconv.Itoa(pick(q.random, []int{1, 100, 5000, 50000, 2000000, 20100000}))
	}
	return strconv.FormatFloat(q.Float64()*1e5, 'f', 3, 64)
}

// centre completes a radius; now and then it leaves a part out, so that there is no geographic
// filter.
func (q *Queries) centre(p reference.Parameters, d *reference.Dated) {
	lat, lon := q.spot()
	if v := venue(d); v.Lat != nil && q.chance(70) {
		lat, lon = round(max(-90, min(90, *v.Lat+q.NormFloat64()/10))), *v.Lon
	}
	p["lat"], p["lon"] = strconv.FormatFloat(lat, 'f', -1, 64), strconv.FormatFloat(lon, 'f', -1, 64)
	if q.chance(10) {
		delete(p, pick(q.random, []string{"lat", "lon", "radius"}))
	}
}

func (q *Queries) region(*reference.Dated) string {
	if q.chance(10) {
		return "deutschland,sachsen,unknown"
	}
	return pick(q.random, q.regions).Slugs()
}

// uuids returns a list of uuids in which the date's own one, if it has one, stands among other
// dates' and an unknown one.
func (q *Queries) uuids(own string, of func(*reference.Dated) string) string {
	uuids := []string{q.uuid()}
	for range q.IntN(4) {
		uuids = append(uuids, of(pick(q.random, q.dates)))
	}
	uuids = append(uuids, own)
	return q.list(slices.DeleteFunc(uuids, func(uuid string) bool { return uuid == "" }))
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
