package text

import (
	"cmp"
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
// known, else the best for an Accept-Language header, else the fallback, which is one of the codes
// or "" for the first of them.
func Match(fallback codes.Code, acceptLanguage string, preferred ...string) string {
	for _, code := range preferred {
		if slices.Contains(codes.Codes, code) {
			return code
		}
	}
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if _, i, confidence := matcher.Match(wanted...); err == nil && confidence != language.No {
		return codes.Codes[i]
	}
	return cmp.Or(string(fallback), codes.Default)
}
