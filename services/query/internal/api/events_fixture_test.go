package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/changes"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
	"litfass/services/query/internal/sitemap"
)

// dated is a date as the tests of the event search see it: its document, made by hand as the
// projector would make it.
type dated struct {
	name   byte   // a to z: the date's name in tests, and the end of its uuid
	start  string // YYYY-MM-DD, or with a time YYYY-MM-DDTHH:MM
	end    string
	title  string
	change func(*dateDraft)
}

// dateDraft is a date's document with its decoded entry, which tests change before it is encoded.
type dateDraft struct {
	publicapi.Entry
	doc document.Date
}

func (d *dateDraft) document() document.Date {
	d.doc.Show(d.Entry)
	return d.doc
}

func dateID(name byte) string  { return fmt.Sprintf("01930000-0000-7000-8000-0000000000%02x", name) }
func venueID(name byte) string { return fmt.Sprintf("01930000-0000-7000-8000-0000000001%02x", name) }
func eventID(name byte) string { return fmt.Sprintf("01930000-0000-7000-8000-0000000002%02x", name) }
func orgID(name byte) string   { return fmt.Sprintf("01930000-0000-7000-8000-0000000003%02x", name) }

// nameOf returns the name of the date with a uuid.
func nameOf(t *testing.T, uuid string) string {
	t.Helper()
	var name byte
	if _, err := fmt.Sscanf(uuid[len(uuid)-2:], "%02x", &name); err != nil {
		t.Fatal(err)
	}
	return string(name)
}

func (d dated) document() document.Date { return d.draft().document() }

func (d dated) draft() *dateDraft {
	draft := &dateDraft{
		Entry: publicapi.Entry{
			UUID: eventID(d.name), DateUUID: dateID(d.name), Title: d.title, OrgUUID: orgID('x'), OrgName: "Verein",
			Categories: []int{}, EventTypes: []publicapi.EventType{}, Languages: []string{}, Tags: []string{}, Labels: []string{}, TextLanguages: []string{}, Texts: map[string]publicapi.EntryText{},
			PriceType: "not_specified", ReleaseStatus: "released",
		},
		doc: document.Date{
			Revision: 1, TypeIDs: []int{}, GenreIDs: []int{}, TagKeys: []string{}, AccessibilityBits: []int{}, VisitorBits: []int{},
		},
	}
	setDays(draft, d.start, d.end)
	if d.change != nil {
		d.change(draft)
	}
	setKeys(&draft.doc, draft.Entry)
	return draft
}

func setDays(draft *dateDraft, start, end string) {
	day, clock, timed := strings.Cut(start, "T")
	draft.StartDate, draft.StartTime, draft.AllDay = day, clock, !timed
	if !timed {
		draft.StartTime = "00:00"
	}
	draft.EndDate = value.Text(end)
	doc := &draft.doc
	doc.StartDay = number(day)
	doc.EndDay = doc.StartDay
	if end != "" {
		doc.EndDay = number(end)
	}
	last, err := time.Parse(time.DateOnly, cmp.Or(end, day))
	if err != nil {
		panic(err)
	}
	doc.EndsAt = last.Add(23 * time.Hour).Unix() // the end of the day in Berlin, in winter
	doc.StartKey = int64(doc.StartDay)*10_000 + int64(number(draft.StartTime))
	if timed {
		minute := number(clock)/100*60 + number(clock)%100
		doc.StartMinute = &minute
	}
}

// number reads the digits of a date or a time.
func number(text string) (n int) {
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		}
	}
	return n
}

func setKeys(doc *document.Date, shown publicapi.Entry) {
	doc.TitleKey, doc.TitleEnd = document.TextKeys(shown.Title), document.Texts{document.TextEnd(shown.Title)}
	doc.VenueKey, doc.VenueEnd = document.TextKeys(shown.VenueName), document.TextEnd(shown.VenueName)
	doc.CityKey, doc.CityEnd = document.TextKeys(shown.VenueCity), document.TextEnd(shown.VenueCity)
	doc.PostalKey, doc.PostalEnd = document.TextKeys(shown.VenuePostalCode), document.TextEnd(shown.VenuePostalCode)
	doc.TitleWords, doc.VenueWords = document.Words(shown.Title), document.Words(shown.VenueName)
	doc.TagWords = document.Words(strings.Join(shown.Tags, " "))
	for _, tag := range shown.Tags {
		doc.TagKeys = append(doc.TagKeys, document.ExactKey(tag))
	}
	doc.CitySpelling, doc.TagSpellings = document.Spelling(shown.VenueCity), document.Spellings(shown.Tags)
	for _, pair := range shown.EventTypes {
		doc.TypeIDs = append(doc.TypeIDs, pair.TypeID)
		if pair.GenreID != 0 {
			doc.GenreIDs = append(doc.GenreIDs, pair.GenreID)
		}
	}
}

// atVenue puts a date at a venue.
func atVenue(name byte, called, city, postal, country string) func(*dateDraft) {
	return func(d *dateDraft) {
		d.VenueUUID, d.VenueName, d.VenueCity = value.Text(venueID(name)), called, city
		d.VenuePostalCode, d.VenueCountry = postal, country
	}
}

// each makes one change of several.
func each(changes ...func(*dateDraft)) func(*dateDraft) {
	return func(d *dateDraft) {
		for _, change := range changes {
			change(d)
		}
	}
}

func types(pairs ...publicapi.EventType) func(*dateDraft) {
	return func(d *dateDraft) { d.EventTypes = pairs }
}

func tags(tags ...string) func(*dateDraft) { return func(d *dateDraft) { d.Tags = tags } }

func placed(availability string, left int) func(*dateDraft) {
	return func(d *dateDraft) {
		d.Tickets = publicapi.Tickets{Availability: availability, RemainingPlaces: value.Counted(left), OnSaleFrom: "2026-06-01T10:00"}
	}
}

func labelled(labels ...string) func(*dateDraft) { return func(d *dateDraft) { d.Labels = labels } }

// with names contributors; contributorMerged was merged into contributorTrio.
func with(names map[string]string) func(*dateDraft) {
	return func(d *dateDraft) {
		var words []string
		for _, uuid := range slices.Sorted(maps.Keys(names)) {
			d.doc.ContributorUUIDs, words = append(d.doc.ContributorUUIDs, uuid), append(words, names[uuid])
		}
		d.doc.ContributorWords = document.Words(strings.Join(words, "\n"))
	}
}

func spoken(languages ...string) func(*dateDraft) {
	return func(d *dateDraft) { d.Languages = languages }
}

func ages(from, to int) func(*dateDraft) {
	return func(d *dateDraft) { d.doc.AgeFrom, d.doc.AgeTo = &from, &to }
}

func priced(kind string, amount float64, currency string) func(*dateDraft) {
	return func(d *dateDraft) {
		d.PriceType, d.Currency = kind, currency
		if kind == "regular_price" {
			d.MinPrice = &amount
		}
	}
}

func in(space string, bits ...int) func(*dateDraft) {
	return func(d *dateDraft) { d.doc.SpaceType, d.doc.AccessibilityBits = space, bits }
}

// theDates are listed in the order of the search: by start, all-day dates first.
var theDates = []dated{
	{'a', "2024-02-29", "", "Leap day", each(types(publicapi.EventType{TypeID: 1, GenreID: 1001}), priced("free", 0, "DKK"))},
	{'b', "2026-11-19T23:30", "2026-11-21", "Late \"Jazz\" night", each(
		atVenue('k', "Kühlhaus", "Flensburg", "24937", "DEU"), tags("Jazz", "open air"), types(publicapi.EventType{TypeID: 1, GenreID: 1002}, publicapi.EventType{TypeID: 3}))},
	{'c', "2026-11-20", "", "All day fair", each(atVenue('s', "Straße 7", "SØNDERBORG", "6400", "DNK"), tags("50%", `say "no"`), priced("donation", 0, ""))},
	{'d', "2026-11-20T00:00", "", "Midnight *show*", each(atVenue('k', "Kühlhaus", "Flensburg", "24937", "DEU"), in("hall", 0, 3, 63), ages(6, 12), labelled("kids"), placed("few_left", 7),
		with(map[string]string{contributorTrio: "Trio Nord", contributorMerged: "Trio Nord"}))},
	{'e', "2026-11-20T08:15", "", "jazz", each(tags("family"), labelled("kids", "tip"), placed("sold_out", 0), priced("regular_price", 9.99, "EUR"), ages(0, 12), spoken("de", "en"),
		with(map[string]string{contributorTrio: "Trio Nord", contributorMerged: "Trio Nord", contributorAnna: "Anna Thomsen"}))},
	{'f', "2026-11-20T19:30", "", "Jazz at eight", each(atVenue('k', "Kühlhaus", "Flensburg", "24937", "DEU"), in("tent", 3), priced("regular_price", 20, "EUR"),
		func(d *dateDraft) {
			d.OrgUUID = orgID('y')
			d.Categories = []int{1, 5}
			d.Languages = []string{"da"}
			d.doc.VisitorBits = []int{7, 42}
		})},
	{'g', "2026-11-20T19:30", "", strings.Repeat("Longest title 🎷 ", 125), each(ages(18, document.MaxAge), priced("regular_price", 5, "DKK"),
		func(d *dateDraft) {
			d.Categories = []int{6}
			d.doc.VisitorBits = []int{7}
			d.ReleaseStatus = "cancelled"
		})},
	{'h', "2027-01-01T12:00", "", `back\slash 100%`, types(publicapi.EventType{TypeID: 3, GenreID: 3001})},
}

// theVenues lie in Flensburg and, some 29 km away, in Sønderborg; the third has no dates.
var theVenues = []document.Venue{
	venueOf(publicapi.Venue{UUID: venueID('k'), Name: "Kühlhaus", Lat: at(54.7937), Lon: at(9.4469)}),
	venueOf(publicapi.Venue{UUID: venueID('s'), Name: "Straße 7", Lat: at(54.9138), Lon: at(9.7922)}),
	venueOf(publicapi.Venue{UUID: venueID('z'), Name: "Elsewhere", Lat: at(-54), Lon: at(180)}),
}

// eventsSite serves theDates with a clock that stops on 20 November 2026, just after midnight in
// Berlin.
func eventsSite(t *testing.T, client *index.Client) site {
	t.Helper()
	var dates, venues [][]byte
	for _, d := range theDates {
		dates = append(dates, encode(t, d.document()))
	}
	for _, v := range theVenues {
		venues = append(venues, encode(t, v))
	}
	put(t, client, document.Dates, dates...)
	put(t, client, document.Venues, venues...)
	put(t, client, document.Contributors, encode(t, contributorOf(contributorTrio, "Trio Nord", contributorMerged)), encode(t, contributorOf(contributorAnna, "Anna Thomsen")))
	put(t, client, document.Regions, encode(t, regionOf("deu", "sh", "flensburg", 9.3, 54.7, 9.6, 54.85)))
	return serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
}

func encode(t *testing.T, document any) []byte {
	t.Helper()
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// put writes documents and waits until they can be found.
func put(t *testing.T, client *index.Client, name string, documents ...[]byte) {
	t.Helper()
	tasks, err := client.Add(t.Context(), name, documents)
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// patience bounds every question of the tests to the engine.
const patience = 20 * time.Second

// serveEvents serves an engine's indexes with all limits of the service. positionWait is how long
// requests for a position wait.
const positionWait = 400 * time.Millisecond

func serveEvents(t *testing.T, e *engine.Engine, signal *cache.Signal, cacheBytes int) site {
	t.Helper()
	stopped := func() time.Time { return time.Date(2026, 11, 19, 23, 5, 0, 0, time.UTC) }
	return serveEventsAt(t, e, signal, cacheBytes, stopped, web.Caching{})
}

// serveEventsAt is serveEvents with a clock, and with the time for which clients may cache answers.
func serveEventsAt(
	t *testing.T, e *engine.Engine, signal *cache.Signal, cacheBytes int, now func() time.Time, caching web.Caching,
) site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	store := places.NewStore(places.InIndexes(e), signal, time.Now, log)
	known := portals.NewStore(portals.InIndex(e), signal, time.Now, log)
	picked := curated.NewStore(curated.InIndex(e), signal, time.Now)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	app := web.New(web.Options{Service: "query", Log: log, HeaderLimit: 128 << 10, BodyLimit: 2 << 20, ResponseTypes: ResponseTypes()})
	answers := cache.New(signal, cacheBytes, patience)
	Mount(app, Deps{
		Search: search.NewSearcher(e, store, known, picked, answers), Places: store, Portals: known, Curated: picked, Series: series.NewStore(e, signal, time.Now), Cache: answers,
		Site:  feed.Site{Name: "Litfass", URL: "https://litfass.example", Zone: berlin},
		Lists: lists.NewReader(e, signal, time.Now), Zone: berlin, Signal: signal, PositionWait: positionWait,
		Now: now, Caching: caching, Sitemap: sitemap.New(e, publicURL, ""),
		Log: changes.NewLog(nil, signal, project.New(publicURL, "Europe/Berlin"), log),
	})
	return serve(t, app, log)
}

// post decodes the answer of a POST of JSON that must succeed.
func (s site) post(t *testing.T, path, body string, into any) {
	t.Helper()
	response, answer := s.do(t, "POST", path, body, "Content-Type", "application/json")
	if response.StatusCode != http.StatusOK {
		t.Fatalf("POST %s %.200s: %d %s", path, body, response.StatusCode, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		t.Fatalf("POST %s: %v in %s", path, err, answer)
	}
}
