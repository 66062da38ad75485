package suggest

import (
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
)

// answer is suggestions as they are kept.
type answer struct {
	encoded.Payload

	upcoming filter.Expr
	words    delta.Words
	places   map[string]map[string]bool // what was looked for dates of: values by attribute
}

// placeAttributes are the attributes of dates that say what they belong to.
var placeAttributes = []string{"venue_uuid", "org_uuid", "city_key"}

// places returns what is looked for dates of.
func (n named) places() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, attribute := range placeAttributes {
		all[attribute] = map[string]bool{}
	}
	for _, venue := range n.venues {
		all["venue_uuid"][venue.UUID] = true
	}
	for _, organization := range n.organizations {
		all["org_uuid"][organization.UUID] = true
	}
	for _, city := range n.cities {
		all["city_key"][document.ExactKey(city.City)] = true
	}
	return all
}

// valueBytes is what a value in places takes in memory, about.
const valueBytes = 80

// Size counts the payload in all its forms, the words and the places.
func (a *answer) Size() int {
	size := a.Payload.Size() + a.words.Size()
	for _, values := range a.places {
		size += valueBytes * len(values)
	}
	return size
}

// Pack keeps the smallest form of the payload alone.
func (a *answer) Pack() { a.Payload.Pack() }

// After returns the answer itself, or nil when the batch can alter it.
func (a *answer) After(batch *delta.Batch) fresh.Kept {
	if batch.Touches(document.Venues) || batch.Touches(document.Organizations) || slices.ContainsFunc(batch.Dates, a.alters) {
		return nil
	}
	return a
}

// alters reports whether the change of a date can alter the answer: by its title, its tags or their
// order, or by whether a place has dates to come.
func (a *answer) alters(d delta.Date) bool {
	was, is := d.Before != nil && a.upcoming.Matches(d.Before), d.After != nil && a.upcoming.Matches(d.After)
	if (was && a.words.MayFind(d.Before)) || (is && a.words.MayFind(d.After)) {
		return true
	}
	return a.placed(d.Before, was) != a.placed(d.After, is)
}

// placed returns of which of the places a date counts.
func (a *answer) placed(d *delta.Document, counts bool) (places [3]string) {
	if !counts {
		return places
	}
	for i, attribute := range placeAttributes {
		value := d.Value(attribute)
		if value == nil {
			continue
		}
		for _, text := range value.Texts {
			if a.places[attribute][text] {
				places[i] = text
			}
		}
	}
	return places
}
