package suggest

import (
	"cmp"
	"slices"
	"strings"

	"litfass/pkg/chassis/spelling"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// candidate is a suggestion with the properties that rank it.
type candidate struct {
	publicapi.Suggestion

	fit   fit
	dates int // to come; of an event 1: the engine has ordered events
}

// fit is the quality of a match, the best first.
type fit int

const (
	whole     fit = iota // equal to the typed text
	beginning            // it begins so
	inWords              // each word typed begins one of its words
	similar              // with typing errors
)

// fitOf returns how well a text matches words, the document.Words of the typed text.
func fitOf(words, text string) fit {
	text = document.Words(text)
	switch {
	case text == words:
		return whole
	case strings.HasPrefix(text, words):
		return beginning
	case everyWord(words, text, strings.HasPrefix):
		return inWords
	default:
		return similar
	}
}

// resembles reports whether each of the words begins one of a text's, but for as many typing errors
// as the engine allows.
func resembles(words, text string) bool {
	return everyWord(words, document.Words(text), func(of, word string) bool {
		return spelling.Typos(word, of) <= allowed(len([]rune(word)))
	})
}

// allowed returns the number of typos that the engine tolerates in a word of this many characters.
func allowed(length int) int {
	switch {
	case length < 5:
		return 0
	case length < 9:
		return 1
	default:
		return 2
	}
}

// everyWord reports whether each of the words is found in one of a text's.
func everyWord(words, text string, found func(of, word string) bool) bool {
	of := strings.Fields(text)
	for word := range strings.FieldsSeq(words) {
		if !slices.ContainsFunc(of, func(other string) bool { return found(other, word) }) {
			return false
		}
	}
	return true
}

// useless reports whether a candidate has no dates to come, or no filter that finds them: an
// asterisk at the end of a city is a placeholder, and a comma parts tags.
func (c candidate) useless() bool {
	switch c.Kind {
	case publicapi.SuggestedCity:
		return c.dates == 0 || isPattern(c.Text)
	case publicapi.SuggestedTag:
		return c.dates == 0 || c.Text == "" || strings.Contains(c.Text, ",")
	default:
		return c.dates == 0
	}
}

// kinds is the order in which kinds take turns.
var kinds = []string{
	publicapi.SuggestedCity, publicapi.SuggestedVenue, publicapi.SuggestedEvent, publicapi.SuggestedContributor, publicapi.SuggestedOrganization,
	publicapi.SuggestedTag,
}

// mix returns the best candidates, at most limit: the best matches first, and among equal ones the
// kinds take turns. No kind gets more than half of the places while others have candidates.
func mix(candidates []candidate, limit int) []publicapi.Suggestion {
	ordered := ordered(candidates)
	chosen, taken := make([]bool, len(ordered)), map[string]int{}
	left := limit
	for _, most := range []int{(limit + 1) / 2, limit} {
		for i, c := range ordered {
			if left > 0 && !chosen[i] && taken[c.Kind] < most {
				chosen[i] = true
				taken[c.Kind]++
				left--
			}
		}
	}
	suggestions := []publicapi.Suggestion{}
	for i, c := range ordered {
		if chosen[i] {
			suggestions = append(suggestions, c.Suggestion)
		}
	}
	return suggestions
}

// ordered returns the candidates by their fit, then by turns of their kinds.
func ordered(candidates []candidate) []candidate {
	type turn struct {
		candidate

		number int
	}
	candidates = slices.Clone(candidates)
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		first := cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.fit, b.fit), cmp.Compare(b.dates, a.dates))
		if first != 0 || a.Kind == publicapi.SuggestedEvent {
			return first
		}
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.UUID, b.UUID))
	})
	before := map[fit]map[string]int{}
	turns := make([]turn, len(candidates))
	for i, c := range candidates {
		if before[c.fit] == nil {
			before[c.fit] = map[string]int{}
		}
		turns[i] = turn{c, before[c.fit][c.Kind]}
		before[c.fit][c.Kind]++
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(a.number, b.number),
			cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)))
	})
	for i, t := range turns {
		candidates[i] = t.candidate
	}
	return candidates
}
