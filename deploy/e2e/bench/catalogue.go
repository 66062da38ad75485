package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"litfass/deploy/e2e/reference"
)

var (
	nouns = strings.Fields(`Abend Nacht Konzert Lesung Theater Tanz Kino Markt Fest Sommer Winter Garten Hafen Licht Wald Fluss
		Stadt Bühne Stimme Orgel Quartett Ensemble Orchester Chor Ballett Film Buch Reise Farbe Raum Klang Traum Spiel Bild`)
	adjectives = strings.Fields(`große kleine lange neue alte leise laute helle dunkle freie offene wilde stille bunte ferne nahe`)
	cities     = []string{"Berlin", "Hamburg", "Köln", "Dresden", "Leipzig", "Flensburg", "Kiel", "Erfurt", "Odense", "Århus"}
	keywords   = strings.Fields("jazz rock klassik familie kinder outdoor literatur film tanz markt workshop vortrag führung")
)

// believable returns a catalogue of ordinary events with about four dates each, spread over two
// years around today. With full it uses every kind of event, see fill.
func believable(dates int, today time.Time, full bool) (*reference.Catalogue, error) {
	m := &maker{Rand: rand.New(rand.NewPCG(1, 2)), today: today}
	for n := range max(1, dates/200) {
		m.organization(n)
	}
	for n := range max(1, dates/50) {
		m.venue(n)
	}
	for made := 0; made < dates; {
		made += m.event(min(1+m.IntN(7), dates-made))
	}
	if full {
		if err := m.fill(); err != nil {
			return nil, err
		}
	}
	return &m.Catalogue, nil
}

type maker struct {
	*rand.Rand
	reference.Catalogue
	today time.Time
	made  int // uuids
}

// uuid returns version 7 uuids in ascending order.
func (m *maker) uuid() string {
	m.made++
	return fmt.Sprintf("0197a1b2-%04x-7%03x-8%03x-%012x", m.made>>24&0xffff, m.made>>12&0xfff, m.made&0xfff, m.Uint64N(1<<48))
}

func (m *maker) organization(n int) {
	m.Organizations = append(m.Organizations, &reference.Organization{UUID: m.uuid(), Name: fmt.Sprintf("Verein %d", n)})
}

func (m *maker) venue(n int) {
	lat, lon := 47+8*m.Float64(), 6+9*m.Float64()
	v := &reference.Venue{
		UUID: m.uuid(), OrgUUID: m.Organizations[m.IntN(len(m.Organizations))].UUID, Name: fmt.Sprintf("%s %d", pick(m, nouns), n),
		Street: "Hauptstraße", HouseNumber: "1", PostalCode: reference.Text(fmt.Sprintf("%05d", m.IntN(99999))),
		City: reference.Text(pick(m, cities)), Country: "DEU", Lat: &lat, Lon: &lon,
	}
	flags := reference.Mask(m.Uint64N(256))
	m.Venues = append(m.Venues, v)
	m.Spaces = append(m.Spaces, &reference.Space{UUID: m.uuid(), VenueUUID: v.UUID, Name: "Saal", SpaceType: "hall", AccessibilityFlags: &flags})
}

// event adds an event of any organization at any venue, and returns how many dates it has.
func (m *maker) event(dates int) int {
	at := m.IntN(len(m.Venues))
	org := m.Organizations[m.IntN(len(m.Organizations))]
	m.Events = append(m.Events, m.eventAt(org.UUID, m.Venues[at].UUID, m.Spaces[at].UUID, dates))
	return dates
}

// eventAt returns a released event of an organization at a venue, and in a space of it unless that
// is "".
func (m *maker) eventAt(org, venue, space string, dates int) *reference.Event {
	price := float64(5 * m.IntN(10))
	e := &reference.Event{
		UUID: m.uuid(), OrgUUID: org, ReleaseStatus: "released",
		VenueUUID: reference.Text(venue), SpaceUUID: reference.Text(space),
		Title: m.sentence(4), Subtitle: reference.Text(m.sentence(5)), Summary: reference.Text(m.sentence(20)),
		Description: reference.Text(m.sentence(80)), Categories: []int{1 + m.IntN(6)}, Languages: []string{"de"},
		EventTypes: []reference.EventType{{TypeID: 1, GenreID: 1001 + m.IntN(33)}, {TypeID: 15 + m.IntN(40)}},
		Tags:       []string{pick(m, keywords)}, PriceType: "regular_price", MinPrice: &price, Currency: "EUR",
		EventLinks: []reference.EventLink{{Type: "website", URL: "https://example.org/event"}},
	}
	for range dates {
		e.Dates = append(e.Dates, &reference.Date{
			UUID: m.uuid(), StartDate: m.today.AddDate(0, 0, m.IntN(730)-180).Format(time.DateOnly),
			StartTime: reference.Text(fmt.Sprintf("%02d:%02d", 9+m.IntN(14), 15*m.IntN(4))), ReleaseStatus: "inherited",
		})
	}
	return e
}

func (m *maker) sentence(words int) string {
	parts := make([]string, words)
	for i := range parts {
		parts[i] = pick(m, nouns)
		if i%2 == 0 {
			parts[i] = pick(m, adjectives)
		}
	}
	return strings.Join(parts, " ")
}

func pick(m *maker, choices []string) string { return choices[m.IntN(len(choices))] }
