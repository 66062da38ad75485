package cache

import (
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
)

// Suggestions is the payload of suggestions for the words that a visitor typed.
type Suggestions struct {
	encoded.Payload

	Translated bool // a title is, so that the suggestions differ by language

	Criteria // upcoming dates that have the words
	// Counted are the dates whose events are counted, if they have the words.
	Counted Criteria
	// Places are the venues, organizations, contributors and cities that have the words: values by
	// attribute of dates. They are suggested if they have upcoming dates.
	Places map[string]map[string]bool
}

// PlaceAttributes are the attributes of dates that name their places and contributors.
var PlaceAttributes = [...]string{"venue_uuid", "org_uuid", "city_key", "contributor_uuids"}

// suggested are the attributes by which venues, organizations and contributors are suggested.
var suggested = []string{"name", "city", "name_words", "city_words", "city_key"}

// placeBytes is the memory of a value in Places, approximately.
const placeBytes = 80

// Size returns the bytes of the payload, the words and the places.
func (s *Suggestions) Size() int {
	size := s.Payload.Size() + s.size + s.Counted.size
	for _, values := range s.Places {
		size += placeBytes * len(values)
	}
	return size
}

// Apply invalidates the suggestions if a change may touch them.
func (s *Suggestions) Apply(batch *Batch) (Answer, Reason) {
	switch {
	case batch.all:
		return nil, batch.reason
	case batch.rewrites(document.Venues, suggested...) || batch.rewrites(document.Organizations, suggested...) ||
		batch.rewrites(document.Contributors, suggested...):
		return nil, Written
	case slices.ContainsFunc(batch.changes, s.mayChange):
		return nil, Words
	default:
		return s, ""
	}
}

func (s *Suggestions) compared(batch *Batch) int { return len(batch.changes) }

// mayChange reports whether the title or the tags of a date have the words, or the date decides
// whether a place has upcoming ones.
func (s *Suggestions) mayChange(c Change) bool {
	return s.mayFind(c.before) || s.mayFind(c.after) || s.Counted.mayFind(c.before) || s.Counted.mayFind(c.after) ||
		s.placesOf(s.Criteria, c.before) != s.placesOf(s.Criteria, c.after) ||
		s.placesOf(s.Counted, c.before) != s.placesOf(s.Counted, c.after)
}

// placesOf returns the suggested places of a date, if it is among some.
func (s *Suggestions) placesOf(among Criteria, d *Document) (places [len(PlaceAttributes)]string) {
	if d == nil || !among.expr.Matches(d) {
		return places
	}
	for i, name := range PlaceAttributes {
		texts, _, _ := d.Values(name)
		for _, text := range texts {
			if s.Places[name][text] {
				places[i] += text + " " // a date may have several contributors
			}
		}
	}
	return places
}
