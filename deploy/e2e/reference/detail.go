package reference

import (
	"cmp"
	"slices"
)

// Detail is how GET /api/event/{uuid} must show an event (RULES.md, Entries): its texts, prices and
// pictures, who takes part in it, and its dates. The answer has further keys.
type Detail struct {
	UUID            string        `json:"uuid"`
	Title           string        `json:"title"`
	Subtitle        string        `json:"subtitle"`
	Summary         string        `json:"summary"`
	Description     string        `json:"description"`
	OrgUUID         string        `json:"org_uuid"`
	OrgName         string        `json:"org_name"`
	OrgContactEmail string        `json:"org_contact_email"`
	OrgContactPhone string        `json:"org_contact_phone"`
	VenueUUID       Text          `json:"venue_uuid"` // of the event; dates may have others
	VenueName       string        `json:"venue_name"`
	Labels          Array[string] `json:"labels"`
	VideoLink       Text          `json:"video_link"`

	PriceType string              `json:"price_type"`
	MinPrice  *float64            `json:"min_price"`
	MaxPrice  *float64            `json:"max_price"`
	Currency  string              `json:"currency"`
	Tariffs   Array[DetailTariff] `json:"tariffs"`

	ReleaseStatus   string `json:"release_status"`
	StatusNote      string `json:"status_note"`
	StatusChangedAt Text   `json:"status_changed_at"`

	TextLanguage  string                `json:"text_language"`
	TextLanguages Array[string]         `json:"text_languages"`
	Texts         map[string]DetailText `json:"texts"`

	Contributors Array[DetailContributor] `json:"contributors"`
	Series       Array[DetailSeries]      `json:"series"`
	Images       Array[DetailImage]       `json:"images"`
	Dates        Array[DetailDate]        `json:"dates"`
}

// DetailTariff is a price of an event with both of its ends.
type DetailTariff struct {
	Name      string  `json:"name"`
	MinPrice  float64 `json:"min_price"`
	MaxPrice  float64 `json:"max_price"`
	Currency  string  `json:"currency"`
	Condition string  `json:"condition"`
}

// DetailText are the texts of an event in another language.
type DetailText struct {
	Title       string `json:"title,omitempty"`
	Subtitle    string `json:"subtitle,omitempty"`
	Summary     string `json:"summary,omitempty"`
	Description string `json:"description,omitempty"`
	StatusNote  string `json:"status_note,omitempty"`
}

// DetailContributor is a contributor of an event in a role.
type DetailContributor struct {
	UUID     string `json:"uuid"`
	Role     string `json:"role"`
	Type     string `json:"type"`
	Name     string `json:"name"`
	Note     string `json:"note"`
	WebLink  Text   `json:"web_link"`
	Wikidata Text   `json:"wikidata"`
}

// DetailSeries is a series of an event, with the parts in which its dates take place.
type DetailSeries struct {
	UUID  string            `json:"uuid"`
	Slug  string            `json:"slug"`
	Title string            `json:"title"`
	Parts Array[DetailPart] `json:"parts"`

	TextLanguage string                `json:"text_language"`
	Texts        map[string]SeriesText `json:"texts"`
}

// DetailPart is a part of a series.
type DetailPart struct {
	UUID  string `json:"uuid"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
}

// DetailImage is an image of an event.
type DetailImage struct {
	UUID        string                      `json:"uuid"`
	Identifier  string                      `json:"identifier"`
	AltText     string                      `json:"alt_text"`
	License     Text                        `json:"license"`
	AIGenerated bool                        `json:"ai_generated"`
	Texts       map[string]ImageTranslation `json:"texts"`
}

// DetailDate is a date of an event.
type DetailDate struct {
	UUID              string                     `json:"uuid"`
	StartDate         string                     `json:"start_date"`
	StartTime         string                     `json:"start_time"`
	EndDate           Text                       `json:"end_date"`
	EndTime           Text                       `json:"end_time"`
	AllDay            bool                       `json:"all_day"`
	ReleaseStatus     string                     `json:"release_status"`
	StatusNote        string                     `json:"status_note"`
	AccessibilityInfo string                     `json:"accessibility_info"`
	SpaceUUID         Text                       `json:"space_uuid"`
	VenueUUID         Text                       `json:"venue_uuid"`
	VenueWikidataID   Text                       `json:"venue_wikidata_id"`
	VenueOSMID        Text                       `json:"venue_osm_id"`
	SeriesPartUUID    Text                       `json:"series_part_uuid"`
	Hours             *Hours                     `json:"hours"`
	Availability      string                     `json:"availability"`
	RemainingPlaces   *int                       `json:"remaining_places"`
	OnSaleFrom        Text                       `json:"on_sale_from"`
	OnSaleUntil       Text                       `json:"on_sale_until"`
	PreviousStart     Text                       `json:"previous_start"`
	StatusChangedAt   Text                       `json:"status_changed_at"`
	Texts             map[string]DateTranslation `json:"texts"`

	// Absent where the prices are those of the event.
	Tariffs   Array[DetailTariff] `json:"tariffs,omitempty"`
	PriceType string              `json:"price_type,omitempty"`
	MinPrice  *float64            `json:"min_price,omitempty"`
	MaxPrice  *float64            `json:"max_price,omitempty"`
	Currency  string              `json:"currency,omitempty"`
}

// Details returns how each public event must be shown, by its uuid.
func (r *Reference) Details() map[string]Detail {
	dates := map[string][]*Dated{} // in the order in which an event shows them
	for _, d := range r.dates {
		dates[d.Event.UUID] = append(dates[d.Event.UUID], d)
	}
	details := map[string]Detail{}
	for uuid, of := range dates {
		details[uuid] = r.Detail(of, r.venues[string(of[0].Event.VenueUUID)])
	}
	return details
}

// Detail returns the expected public form of an event, with all dates in order of start, and at its
// venue, nil for none.
func (r *Reference) Detail(dates []*Dated, venue *Venue) Detail {
	detail := r.detail(dates[0])
	if venue != nil {
		detail.VenueUUID, detail.VenueName = Text(venue.UUID), venue.Name
	}
	for _, d := range dates {
		detail.Dates = append(detail.Dates, r.detailDate(d))
	}
	return detail
}

// detail returns the event of a date without dates and venue.
func (r *Reference) detail(d *Dated) Detail {
	e, first := d.Event, r.Entry(d)
	detail := Detail{
		UUID: e.UUID, Title: e.Title, Subtitle: string(e.Subtitle), Summary: string(e.Summary), Description: string(e.Description),
		OrgUUID: d.Org.UUID, OrgName: d.Org.Name, OrgContactEmail: string(d.Org.ContactEmail), OrgContactPhone: string(d.Org.ContactPhone),
		Labels: e.Labels, VideoLink: e.VideoLink,
		Currency: string(e.Money()), Tariffs: detailTariffs(e.Tariffs),
		ReleaseStatus: e.ReleaseStatus, StatusChangedAt: e.StatusChangedAt,
		TextLanguage: first.TextLanguage, TextLanguages: first.TextLanguages, Texts: map[string]DetailText{},
		Series: r.detailSeries(e), Images: detailImages(e),
	}
	detail.PriceType, detail.MinPrice, detail.MaxPrice = e.Price()
	for _, p := range e.Contributors {
		c := r.contributors[p.UUID]
		detail.Contributors = append(detail.Contributors, DetailContributor{c.UUID, p.Role, c.Type, c.Name, string(c.Note), c.WebLink, c.Wikidata})
	}
	altered := e.ReleaseStatus != "released"
	if altered {
		detail.StatusNote = string(e.StatusNote)
	}
	for language, t := range e.Texts {
		text := DetailText{Title: string(t.Title), Subtitle: string(t.Subtitle), Summary: string(t.Summary), Description: string(t.Description)}
		if altered {
			text.StatusNote = string(t.StatusNote)
		}
		detail.Texts[language] = text
	}
	return detail
}

func detailTariffs(of []Tariff) (all []DetailTariff) {
	for _, t := range of {
		most := t.MinPrice
		if t.MaxPrice != nil {
			most = *t.MaxPrice
		}
		all = append(all, DetailTariff{t.Name, t.MinPrice, most, t.Currency, string(t.Condition)})
	}
	return all
}

func (r *Reference) detailSeries(e *Event) (all []DetailSeries) {
	for _, s := range r.seriesOf(e) {
		shown := DetailSeries{s.UUID, s.Slug, s.Title, nil, string(s.TextLanguage), map[string]SeriesText{}}
		for language, t := range s.Texts {
			if t.Title != "" {
				shown.Texts[language] = SeriesText{Title: string(t.Title)}
			}
		}
		for _, p := range s.Parts {
			if slices.ContainsFunc(e.Dates, func(d *Date) bool { return string(d.SeriesPart) == p.UUID }) {
				shown.Parts = append(shown.Parts, DetailPart{p.UUID, p.Kind, p.Title})
			}
		}
		all = append(all, shown)
	}
	return all
}

// detailImages returns the images of an event in the order of their identifiers.
func detailImages(e *Event) (all []DetailImage) {
	for _, image := range e.Images {
		texts := imageTexts(e.Texts, image.UUID)
		all = append(all, DetailImage{image.UUID, image.Identifier, string(image.AltText), image.License, image.AIGenerated, texts})
	}
	slices.SortFunc(all, func(a, b DetailImage) int { return cmp.Compare(a.Identifier, b.Identifier) })
	return all
}

// imageTexts returns the translations of the texts of an image.
func imageTexts(translations map[string]Translation, uuid string) map[string]ImageTranslation {
	texts := map[string]ImageTranslation{}
	for language, t := range translations {
		if text := t.Images[uuid]; text != (ImageTranslation{}) {
			texts[language] = text
		}
	}
	return texts
}

func (r *Reference) detailDate(d *Dated) DetailDate {
	entry := r.Entry(d)
	shown := DetailDate{
		UUID: d.Date.UUID, StartDate: entry.StartDate, StartTime: entry.StartTime, EndDate: entry.EndDate, EndTime: entry.EndTime,
		AllDay: entry.AllDay, ReleaseStatus: d.Status, StatusNote: entry.StatusNote, AccessibilityInfo: string(d.Date.AccessibilityInfo),
		SpaceUUID: entry.SpaceUUID, VenueUUID: entry.VenueUUID, SeriesPartUUID: Text(entry.SeriesPartUUID), Hours: entry.Hours,
		Availability: entry.Availability, RemainingPlaces: entry.RemainingPlaces, OnSaleFrom: entry.OnSaleFrom, OnSaleUntil: entry.OnSaleUntil,
		PreviousStart: entry.PreviousStart, StatusChangedAt: entry.StatusChangedAt, Texts: map[string]DateTranslation{},
	}
	if len(d.Date.Tariffs) > 0 {
		shown.Tariffs, shown.Currency = detailTariffs(d.Date.Tariffs), string(d.Money())
		shown.PriceType, shown.MinPrice, shown.MaxPrice = d.Price()
	}
	if v := d.Place.Venue; v != nil {
		shown.VenueWikidataID, shown.VenueOSMID = v.WikidataID, v.OSMID
	}
	for language, t := range d.Event.Texts {
		text := DateTranslation{t.Dates[d.Date.UUID].AccessibilityInfo, Text(entry.Texts[language].StatusNote)}
		if text != (DateTranslation{}) {
			shown.Texts[language] = text
		}
	}
	return shown
}
