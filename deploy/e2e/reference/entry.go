package reference

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Entry is one element of data.events (RULES.md, Entries) but for search_rank and date_slug. Every
// key but the last two is always there: absent text is "", an absent uuid, URL, number or mask is
// null, and a list without values is [].
type Entry struct {
	UUID                    string           `json:"uuid"`
	DateUUID                string           `json:"date_uuid"`
	Title                   string           `json:"title"`
	Subtitle                string           `json:"subtitle"`
	Summary                 string           `json:"summary"`
	StartDate               string           `json:"start_date"`
	StartTime               string           `json:"start_time"`
	AllDay                  bool             `json:"all_day"`
	SpaceUUID               Text             `json:"space_uuid"`
	SpaceName               string           `json:"space_name"`
	SpaceAccessibilityFlags *Mask            `json:"space_accessibility_flags"`
	VenueUUID               Text             `json:"venue_uuid"`
	VenueName               string           `json:"venue_name"`
	VenueCity               string           `json:"venue_city"`
	VenueStreet             string           `json:"venue_street"`
	VenueHouseNumber        string           `json:"venue_house_number"`
	VenuePostalCode         string           `json:"venue_postal_code"`
	VenueState              string           `json:"venue_state"`
	VenueCountry            string           `json:"venue_country"`
	VenueLat                *float64         `json:"venue_lat"`
	VenueLon                *float64         `json:"venue_lon"`
	ImageUUID               Text             `json:"image_uuid"`
	ImagePath               Text             `json:"image_path"`
	OrgUUID                 string           `json:"org_uuid"`
	OrgName                 string           `json:"org_name"`
	Categories              Array[int]       `json:"categories"`
	EventTypes              Array[EventType] `json:"event_types"`
	Languages               Array[string]    `json:"languages"`
	Tags                    Array[string]    `json:"tags"`
	MinAge                  *int             `json:"min_age"`
	MaxAge                  *int             `json:"max_age"`
	PriceType               string           `json:"price_type"`
	VisitorInfoFlags        *Mask            `json:"visitor_info_flags"`
	ReleaseStatus           string           `json:"release_status"`

	EndDate                 Text          `json:"end_date"`
	EndTime                 Text          `json:"end_time"`
	VenueAccessibilityFlags *Mask         `json:"venue_accessibility_flags"`
	MinPrice                *float64      `json:"min_price"`
	MaxPrice                *float64      `json:"max_price"`
	Currency                string        `json:"currency"`
	VenueTimezone           string        `json:"venue_timezone"`
	OnlineLink              Text          `json:"online_link"`
	PageURL                 string        `json:"page_url"`
	ImageAltText            string        `json:"image_alt_text"`
	ImageLicense            Text          `json:"image_license"`
	ImageCreator            string        `json:"image_creator"`
	ImageAIGenerated        bool          `json:"image_ai_generated,omitempty"` // absent without
	StatusNote              string        `json:"status_note"`
	Labels                  Array[string] `json:"labels"`
	SeriesUUIDs             Array[string] `json:"series_uuids,omitempty"`     // absent without
	SeriesPartUUID          string        `json:"series_part_uuid,omitempty"` // absent without
	Hours                   *Hours        `json:"hours"`
	Availability            string        `json:"availability"`
	RemainingPlaces         *int          `json:"remaining_places"`
	OnSaleFrom              Text          `json:"on_sale_from"`
	OnSaleUntil             Text          `json:"on_sale_until"`
	PreviousStart           Text          `json:"previous_start"`
	StatusChangedAt         Text          `json:"status_changed_at"`

	TextLanguage  string               `json:"text_language"`
	TextLanguages Array[string]        `json:"text_languages"`
	Texts         map[string]EntryText `json:"texts"`
}

// EntryText are the texts of an entry in another language.
type EntryText struct {
	Title        string `json:"title,omitempty"`
	Subtitle     string `json:"subtitle,omitempty"`
	Summary      string `json:"summary,omitempty"`
	ImageAltText string `json:"image_alt_text,omitempty"`
	StatusNote   string `json:"status_note,omitempty"`
}

// timeZone is that of the platform, for places without one.
const timeZone = "Europe/Berlin"

// Entry returns how the search must show a date.
func (r *Reference) Entry(d *Dated) Entry {
	e := Entry{
		UUID: d.Event.UUID, DateUUID: d.Date.UUID,
		Title: d.Event.Title, Subtitle: string(d.Event.Subtitle), Summary: string(d.Event.Summary),
		StartDate: d.Date.StartDate, StartTime: d.startTime(), AllDay: d.Date.AllDay,
		OrgUUID: d.Org.UUID, OrgName: d.Org.Name,
		Categories: d.Event.Categories, EventTypes: d.Event.EventTypes, Languages: d.Event.Languages, Tags: d.Event.Tags, Labels: d.Event.Labels,
		MinAge: d.Event.MinAge, MaxAge: d.Event.MaxAge,
		VisitorInfoFlags: d.Event.VisitorInfoFlags, ReleaseStatus: d.Status,
		EndDate: d.Date.EndDate, EndTime: d.Date.EndTime, OnlineLink: d.Event.OnlineLink,
		Hours:        d.Date.Hours,
		Availability: string(d.Date.Availability), RemainingPlaces: d.Date.RemainingPlaces,
		OnSaleFrom: d.Date.OnSaleFrom, OnSaleUntil: d.Date.OnSaleUntil, PreviousStart: d.Date.PreviousStart,
		StatusChangedAt: d.Date.StatusChangedAt,
		VenueTimezone:   timeZone, PageURL: r.PublicURL + "/event/" + d.Event.UUID + "?date=" + d.Date.UUID,
	}
	e.PriceType, e.MinPrice, e.MaxPrice = d.Price()
	e.SeriesUUIDs, e.SeriesPartUUID = r.seriesUUIDs(d), string(r.partOf(d))
	e.Currency = string(d.Money())
	if d.Event.ReleaseStatus != "released" && d.Date.ReleaseStatus == "inherited" {
		e.StatusChangedAt = cmp.Or(e.StatusChangedAt, d.Event.StatusChangedAt)
	}
	if d.Status != "released" {
		e.StatusNote = string(d.Date.StatusNote)
		if d.Date.ReleaseStatus == "inherited" {
			e.StatusNote = cmp.Or(e.StatusNote, string(d.Event.StatusNote))
		}
	}
	if s := d.Place.Space; s != nil {
		e.SpaceUUID, e.SpaceName, e.SpaceAccessibilityFlags = Text(s.UUID), s.Name, s.AccessibilityFlags
	}
	if v := d.Place.Venue; v != nil {
		e.VenueUUID, e.VenueName, e.VenueCity = Text(v.UUID), v.Name, string(v.City)
		e.VenueStreet, e.VenueHouseNumber, e.VenuePostalCode = string(v.Street), string(v.HouseNumber), string(v.PostalCode)
		e.VenueTimezone, e.VenueAccessibilityFlags = cmp.Or(string(v.Timezone), timeZone), v.AccessibilityFlags
		e.VenueState, e.VenueCountry, e.VenueLat, e.VenueLon = string(v.State), string(v.Country), v.Lat, v.Lon
	}
	if image := mainImage(d.Event.Images); image != nil {
		e.ImageUUID = Text(image.UUID)
		e.ImageAltText, e.ImageLicense, e.ImageCreator = string(image.AltText), image.License, string(image.CreatorName)
		e.ImageAIGenerated = image.AIGenerated
		e.ImagePath = Text(r.PublicURL + "/api/image/" + image.UUID + "/" + image.version())
	}
	e.translate(d)
	return e
}

// translate sets the translations of an entry, whose original texts are set.
func (e *Entry) translate(d *Dated) {
	e.TextLanguage, e.TextLanguages, e.Texts = string(d.Event.TextLanguage), nil, map[string]EntryText{}
	if d.Event.TextLanguage != "" {
		e.TextLanguages = append(e.TextLanguages, e.TextLanguage)
	}
	for _, language := range slices.Sorted(maps.Keys(d.Event.Texts)) {
		e.TextLanguages = append(e.TextLanguages, language)
		t := d.Event.Texts[language]
		text := EntryText{
			Title: string(t.Title), Subtitle: string(t.Subtitle), Summary: string(t.Summary),
			ImageAltText: string(t.Images[string(e.ImageUUID)].AltText),
		}
		switch own := d.Date.ReleaseStatus != "inherited" || d.Date.StatusNote != ""; {
		case d.Status == "released":
		case own:
			text.StatusNote = string(t.Dates[d.Date.UUID].StatusNote)
		default:
			text.StatusNote = string(t.StatusNote)
		}
		e.Texts[language] = text
	}
}

// In returns the entry as it is shown in a language: each text in it, or else as in the original.
func (e Entry) In(language string) Entry {
	t := e.Texts[language]
	if t.Title != "" {
		e.TextLanguage = language
	}
	e.Title, e.Subtitle, e.Summary = cmp.Or(t.Title, e.Title), cmp.Or(t.Subtitle, e.Subtitle), cmp.Or(t.Summary, e.Summary)
	e.ImageAltText, e.StatusNote = cmp.Or(t.ImageAltText, e.ImageAltText), cmp.Or(t.StatusNote, e.StatusNote)
	return e
}

// mainImage returns the image "main", else the first by identifier, else nil.
func mainImage(images []Image) *Image {
	var first *Image
	for i := range images {
		image := &images[i]
		if image.Identifier == "main" {
			return image
		}
		if first == nil || image.Identifier < first.Identifier {
			first = image
		}
	}
	return first
}

// version is the last segment of an image's URL: a hash of its uuid and its focus point in
// hundredths, the middle without one.
func (m Image) version() string {
	focus := "50-50"
	if m.FocusX != nil && m.FocusY != nil {
		focus = fmt.Sprintf("%.0f-%.0f", math.Round(100**m.FocusX), math.Round(100**m.FocusY))
	}
	sum := sha256.Sum256([]byte(m.UUID + " " + focus))
	return hex.EncodeToString(sum[:6])
}

// Slug returns how the slug of the date must begin; a second date of the event at the same moment
// has "-2" appended, and so on (RULES.md, Ids and names).
func (d *Dated) Slug() string {
	if d.Date.AllDay {
		return d.Date.StartDate
	}
	return d.Date.StartDate + "-" + strings.ReplaceAll(string(d.Date.StartTime), ":", "")
}
