package generate

import (
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"litfass/deploy/e2e/reference"
)

// pattern returns a string parameter that finds the text: the text itself, its beginning, end or a
// part with `*`, in another case or composition now and then, and sometimes with a rune too many so
// that it does not find it. A part may be cut between a letter and its combining mark; both sides
// then speak of the same runes.
func (q *Queries) pattern(text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return pick(q.random, []string{"", "", "*", "x"})
	}
	cut := q.between(1, min(len(runes), 40))
	var pattern string
	switch q.IntN(6) {
	case 0, 1:
		pattern = text
	case 2:
		pattern = string(runes[:cut]) + "*"
	case 3:
		pattern = "*" + string(runes[len(runes)-cut:])
	case 4:
		from := q.between(0, len(runes)-cut)
		pattern = "*" + string(runes[from:from+cut]) + "*"
	default:
		pattern = pick(q.random, []string{"*", "**", "***", "*x", "x*", text + "x", "x" + text, "*" + string(runes[:cut]), string(runes[:cut])})
	}
	return q.otherCase(pattern)
}

// otherCase writes the text in another way that means the same, in half of the cases, unless that
// is longer than any text of a catalogue may be.
func (q *Queries) otherCase(text string) string {
	other := text
	switch q.IntN(8) {
	case 0:
		other = cases.Upper(language.Und).String(text)
	case 1:
		other = cases.Lower(language.Und).String(text)
	case 2:
		other = norm.NFD.String(text)
	case 3:
		other = reference.Fold(text)
	}
	if utf8.RuneCountInString(other) > maxTitle {
		return text
	}
	return other
}

// venue returns the effective venue of the date, or an empty one.
func venue(d *reference.Dated) *reference.Venue {
	if d.Place.Venue == nil {
		return &reference.Venue{}
	}
	return d.Place.Venue
}

func spaceType(d *reference.Dated) string {
	if d.Place.Space == nil {
		return ""
	}
	return string(d.Place.Space.SpaceType)
}

func spaceUUID(d *reference.Dated) string {
	if d.Place.Space == nil {
		return ""
	}
	return d.Place.Space.UUID
}

func lastDay(d *reference.Dated) string {
	if d.Date.EndDate != "" {
		return string(d.Date.EndDate)
	}
	return d.Date.StartDate
}

func typesOf(d *reference.Dated) []int {
	var ids []int
	for _, t := range d.Event.EventTypes {
		ids = append(ids, t.TypeID)
	}
	return ids
}

func genresOf(d *reference.Dated) []int {
	var ids []int
	for _, t := range d.Event.EventTypes {
		if t.GenreID != 0 {
			ids = append(ids, t.GenreID)
		}
	}
	return ids
}
