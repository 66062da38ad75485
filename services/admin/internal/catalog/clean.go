package catalog

import (
	"strings"
	"time"
)

// cleanLines puts texts of one line into their stored form: line breaks and tabs are spaces, none
// at either end.
func cleanLines[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(strings.TrimSpace(lineBreaks.Replace(string(*text))))
	}
}

// cleanTexts puts texts of several lines into their stored form: lines end with \n, no space at
// either end.
func cleanTexts[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(strings.TrimSpace(windowsBreaks.Replace(string(*text))))
	}
}

var (
	lineBreaks    = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")
	windowsBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

// cleanLower is cleanLines for uuids, slugs and keys, which have no capitals.
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

// cleanURLs trims URLs and writes their scheme in lower case; the rest of a URL may tell capitals
// apart.
func cleanURLs[T ~string](urls ...*T) {
	for _, url := range urls {
		trimmed := strings.TrimSpace(string(*url))
		if scheme, rest, found := strings.Cut(trimmed, "://"); found {
			trimmed = strings.ToLower(scheme) + "://" + rest
		}
		*url = T(trimmed)
	}
}

// cleanMoment brings a moment to what the database keeps: microseconds in UTC.
func cleanMoment(moment *time.Time) *time.Time {
	if moment == nil {
		return nil
	}
	kept := moment.UTC().Truncate(time.Microsecond)
	return &kept
}

func setDefault(text *string, value string) {
	if *text == "" {
		*text = value
	}
}

// orEmpty returns the list, never nil: an empty list travels as [] and not as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// withoutRepeats returns the list without what has appeared before, by its key; the first of equals
// stays.
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
