package overview

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/spelling"
	"litfass/pkg/contracts/document"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/platform/postgres"
)

// The words of the venues as they are compared, where the parameters are those of placeable.
const selectWords = access.Allowed + `
SELECT DISTINCT word
FROM venue v, string_to_table(v.search_text, ' ') AS word
WHERE word <> '' AND ` + mayBePlaced + `
    AND ($7::float8 IS NULL OR $8::float8 IS NOT NULL)`

// maxSpellings is the maximum number of known words that stand for a misspelled one.
const maxSpellings = 20

// respell returns the words of a search with typos: each as a list of the known words that it may
// mean, one on a line. It reports false when a word is like none. arguments are those of placeable.
func respell(ctx context.Context, tx pgx.Tx, arguments []any, words []string) ([]string, bool, error) {
	known, err := postgres.Collect[string](ctx, tx, "words of venues", selectWords, arguments...)
	if err != nil {
		return words, false, err
	}
	folded := make([]string, len(known))
	for i, word := range known {
		folded[i] = document.Words(word)
	}
	meant := make([]string, 0, len(words))
	for _, word := range words {
		near := nearest(document.Words(word), folded)
		if len(near) == 0 {
			return words, false, nil
		}
		lines := make([]string, len(near))
		for i, place := range near {
			lines[i] = known[place]
		}
		meant = append(meant, strings.Join(lines, "\n"))
	}
	return meant, true, nil
}

// nearest returns the places of the known words that a word or its beginning may mean: those that
// have it, or else those with the fewest typos, of which a word of four letters may have one and
// one of eight two.
func nearest(word string, known []string) []int {
	type match struct{ place, typos int }
	var matches []match
	if word == "" { // only signs
		return nil
	}
	most := min(len([]rune(word))/4, 2)
	for place, candidate := range known {
		switch typos := spelling.Typos(word, candidate); {
		case strings.Contains(candidate, word):
			matches = append(matches, match{place, 0})
		case typos <= most && candidate != "":
			matches = append(matches, match{place, typos})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(a.typos, b.typos) })
	var places []int
	for _, m := range matches {
		if m.typos > 0 && m.typos > matches[0].typos || len(places) == maxSpellings {
			break
		}
		places = append(places, m.place)
	}
	return places
}
