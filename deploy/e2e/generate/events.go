package generate

import (
	"slices"
	"strings"
	"time"

	"litfass/deploy/e2e/reference"
)

var (
	statuses       = []string{"released", "released", "released", "released", "cancelled", "deferred", "rescheduled", "draft", "review"}
	dateStatuses   = []string{"inherited", "inherited", "inherited", "inherited", "cancelled", "deferred", "rescheduled"}
	priceTypes     = []string{"not_specified", "regular_price", "free", "donation", "tiered_prices"}
	publicStatuses = []string{"released", "cancelled", "deferred", "rescheduled"}
	currencies     = []string{"EUR", "DKK", "GBP", "CHF", "JPY"}
	languages      = []string{"de", "da", "en", "fr", "tr", "uk"}
	textLanguages  = []string{"de", "da", "en"}
	tags           = []string{
		"jazz", "Straße", "İstanbul", "Caf\u00e9", "🎷", `"quoted"`, `back\slash`, "two words", "*", "a*b", "null", "family", "open air",
		"comma, inside", "x' OR 1=1", "京都", "ΣΊΣΥΦΟΣ", "50%",
	}
	labels = []string{"tip", "kids", "summer-2027", "0"}
	clocks = []string{"00:00", "00:01", "09:30", "11:00", "19:30", "20:00", "20:00", "20:00", "23:59"}
	prices = []float64{0, 0.01, 5, 9.99, 10, 12.5, 99.95, 1000, 250000}
	// moments at which many dates start, so that order falls to the uuid.
	moments = []string{"2024-02-29", "2026-06-21", "2026-12-31", "2027-01-01", "2028-02-29"}
)

// event returns an event at one of the places, with at most dates dates.
func (b *builder) event(dates int) *reference.Event {
	e := &reference.Event{
		UUID: b.uuid(), OrgUUID: pick(b.random, b.Organizations).UUID, ReleaseStatus: pick(b.random, statuses),
		Categories: some(b.random, []int{1, 2, 3, 4, 5, 6}, 3), Languages: some(b.random, languages, 3), Tags: some(b.random, tags, 4), Labels: b.labels(), Contributors: b.participants(),
		EventTypes: b.types(), VisitorInfoFlags: b.mask(), EventLinks: []reference.EventLink{}, Images: []reference.Image{},
	}
	b.describe(e)
	b.setAge(e)
	b.setPrice(e)
	b.setImages(e)
	b.translate(e)
	e.VenueUUID, e.SpaceUUID = b.place(85)
	if e.VenueUUID == "" {
		e.OnlineLink = "https://example.org/live"
	}
	if e.ReleaseStatus == "released" && b.chance(10) {
		e.ReleaseDate = reference.Text(pick(b.random, []string{"2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z"}))
	}
	for range b.between(1, dates) {
		e.Dates = append(e.Dates, b.date(e))
	}
	b.translateDates(e)
	b.addExtras(e)
	return e
}

// addExtras sets fields that only whole events show.
func (b *builder) addExtras(e *reference.Event) {
	if b.extras.chance(20) {
		e.VideoLink = reference.Text(pick(b.extras, []string{"https://youtu.be/dQw4w9WgXcQ", "https://vimeo.com/76979871"}))
	}
	for _, d := range e.Dates {
		if b.extras.chance(20) {
			d.AccessibilityInfo = reference.Text(b.extras.text())
		}
	}
}

// translateDates translates some texts of dates into the languages that an event has.
func (b *builder) translateDates(e *reference.Event) {
	for _, language := range textLanguages {
		t, has := e.Texts[language]
		if !has || !b.chance(50) {
			continue
		}
		t.Dates = map[string]reference.DateTranslation{}
		for _, d := range e.Dates {
			if b.chance(30) {
				t.Dates[d.UUID] = reference.DateTranslation{AccessibilityInfo: "Rampe", StatusNote: reference.Text(b.text())}
			}
		}
		e.Texts[language] = t
	}
}

// describe sets the texts, with a rare word in one of them now and then.
func (b *builder) describe(e *reference.Event) {
	e.Title = b.text()
	if b.chance(3) {
		e.Title = b.long()
	}
	text := func(percent int) reference.Text {
		if b.chance(percent) {
			return reference.Text(b.text())
		}
		return ""
	}
	e.Subtitle, e.Summary, e.Description, e.StatusNote = text(60), text(60), text(70), text(20)
	if b.chance(10) {
		e.Summary = "<em>Line</em> one\nline two\n\n\tand " + reference.Text(b.text())
	}
	if b.chance(3) {
		e.Description = reference.Text(b.long() + " " + b.long())
	}
	if !b.chance(50) {
		return
	}
	switch b.IntN(5) {
	case 0:
		e.Title = b.rare(e.Title)
		if runes := []rune(e.Title); len(runes) > maxTitle {
			e.Title = strings.TrimSpace(string(runes[:maxTitle]))
		}
	case 1:
		e.Subtitle = reference.Text(b.rare(string(e.Subtitle)))
	case 2:
		e.Summary = reference.Text(b.rare(string(e.Summary)))
	case 3:
		e.Description = reference.Text(b.rare(string(e.Description)))
	case 4:
		e.Tags = append(e.Tags, pick(b.random, RareWords))
	}
}

// translate sets the language of the texts, and translates some of them.
func (b *builder) translate(e *reference.Event) {
	e.Texts = map[string]reference.Translation{}
	if b.chance(60) {
		e.TextLanguage = reference.Text(pick(b.random, textLanguages))
	}
	for _, language := range some(b.random, textLanguages, 2) {
		if language == string(e.TextLanguage) || !b.chance(60) {
			continue
		}
		text := func() reference.Text {
			if b.chance(50) {
				return reference.Text(b.text())
			}
			return ""
		}
		t := reference.Translation{Title: text(), Subtitle: text(), Summary: text(), Description: text(), StatusNote: text()}
		if b.chance(30) {
			t.Summary = reference.Text(b.rare(string(t.Summary)))
		}
		for _, image := range e.Images {
			if alt := text(); alt != "" {
				t.Images = map[string]reference.ImageTranslation{image.UUID: {AltText: alt}}
			}
		}
		if t.Title+t.Subtitle+t.Summary+t.Description+t.StatusNote != "" || len(t.Images) > 0 {
			e.Texts[language] = t
		}
	}
}

// participants returns contributors of an event with their roles, in any order; most have none.
func (b *builder) participants() []reference.Participant {
	named, r := []reference.Participant{}, b.cast
	if !r.chance(40) {
		return named
	}
	for range r.between(1, 4) {
		p := reference.Participant{UUID: contributorID(r.IntN(len(contributors))), Role: pick(r, []string{"performer", "soloist", "author", "director"})}
		if !slices.Contains(named, p) {
			named = append(named, p)
		}
	}
	return named
}

// labels returns the labels of an event, in order; most have none.
func (b *builder) labels() []string {
	if !b.chance(30) {
		return []string{}
	}
	given := some(b.random, labels, 2)
	slices.Sort(given)
	return given
}

// types returns up to four types with or without a genre; two may share the type.
func (b *builder) types() []reference.EventType {
	types := []reference.EventType{}
	for range b.between(0, 4) {
		t := reference.EventType{TypeID: b.between(1, 63)}
		if b.chance(50) {
			t.TypeID = b.between(1, 3) // so that some counts are great
		}
		if t.TypeID <= 12 && b.chance(70) {
			t.GenreID = 1000*t.TypeID + b.between(1, 3)
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

func (b *builder) setAge(e *reference.Event) {
	e.MinAge = maybe(b.random, 35, func() int { return pick(b.random, []int{0, 6, 12, 16, 18}) })
	e.MaxAge = maybe(b.random, 35, func() int { return b.between(18, 99) })
}

func (b *builder) setPrice(e *reference.Event) {
	e.Tariffs = []reference.Tariff{}
	e.PriceType = pick(b.random, []string{"not_specified", "regular_price", "regular_price", "free", "donation", "tiered_prices"})
	if e.PriceType == "free" || !b.chance(75) {
		return
	}
	if b.chance(30) {
		e.Tariffs = b.tariffs()
		_, e.MinPrice, e.MaxPrice = (&reference.Event{Tariffs: e.Tariffs}).Price()
		e.Currency = e.Money()
		return
	}
	e.Currency = reference.Text(pick(b.random, currencies))
	low, high := pick(b.random, prices), pick(b.random, prices)
	if b.chance(90) {
		e.MinPrice = new(min(low, high))
	}
	if b.chance(50) {
		e.MaxPrice = new(max(low, high))
	}
}

// tariffs returns some prices in one currency; with them an event needs no others.
func (b *builder) tariffs() []reference.Tariff {
	list, currency := []reference.Tariff{}, pick(b.random, currencies)
	for range b.between(1, 4) {
		low, high := pick(b.random, prices), pick(b.random, prices)
		t := reference.Tariff{Name: b.words(1), MinPrice: min(low, high), Currency: currency}
		if b.chance(40) {
			t.MaxPrice = new(max(low, high))
		}
		if b.chance(40) {
			t.Condition = reference.Text(b.text())
		}
		list = append(list, t)
	}
	return list
}

// setTickets states whether there are places at a date, and what changed about it. Most dates say
// nothing of it.
func (b *builder) setTickets(d *reference.Date) {
	if b.chance(50) {
		d.Availability = reference.Text(pick(b.random, availabilities))
	}
	if b.chance(30) {
		d.RemainingPlaces = new(b.IntN(300))
		if d.Availability == "sold_out" || d.Availability == "waiting_list" {
			*d.RemainingPlaces = 0
		}
	}
	if b.chance(20) {
		d.OnSaleFrom = b.localTime()
	}
	if b.chance(10) {
		d.OnSaleUntil = max(b.localTime(), d.OnSaleFrom)
	}
	if b.chance(10) {
		d.PreviousStart, d.StatusChangedAt = b.localTime(), b.moment()
	}
}

// tariffsOfDate returns the tariffs of a single date, mostly none.
func (b *builder) tariffsOfDate() []reference.Tariff {
	apart := *b
	if apart.random = b.till; !apart.chance(20) {
		return []reference.Tariff{}
	}
	return apart.tariffs()
}

var availabilities = []string{"available", "few_left", "sold_out", "waiting_list", "not_yet_on_sale", "free_entry"}

// moment returns a time of the last years, which hardly comes twice.
func (b *builder) moment() reference.Text {
	return reference.Text(time.Unix(1_600_000_000+int64(b.IntN(100_000_000)), 0).UTC().Format(time.RFC3339))
}

func (b *builder) localTime() reference.Text { return b.moment()[:len("2006-01-02T15:04")] }

func (b *builder) setImages(e *reference.Event) {
	for _, identifier := range some(b.random, []string{"main", "gallery_1", "gallery_2", "gallery_7"}, 2) {
		e.Images = append(e.Images, b.image(identifier))
	}
}

func (b *builder) image(identifier string) reference.Image {
	image := reference.Image{UUID: b.uuid(), Identifier: identifier, MimeType: "image/jpeg", Width: 640, Height: 480}
	if b.chance(50) {
		image.AltText, image.License, image.FocusX, image.FocusY = reference.Text(b.text()), "cc-by", new(0.5), new(1.0)
		image.AIGenerated = b.chance(50)
	}
	return image
}

// place returns a venue in percent of a hundred cases, often with one of its spaces.
func (b *builder) place(percent int) (venue, space reference.Text) {
	if !b.chance(percent) {
		return "", ""
	}
	v := pick(b.random, b.Venues)
	if spaces := b.spacesOf[v.UUID]; len(spaces) > 0 && b.chance(75) {
		return reference.Text(v.UUID), reference.Text(pick(b.random, spaces).UUID)
	}
	return reference.Text(v.UUID), ""
}

// date returns a date: at a shared moment, near today or in other years; all-day, over midnight,
// over several days; and sometimes the second one of the event at the same moment.
func (b *builder) date(e *reference.Event) *reference.Date {
	d := &reference.Date{UUID: b.uuid(), StartDate: b.day(), ReleaseStatus: pick(b.random, dateStatuses), AllDay: b.chance(15)}
	if len(e.Dates) > 0 && b.chance(5) {
		last := e.Dates[len(e.Dates)-1]
		d.StartDate, d.AllDay, d.StartTime = last.StartDate, last.AllDay, last.StartTime
	} else if !d.AllDay {
		d.StartTime = reference.Text(pick(b.random, clocks))
	}
	b.setEnd(d)
	if d.AllDay && b.chance(60) {
		d.Hours = b.hours(d.StartDate)
	}
	if b.chance(20) {
		d.StatusNote = reference.Text(b.text())
	}
	d.VenueUUID, d.SpaceUUID = b.place(20)
	b.setTickets(d)
	d.Tariffs = b.tariffsOfDate()
	return d
}

func (b *builder) setEnd(d *reference.Date) {
	start, err := time.Parse(time.DateOnly, d.StartDate)
	if err != nil {
		panic(err)
	}
	after := func(days int) reference.Text { return reference.Text(start.AddDate(0, 0, days).Format(time.DateOnly)) }
	switch b.IntN(5) {
	case 0: // ends on the day it starts
		d.EndDate = after(0)
		if !d.AllDay {
			d.EndTime = "23:59"
		}
	case 1: // over midnight
		d.EndDate = after(1)
		if !d.AllDay {
			d.EndTime = "00:30"
		}
	case 2: // several days
		d.EndDate = after(b.between(2, 90))
	}
}

func (b *builder) day() string {
	switch b.IntN(4) {
	case 0:
		return pick(b.random, moments)
	case 1:
		return b.today.AddDate(0, 0, b.between(-3, 3)).Format(time.DateOnly)
	default:
		return time.Date(2023, 1, b.between(1, 6*365), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
}
