package outbox

import (
	"slices"
	"strings"
	"unicode"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
)

// placesOf returns the uuids of all venues and spaces that the events and their dates refer to,
// each once.
func placesOf(events []*change.Event) (venues, spaces []string) {
	seenVenues, seenSpaces := map[value.Text]bool{}, map[value.Text]bool{}
	for _, e := range events {
		eachPlace(e, func(venue, space value.Text) { seenVenues[venue], seenSpaces[space] = true, true })
	}
	return keys(seenVenues), keys(seenSpaces)
}

func keys(seen map[value.Text]bool) []string {
	list := make([]string, 0, len(seen))
	for key := range seen {
		if key != "" {
			list = append(list, string(key))
		}
	}
	return list
}

// eachPlace calls fn for the place of the event and that of each of its dates; either part may be
// absent.
func eachPlace(e *change.Event, fn func(venue, space value.Text)) {
	fn(e.VenueUUID, e.SpaceUUID)
	for _, d := range e.Dates {
		fn(d.VenueUUID, d.SpaceUUID)
	}
}

// fillPlaces gives each event the venues and spaces that it refers to, and no others, in the order
// of their uuids.
func fillPlaces(events []*change.Event, venues []*change.VenueOfEvent, spaces []*change.Space) {
	venueOf := make(map[value.Text]*change.VenueOfEvent, len(venues))
	spaceOf := make(map[value.Text]*change.Space, len(spaces))
	for _, v := range venues {
		venueOf[value.Text(v.UUID)] = v
	}
	for _, s := range spaces {
		spaceOf[value.Text(s.UUID)] = s
	}
	for _, e := range events {
		hideVenues(e, venueOf)
		e.Venues, e.Spaces = []change.VenueOfEvent{}, []change.Space{}
		seen := map[value.Text]bool{}
		eachPlace(e, func(venue, space value.Text) {
			if v := venueOf[venue]; v != nil && !seen[venue] {
				e.Venues = append(e.Venues, *v)
			}
			if s := spaceOf[space]; s != nil && !seen[space] {
				e.Spaces = append(e.Spaces, *s)
			}
			seen[venue], seen[space] = true, true
		})
		slices.SortFunc(e.Venues, func(a, b change.VenueOfEvent) int { return strings.Compare(a.UUID, b.UUID) })
		slices.SortFunc(e.Spaces, func(a, b change.Space) int { return strings.Compare(a.UUID, b.UUID) })
	}
}

// hideVenues makes every place read as none whose venue is not shown (RULES.md, What is public). A
// date without a venue takes place where the event does: while one of the dates is hidden, each
// other date has the event's place as its own, and the event has none.
func hideVenues(e *change.Event, shown map[value.Text]*change.VenueOfEvent) {
	hidden := func(venue value.Text) bool { return venue != "" && shown[venue] == nil }
	if slices.ContainsFunc(e.Dates, func(d change.Date) bool { return hidden(d.VenueUUID) }) {
		for i := range e.Dates {
			if d := &e.Dates[i]; d.VenueUUID == "" {
				d.VenueUUID, d.SpaceUUID = e.VenueUUID, e.SpaceUUID
			}
		}
		e.VenueUUID, e.SpaceUUID = "", ""
	}
	if hidden(e.VenueUUID) {
		e.VenueUUID, e.SpaceUUID = "", ""
	}
	for i := range e.Dates {
		if d := &e.Dates[i]; hidden(d.VenueUUID) {
			d.VenueUUID, d.SpaceUUID = "", ""
		}
	}
}

// nameRegion derives missing names of a region's country and state from its slugs, and returns its
// id.
func nameRegion(r *change.Region) string {
	if r.CountryName == "" {
		r.CountryName = spell(r.CountrySlug)
	}
	if r.StateName == "" {
		r.StateName = spell(r.StateSlug)
	}
	return r.ID()
}

// spell turns a slug into words: "schleswig-holstein" into "Schleswig Holstein".
func spell(slug string) string {
	words := strings.FieldsFunc(slug, func(r rune) bool { return r == '-' })
	for i, word := range words {
		words[i] = string(unicode.ToUpper(rune(word[0]))) + word[1:]
	}
	return strings.Join(words, " ")
}
