package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litfass/deploy/e2e/reference"
)

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

func (q *Queries) priceTypes(d *reference.Dated) string {
	kind, _, _ := d.Price()
	return q.keys(kind, priceTypes)
}

func (q *Queries) price(d *reference.Dated) string {
	if q.chance(30) {
		return pick(q.random, []string{"free", "donation"})
	}
	amount, currency := pick(q.random, prices), pick(q.random, currencies)
	if _, low, _ := d.Price(); low != nil {
		amount, currency = *low+pick(q.random, []float64{0, 0, 0.01, 5, -0.01}), string(d.Money())
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
