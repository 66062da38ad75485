package rules

import (
	"slices"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// Normalize brings every value into its stored form. The parts keep their order.
func (s *Series) Normalize() {
	cleanLower(&s.UUID, &s.OrgUUID, &s.Slug)
	cleanLines(&s.Title)
	cleanLines(&s.Subtitle, &s.StartDate, &s.EndDate)
	cleanTexts(&s.Description)
	cleanURLs(&s.WebLink)
	s.normalizeTexts()
	for i := range s.Parts {
		p := &s.Parts[i]
		cleanLower(&p.UUID, &p.Kind)
		setDefault(&p.Kind, adminapi.SeriesStage)
		cleanLines(&p.Title)
		cleanTexts(&p.Description)
	}
	s.Parts = orEmpty(s.Parts)
	if s.Image != nil {
		setDefault(&s.Image.Identifier, MainImage)
		(*Image)(s.Image).normalize()
	}
}

// Validate returns every value that breaks a rule.
func (s *Series) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", s.UUID)
	c.uuid("org_uuid", s.OrgUUID)
	c.slug("slug", s.Slug)
	c.required("title", s.Title, adminapi.MaxName)
	c.visible("title", s.Title)
	c.text("subtitle", string(s.Subtitle), adminapi.MaxTitle)
	c.text("description", string(s.Description), adminapi.MaxText)
	c.url("web_link", string(s.WebLink))
	start, end := c.day("start_date", string(s.StartDate)), c.day("end_date", string(s.EndDate))
	switch {
	case s.EndDate != "" && s.StartDate == "":
		c.bad("start_date", reason.Required)
	case start && end && s.EndDate != "" && s.EndDate < s.StartDate:
		c.bad("end_date", reason.Before("start_date"))
	}
	s.checkParts(c)
	s.checkImage(c)
	s.checkTranslations(c)
	return *c.violations
}

func (s *Series) checkParts(c checker) {
	if len(s.Parts) > adminapi.MaxSeriesParts {
		c.bad("parts", reason.TooMany(adminapi.MaxSeriesParts))
		return
	}
	seen, characters := map[string]bool{}, 0
	for i, part := range s.Parts {
		characters += utf8.RuneCountInString(part.Title) + utf8.RuneCountInString(string(part.Description))
		at := c.at("parts", i)
		at.reference("uuid", part.UUID)
		if part.UUID != "" && seen[part.UUID] {
			at.bad("uuid", reason.GivenTwice)
		}
		seen[part.UUID] = true
		if !slices.Contains(adminapi.SeriesPartKinds, part.Kind) {
			at.bad("kind", reason.NotOneOf(adminapi.SeriesPartKinds))
		}
		at.required("title", part.Title, adminapi.MaxName)
		at.visible("title", part.Title)
		at.text("description", string(part.Description), adminapi.MaxText)
	}
	if characters > adminapi.MaxPartTexts {
		c.bad("parts", reason.TooLong(adminapi.MaxPartTexts))
	}
}

func (s *Series) checkImage(c checker) {
	if s.Image != nil {
		(*Image)(s.Image).check(c.in("image"), imageIdentifiers[:1])
	}
}

func (e *Event) checkSeries(c checker) {
	if len(e.Series) > adminapi.MaxSeriesOfEvent {
		c.bad("series", reason.TooMany(adminapi.MaxSeriesOfEvent))
		return
	}
	seen := map[string]bool{}
	for i, of := range e.Series {
		at := c.at("series", i)
		at.uuid("series_uuid", of.SeriesUUID)
		if seen[of.SeriesUUID] {
			at.bad("series_uuid", reason.GivenTwice)
		}
		seen[of.SeriesUUID] = true
		if !slices.Contains(adminapi.SeriesStates, of.State) {
			at.bad("state", reason.NotOneOf(adminapi.SeriesStates))
		}
	}
}

// PartReference is the reference of a date to a part of a series.
type PartReference struct{ Part, Field string }

// PartReferences returns the parts of series that the dates of an event name.
func (e *Event) PartReferences() (named []PartReference) {
	for i, date := range e.Dates {
		if date.SeriesPartUUID != "" {
			at := Reference{field: "series_part_uuid", date: i}
			named = append(named, PartReference{string(date.SeriesPartUUID), at.Field()})
		}
	}
	return named
}

// SeriesState returns the state of an event in a series; "" if it does not ask to belong to it.
func (e *Event) SeriesState(series string) string {
	at := slices.IndexFunc(e.Series, func(of EventSeries) bool { return of.SeriesUUID == series })
	if at < 0 {
		return ""
	}
	return e.Series[at].State
}
