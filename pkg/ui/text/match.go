package text

import (
	"slices"

	"golang.org/x/text/language"

	codes "litfass/pkg/contracts/language"
)

// matcher chooses among the languages; the first one is the default.
var matcher = newMatcher()

func newMatcher() language.Matcher {
	tags := make([]language.Tag, len(codes.Codes))
	for i, code := range codes.Codes {
		tags[i] = language.Make(code)
	}
	return language.NewMatcher(tags)
}

// Match returns the code of the language to answer in: the first of the preferred codes that is
// known, else the best for an Accept-Language header.
func Match(acceptLanguage string, preferred ...string) string {
	for _, code := range preferred {
		if slices.Contains(codes.Codes, code) {
			return code
		}
	}
	_, i := language.MatchStrings(matcher, acceptLanguage)
	return codes.Codes[i]
}
