package editing

import (
	"encoding/json"
	"time"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
)

// The entities here use every field that there is.

func fullOrganization(s *stage) *catalog.Organization {
	return &catalog.Organization{
		UUID: newID(), Name: "Verein", Description: "Zeile 1\nZeile 2", LegalForm: "registered_association",
		Nonprofit: pointer(false), HoldingOrgUUID: value.Text(s.org.UUID), ContactEmail: "post@example.org",
		ContactPhone: "+49 461 1", WebLink: "https://example.org/?a=b&c=d#e", Street: "Norderstraße", HouseNumber: "1 a",
		AddressAddition: "Hinterhaus", PostalCode: "24937", City: "Flensburg", State: "SH", Country: "DEU",
		Lat: pointer(54.793_743), Lon: pointer(-179.999_999_999_999),
	}
}

func fullVenue(s *stage) *catalog.Venue {
	return &catalog.Venue{
		UUID: newID(), OrgUUID: s.org.UUID, Name: "Speicher", Summary: "Kurz", Description: "Lang",
		ContactEmail: "haus@example.org", ContactPhone: "0461", WebLink: "http://example.org", Street: "Nordertor",
		HouseNumber: "2", PostalCode: "24939", City: "Flensburg", State: "SH", Country: "DEU", Lat: pointer(0.1),
		Lon: pointer(1e-7), Timezone: "Europe/Berlin", OpenedAt: "1900-01-01", ClosedAt: "2028-02-29",
		OpeningHours: "Mo\tDi", TicketInfo: "Kasse", TicketLink: "https://example.org/t",
		AccessibilityFlags: pointer(everyBit), AccessibilitySummary: "Rampe",
	}
}

func fullSpace(s *stage) *catalog.Space {
	return &catalog.Space{
		UUID: newID(), VenueUUID: s.venue.UUID, Name: "Galerie", Description: "Hell", SpaceType: "art_gallery",
		BuildingLevel: pointer(-1), TotalCapacity: pointer(0), SeatingCapacity: pointer(80),
		WebLink: "https://example.org/galerie", AccessibilityFlags: pointer(value.Mask(1) << 63),
		AccessibilitySummary: "Aufzug",
	}
}

func fullRegion() *catalog.Region {
	return &catalog.Region{
		CountrySlug: "deu", StateSlug: "schleswig-holstein", RegionSlug: "angeln", CountryName: "Deutschland",
		StateName: "Schleswig-Holstein", Name: "Angeln",
		Geometry: json.RawMessage(`{"type":"MultiPolygon","coordinates":[[[[9.1,54],[1e-9,54.123456789012],[10,55],[9.1,54]]]]}`),
	}
}

func fullEvent(s *stage) *catalog.Event {
	return &catalog.Event{
		UUID: newID(), OrgUUID: s.org.UUID, VenueUUID: value.Text(s.venue.UUID), SpaceUUID: value.Text(s.space.UUID),
		Title: "Konzert", Subtitle: "Untertitel", Summary: "Kurz *betont*", Description: "Lang",
		Categories: []int{4, 1}, EventTypes: []catalog.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 6}},
		Languages: []string{"de", "da"}, Tags: []string{"Jazz", "{a,b}", `"q"`}, MinAge: pointer(0), MaxAge: pointer(99),
		PriceType: "tiered_prices", MinPrice: pointer(0.005), MaxPrice: pointer(99_999_999.999), Currency: "EUR",
		TicketFlags: []string{"ticket_required"}, VisitorInfoFlags: pointer(value.Mask(0)), ParticipationInfo: "Bitte",
		MeetingPoint: "Tor", MaxAttendees: pointer(12), Occasion: 7, OnlineLink: "https://example.org/live",
		SourceLink: "https://example.org/quelle", ReleaseStatus: catalog.StatusReleased,
		ReleaseDate: pointer(time.Date(2020, 2, 29, 12, 0, 0, 123_456_000, time.UTC)),
		EventLinks:  []catalog.EventLink{{Type: "website", Label: "Seite", URL: "https://example.org"}, {Type: "pdf", URL: "https://example.org/p"}},
		Images:      []catalog.Image{fullImage("main"), fullImage("gallery_1")},
		Dates: []catalog.Date{
			{
				UUID: newID(), StartDate: "2028-02-29", StartTime: "19:30", EndDate: "2028-03-01", EndTime: "01:00",
				EntryTime: "00:00", VenueUUID: value.Text(s.venue.UUID), SpaceUUID: value.Text(s.space.UUID),
				ReleaseStatus: catalog.StatusDeferred, TicketLink: "https://example.org/karte", AccessibilityInfo: "Dolmetscher",
			},
			{UUID: newID(), StartDate: "2028-04-01", AllDay: true, EndDate: "2028-04-02"},
		},
	}
}

func fullImage(identifier string) catalog.Image {
	return catalog.Image{
		UUID: newID(), Identifier: identifier, MimeType: "image/webp", Width: 1920, Height: 1280, AltText: "Bühne",
		Description: "Im Saal", License: "cc-by", CreatorName: "Foto", Copyright: "Haus", FocusX: pointer(0.5),
		FocusY: pointer(1.0),
	}
}
