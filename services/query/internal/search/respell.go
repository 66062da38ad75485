package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"litfass/pkg/chassis/spelling"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
)

// The engine tolerates typos in words of five letters and more. A word that it does not find may be
// a shorter one with a typo, or a longer one with more typos than it tolerates. Candidates are the
// words of dates that are found without one of its letters, or by a prefix of it.

const (
	maxSuspects = 2  // words that may be misspelled, and are tried
	maxForms    = 16 // of one word that are searched
	maxRead     = 10 // dates by form
	maxProposed = 3  // candidates of a word that are tried
	minForm     = 2  // letters
)

// respell returns the words of a search that finds nothing with one of them corrected so that it
// finds something; "" when there is no such correction.
func (s *Searcher) respell(ctx context.Context, filter string, words []string) (string, error) {
	suspects, err := s.suspects(ctx, filter, words)
	if err != nil {
		return "", err
	}
	for _, at := range suspects {
		candidates, err := s.candidates(ctx, filter, words, at)
		if err != nil || len(candidates) == 0 {
			return "", err
		}
		found, err := s.engine.SearchAll(ctx, document.Dates, trying(filter, words, at, candidates)...)
		if err != nil {
			return "", err
		}
		for i, p := range candidates {
			if len(found[i]) > 0 {
				return spelledIn(replaced(words, at, p.text), found[i][0])
			}
		}
	}
	return "", nil
}

// suspects returns the indexes of words without which the others find something.
func (s *Searcher) suspects(ctx context.Context, filter string, words []string) ([]int, error) {
	if len(words) == 1 {
		return []int{0}, nil
	}
	questions := make([]engine.Counting, len(words))
	for i := range words {
		questions[i] = engine.Counting{Filter: filter, Words: strings.Join(otherThan(words, i), " ")}
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	var suspects []int
	for i := range words {
		if counts[i].Total > 0 && len(suspects) < maxSuspects {
			suspects = append(suspects, i)
		}
	}
	return suspects, nil
}

func otherThan(words []string, at int) []string {
	return slices.Concat(words[:at], words[at+1:])
}

func replaced(words []string, at int, by string) []string {
	words = slices.Clone(words)
	words[at] = by
	return words
}

// trying asks for the first date that each candidate finds.
func trying(filter string, words []string, at int, candidates []candidate) []engine.Question {
	questions := make([]engine.Question, len(candidates))
	for i, p := range candidates {
		questions[i] = engine.Question{
			Filter: filter, Words: strings.Join(replaced(words, at, p.word), " "), Attributes: document.EntryAttributes, Limit: 1,
		}
	}
	return questions
}

// spelledIn returns words in the spelling of a date that they find, where it has them.
func spelledIn(words []string, hit engine.Hit) (string, error) {
	texts, err := textsOf(hit)
	if err != nil {
		return "", err
	}
	for i, word := range words {
		for _, text := range texts {
			if document.Words(text) == word {
				words[i] = text
				break
			}
		}
	}
	return strings.Join(words, " "), nil
}

// candidate is a word that may have been meant.
type candidate struct {
	word     string // as the search normalizes it
	text     string // as a text spells it
	distance int
	times    int // it was read
}

// candidates returns the words nearest to one of a search, from dates that have the others: the
// nearest first, then the most frequent.
func (s *Searcher) candidates(ctx context.Context, filter string, words []string, at int) ([]candidate, error) {
	var questions []engine.Question
	for _, form := range forms(words[at]) {
		questions = append(questions, engine.Question{ // the engine completes the last word
			Filter: filter, Words: strings.Join(append(otherThan(words, at), form), " "),
			Attributes: document.EntryAttributes, Limit: maxRead,
		})
	}
	if len(questions) == 0 {
		return nil, nil
	}
	found, err := s.engine.SearchAll(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	near := map[string]candidate{}
	for _, hit := range slices.Concat(found...) {
		texts, err := textsOf(hit)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			p := candidate{word: document.Words(text), text: text}
			if p.distance = spelling.Distance(words[at], p.word); p.distance == 0 || p.distance > maxTypos(words[at]) {
				continue
			}
			if known, again := near[p.word]; again {
				p = known
			}
			p.times++
			near[p.word] = p
		}
	}
	all := make([]candidate, 0, len(near))
	for _, p := range near {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.times, a.times), cmp.Compare(a.word, b.word))
	})
	return all[:min(maxProposed, len(all))], nil
}

// maxTypos returns how many typos are corrected in a word: one more than the engine tolerates.
func maxTypos(word string) int {
	switch length := len([]rune(word)); {
	case length < 5:
		return 1
	case length < 9:
		return 2
	default:
		return 3
	}
}

// forms returns a word without each of its letters, and its prefixes from long to short.
func forms(word string) (all []string) {
	letters := []rune(word)
	add := func(form string) {
		if len([]rune(form)) >= minForm && len(all) < maxForms && !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	for i := range letters {
		add(string(slices.Concat(letters[:i], letters[i+1:])))
	}
	for end := len(letters) - 1; end >= minForm; end-- {
		add(string(letters[:end]))
	}
	return all
}

// textsOf returns the words of a date's title, subtitle, tags and venue in their own spelling.
func textsOf(hit engine.Hit) ([]string, error) {
	var text string
	var entry publicapi.Entry
	if len(hit[entryAttribute]) == 0 {
		return nil, nil // of a former version
	}
	err := json.Unmarshal(hit[entryAttribute], &text)
	if err == nil {
		err = json.Unmarshal([]byte(text), &entry)
	}
	if err != nil {
		return nil, fmt.Errorf("decode an entry: %w", err)
	}
	all := strings.Join(append([]string{entry.Title, entry.Subtitle, entry.VenueName}, entry.Tags...), " ")
	return strings.FieldsFunc(all, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r)
	}), nil
}
