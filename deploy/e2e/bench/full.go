package main

import (
	"cmp"
	"fmt"
	"time"

	"litfass/deploy/e2e/reference"
)

// fill lets a believable catalogue use every kind of event: half of the events belong to a
// festival and its stages, each names two contributors, has tariffs and is written in three
// languages, each date has an availability, and the first date of each tenth event is an
// exhibition with opening hours.
func (m *maker) fill() error {
	for n := range max(1, len(m.Events)/100) {
		m.series(n)
	}
	for n := range max(2, len(m.Events)/10) {
		m.Contributors = append(m.Contributors, &reference.Contributor{
			UUID: m.uuid(), Type: "person", Name: fmt.Sprintf("%s %s %d", pick(m, adjectives), pick(m, nouns), n),
		})
	}
	for n, event := range m.Events {
		event.TextLanguage, event.Texts = "de", map[string]reference.Translation{"en": m.translation(), "da": m.translation()}
		m.price(event)
		m.cast(event)
		if n%2 == 0 {
			m.join(event)
		}
		for _, date := range event.Dates {
			date.Availability = reference.Text(pick(m, []string{"available", "available", "few_left", "sold_out"}))
		}
		if n%10 == 0 {
			if err := exhibit(event.Dates[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *maker) series(n int) {
	s := &reference.Series{
		UUID: m.uuid(), OrgUUID: m.Organizations[m.IntN(len(m.Organizations))].UUID,
		Slug: fmt.Sprintf("festival-%d", n), Title: fmt.Sprintf("Festival %d", n), Public: true,
	}
	for stage := range 4 {
		s.Parts = append(s.Parts, reference.Part{UUID: m.uuid(), Kind: "stage", Title: fmt.Sprintf("Bühne %d", stage)})
	}
	m.Series = append(m.Series, s)
}

// join lets an event belong to a series, and its dates take place on stages of it.
func (m *maker) join(event *reference.Event) {
	s := m.Series[m.IntN(len(m.Series))]
	event.Series = []reference.Member{{SeriesUUID: s.UUID, State: "accepted"}}
	for _, date := range event.Dates {
		date.SeriesPart = reference.Text(s.Parts[m.IntN(len(s.Parts))].UUID)
	}
}

// cast names a performer and an author of an event.
func (m *maker) cast(event *reference.Event) {
	first := m.IntN(len(m.Contributors))
	second := (first + 1) % len(m.Contributors)
	event.Contributors = []reference.Participant{
		{UUID: m.Contributors[first].UUID, Role: "performer"}, {UUID: m.Contributors[second].UUID, Role: "author"},
	}
}

// translation returns texts as long as those of the original.
func (m *maker) translation() reference.Translation {
	return reference.Translation{
		Title: reference.Text(m.sentence(4)), Subtitle: reference.Text(m.sentence(5)),
		Summary: reference.Text(m.sentence(20)), Description: reference.Text(m.sentence(80)),
	}
}

// price replaces the prices of an event by tariffs.
func (m *maker) price(event *reference.Event) {
	full := cmp.Or(*event.MinPrice, 10)
	event.MinPrice, event.MaxPrice, event.Currency = nil, nil, ""
	event.Tariffs = []reference.Tariff{
		{Name: "Normal", MinPrice: full, Currency: "EUR"},
		{Name: "Ermäßigt", MinPrice: full / 2, Currency: "EUR", Condition: "Mit Ausweis"},
	}
}

// exhibit gives a date opening hours of 90 days, from Tuesday to Sunday.
func exhibit(date *reference.Date) error {
	start, err := time.Parse(time.DateOnly, date.StartDate)
	if err != nil {
		return err
	}
	closed := start.AddDate(0, 0, 45).Format(time.DateOnly)
	date.StartTime, date.AllDay, date.EndDate = "", true, reference.Text(start.AddDate(0, 0, 90).Format(time.DateOnly))
	date.Hours = &reference.Hours{
		Weekly: []reference.WeeklyHours{}, Special: []reference.SpecialHours{},
		Closed: []reference.ClosedDays{{From: closed, To: closed}},
	}
	for _, day := range []string{"tue", "wed", "thu", "fri", "sat", "sun"} {
		date.Hours.Weekly = append(date.Hours.Weekly, reference.WeeklyHours{Day: day, From: "10:00", To: "18:00"})
	}
	return nil
}
