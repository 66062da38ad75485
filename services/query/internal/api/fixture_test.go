package api

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/images"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/reports"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
	"litfass/services/query/internal/sitemap"
	"litfass/services/query/internal/suggest"
)

// The entities of the small catalogue. Names have characters that break careless code.
const (
	orgNord, orgSued, orgGone = "01920000-0000-7000-8000-0000000000a1", "01920000-0000-7000-8000-0000000000a2", "01920000-0000-7000-8000-0000000000a3"

	venueHall, venueBar, venueAttic = "01920000-0000-7000-8000-0000000000b1", "01920000-0000-7000-8000-0000000000b2", "01920000-0000-7000-8000-0000000000b3"
	venueOpen, venueGone            = "01920000-0000-7000-8000-0000000000b4", "01920000-0000-7000-8000-0000000000b5"

	eventJazz, eventFair, eventGone = "01920000-0000-7000-8000-0000000000c1", "01920000-0000-7000-8000-0000000000c2", "01920000-0000-7000-8000-0000000000c3"

	jazzFirst, jazzSecond, jazzThird = "01920000-0000-7000-8000-0000000000d1", "01920000-0000-7000-8000-0000000000d2", "01920000-0000-7000-8000-0000000000d3"
	fairDay                          = "01920000-0000-7000-8000-0000000000d4"

	spaceHall, spaceFoyer = "01920000-0000-7000-8000-0000000000e1", "01920000-0000-7000-8000-0000000000e2"

	publicURL = "https://litfass.example/"
	unknown   = "01920000-0000-7000-8000-00000000dead"
	version4  = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
	hallName  = `Große <b>Halle</b> & "Söhne"`
	spaceName = `Saal <script>alert(1)</script>`
)

// site is the public API of a query service with a separate index, on a real listener.
type site struct {
	base string
	app  *fiber.App
	desk *adminDesk // requests to the admin service
}

// beforeTheDates is the clock of newSite, which stands still: no date of the catalogue is over.
func beforeTheDates() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

// newSite serves the client's indexes at a moment before all dates of the small catalogue.
func newSite(t *testing.T, client *index.Client, adjust ...func(*Deps)) site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	app := web.New(web.Options{Service: "query", Log: log, Origins: []string{"*"}, HeaderLimit: 64 << 10, ResponseTypes: ResponseTypes()})
	signal := cache.NewSignal(time.Now) // silent: values are at most a second old
	e := engine.New(client, 10*time.Second)
	reader, blobs := lists.NewReader(e, signal, time.Now), openBlobs(t)
	original := imagingtest.JPEG(t, imagingtest.Corners(120, 80), 0)
	if err := blobs.Put(t.Context(), blob.OriginalKey(jazzImage), "image/jpeg", original); err != nil {
		t.Fatal(err)
	}
	store := places.NewStore(places.InIndexes(e), signal, time.Now, log)
	known := portals.NewStore(portals.InIndex(e), signal, time.Now, log)
	picked := curated.NewStore(curated.InIndex(e), signal, time.Now)
	desk := &adminDesk{}
	answers := cache.New(signal, 0, 10*time.Second)
	deps := Deps{
		Search: search.NewSearcher(e, store, known, picked, answers), Places: store, Portals: known, Curated: picked, Series: series.NewStore(e, signal, time.Now), Cache: answers,
		Suggest: suggest.New(e, answers), Sitemap: sitemap.New(e, publicURL, ""),
		Site:  feed.Site{Name: "Litfass", URL: strings.TrimSuffix(publicURL, "/"), Zone: time.UTC},
		Lists: reader, Now: beforeTheDates, Zone: time.UTC, Signal: signal, Images: images.New(images.Options{
			Lists: reader, Series: series.NewStore(e, signal, time.Now), Cache: cache.New(signal, 0, patience), Blobs: blobs,
		}),
		Reports: reports.New(reader, desk), TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	deps.Log, deps.Hub = changesFixture(t, log)
	for _, change := range adjust {
		change(&deps)
	}
	Mount(app, deps)
	s := serve(t, app, log)
	s.desk = desk
	return s
}

// serve serves app on a new listener until the test ends.
func serve(t *testing.T, app *fiber.App, log *slog.Logger) site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- web.ServeOn(ctx, app, listener, 10*time.Second, log) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return site{base: "http://" + listener.Addr().String(), app: app}
}

// do sends a request and returns the answer with its whole body.
func (s site) do(t *testing.T, method, path, body string, header ...string) (*http.Response, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	request.Host = request.Header.Get("Host") // "" is that of the address
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, answer
}

// get decodes the answer of a GET that must succeed.
func (s site) get(t *testing.T, path string, into any) {
	t.Helper()
	response, body := s.do(t, "GET", path, "")
	if response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, response.StatusCode, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("GET %s: %v in %s", path, err, body)
	}
}

// enveloped is an answer whose payload is a D, or an error.
type enveloped[D any] struct {
	web.Envelope
	Data    D `json:"data"`
	Code    string
	Details []fault.Violation
}

// seeded returns a client whose indexes hold the small catalogue.
func seeded(t *testing.T) *index.Client {
	t.Helper()
	client := indextest.New(t)
	for name, documents := range catalogue() {
		lines := make([][]byte, len(documents))
		for i, one := range documents {
			lines[i] = encode(t, one)
		}
		put(t, client, name, lines...)
	}
	return client
}

func catalogue() map[string][]any {
	return map[string][]any{
		document.Organizations: {
			organizationOf(orgNord, "Kulturhaus Nord"), organizationOf(orgSued, `Ärzte "Süd" 100%`), gone[publicapi.Organization](orgGone),
		},
		document.Venues: {
			venueOf(hall()),
			venueOf(publicapi.Venue{
				UUID: venueBar, OrgUUID: orgNord, Name: "Bar 1", City: "Flensburg", PostalCode: "24939", Country: "DEU",
				Lat: at(54.80), Lon: at(9.44), Spaces: []publicapi.Space{},
			}),
			venueOf(publicapi.Venue{
				UUID: venueAttic, OrgUUID: orgSued, Name: "attic", City: "Sønderborg", PostalCode: "6400", Country: "DNK",
				Lat: at(54.91), Lon: at(9.79), Spaces: []publicapi.Space{},
			}),
			venueOf(publicapi.Venue{UUID: venueOpen, OrgUUID: orgSued, Name: "bar 1", Spaces: []publicapi.Space{}}),
			document.Venue{Record: gone[publicapi.Venue](venueGone)},
		},
		document.Contributors: {
			contributorOf(contributorTrio, "Trio Nord", contributorMerged), contributorOf(contributorAnna, "Anna Thomsen"),
			document.Contributor{Record: gone[publicapi.Contributor](contributorMerged)},
		},
		document.Events: {eventOf(jazz()), eventOf(fair()), gone[publicapi.Event](eventGone)},
		document.Dates:  append(datesOf(jazz()), datesOf(fair())...),
		document.Regions: {
			regionOf("deu", "sh", "flensburg", 9.3, 54.7, 9.6, 54.85), regionOf("dnk", "sd", "als", 9.7, 54.8, 10.1, 55.1),
			regionOf("deu", "sh", "angeln", 9.6, 54.5, 10, 54.8),
		},
		document.Portals: {
			portalOf("nord", document.PortalSelects{Filter: json.RawMessage(`{"city": "Flensburg"}`)}),
			portalOf("jazz", document.PortalSelects{Filter: json.RawMessage(`{}`), Include: change.PortalSelection{EventUUIDs: []string{eventJazz}}}),
			portalOf("broken", document.PortalSelects{
				Filter: json.RawMessage(`{"city": 5}`), Include: change.PortalSelection{EventUUIDs: []string{eventJazz}},
			}),
			document.Portal{Record: gone[publicapi.Portal]("01920000-0000-7000-8000-0000000000f9")},
		},
		document.Lists: {
			listOf("tipps", change.ListEntry{EventUUID: eventFair, Note: "Unser Tipp"}, change.ListEntry{EventUUID: eventGone}, change.ListEntry{EventUUID: eventJazz}),
			listOf("leer"),
			document.List{Record: gone[publicapi.List]("01920000-0000-7000-8000-0000000000e9")},
		},
		document.Series:  {seriesOf("hafenfest"), document.Record[publicapi.Series]{ID: "01920000-0000-7000-8000-000000000d79", Revision: 3, Gone: true}},
		document.Lookups: valueSets(),
	}
}

func at(degrees float64) *float64 { return &degrees }

func recordOf[V any](id string, view V, name, city string) document.Record[V] {
	return document.Record[V]{
		ID: document.EntityID(id), Revision: 1, View: &document.Encoded[V]{Value: view}, Name: name, City: city,
		NameKey: document.TextKeys(name), NameEnd: document.TextEnd(name), NameSort: document.Fold(name),
		NameWords: document.Words(name),
	}
}

func gone[V any](id string) document.Record[V] {
	return document.Record[V]{ID: id, Revision: 2, Gone: true}
}

func eventOf(view publicapi.Event) document.Event {
	event := document.Event{Record: recordOf(view.UUID, view, "", "")}
	for _, image := range view.Images {
		event.Images = append(event.Images, document.Image{
			UUID: image.UUID, MimeType: image.MimeType, Width: image.Width, Height: image.Height, FocusX: image.FocusX, FocusY: image.FocusY,
		})
	}
	return event
}

func organizationOf(uuid, name string) any {
	return recordOf(uuid, publicapi.Organization{
		UUID: uuid, Name: name, ContactEmail: "secretary@verein.example", LegalForm: "registered_association", City: "Flensburg",
	}, name, "Flensburg")
}

// The contributors of the catalogue.
const (
	contributorTrio   = "01920000-0000-7000-8000-0000000000c1"
	contributorAnna   = "01920000-0000-7000-8000-0000000000c2"
	contributorMerged = "01920000-0000-7000-8000-0000000000c3"
)

func contributorOf(uuid, name string, former ...string) any {
	view := publicapi.Contributor{UUID: uuid, Type: "group", Name: name, Note: "Kiel", WebLink: "https://trio.example", Wikidata: "Q254"}
	return document.Contributor{Record: recordOf(uuid, view, name, view.Note), FormerUUIDs: former}
}

func venueOf(view publicapi.Venue) document.Venue {
	bits := []int{}
	if view.AccessibilityFlags != nil {
		bits = view.AccessibilityFlags.Bits()
	}
	return document.Venue{
		Record: recordOf(view.UUID, view, view.Name, view.City), OrgUUID: view.OrgUUID, Country: view.Country, Lat: view.Lat, Lon: view.Lon,
		CityWords: document.Words(view.City), CityKey: document.TextKeys(view.City), CityEnd: document.TextEnd(view.City),
		PostalKey: document.TextKeys(view.PostalCode), PostalEnd: document.TextEnd(view.PostalCode),
		AccessibilityBits: bits,
	}
}

func hall() publicapi.Venue {
	flags := value.Mask(1 | 1<<47)
	return publicapi.Venue{
		UUID: venueHall, OrgUUID: orgNord, OrgName: "Kulturhaus Nord", Name: hallName, Description: "Backsteinbau",
		WebLink: "https://halle.example", Street: "Hauptstraße", HouseNumber: "7a", PostalCode: "24937", City: "Flensburg",
		State: "SH", Country: "DEU", Lat: at(54.79), Lon: at(9.43), Timezone: "Europe/Berlin", AccessibilityFlags: &flags,
		Spaces: []publicapi.Space{
			{UUID: spaceHall, Name: spaceName, SpaceType: "hall", AccessibilityFlags: &flags},
			{UUID: spaceFoyer, Name: "Foyer", SpaceType: "foyer"},
		},
		Hours: openings(),
	}
}

// openings are opening hours with every field.
func openings() hours.Hours {
	return hours.Hours{
		Weekly:  []hours.Weekly{{Day: "tue", From: "10:00", To: "18:00"}, {Day: "wed", From: "10:00", To: "18:00"}},
		Closed:  []hours.Closed{{From: "2026-12-24", To: "2026-12-26", Note: "Weihnachten"}},
		Special: []hours.Special{{Date: "2026-12-31", From: "10:00", To: "14:00", Note: "Silvester"}},
	}
}

func hallPlace() publicapi.Place {
	v := hall()
	return publicapi.Place{
		VenueUUID: value.Text(v.UUID), VenueName: v.Name, VenueStreet: v.Street, VenueHouseNumber: v.HouseNumber,
		VenuePostalCode: v.PostalCode, VenueCity: v.City, VenueState: v.State, VenueCountry: v.Country,
		VenueLat: v.Lat, VenueLon: v.Lon, VenueTimezone: v.Timezone, VenueWebLink: v.WebLink,
		SpaceUUID: spaceHall, SpaceName: spaceName, SpaceType: "hall", SpaceAccessibilityFlags: v.AccessibilityFlags,
	}
}

func jazz() publicapi.Event {
	date := func(uuid, slug, day, time, status string) publicapi.Date {
		return publicapi.Date{UUID: uuid, Slug: slug, StartDate: day, StartTime: time, ReleaseStatus: status, Place: hallPlace(), SeriesPartUUID: partID, Texts: map[string]publicapi.DateText{}}
	}
	minAge, flags, price, low, high := 12, value.Mask(1<<63), 12.5, 20.0, 35.0
	last := date(jazzThird, "2026-11-27-2000", "2026-11-27", "20:00", "released")
	last.Prices = publicapi.Prices{
		Tariffs: []publicapi.Tariff{
			{Name: "Parkett", MinPrice: &low, MaxPrice: &high, Currency: "EUR", Condition: "mit Sekt"}, {Name: "Rang", MinPrice: &low, MaxPrice: &low, Currency: "EUR"},
		},
		PriceType: "tiered_prices", MinPrice: &low, MaxPrice: &high, Currency: "EUR",
	}
	return publicapi.Event{
		UUID: eventJazz, Title: `Jazz <i>live</i> & "laut"`, Summary: "Mit <em>Betonung</em>\nund Umbruch", Description: "Drei Abende",
		OrgUUID: orgNord, OrgName: "Kulturhaus Nord", Categories: []int{1}, Languages: []string{"de", "da"}, Tags: []string{"Jazz", "Straße"}, Labels: []string{"tip"},
		EventTypes: []publicapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 3, GenreID: 0}},
		MinAge:     &minAge, PriceType: "regular_price", MinPrice: &price, Currency: "EUR", TicketFlags: []string{"ticket_required"},
		VisitorInfoFlags: &flags, ReleaseStatus: "released",
		EventLinks: []publicapi.Link{{Type: "website", Label: "Band", URL: "https://band.example/?a=1&b=2"}},
		ImageUUID:  "01920000-0000-7000-8000-0000000000f1", ImagePath: "https://litfass.example/api/image/01920000-0000-7000-8000-0000000000f1/75e5d67fdcde",
		Images: []publicapi.Image{{
			UUID: "01920000-0000-7000-8000-0000000000f1", Identifier: "main", Width: 1200, Height: 800, MimeType: "image/jpeg",
			Path: "https://litfass.example/api/image/01920000-0000-7000-8000-0000000000f1/75e5d67fdcde", License: "cc-by", FocusX: at(0.5), FocusY: at(0.25),
			AltText: "Eine Band", Texts: map[string]publicapi.ImageText{"da": {AltText: "Et band"}},
		}},
		Place: hallPlace(),
		Series: []publicapi.SeriesOfEvent{{
			UUID: seriesID, Slug: "hafenfest", Title: "Hafenfest", StartDate: "2026-11-19",
			Parts:        []publicapi.NamedSeriesPart{{UUID: partID, Kind: "stage", Title: "Große Bühne"}},
			TextLanguage: "de", Texts: map[string]publicapi.SeriesTitle{"da": {Title: "Havnefest"}},
		}},
		Tariffs: []publicapi.Tariff{{Name: "Abendkasse", MinPrice: &price, MaxPrice: &price, Currency: "EUR", Condition: "ab 18 Uhr"}},
		Dates: []publicapi.Date{
			date(jazzFirst, "2026-11-20-1930", "2026-11-20", "19:30", "released"),
			date(jazzSecond, "2026-11-20-1930-2", "2026-11-20", "19:30", "cancelled"),
			last,
		},
		TextLanguage: "de", TextLanguages: []string{"de", "da"},
		Texts: map[string]publicapi.EventText{"da": {Title: "Jazz i havnen", Description: "Tre aftener"}},
		Contributors: []publicapi.Participant{
			{UUID: contributorTrio, Role: "ensemble", Type: "group", Name: "Trio Nord", Note: "Kiel", WebLink: "https://trio.example", Wikidata: "Q254"},
			{UUID: contributorAnna, Role: "author", Type: "person", Name: "Anna Thomsen"},
		},
	}
}

func fair() publicapi.Event {
	return publicapi.Event{
		UUID: eventFair, Title: "Online fair", OrgUUID: orgSued, OrgName: `Ärzte "Süd" 100%`, OnlineLink: "https://fair.example",
		Categories: []int{}, EventTypes: []publicapi.EventType{}, Languages: []string{}, Tags: []string{}, Labels: []string{}, TicketFlags: []string{},
		EventLinks: []publicapi.Link{}, Images: []publicapi.Image{}, Series: []publicapi.SeriesOfEvent{}, Contributors: []publicapi.Participant{}, PriceType: "free", ReleaseStatus: "released",
		Tariffs:       []publicapi.Tariff{},
		TextLanguages: []string{}, Texts: map[string]publicapi.EventText{},
		Dates: []publicapi.Date{{
			UUID: fairDay, Slug: "2028-02-29", StartDate: "2028-02-29", StartTime: "00:00", EndDate: "2028-03-01", AllDay: true, ReleaseStatus: "released", Hours: openings(), Texts: map[string]publicapi.DateText{},
		}},
	}
}

// datesOf returns the documents of an event's dates with the searchable attributes that these tests
// use.
func datesOf(e publicapi.Event) []any {
	var dates []document.Date
	for _, d := range e.Dates {
		day, _ := time.Parse("2006-01-02 15:04", d.StartDate+" "+d.StartTime)
		price := e.PricesOf(d)
		key := int64(day.Year()*10000+int(day.Month())*100+day.Day()) * 10000
		entry := publicapi.Entry{
			UUID: e.UUID, DateUUID: d.UUID, DateSlug: d.Slug, Title: e.Title, Summary: e.Summary, StartDate: d.StartDate, StartTime: d.StartTime,
			EndDate: d.EndDate, AllDay: d.AllDay, SpaceUUID: d.SpaceUUID, SpaceName: d.SpaceName, SpaceAccessibilityFlags: d.SpaceAccessibilityFlags,
			VenueUUID: d.VenueUUID, VenueName: d.VenueName, VenueCity: d.VenueCity, VenueStreet: d.VenueStreet, VenueHouseNumber: d.VenueHouseNumber,
			VenuePostalCode: d.VenuePostalCode, VenueState: d.VenueState, VenueCountry: d.VenueCountry, VenueLat: d.VenueLat, VenueLon: d.VenueLon,
			ImageUUID: e.ImageUUID, ImagePath: e.ImagePath, OrgUUID: e.OrgUUID, OrgName: e.OrgName, Categories: e.Categories,
			EventTypes: e.EventTypes, Languages: e.Languages, Tags: e.Tags, MinAge: e.MinAge, PriceType: price.PriceType,
			VisitorInfoFlags: e.VisitorInfoFlags, ReleaseStatus: d.ReleaseStatus,
			Labels: e.Labels, Subtitle: e.Subtitle, MinPrice: price.MinPrice, MaxPrice: price.MaxPrice, Currency: price.Currency,
			SeriesPartUUID: d.SeriesPartUUID,
			VenueTimezone:  d.VenueTimezone, VenueAccessibilityFlags: d.VenueAccessibilityFlags, OnlineLink: e.OnlineLink, Hours: d.Hours,
			TextLanguage: e.TextLanguage, TextLanguages: e.TextLanguages, Texts: map[string]publicapi.EntryText{},
		}
		titles := []string{e.Title}
		for code, text := range e.Texts {
			entry.Texts[code] = publicapi.EntryText{Title: text.Title}
			titles = append(titles, text.Title)
		}
		for _, one := range e.Series {
			entry.SeriesUUIDs = append(entry.SeriesUUIDs, one.UUID)
		}
		doc := document.Date{
			Revision: 1, StartKey: key + int64(day.Hour()*100+day.Minute()), StartDay: int(key / 10000), EndDay: int(key / 10000),
			TitleWords: document.Words(strings.Join(titles, " ")), TitleKey: document.TextKeys(e.Title), TitleEnd: document.Texts{document.TextEnd(e.Title)},
			TagWords: document.Words(strings.Join(e.Tags, " ")), TagKeys: []string{},
			CitySpelling: document.Spelling(d.VenueCity), TagSpellings: document.Spellings(e.Tags),
			TypeIDs: []int{}, GenreIDs: []int{}, AccessibilityBits: []int{}, VisitorBits: []int{},
		}
		doc.Show(entry)
		for _, one := range e.EventTypes {
			doc.TypeIDs = append(doc.TypeIDs, one.TypeID)
			if one.GenreID != 0 {
				doc.GenreIDs = append(doc.GenreIDs, one.GenreID)
			}
		}
		dates = append(dates, doc)
	}
	document.Relate(dates)
	documents := make([]any, len(dates))
	for i, date := range dates {
		documents[i] = date
	}
	return documents
}

func regionOf(country, state, region string, west, south, east, north float64) any {
	box, _ := json.Marshal(map[string]any{"type": "Polygon", "coordinates": [][][2]float64{{
		{west, south}, {east, south}, {east, north}, {west, north}, {west, south},
	}}})
	view := publicapi.Region{
		CountrySlug: country, CountryName: strings.ToUpper(country), StateSlug: state, StateName: strings.ToUpper(state),
		RegionSlug: region, Name: strings.ToUpper(region[:1]) + region[1:],
	}
	return document.Region{
		Record: recordOf(country+"."+state+"."+region, view, "", ""), Geometry: document.Encoded[json.RawMessage]{Value: box},
	}
}

func portalOf(slug string, selects document.PortalSelects) any {
	id := map[string]string{
		"nord": "01920000-0000-7000-8000-0000000000f1", "jazz": "01920000-0000-7000-8000-0000000000f2", "broken": "01920000-0000-7000-8000-0000000000f3",
	}[slug]
	view := publicapi.Portal{
		UUID: id, Slug: slug, OrgUUID: orgNord, Name: "Portal " + slug, Titles: map[string]string{"de": "Der Norden"},
		Languages: []string{"de", "da"}, Accent: "#0b5d3b",
	}
	return document.Portal{Record: recordOf(id, view, "", ""), Selects: document.Encoded[document.PortalSelects]{Value: selects}}
}

// seriesID is the series of seriesOf, and partID its stage.
const (
	seriesID = "01920000-0000-7000-8000-000000000d71"
	partID   = "01920000-0000-7000-8000-000000000d72"

	seriesImage = "01920000-0000-7000-8000-000000000d73"
)

func seriesOf(slug string) any {
	view := publicapi.Series{
		UUID: seriesID, Slug: slug, OrgUUID: orgNord, OrgName: "Kulturhaus Nord", Title: "Hafenfest", Subtitle: "Drei Tage am Wasser",
		Description: "Mit *vier* Bühnen", WebLink: "https://fest.example", StartDate: "2026-11-19",
		Parts: []publicapi.SeriesPart{{UUID: partID, Kind: "stage", Title: "Große Bühne", Description: "Am Kai"}},
		Image: &publicapi.Image{
			UUID: seriesImage, Identifier: "main", Path: "https://litfass.example/api/image/" + seriesImage + "/75e5d67fdcde", MimeType: "image/jpeg",
			Width: 1600, Height: 900, AltText: "Segelschiffe am Kai", License: "cc-by", CreatorName: "Ada Lund", Copyright: "© Kulturhaus Nord",
			Texts: map[string]publicapi.ImageText{"da": {AltText: "Sejlskibe ved kajen"}},
		},
		TextLanguage: "de", TextLanguages: []string{"de", "da", "en"}, Texts: map[string]publicapi.SeriesText{
			"da": {Title: "Havnefest", Description: "Med *fire* scener"}, "en": {Subtitle: "Three days at the water"},
		},
	}
	return recordOf(seriesID, view, view.Title, "")
}

func listOf(slug string, entries ...change.ListEntry) any {
	id := map[string]string{
		"tipps": "01920000-0000-7000-8000-0000000000e1", "leer": "01920000-0000-7000-8000-0000000000e2",
	}[slug]
	view := publicapi.List{
		UUID: id, Slug: slug, OrgUUID: orgNord, Name: "Tipps", Description: "Drei Tage, drei Tipps",
		Titles: map[string]string{"da": "Tips"}, Descriptions: map[string]string{"da": "Tre tips"},
	}
	return document.List{Record: recordOf(id, view, "", ""), Entries: document.Encoded[[]change.ListEntry]{Value: entries}}
}

// valueSets returns every lookup, short.
func valueSets() []any {
	item := func(id, group, en, de string, extra ...string) document.LookupItem {
		item := document.LookupItem{ID: id, Group: group, Names: map[string]string{"en": en, "de": de}, Extra: map[string]string{}}
		for i := 0; i < len(extra); i += 2 {
			item.Extra[extra[i]] = extra[i+1]
		}
		return item
	}
	integers := map[string][]document.LookupItem{
		change.LookupEventTypes: {item("1", "", "Concert", "Konzert"), item("3", "", "Party", "Party")},
		change.LookupEventGenres: {
			item("1003", "1", "Jazz", "Jazz"),
			item("1013", "1", "Classic", "Klassik"),
			item("3010", "3", "Karaoke", "Karaoke"),
		},
		change.LookupEventOccasions: {item("0", "", "Not specified", "Keine Angabe"), item("1", "", "Opening", "Eröffnung")},
		change.LookupCategories:     {item("1", "", "Culture", "Kultur")},
		change.LookupAccessibilityFlags: {
			item("0", "1", "Wheelchair Accessible", "Rollstuhlgerecht", "key", "wheelchair_accessible"),
			item("47", "6", "Voice Command Support", "Sprachsteuerung", "key", "voice_command_support"),
		},
		change.LookupAccessibilityTopic: {
			item("1", "", "Physical", "Physisch", "key", "physical"),
			item("6", "", "Digital", "Digital", "key", "digital"),
		},
		change.LookupVisitorInfoFlags: {
			item("63", "5", "Last bit", "Letztes Bit", "key", "last"),
			item("5", "1", "Pet Friendly", "Haustiere erlaubt", "key", "pet_friendly"),
		},
		change.LookupVisitorInfoTopic: {
			item("1", "", "Audience", "Zielgruppe", "key", "audience"),
			item("5", "", "Safety", "Sicherheit", "key", "safety"),
		},
	}
	texts := map[string][]document.LookupItem{
		change.LookupLanguages: {item("da", "", "Danish", "Dänisch"), item("de", "", "German", "Deutsch")},
		change.LookupCountries: {item("DEU", "", "Germany", "Deutschland"), item("DNK", "", "Denmark", "Dänemark")},
		change.LookupStates: {
			item("DEU-SH", "DEU", "Schleswig-Holstein", "Schleswig-Holstein", "code", "SH"),
			item("DNK-SD", "DNK", "Syddanmark", "Syddanmark", "code", "SD"),
		},
		change.LookupCurrencies: {item("EUR", "", "Euro", "Euro")},
		change.LookupSpaceTypes: {item("hall", "", "Hall", "Saal")},
		change.LookupPriceTypes: {item("not_specified", "", "Not specified", "Keine Angabe")},
		change.LookupAvailabilities: {
			item("few_left", "", "Few places left", "Wenige Restplätze"), item("sold_out", "", "Sold out", "Ausverkauft"),
		},
		change.LookupLicenses: {
			item("cc-by", "", "CC BY", "CC BY", "spdx", "CC-BY-4.0", "url", "https://creativecommons.org/licenses/by/4.0/"),
		},
		change.LookupLabels:           {item("kids", "", "For kids", "Für Kinder"), item("tip", "", "Editors' tip", "Tipp der Redaktion")},
		change.LookupLegalForms:       {item("foundation", "", "Foundation", "Stiftung")},
		change.LookupContributorRoles: {item("ensemble", "", "Ensemble", "Ensemble"), item("author", "", "Author", "Autorschaft")},
		change.LookupLinkTypes:        {item("website", "", "Website", "Webseite")},
		change.LookupReleaseStatuses:  {item("released", "", "Released", "Veröffentlicht")},
	}
	var all []any
	for integer, sets := range map[bool]map[string][]document.LookupItem{true: integers, false: texts} {
		for name, items := range sets {
			all = append(all, recordOf(name, document.LookupView{Name: name, Integer: integer, Items: items}, "", ""))
		}
	}
	return all
}
