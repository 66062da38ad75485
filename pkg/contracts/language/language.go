// Package language is the one list of the languages in which Litfass has texts: names of value
// sets, mails, permissions and profiles. A language added here needs texts in each of them; the
// tests of each package list the missing ones.
package language

import (
	"fmt"
	"slices"
	"strings"
)

// Default is the language used when none of Codes was asked for. Every text exists in it.
const Default = "en"

// Codes are the languages by their ISO 639-1 code, Default first.
var Codes = []string{Default, "de", "da"}

// Code is one of Codes, as a setting.
type Code string

// UnmarshalText reads a code. The error lists the known ones.
func (c *Code) UnmarshalText(text []byte) error {
	if !slices.Contains(Codes, string(text)) {
		return fmt.Errorf("%q is none of %s", text, strings.Join(Codes, ", "))
	}
	*c = Code(text)
	return nil
}

// Nearest returns the code of Codes for a BCP 47 tag such as "de-DE", in any letter case, and
// Default for every other text.
func Nearest(tag string) string {
	code, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if slices.Contains(Codes, code) {
		return code
	}
	return Default
}
