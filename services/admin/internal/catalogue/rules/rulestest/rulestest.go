// Package rulestest holds entities for tests that use every field of their kinds.
package rulestest

import (
	"encoding/json"
	"math"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// NewID returns a new uuid.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

const everyBit = value.Mask(math.MaxUint64)

// Organization returns an organization that another one holds.
func Organization(holder string) *rules.Organization {
	return &rules.Organization{
		UUID: NewID(), Name: "Verein", Description: "Zeile 1\nZeile 2", LegalForm: "registered_association",
		Nonprofit: pointer(false), HoldingOrgUUID: value.Text(holder), ContactEmail: "post@example.org",
		ContactPhone: "+49 461 1", WebLink: "https://example.org/?a=b&c=d#e", Street: "Norderstraße", HouseNumber: "1 a",
		AddressAddition: "Hinterhaus", PostalCode: "24937", City: "Flensburg", State: "SH", Country: "DEU",
		Lat: pointer(54.793_743), Lon: pointer(-179.999_999_999_999),
	}
}

// Venue returns a venue of an organization.
func Venue(org string) *rules.Venue {
	return &rules.Venue{
		UUID: NewID(), OrgUUID: org, Name: "Speicher", Summary: "Kurz", Description: "Lang",
		ContactEmail: "haus@example.org", ContactPhone: "0461", WebLink: "http://example.org", Street: "Nordertor",
		HouseNumber: "2", PostalCode: "24939", City: "Flensburg", State: "SH", Country: "DEU", Lat: pointer(0.1),
		Lon: pointer(1e-7), Timezone: "Europe/Berlin", OpenedAt: "1900-01-01", ClosedAt: "2028-02-29",
		OpeningHours: "Mo\tDi", TicketInfo: "Kasse", TicketLink: "https://example.org/t",
		AccessibilityFlags: pointer(everyBit), AccessibilitySummary: "Rampe", Use: adminapi.VenueClosed, Hours: Hours(),
		WikidataID: "Q1055", OSMID: "relation/62782",
	}
}

// Hours returns opening hours in their stored form.
func Hours() hours.Hours {
	return hours.Hours{
		Weekly: []hours.Weekly{
			{Day: "tue", From: "10:00", To: "13:00"}, {Day: "tue", From: "14:00", To: "18:00"}, {Day: "sat", From: "20:00", To: "02:00"},
		},
		Closed:  []hours.Closed{{From: "2028-12-24", To: "2028-12-26", Note: "Weihnachten"}},
		Special: []hours.Special{{Date: "2028-04-01", From: "09:30", To: "12:00", Note: "Scherz"}, {Date: "2028-12-31", From: "10:00", To: "14:00"}},
	}
}

// Space returns a space of a venue.
func Space(venue string) *rules.Space {
	return &rules.Space{
		UUID: NewID(), VenueUUID: venue, Name: "Galerie", Description: "Hell", SpaceType: "art_gallery",
		BuildingLevel: pointer(-1), TotalCapacity: pointer(0), SeatingCapacity: pointer(80),
		WebLink: "https://example.org/galerie", AccessibilityFlags: pointer(value.Mask(1) << 63),
		AccessibilitySummary: "Aufzug",
	}
}

// Portal returns a portal of an organization.
func Portal(org string) *rules.Portal {
	return &rules.Portal{
		UUID: NewID(), OrgUUID: value.Text(org), Slug: "portal-" + NewID(), Name: "Angeln & mehr",
		Titles:    []adminapi.PortalTitle{{Language: "da", Title: "Angel"}, {Language: "de", Title: "Angeln"}},
		Languages: []string{"de", "da"}, Look: adminapi.PortalLook{Accent: "#0b5d3b", AccentDark: "#7fd8a0"},
		Filter: adminapi.PortalFilter{
			Categories: []int{1, 4}, Genres: []int{1003}, Tags: []string{"a,b", "Jazz"}, Label: []string{"tip"}, Title: "*fest*", Languages: []string{"da", "de"},
			Age: "6,12", Price: "12.50,EUR", PriceTypes: []string{"free"}, ReleaseStatuses: []string{"released"}, Accessibility: []int{0, 63},
			VisitorInfos: []int{1}, SpaceTypes: []string{"art_gallery"}, Venue: "Speicher", City: "K*", PostalCode: []string{"249*"},
			Countries: []string{"DEU"}, GeolistRegion: "deu,schleswig-holstein,angeln", Lon: pointer(9.5), Lat: pointer(54.7),
			Radius: pointer(5e4), OrgUUIDs: []string{NewID()}, VenueUUIDs: []string{NewID()}, SpaceUUIDs: []string{NewID()},
			SeriesUUIDs: []string{NewID()}, Contributor: []string{NewID()},
		},
		Include: adminapi.PortalSelection{OrgUUIDs: []string{NewID()}, VenueUUIDs: []string{NewID()}, EventUUIDs: []string{NewID()}},
		Exclude: adminapi.PortalSelection{OrgUUIDs: []string{NewID()}, VenueUUIDs: []string{NewID()}, EventUUIDs: []string{NewID()}},
	}
}

// Contributor returns a contributor of an organization.
func Contributor(org string) *rules.Contributor {
	return &rules.Contributor{
		UUID: NewID(), OrgUUID: value.Text(org), Type: adminapi.ContributorGroup, Name: "Trio Nord", Note: "aus Kiel & Flensburg", Description: "Drei\nLeute",
		WebLink: "https://example.org/trio", Wikidata: "Q254", FormerUUIDs: []string{NewID(), NewID()},
	}
}

// Label returns a label.
func Label() *rules.Label {
	return &rules.Label{ID: "tip-" + NewID(), Names: map[string]string{"en": "Tip & more", "de": "Tipp", "da": "Tip"}}
}

// List returns a list of an organization.
func List(org string) *rules.List {
	return &rules.List{
		UUID: NewID(), OrgUUID: value.Text(org), Slug: "list-" + NewID(), Name: "Dieses Wochenende", Description: "Drei Tage,\ndrei Tipps",
		Titles: []adminapi.ListTitle{{Language: "da", Title: "Weekenden", Description: "Tre tips"}, {Language: "de", Title: "Wochenende", Description: "Tipps"}},
		Public: true,
		Entries: []adminapi.ListEntry{
			{EventUUID: NewID(), DateUUID: value.Text(NewID()), Note: "Unser Tipp"}, {EventUUID: NewID(), DateUUID: value.Text(NewID()), Note: "Auch gut"},
		},
	}
}

// Series returns a series of an organization.
func Series(org string) *rules.Series {
	picture := image("main")
	return &rules.Series{
		UUID: NewID(), OrgUUID: org, Slug: "series-" + NewID(), Title: "Hafenfest & mehr", Subtitle: "Drei Tage am Wasser",
		Description: "Vier *Bühnen*", WebLink: "https://example.org/fest", StartDate: "2028-02-28", EndDate: "2028-04-02", Public: true,
		Parts: []adminapi.SeriesPart{
			{UUID: NewID(), Kind: adminapi.SeriesStage, Title: "Große Bühne", Description: "Am Kai"},
			{UUID: NewID(), Kind: adminapi.SeriesDay, Title: "Freitag"},
		},
		Image:        pointer(adminapi.Image(picture)),
		TextLanguage: "de",
		Texts: adminapi.SeriesTexts{"da": {
			Title: "Havnefest & mere", Subtitle: "Tre dage ved vandet", Description: "Fire *scener*",
			Images: map[string]adminapi.ImageText{picture.UUID: {AltText: "En plakat", Description: "Med skibe"}},
		}, "en": {Title: "Harbour festival"}},
	}
}

// Region returns a region.
func Region() *rules.Region {
	return &rules.Region{
		CountrySlug: "deu", StateSlug: "schleswig-holstein", RegionSlug: "angeln", CountryName: "Deutschland",
		StateName: "Schleswig-Holstein", Name: "Angeln",
		Geometry: json.RawMessage(`{"type":"MultiPolygon","coordinates":[[[[9.1,54],[1e-9,54.123456789012],[10,55],[9.1,54]]]]}`),
	}
}

// Event returns an event of an organization, in a space of a venue.
func Event(org, venue, space string) *rules.Event {
	rule := NewID()
	images, first := []rules.Image{image("main"), image("gallery_1")}, NewID()
	return &rules.Event{
		UUID: NewID(), OrgUUID: org, VenueUUID: value.Text(venue), SpaceUUID: value.Text(space),
		Title: "Konzert", Subtitle: "Untertitel", Summary: "Kurz *betont*", Description: "Lang",
		Categories: []int{4, 1}, EventTypes: []adminapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 6}},
		Languages: []string{"de", "da"}, Tags: []string{"Jazz", "{a,b}", `"q"`}, MinAge: pointer(0), MaxAge: pointer(99),
		PriceType: "tiered_prices", MinPrice: pointer(0.005), MaxPrice: pointer(99_999_999.999), Currency: "EUR",
		Tariffs: []adminapi.Tariff{
			{Name: "Parkett", MinPrice: pointer(0.005), MaxPrice: pointer(99_999_999.999), Currency: "EUR"},
			{Name: "Rang", MinPrice: pointer(12.5), Currency: "EUR", Condition: "mit Ausweis"},
		},
		TicketFlags: []string{"ticket_required"}, VisitorInfoFlags: pointer(value.Mask(0)), ParticipationInfo: "Bitte",
		MeetingPoint: "Tor", MaxAttendees: pointer(12), Occasion: 7, OnlineLink: "https://example.org/live",
		SourceLink: "https://example.org/quelle", VideoLink: "https://youtu.be/dQw4w9WgXcQ", ReleaseStatus: rules.StatusReleased,
		StatusNote: "Sturm", StatusChangedAt: "2026-11-20T18:30:00Z",
		ReleaseDate:  pointer(time.Date(2020, 2, 29, 12, 0, 0, 123_456_000, time.UTC)),
		EventLinks:   []rules.EventLink{{UUID: NewID(), Type: "website", Label: "Seite", URL: "https://example.org"}, {UUID: NewID(), Type: "pdf", URL: "https://example.org/p"}},
		Images:       images,
		TextLanguage: "de",
		Texts: adminapi.EventTexts{"da": {
			Title: "Koncert", Subtitle: "Undertitel", Summary: "Kort *fremhævet*", Description: "Lang på dansk", ParticipationInfo: "Værsgo",
			MeetingPoint: "Port", StatusNote: "Storm",
			Images: map[string]adminapi.ImageText{images[0].UUID: {AltText: "Et kor", Description: "På trappen"}, images[1].UUID: {AltText: "En fløjte"}},
			Dates:  map[string]adminapi.DateText{first: {AccessibilityInfo: "Tegnsprogstolk", StatusNote: "Koret er sygt"}},
		}, "en": {Title: "Concert"}}, Contributors: []rules.EventContributor{},
		Dates: []rules.Date{
			{
				UUID: first, StartDate: "2028-02-29", StartTime: "19:30", EndDate: "2028-03-01", EndTime: "01:00",
				EntryTime: "00:00", VenueUUID: value.Text(venue), SpaceUUID: value.Text(space),
				ReleaseStatus: rules.StatusDeferred, StatusNote: "Der Chor ist krank.", TicketLink: "https://example.org/karte", AccessibilityInfo: "Dolmetscher",
				RuleUUID: value.Text(rule), RecurrenceID: "2028-02-28T20:00",
				DateTickets: adminapi.DateTickets{
					DateAvailability: adminapi.DateAvailability{
						Availability: "few_left", RemainingPlaces: value.Counted(0), AvailabilityVersion: value.Counted(3),
					},
					OnSaleFrom: "2027-12-01T10:00", OnSaleUntil: "2028-02-29T18:00",
				},
				PreviousStart: "2028-02-28T20:00", StatusChangedAt: "2026-11-19T08:00:00Z",
				Tariffs: []adminapi.Tariff{
					{Name: "Premiere", MinPrice: pointer(0.005), MaxPrice: pointer(99_999_999.999), Currency: "DKK", Condition: "mit Sekt"},
					{Name: "Stehplatz", MinPrice: pointer(0.0), Currency: "DKK"},
				},
			},
			{UUID: NewID(), StartDate: "2028-04-01", AllDay: true, EndDate: "2028-04-02", Hours: Hours()},
		},
		DateRules: []rules.DateRule{{
			UUID: rule, StartDate: "2028-02-28", StartTime: "20:00", EndDate: "2028-02-29", EndTime: "01:30",
			RRule: "FREQ=DAILY;COUNT=3", RDate: []string{"2028-03-05T20:00"}, ExDate: []string{"2028-02-29T20:00"},
		}},
	}
}

func image(identifier string) rules.Image {
	return rules.Image{
		UUID: NewID(), Identifier: identifier, MimeType: "image/webp", Width: 1920, Height: 1280, AltText: "Bühne",
		Description: "Im Saal", License: "cc-by", CreatorName: "Foto", Copyright: "Haus", FocusX: pointer(0.5),
		FocusY: pointer(1.0), AIGenerated: true,
	}
}

func pointer[T any](v T) *T { return &v }
