package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"litfass/pkg/chassis/suggest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
)

// The engine forgives typing errors in words of five letters and more. What it does not find may be
// a shorter word with an error, or a longer one with more of them than it forgives. Its spelling is
// looked for among the dates that are found with a letter of it left out, or by its beginning.

const (
	mostSuspects = 2  // words that may be the wrong one, and are looked into
	mostForms    = 16 // of one word
	mostRead     = 10 // dates by each form
	mostProposed = 3  // spellings of a word that are tried
	leastForm    = 2  // letters
)

// respell returns the words of a search that finds nothing with one of them spelled in another way
// so that something is found; "" when it knows none.
func (s *Searcher) respell(ctx context.Context, filter string, words []string) (string, error) {
	suspects, err := s.suspects(ctx, filter, words)
	if err != nil {
		return "", err
	}
	for _, at := range suspects {
		proposals, err := s.proposals(ctx, filter, words, at)
		if err != nil || len(proposals) == 0 {
			return "", err
		}
		found, err := s.engine.SearchAll(ctx, document.Dates, trying(filter, words, at, proposals)...)
		if err != nil {
			return "", err
		}
		for i, p := range proposals {
			if len(found[i]) > 0 {
				return spelledIn(replaced(words, at, p.shown), found[i][0])
			}
		}
	}
	return "", nil
}

// suspects returns the places of words without which the others find something.
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
		if counts[i].Total > 0 && len(suspects) < mostSuspects {
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

// trying asks for the first date that each proposal finds.
func trying(filter string, words []string, at int, proposals []proposal) []engine.Question {
	questions := make([]engine.Question, len(proposals))
	for i, p := range proposals {
		questions[i] = engine.Question{
			Filter: filter, Words: strings.Join(replaced(words, at, p.word), " "), Attributes: document.EntryAttributes, Limit: 1,
		}
	}
	return questions
}

// spelledIn returns words as they are spelled in a date that they find, where they stand in it.
func spelledIn(words []string, hit engine.Hit) (string, error) {
	texts, err := textsOf(hit)
	if err != nil {
		return "", err
	}
	for i, word := range words {
		for _, shown := range texts {
			if document.Words(shown) == word {
				words[i] = shown
				break
			}
		}
	}
	return strings.Join(words, " "), nil
}

// proposal is another word for a wrong one.
type proposal struct {
	word     string // as it is searched
	shown    string // as it is spelled in a text
	distance int
	times    int // that it was read
}

// proposals returns the words nearest to one of a search, of dates that have the others: the
// nearest first, then the most frequent.
func (s *Searcher) proposals(ctx context.Context, filter string, words []string, at int) ([]proposal, error) {
	var questions []engine.Question
	for _, form := range forms(words[at]) {
		questions = append(questions, engine.Question{ // the engine completes the last word
			Filter: filter, Words: strings.Join(append(otherThan(words, at), form), " "),
			Attributes: document.EntryAttributes, Limit: mostRead,
		})
	}
	if len(questions) == 0 {
		return nil, nil
	}
	found, err := s.engine.SearchAll(ctx, document.Dates, questions...)
	if err != nil {
		return nil, err
	}
	near := map[string]proposal{}
	for _, hit := range slices.Concat(found...) {
		texts, err := textsOf(hit)
		if err != nil {
			return nil, err
		}
		for _, shown := range texts {
			p := proposal{word: document.Words(shown), shown: shown}
			if p.distance = suggest.Distance(words[at], p.word); p.distance == 0 || p.distance > errorsIn(words[at]) {
				continue
			}
			if known, again := near[p.word]; again {
				p = known
			}
			p.times++
			near[p.word] = p
		}
	}
	all := make([]proposal, 0, len(near))
	for _, p := range near {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.times, a.times), cmp.Compare(a.word, b.word))
	})
	return all[:min(mostProposed, len(all))], nil
}

// errorsIn returns how many typing errors are looked for in a word: one more than the engine
// forgives.
func errorsIn(word string) int {
	switch length := len([]rune(word)); {
	case length < 5:
		return 1
	case length < 9:
		return 2
	default:
		return 3
	}
}

// forms returns a word with each of its letters left out, and its beginnings from long to short.
func forms(word string) (all []string) {
	letters := []rune(word)
	add := func(form string) {
		if len([]rune(form)) >= leastForm && len(all) < mostForms && !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	for i := range letters {
		add(string(slices.Concat(letters[:i], letters[i+1:])))
	}
	for end := len(letters) - 1; end >= leastForm; end-- {
		add(string(letters[:end]))
	}
	return all
}

// textsOf returns the words of a date's title, subtitle, tags and venue as they are spelled there.
func textsOf(hit engine.Hit) ([]string, error) {
	var text string
	var shown publicapi.Entry
	if len(hit[entryAttribute]) == 0 {
		return nil, nil // of a former version
	}
	err := json.Unmarshal(hit[entryAttribute], &text)
	if err == nil {
		err = json.Unmarshal([]byte(text), &shown)
	}
	if err != nil {
		return nil, fmt.Errorf("decode an entry: %w", err)
	}
	all := strings.Join(append([]string{shown.Title, shown.Subtitle, shown.VenueName}, shown.Tags...), " ")
	return strings.FieldsFunc(all, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r)
	}), nil
}
