package rules

import (
	"strings"
	"time"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/platform/invisible"
)

// cleanLines normalizes texts of one line: line breaks and tabs become spaces, and both ends are
// trimmed. A blank text becomes empty.
func cleanLines[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(invisible.Trim(lineBreaks.Replace(string(*text))))
	}
}

// cleanTexts normalizes texts of several lines: lines end with \n, and both ends are trimmed. A
// blank text becomes empty.
func cleanTexts[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(invisible.Trim(windowsBreaks.Replace(string(*text))))
	}
}

var (
	lineBreaks    = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")
	windowsBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

// cleanLower is cleanLines for uuids, slugs and keys, which are lower case.
func cleanLower[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(strings.ToLower(strings.TrimSpace(string(*text))))
	}
}

// cleanUpper is cleanLines for codes of countries, states and currencies.
func cleanUpper[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(strings.ToUpper(strings.TrimSpace(string(*text))))
	}
}

// cleanURLs trims URLs and writes their scheme in lower case; the rest of a URL may be
// case-sensitive.
func cleanURLs[T ~string](urls ...*T) {
	for _, url := range urls {
		trimmed := strings.TrimSpace(string(*url))
		if scheme, rest, found := strings.Cut(trimmed, "://"); found {
			trimmed = strings.ToLower(scheme) + "://" + rest
		}
		*url = T(trimmed)
	}
}

// cleanMoment brings a moment to the precision of the database: microseconds in UTC.
func cleanMoment(moment *time.Time) *time.Time {
	if moment == nil {
		return nil
	}
	kept := moment.UTC().Truncate(time.Microsecond)
	return &kept
}

// cleanSecond writes a moment in UTC with whole seconds. Other text is left to the checks.
func cleanSecond(moment *value.Text) {
	cleanLines(moment)
	if at, err := time.Parse(time.RFC3339, string(*moment)); err == nil {
		*moment = value.Text(at.UTC().Format(time.RFC3339))
	}
}

func setDefault(text *string, value string) {
	if *text == "" {
		*text = value
	}
}

// orEmpty returns the list, never nil: an empty list is [] in JSON and not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// withoutRepeats returns the list without repeats of a key; the first element of each key stays.
func withoutRepeats[T any, K comparable](list []T, key func(T) K) []T {
	seen := make(map[K]bool, len(list))
	kept := make([]T, 0, len(list))
	for _, item := range list {
		if k := key(item); !seen[k] {
			seen[k] = true
			kept = append(kept, item)
		}
	}
	return kept
}
