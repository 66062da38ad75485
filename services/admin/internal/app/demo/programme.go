package demo

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// host is a place with the entities that its events refer to.
type host struct {
	city   city
	place  place
	org    string
	venue  string
	spaces []string
}

// price is the price of an event.
type price int

const (
	free price = iota
	donation
	cheap
	tickets
	door
)

// perItem is the number of events of each suitable kind at a place.
const perItem = 3

// addProgramme adds the events of one place. Some of their dates take place in another venue of the
// city.
func (g *generator) addProgramme(h, neighbour host) {
	for _, it := range slices.Concat(stageItems, townItems) {
		if !slices.Contains(it.kinds, h.place.kind) {
			continue
		}
		for i := range perItem {
			g.made.Events = append(g.made.Events, g.event(h, neighbour, it, i))
		}
	}
}

func (g *generator) event(h, neighbour host, it item, turn int) rules.Event {
	id := identity("event", h.venue, it.key, strconv.Itoa(turn))
	r := chance(id)
	language := h.language(r)
	t := it.texts[language]
	names := castOf(r, language)
	fill := h.compose(names, language)
	e := rules.Event{
		UUID: id, OrgUUID: h.org, VenueUUID: value.Text(h.venue), SpaceUUID: value.Text(h.spaces[turn%len(h.spaces)]),
		Title:    fill.Replace(t.titles[turn%len(t.titles)]),
		Subtitle: value.Text(fill.Replace(t.subtitle)), Summary: value.Text(fill.Replace(t.summary)),
		Description: value.Text(fill.Replace(t.about) + "\n\n" + pick(r, words[language].welcome)),
		Categories:  slices.Clone(it.categories), EventTypes: it.types(r), Languages: []string{language},
		Tags: append(slices.Clone(t.tags), h.city.name), VisitorInfoFlags: visitorInfo(it.flags),
		SourceLink:    value.Text("https://www." + domain(h.city, h.place) + "/programm/" + id[24:]),
		ReleaseStatus: rules.StatusReleased, Dates: g.dates(r, id, it),
		EventLinks: []rules.EventLink{{Type: "website", URL: "https://www." + domain(h.city, h.place)}},
	}
	e.MinAge, e.MaxAge = bound(it.minAge), bound(it.maxAge)
	it.setPrice(r, h.city.currency, &e)
	upset(r, &e, neighbour, words[language])
	g.addImage(&e)
	e.Labels, e.Contributors = labelsOf(id), actsOf(&e)
	e.TextLanguage = value.Text(language)
	if h.city.neighbours != "" {
		e.Texts = adminapi.EventTexts{h.city.neighbours: h.translation(it, turn, names, &e)}
	}
	g.sell(&e)
	return e
}

// translation returns the texts of an event in the language of the other side of the border.
func (h host) translation(it item, turn int, names cast, e *rules.Event) adminapi.EventText {
	language := h.city.neighbours
	t, fill := it.texts[language], h.compose(names, language)
	if e.StatusNote != "" {
		return adminapi.EventText{Title: value.Text(fill.Replace(t.titles[turn%len(t.titles)])), StatusNote: value.Text(words[language].reason)}
	}
	return adminapi.EventText{
		Title: value.Text(fill.Replace(t.titles[turn%len(t.titles)])), Subtitle: value.Text(fill.Replace(t.subtitle)),
		Summary: value.Text(fill.Replace(t.summary)), Description: value.Text(fill.Replace(t.about)),
	}
}

// labels are those of the operator.
var labels = []rules.Label{
	{ID: "tip", Names: map[string]string{"en": "Editors’ tip", "de": "Tipp der Redaktion", "da": "Redaktionens tip"}},
	{ID: "young-talent", Names: map[string]string{"en": "Young talent", "de": "Nachwuchs", "da": "Nyt talent"}},
}

// labelsOf returns the labels of an event; most have none.
func labelsOf(event string) (keys []string) {
	r := chance("labels of " + event)
	for _, label := range labels {
		if r.IntN(12) == 0 {
			keys = append(keys, label.ID)
		}
	}
	return keys
}

// language returns the language of an event: usually the city's, sometimes English.
func (h host) language(r *rand.Rand) string {
	if r.IntN(6) == 0 {
		return "en"
	}
	return h.city.language
}

func (it item) types(r *rand.Rand) []adminapi.EventType {
	types := []adminapi.EventType{{TypeID: it.typeID}}
	if len(it.genres) > 0 {
		types[0].GenreID = pick(r, it.genres)
	}
	if it.alsoType != 0 {
		types = append(types, adminapi.EventType{TypeID: it.alsoType})
	}
	return types
}

// setPrice sets the price of an event, in round amounts of the city's currency.
func (it item) setPrice(r *rand.Rand, currency string, e *rules.Event) {
	scale := map[string]float64{"DKK": 7.5}[currency]
	if scale == 0 {
		scale = 1
	}
	amount := func(euros int) *float64 { return pointer(round(float64(euros)*scale/5, 0) * 5) }
	switch it.price {
	case free:
		e.PriceType = "free"
	case donation:
		e.PriceType = "donation"
	case cheap:
		e.PriceType, e.Currency = "regular_price", value.Text(currency)
		e.MinPrice = amount(5 + r.IntN(8))
	case door:
		e.PriceType, e.Currency = "regular_price", value.Text(currency)
		e.MinPrice = amount(8 + r.IntN(10))
		e.TicketFlags = []string{"on_site_ticket_sales"}
	case tickets:
		low := 12 + r.IntN(25)
		e.PriceType, e.Currency = "tiered_prices", value.Text(currency)
		e.MinPrice, e.MaxPrice = amount(low), amount(low+5+r.IntN(20))
		e.TicketFlags = []string{"advance_ticket", "reduced_price_available"}
		e.EventLinks = append(e.EventLinks, rules.EventLink{Type: "tickets", URL: e.EventLinks[0].URL + "/tickets"})
	}
}

// upset varies some events: dates that are cancelled or take place elsewhere, events that are
// cancelled, rescheduled, or not released yet.
func upset(r *rand.Rand, e *rules.Event, neighbour host, v vocabulary) {
	last := &e.Dates[len(e.Dates)-1]
	switch r.IntN(40) {
	case 0, 1:
		last.ReleaseStatus, last.StatusNote = rules.StatusCancelled, value.Text(v.reason)
	case 2, 3:
		last.ReleaseStatus, last.StatusNote = rules.StatusRescheduled, value.Text(v.reason)
	case 4, 5:
		last.VenueUUID, last.SpaceUUID = value.Text(neighbour.venue), value.Text(neighbour.spaces[0])
	case 6:
		last.VenueUUID = value.Text(neighbour.venue)
	case 7:
		e.ReleaseStatus, e.StatusNote = rules.StatusCancelled, value.Text(v.reason)
	case 8:
		e.ReleaseStatus, e.StatusNote = rules.StatusDeferred, value.Text(v.reason)
	case 9:
		e.ReleaseStatus = rules.StatusDraft
	case 10:
		e.ReleaseStatus = rules.StatusReview
	}
}

func visitorInfo(bits []int) *value.Mask {
	var mask value.Mask
	for _, bit := range bits {
		mask |= 1 << bit
	}
	return &mask
}

func bound(age int) *int {
	if age == 0 {
		return nil
	}
	return &age
}

// Entities returns all entities of the catalogue, referenced ones first.
func (c Catalogue) Entities() []rules.Entity {
	var all []rules.Entity
	all = appendEach[*rules.Region](all, c.Regions)
	all = appendEach[*rules.Organization](all, c.Organizations)
	all = appendEach[*rules.Venue](all, c.Venues)
	all = appendEach[*rules.Space](all, c.Spaces)
	all = appendEach[*rules.Label](all, c.Labels)
	all = appendEach[*rules.Series](all, c.Series)
	all = appendEach[*rules.Contributor](all, c.Contributors)
	return appendEach[*rules.Event](all, c.Events)
}

func appendEach[P interface {
	*T
	rules.Entity
}, T any](all []rules.Entity, list []T) []rules.Entity {
	for i := range list {
		all = append(all, P(&list[i]))
	}
	return all
}
