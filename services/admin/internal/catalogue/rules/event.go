package rules

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/cases"

	"litfass/pkg/contracts/adminapi"
)

// Normalize brings every value into its stored form. Lists keep their order and their repeats, so
// that Validate can name elements by their position; Arrange removes repeats.
func (e *Event) Normalize() {
	cleanLower(&e.UUID, &e.OrgUUID, &e.PriceType, &e.ReleaseStatus)
	cleanLower(&e.VenueUUID, &e.SpaceUUID)
	cleanLines(&e.Title)
	cleanLines(&e.Subtitle, &e.MeetingPoint)
	cleanTexts(&e.Summary, &e.Description, &e.ParticipationInfo, &e.StatusNote)
	cleanUpper(&e.Currency)
	cleanURLs(&e.OnlineLink, &e.SourceLink, &e.VideoLink)
	setDefault(&e.PriceType, PriceNotSpecified)
	setDefault(&e.ReleaseStatus, StatusDraft)
	cleanSecond(&e.StatusChangedAt)
	e.ReleaseDate = cleanMoment(e.ReleaseDate)
	e.normalizeLists()
	for i := range e.Series {
		cleanLower(&e.Series[i].SeriesUUID, &e.Series[i].State)
		setDefault(&e.Series[i].State, adminapi.SeriesAsked)
	}
	e.Series = orEmpty(e.Series)
	e.normalizeTexts()
	for i := range e.Dates {
		e.Dates[i].Normalize()
	}
	for i := range e.DateRules {
		e.DateRules[i].normalize()
	}
}

func (e *Event) normalizeLists() {
	e.Categories, e.EventTypes = orEmpty(e.Categories), orEmpty(e.EventTypes)
	e.Languages, e.Tags, e.TicketFlags = orEmpty(e.Languages), orEmpty(e.Tags), orEmpty(e.TicketFlags)
	e.EventLinks, e.Images, e.Dates = orEmpty(e.EventLinks), orEmpty(e.Images), orEmpty(e.Dates)
	e.DateRules = orEmpty(e.DateRules)
	e.Tariffs = cleanTariffs(e.Tariffs)
	e.normalizeContributors()
	for i := range e.Languages {
		cleanLower(&e.Languages[i])
	}
	for i := range e.Tags {
		cleanLines(&e.Tags[i])
	}
	e.Labels = orEmpty(lowered(e.Labels))
	for i := range e.TicketFlags {
		cleanLower(&e.TicketFlags[i])
	}
	for i := range e.EventLinks {
		e.EventLinks[i].Normalize()
	}
	for i := range e.Images {
		e.Images[i].normalize()
	}
}

func (m *Image) normalize() {
	cleanLower(&m.UUID, &m.Identifier, &m.MimeType)
	cleanLower(&m.License)
	cleanLines(&m.AltText, &m.CreatorName, &m.Copyright)
	cleanTexts(&m.Description)
}

// Arrange puts the parts of a valid event into their stored order and removes repeats: dates by
// start, images with the main one first, and of tags that differ only in case the first. A rule
// without dates is removed. The lists are replaced: an earlier copy of the event keeps the given
// order.
func (e *Event) Arrange() {
	e.Categories = withoutRepeats(e.Categories, func(id int) int { return id })
	e.EventTypes = withoutRepeats(e.EventTypes, func(t adminapi.EventType) adminapi.EventType { return t })
	e.Languages = withoutRepeats(e.Languages, func(code string) string { return code })
	e.TicketFlags = withoutRepeats(e.TicketFlags, func(flag string) string { return flag })
	fold := cases.Fold()
	e.Tags = withoutRepeats(e.Tags, fold.String)
	e.Labels = orEmpty(ordered(e.Labels))
	e.Dates, e.Images = slices.Clone(e.Dates), slices.Clone(e.Images)
	slices.SortFunc(e.Dates, compareDates)
	slices.SortFunc(e.Images, compareImages)
	e.derivePrices()
	e.arrangeRules()
}

func compareImages(a, b Image) int {
	return cmp.Or(imageRank(a)-imageRank(b), strings.Compare(a.Identifier, b.Identifier))
}

func imageRank(m Image) int {
	if m.Identifier == MainImage {
		return 0
	}
	return 1
}
