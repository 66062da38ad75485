package paging

import (
	"strings"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

const (
	maxWords      = 10
	maxCharacters = 500
)

// Search returns the words of the parameter search in lower case and adds a violation for an
// invalid one.
func Search(violations *fault.Violations, text string) []string {
	list := strings.Fields(strings.ToLower(text))
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		violations.Add("search", reason.NotText)
	case utf8.RuneCountInString(text) > maxCharacters:
		violations.Add("search", reason.TooLong(maxCharacters))
	case len(list) > maxWords:
		violations.Add("search", reason.TooManyWords(maxWords))
	}
	return list
}
