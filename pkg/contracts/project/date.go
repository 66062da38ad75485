package project

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

const (
	inherited = "inherited" // a date's release status that takes the event's
	midnight  = "00:00"     // the start time of an all-day date
)

// sortedDates returns the dates by start, all-day first (as 00:00), then uuid. No uuid may occur
// twice: the later date would take the other's place in the index.
func sortedDates(dates []change.Date) ([]change.Date, error) {
	ordered := slices.Clone(dates)
	slices.SortFunc(ordered, func(a, b change.Date) int {
		return cmp.Or(cmp.Compare(a.StartDate, b.StartDate), cmp.Compare(startTime(a), startTime(b)),
			cmp.Compare(a.UUID, b.UUID))
	})
	seen := make(map[string]bool, len(dates))
	for _, date := range dates {
		if seen[date.UUID] {
			return nil, fmt.Errorf("date %s occurs twice", date.UUID)
		}
		seen[date.UUID] = true
	}
	return ordered, nil
}

func startTime(d change.Date) string {
	if d.AllDay || d.StartTime == "" {
		return midnight
	}
	return string(d.StartTime)
}

// releaseStatus returns the effective status: the date's own, unless it inherits the event's
// (RULES.md, Search).
func releaseStatus(e change.Event, d change.Date) string {
	if d.ReleaseStatus == inherited || d.ReleaseStatus == "" {
		return e.ReleaseStatus
	}
	return d.ReleaseStatus
}

// statusNote returns why a date does not take place as planned: its own note, or with the status of
// the event also the event's (RULES.md, Dates and places).
func statusNote(e change.Event, d change.Date) string {
	switch {
	case !altered(releaseStatus(e, d)):
		return ""
	case hasNote(d):
		return string(d.StatusNote)
	default:
		return string(e.StatusNote)
	}
}

// hasNote reports whether the note of a date stands for that of its event.
func hasNote(d change.Date) bool { return d.StatusNote != "" || altered(d.ReleaseStatus) }

// altered reports whether something with this status does not take place as planned.
func altered(status string) bool {
	return status == "cancelled" || status == "deferred" || status == "rescheduled"
}

func tickets(d change.Date) publicapi.Tickets {
	return publicapi.Tickets{
		Availability: string(d.Availability), RemainingPlaces: d.RemainingPlaces,
		OnSaleFrom: d.OnSaleFrom, OnSaleUntil: d.OnSaleUntil,
	}
}

// moved returns what changed about a date. The time is that of the event for a date that inherits
// its status.
func moved(e change.Event, d change.Date) publicapi.Moved {
	m := publicapi.Moved{PreviousStart: d.PreviousStart, StatusChangedAt: d.StatusChangedAt}
	if m.StatusChangedAt == "" && altered(e.ReleaseStatus) && !altered(d.ReleaseStatus) {
		m.StatusChangedAt = e.StatusChangedAt
	}
	return m
}

func dateView(e change.Event, d change.Date, where place) publicapi.Date {
	return publicapi.Date{
		UUID:              d.UUID,
		Slug:              d.Slug,
		StartDate:         d.StartDate,
		StartTime:         startTime(d),
		EndDate:           d.EndDate,
		EndTime:           d.EndTime,
		EntryTime:         d.EntryTime,
		AllDay:            d.AllDay,
		ReleaseStatus:     releaseStatus(e, d),
		StatusNote:        statusNote(e, d),
		TicketLink:        d.TicketLink,
		AccessibilityInfo: string(d.AccessibilityInfo),
		Place:             where.view(),
		SeriesPartUUID:    partOf(e, d),
		Hours:             d.Hours,
		Tickets:           tickets(d),
		Moved:             moved(e, d),
		Texts:             dateTexts(e, d),
		Prices:            pricesOf(e, d),
	}
}

// sharedEntry returns the part of an entry that all dates of an event share.
func (p Projector) sharedEntry(e change.Event) publicapi.Entry {
	image, price := p.listImage(e.Images), priceOf(e)
	return publicapi.Entry{
		UUID:             e.UUID,
		Title:            e.Title,
		Subtitle:         string(e.Subtitle),
		Summary:          string(e.Summary),
		ImageUUID:        value.Text(image.UUID),
		ImagePath:        value.Text(image.Path),
		ImageAltText:     image.AltText,
		ImageLicense:     image.License,
		ImageCreator:     image.CreatorName,
		ImageAIGenerated: image.AIGenerated,
		OrgUUID:          e.Organization.UUID,
		OrgName:          e.Organization.Name,
		Categories:       list(e.Categories),
		EventTypes:       eventTypes(e.EventTypes),
		Languages:        list(e.Languages),
		Tags:             list(e.Tags),
		Labels:           list(e.Labels),
		MinAge:           e.MinAge,
		MaxAge:           e.MaxAge,
		PriceType:        price.kind,
		VisitorInfoFlags: e.VisitorInfoFlags,
		MinPrice:         price.min,
		MaxPrice:         price.max,
		Currency:         string(e.Currency),
		OnlineLink:       e.OnlineLink,
		SeriesUUIDs:      seriesUUIDs(e),
		TextLanguage:     string(e.TextLanguage),
		TextLanguages:    textLanguages(e.TextLanguage, e.Texts),
	}
}

// sharedDocument returns the part of a document, without its entry, that all dates of an event
// share.
func sharedDocument(e change.Event, revision int64) document.Date {
	from, to := ages(e)
	types, genres := typeIDs(e.EventTypes)
	return document.Date{
		Revision:      revision,
		ChangedAt:     string(e.ChangedAt),
		TitleWords:    document.Words(inAll(e, e.Title, title)),
		SubtitleWords: document.Words(inAll(e, string(e.Subtitle), subtitle)),
		TextWords:     document.Words(inAll(e, withoutMarkup(string(e.Summary))+"\n"+string(e.Description), searchedText)),
		TagWords:      document.Words(strings.Join(e.Tags, "\n")),
		TitleKey:      titleKeys(e),
		TitleEnd:      titleEnds(e),
		TagKeys:       tagKeys(e.Tags),
		TagSpellings:  document.Spellings(e.Tags),
		TypeIDs:       types,
		GenreIDs:      genres,
		AgeFrom:       from,
		AgeTo:         to,
		VisitorBits:   bits(e.VisitorInfoFlags),

		ContributorUUIDs: contributorUUIDs(e.Contributors),
		ContributorWords: contributorWords(e.Contributors),
	}
}

// contributorUUIDs returns the distinct uuids under which dates are found by their contributors;
// nil for none.
func contributorUUIDs(named []change.Participant) (uuids []string) {
	for _, p := range named {
		uuids = append(append(uuids, p.UUID), p.FormerUUIDs...)
	}
	return distinct(uuids)
}

func contributorWords(named []change.Participant) string {
	names := make([]string, len(named))
	for i, p := range named {
		names[i] = p.Name
	}
	return document.Words(strings.Join(distinct(names), "\n"))
}

// distinct returns the values without repeats, in the order of their first occurrences.
func distinct[T comparable](values []T) []T {
	first := values[:0:0]
	for _, v := range values {
		if !slices.Contains(first, v) {
			first = append(first, v)
		}
	}
	return first
}

// emphasis is the inline markup that a summary may contain (RULES.md, Entries). Its names are no
// words of the text.
var emphasis = regexp.MustCompile(`(?i)</?(em|strong|b|i|u|br)\s*/?>`)

func withoutMarkup(summary string) string { return emphasis.ReplaceAllLiteralString(summary, " ") }

// searchedDate completes the shared part of an event's dates with one date and its place (field
// rules: publicapi.Entry and document.Date).
func (p Projector) searchedDate(
	shared document.Date, entry publicapi.Entry, e change.Event, d change.Date, where place,
) (document.Date, error) {
	entry.DateUUID = d.UUID
	entry.DateSlug = d.Slug
	entry.StartDate = d.StartDate
	entry.StartTime = startTime(d)
	entry.EndDate = d.EndDate
	entry.EndTime = d.EndTime
	entry.AllDay = d.AllDay
	entry.Hours = d.Hours
	entry.PageURL = p.public + "/event/" + e.UUID + "?date=" + d.UUID
	entry.SeriesPartUUID = partOf(e, d)
	entry.ReleaseStatus, entry.StatusNote = releaseStatus(e, d), statusNote(e, d)
	entry.Tickets, entry.Moved = tickets(d), moved(e, d)
	entry.Texts = entryTexts(e, d, string(entry.ImageUUID))
	if own := pricesOf(e, d); len(own.Tariffs) > 0 {
		entry.PriceType, entry.MinPrice, entry.MaxPrice, entry.Currency = own.PriceType, own.MinPrice, own.MaxPrice, own.Currency
	}
	where.show(&entry)
	found := shared
	found.Show(entry)
	where.fill(&found)
	if err := setMoments(&found, d); err != nil {
		return found, fmt.Errorf("date %s: %w", d.UUID, err)
	}
	var err error
	if found.EndsAt, err = endsAt(d, location(where.zone, p.zone)); err != nil {
		return found, fmt.Errorf("date %s: %w", d.UUID, err)
	}
	if found.Openings, err = openings(d); err != nil {
		return found, fmt.Errorf("date %s: hours: %w", d.UUID, err)
	}
	return found, nil
}

// endsAt returns the Unix time at which a date is over: its end, or without one that is after the
// start, the end of its last day.
func endsAt(d change.Date, zone *time.Location) (int64, error) {
	last := cmp.Or(string(d.EndDate), d.StartDate)
	if endless(d) {
		last = hours.Forever.String()
	}
	if !d.AllDay && d.EndTime != "" {
		start, err := value.LocalTime(d.StartDate, string(d.StartTime), zone)
		if err != nil {
			return 0, fmt.Errorf("start: %w", err)
		}
		end, err := value.LocalTime(last, string(d.EndTime), zone)
		if err != nil {
			return 0, fmt.Errorf("end: %w", err)
		}
		if end.After(start) {
			return end.Unix(), nil
		}
	}
	day, err := time.Parse(time.DateOnly, last)
	if err != nil {
		return 0, fmt.Errorf("end: %w", err)
	}
	if !endless(d) { // else the next day has no name
		day = day.AddDate(0, 0, 1)
	}
	next, err := value.LocalTime(day.Format(time.DateOnly), midnight, zone)
	return next.Unix(), err
}

// setMoments sets the numbers by which a date is ordered and filtered.
func setMoments(found *document.Date, d change.Date) error {
	start, err := hours.ParseDay(d.StartDate)
	if err != nil {
		return fmt.Errorf("start_date: %w", err)
	}
	end := start
	if endless(d) {
		end = hours.Forever
	}
	if d.EndDate != "" {
		if end, err = hours.ParseDay(string(d.EndDate)); err != nil {
			return fmt.Errorf("end_date: %w", err)
		}
	}
	clock, err := time.Parse("15:04", startTime(d))
	if err != nil {
		return fmt.Errorf("start_time %q is not HH:MM", d.StartTime)
	}
	if !d.AllDay {
		if d.StartTime == "" {
			return errors.New("has no start_time and is not all-day")
		}
		minute := clock.Hour()*60 + clock.Minute()
		found.StartMinute = &minute
	}
	found.StartDay, found.EndDay = start.Number(), end.Number()
	found.StartKey = int64(found.StartDay)*10_000 + int64(clock.Hour()*100+clock.Minute())
	return nil
}

// ages returns the event's age range when at least one bound is configured; a missing bound is open
// (RULES.md, Search).
func ages(e change.Event) (from, to *int) {
	if e.MinAge == nil && e.MaxAge == nil {
		return nil, nil
	}
	low, high := 0, document.MaxAge
	if e.MinAge != nil {
		low = *e.MinAge
	}
	if e.MaxAge != nil {
		high = *e.MaxAge
	}
	return &low, &high
}

// typeIDs returns the distinct types and genres. Genre 0 means "no genre" and is not summarised
// (RULES.md, Type summary).
func typeIDs(pairs []change.EventType) (types, genres []int) {
	types, genres = []int{}, []int{}
	for _, pair := range pairs {
		types = append(types, pair.TypeID)
		if pair.GenreID != 0 {
			genres = append(genres, pair.GenreID)
		}
	}
	return distinct(types), distinct(genres)
}

func tagKeys(tags []string) []string {
	keys := make([]string, len(tags))
	for i, tag := range tags {
		keys[i] = document.ExactKey(tag)
	}
	return keys
}
