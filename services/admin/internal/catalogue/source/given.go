package source

import (
	"cmp"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// givenOf returns an event of another Litfass as one to import. base is the address of the pages
// there.
func givenOf(e *publicapi.Event, base string, number int) eventimport.Given {
	origin := originOf(e, base)
	given := eventimport.Given{Origin: origin, Values: rules.Event{
		Title: e.Title, Subtitle: value.Text(e.Subtitle), Summary: value.Text(e.Summary), Description: value.Text(e.Description),
		Categories: e.Categories, Languages: e.Languages, Tags: e.Tags, MinAge: e.MinAge, MaxAge: e.MaxAge,
		PriceType: e.PriceType, MinPrice: e.MinPrice, MaxPrice: e.MaxPrice, Currency: value.Text(e.Currency),
		TicketFlags: e.TicketFlags, VisitorInfoFlags: e.VisitorInfoFlags,
		ParticipationInfo: value.Text(e.ParticipationInfo), MeetingPoint: value.Text(e.MeetingPoint), MaxAttendees: e.MaxAttendees,
		Occasion: e.Occasion, OnlineLink: e.OnlineLink, VideoLink: e.VideoLink, SourceLink: value.Text(cmp.Or(string(e.SourceLink), origin)),
	}}
	for _, t := range e.Tariffs {
		given.Values.Tariffs = append(given.Values.Tariffs, tariffOf(t))
	}
	given.Values.TextLanguage, given.Values.Texts = translationsOf(e)
	for _, t := range e.EventTypes {
		given.Values.EventTypes = append(given.Values.EventTypes, adminapi.EventType(t))
	}
	for _, l := range e.EventLinks {
		given.Values.EventLinks = append(given.Values.EventLinks, rules.EventLink{Type: l.Type, Label: value.Text(l.Label), URL: l.URL})
	}
	given.Event = eventfile.Event{Rows: []int{number}, ExternalID: e.UUID, Values: placeValues(e.Place)}
	given.Event.Values[eventfile.FieldTitle] = e.Title
	for _, m := range e.Images {
		if m.UUID == string(e.ImageUUID) {
			values := given.Event.Values
			values[eventfile.FieldImage], values[eventfile.FieldImageAlt] = m.Path, m.AltText
			values[eventfile.FieldImageCreator], values[eventfile.FieldImageCopyright] = m.CreatorName, m.Copyright
			values[eventfile.FieldImageLicense] = string(m.License)
			if m.AIGenerated {
				values[eventfile.FieldImageAI] = eventfile.Yes
			}
			given.ImageTexts = altTextsOf(m, given.Values.TextLanguage)
		}
	}
	for _, p := range e.Contributors {
		id, valid := value.UUIDv7(p.UUID)
		if !valid {
			id = ""
		}
		given.Contributors = append(given.Contributors, adminapi.GivenContributor{
			UUID: value.Text(id), Role: p.Role, Type: p.Type, Name: p.Name, Note: value.Text(p.Note), WebLink: p.WebLink, Wikidata: p.Wikidata,
		})
	}
	given.DateTexts = map[string]map[string]adminapi.DateText{}
	for _, d := range e.Dates {
		given.Dates = append(given.Dates, dateOf(d, number))
		given.DateTexts[d.UUID] = dateTextsOf(d, given.Values.TextLanguage)
	}
	return given
}

// tariffOf returns a tariff, which has a maximum only where that differs from its minimum.
func tariffOf(t publicapi.Tariff) adminapi.Tariff {
	tariff := adminapi.Tariff{Name: t.Name, MinPrice: t.MinPrice, MaxPrice: t.MaxPrice, Currency: t.Currency, Condition: value.Text(t.Condition)}
	if t.MinPrice != nil && t.MaxPrice != nil && *t.MinPrice == *t.MaxPrice {
		tariff.MaxPrice = nil
	}
	return tariff
}

// translationsOf returns the language of the texts of an event and their translations, as far as
// this Litfass has the languages. Those of images and dates are left out: they get other uuids.
func translationsOf(e *publicapi.Event) (original value.Text, texts adminapi.EventTexts) {
	if slices.Contains(language.Codes, e.TextLanguage) {
		original = value.Text(e.TextLanguage)
	}
	texts = adminapi.EventTexts{}
	for code, t := range e.Texts {
		if code == string(original) || !slices.Contains(language.Codes, code) {
			continue
		}
		texts[code] = adminapi.EventText{
			Title: value.Text(t.Title), Subtitle: value.Text(t.Subtitle), Summary: value.Text(t.Summary), Description: value.Text(t.Description),
			ParticipationInfo: value.Text(t.ParticipationInfo), MeetingPoint: value.Text(t.MeetingPoint), StatusNote: value.Text(t.StatusNote),
		}
	}
	return original, texts
}

// altTextsOf returns the translations of the alternative text of an image, as far as this Litfass
// has the languages. Only that text of an image is taken over.
func altTextsOf(m publicapi.Image, original value.Text) map[string]adminapi.ImageText {
	texts := map[string]adminapi.ImageText{}
	for code, t := range m.Texts {
		if t.AltText != "" && code != string(original) && slices.Contains(language.Codes, code) {
			texts[code] = adminapi.ImageText{AltText: value.Text(t.AltText)}
		}
	}
	return texts
}

// dateTextsOf is altTextsOf for the texts of a date.
func dateTextsOf(d publicapi.Date, original value.Text) map[string]adminapi.DateText {
	texts := map[string]adminapi.DateText{}
	for code, t := range d.Texts {
		if t != (publicapi.DateText{}) && code != string(original) && slices.Contains(language.Codes, code) {
			texts[code] = adminapi.DateText{StatusNote: value.Text(t.StatusNote), AccessibilityInfo: value.Text(t.AccessibilityInfo)}
		}
	}
	return texts
}

// placeValues are the values of a venue with its space.
func placeValues(p publicapi.Place) map[string]string {
	return map[string]string{
		eventfile.FieldVenue: p.VenueName, eventfile.FieldStreet: p.VenueStreet, eventfile.FieldHouseNumber: p.VenueHouseNumber,
		eventfile.FieldPostalCode: p.VenuePostalCode, eventfile.FieldCity: p.VenueCity, eventfile.FieldSpace: p.SpaceName,
		eventfile.FieldVenueWikidata: string(p.VenueWikidataID), eventfile.FieldVenueOSM: string(p.VenueOSMID),
	}
}

// dateOf returns a date. Its status is the effective one: an event that is cancelled is one whose
// dates are.
func dateOf(d publicapi.Date, number int) eventfile.Date {
	clock := d.StartTime
	if d.AllDay {
		clock = ""
	}
	values := placeValues(d.Place)
	values[eventfile.FieldStatus], values[eventfile.FieldStatusNote] = d.ReleaseStatus, d.StatusNote
	values[eventfile.FieldTicketLink], values[eventfile.FieldEntryTime] = string(d.TicketLink), string(d.EntryTime)
	values[eventfile.FieldAccessibility] = d.AccessibilityInfo
	values[eventfile.FieldAvailability], values[eventfile.FieldPlaces] = d.Availability, d.RemainingPlaces.String()
	values[eventfile.FieldDateTariffs] = "" // which are below
	moments := map[string]eventfile.Moment{}
	for field, moment := range map[string]value.Text{
		eventfile.FieldOnSaleFrom: d.OnSaleFrom, eventfile.FieldOnSaleUntil: d.OnSaleUntil, eventfile.FieldPreviousStart: d.PreviousStart,
	} {
		day, clock, _ := strings.Cut(string(moment), "T")
		values[field], moments[field] = string(moment), eventfile.Moment{Day: day, Clock: clock}
	}
	date := eventfile.Date{
		Moments: moments,
		Row:     number, ID: d.UUID, Values: values, Start: eventfile.Moment{Day: d.StartDate, Clock: clock},
		End: eventfile.Moment{Day: string(d.EndDate), Clock: string(d.EndTime)}, Hours: &d.Hours,
	}
	for _, t := range d.Tariffs {
		date.Tariffs = append(date.Tariffs, tariffOf(t))
	}
	if date.End.Day == "" && date.End.Clock != "" {
		date.End.Day = d.StartDate
	}
	return date
}
