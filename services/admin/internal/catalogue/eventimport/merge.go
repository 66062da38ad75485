package eventimport

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// field is a field of an event that a file may have. read returns its value as text, "" for none.
type field struct {
	name string
	read func(*rules.Event) string
	copy func(to, from *rules.Event)
}

var fields = []field{
	{eventfile.FieldTitle, func(e *rules.Event) string { return e.Title },
		func(to, from *rules.Event) { to.Title = from.Title }},
	{eventfile.FieldSubtitle, func(e *rules.Event) string { return string(e.Subtitle) },
		func(to, from *rules.Event) { to.Subtitle = from.Subtitle }},
	{eventfile.FieldSummary, func(e *rules.Event) string { return string(e.Summary) },
		func(to, from *rules.Event) { to.Summary = from.Summary }},
	{eventfile.FieldDescription, func(e *rules.Event) string { return string(e.Description) },
		func(to, from *rules.Event) { to.Description = from.Description }},
	{eventfile.FieldVenue, func(e *rules.Event) string { return placeText(e.VenueUUID, e.SpaceUUID) },
		func(to, from *rules.Event) { to.VenueUUID, to.SpaceUUID = from.VenueUUID, from.SpaceUUID }},
	{eventfile.FieldSourceLink, func(e *rules.Event) string { return string(e.SourceLink) },
		func(to, from *rules.Event) { to.SourceLink = from.SourceLink }},
	{eventfile.FieldOnlineLink, func(e *rules.Event) string { return string(e.OnlineLink) },
		func(to, from *rules.Event) { to.OnlineLink = from.OnlineLink }},
	{eventfile.FieldVideoLink, func(e *rules.Event) string { return string(e.VideoLink) },
		func(to, from *rules.Event) { to.VideoLink = from.VideoLink }},
	{eventfile.FieldTags, func(e *rules.Event) string { return strings.Join(e.Tags, ", ") },
		func(to, from *rules.Event) { to.Tags = slices.Clone(from.Tags) }},
	{eventfile.FieldKind, kindText, func(to, from *rules.Event) { to.EventTypes = slices.Clone(from.EventTypes) }},
	{eventfile.FieldCategories, func(e *rules.Event) string { return numbersText(e.Categories) },
		func(to, from *rules.Event) { to.Categories = slices.Clone(from.Categories) }},
	{eventfile.FieldPrice, priceText, func(to, from *rules.Event) {
		to.PriceType, to.MinPrice, to.MaxPrice, to.Currency = from.PriceType, from.MinPrice, from.MaxPrice, from.Currency
	}},
	{eventfile.FieldTariffs, func(e *rules.Event) string { return tariffsText(e.Tariffs) }, func(to, from *rules.Event) { to.Tariffs = slices.Clone(from.Tariffs) }},
	{eventfile.FieldSeries, seriesText, takeSeries},
	{eventfile.FieldAge, agesText, func(to, from *rules.Event) { to.MinAge, to.MaxAge = from.MinAge, from.MaxAge }},
	{eventfile.FieldLanguages, func(e *rules.Event) string { return strings.Join(e.Languages, ", ") },
		func(to, from *rules.Event) { to.Languages = slices.Clone(from.Languages) }},
	{"ticket_flags", func(e *rules.Event) string { return strings.Join(e.TicketFlags, ", ") },
		func(to, from *rules.Event) { to.TicketFlags = slices.Clone(from.TicketFlags) }},
	{"visitor_info_flags", func(e *rules.Event) string { return jsonText(e.VisitorInfoFlags) },
		func(to, from *rules.Event) { to.VisitorInfoFlags = from.VisitorInfoFlags }},
	{"participation_info", func(e *rules.Event) string { return string(e.ParticipationInfo) },
		func(to, from *rules.Event) { to.ParticipationInfo = from.ParticipationInfo }},
	{"meeting_point", func(e *rules.Event) string { return string(e.MeetingPoint) },
		func(to, from *rules.Event) { to.MeetingPoint = from.MeetingPoint }},
	{"max_attendees", func(e *rules.Event) string { return jsonText(e.MaxAttendees) },
		func(to, from *rules.Event) { to.MaxAttendees = from.MaxAttendees }},
	{"occasion", func(e *rules.Event) string { return strings.TrimPrefix(strconv.Itoa(e.Occasion), "0") },
		func(to, from *rules.Event) { to.Occasion = from.Occasion }},
	{eventfile.FieldContributors, contributorsText, func(to, from *rules.Event) { to.Contributors = slices.Clone(from.Contributors) }},
	{"texts", translationsText, takeTranslations},
	{"event_links", linksText, func(to, from *rules.Event) { to.EventLinks = slices.Clone(from.EventLinks) }},
}

// jsonText writes a value that may be absent, "" then.
func jsonText[T any](v *T) string {
	if v == nil {
		return ""
	}
	text, _ := json.Marshal(v) // numbers, which have a text
	return string(text)
}

// tariffsText writes tariffs, "" for none.
func tariffsText(all []adminapi.Tariff) string {
	if len(all) == 0 {
		return ""
	}
	return jsonText(&all)
}

// translationsText writes the language of the texts and their translations, but for those of images
// and dates, which have other uuids here.
func translationsText(e *rules.Event) string {
	texts := adminapi.EventTexts{}
	for language, text := range e.Texts {
		if text.Images, text.Dates = nil, nil; !rules.IsBlank(text) {
			texts[language] = text
		}
	}
	if e.TextLanguage == "" && len(texts) == 0 {
		return ""
	}
	return jsonText(&adminapi.TextsPart{TextLanguage: e.TextLanguage, Texts: texts})
}

// takeTranslations gives an event the translations of another one. Those of its images and dates
// stay.
func takeTranslations(to, from *rules.Event) {
	texts := adminapi.EventTexts{}
	for language, text := range to.Texts {
		if language != string(from.TextLanguage) {
			texts[language] = adminapi.EventText{Images: text.Images, Dates: text.Dates}
		}
	}
	for language, text := range from.Texts {
		text.Images, text.Dates = texts[language].Images, texts[language].Dates
		texts[language] = text
	}
	to.TextLanguage, to.Texts = from.TextLanguage, texts
}

func linksText(e *rules.Event) string {
	var links []string
	for _, l := range e.EventLinks {
		links = append(links, strings.TrimSpace(l.Type+" "+string(l.Label)+" "+l.URL))
	}
	return strings.Join(links, ", ")
}

func placeText(venue, space value.Text) string {
	return strings.TrimSuffix(string(venue+"/"+space), "/")
}

// merger merges an event of a file into the stored event. It is a three-way merge: it decides each
// value by the value of the last import, the value in the file and the stored value.
type merger struct {
	last      record
	overwrite bool
	today     string // dates before it are neither moved nor reported as missing
	vanished  string // what becomes of missing dates; see adminapi.MissingKeep and so on
	display   func(name, text string) value.Text

	changes, kept []adminapi.ImportChange
	missing       []string
	next          record
}

// merge changes the event, and sets the differences and the next record in m.
func (m *merger) merge(event *rules.Event, w *fileEvent) error {
	m.changes, m.kept, m.missing = nil, nil, nil
	m.next = record{
		ExternalID: w.externalID, EventUUID: event.UUID, Digests: maps.Clone(m.last.Digests), Dates: []recordDate{},
	}
	if m.next.Digests == nil {
		m.next.Digests = map[string]string{}
	}
	m.bringBack(event)
	for _, f := range fields {
		if !slices.Contains(w.fields, f.name) {
			continue
		}
		file, here := f.read(w.event), f.read(event)
		base, known := m.last.Digests[f.name]
		if m.decide(f.name, here, file, base, known || here != "") {
			f.copy(event, w.event)
		}
		if file == f.read(event) || digest(file) == base {
			m.next.Digests[f.name] = digest(file)
		}
	}
	return m.mergeDates(event, w)
}

// decide reports whether the file's value replaces the stored one, and records the difference. base
// is the digest of the file's value in the last import. known is false if there is nothing to keep:
// there was no value in the last import, and none is stored.
func (m *merger) decide(name, here, file, base string, known bool) bool {
	if here == file {
		return false
	}
	difference := adminapi.ImportChange{Field: name, Before: m.display(name, here), After: m.display(name, file)}
	if m.overwrite || !known || base == digest(here) {
		m.changes = append(m.changes, difference)
		return true
	}
	m.kept = append(m.kept, difference)
	return false
}

// recordChanged reports whether the next record differs from the last one.
func (m *merger) recordChanged() bool {
	last, err := json.Marshal(m.last)
	if err != nil {
		return true
	}
	next, err := json.Marshal(m.next)
	return err != nil || string(last) != string(next)
}
