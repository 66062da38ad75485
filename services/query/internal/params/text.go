package params

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
)

// maxText is the length of a text, or of one item of a list, in characters: more than any text of
// the catalogue has.
const maxText = 2_048

// checkText reports characters that no value may have. The values of long lists of a URL are still
// joined here, so that only their characters are checked; their length is checked by item.
func (r *reader) checkText(value string, shape shape) bool {
	if !utf8.ValidString(value) {
		r.bad(reason.NotUTF8)
		return false
	}
	if strings.ContainsFunc(value, unicode.IsControl) {
		r.bad(reason.ControlCharacters)
		return false
	}
	if shape != list {
		return r.checkLength(value)
	}
	return true
}

func (r *reader) checkLength(value string) bool {
	if utf8.RuneCountInString(value) > maxText {
		r.bad(reason.TooLong(maxText))
		return false
	}
	return true
}

func (r *reader) checkItems(items []string) bool {
	for _, item := range items {
		if item == "" {
			r.bad(reason.EmptyItem)
			return false
		}
		if !r.checkLength(item) {
			return false
		}
	}
	return true
}

// splitItems splits every value at its commas; it may stop after limit items.
func splitItems(values []string, limit int) []string {
	var items []string
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			if len(items) == limit {
				return items
			}
			items = append(items, item)
		}
	}
	return items
}

// pattern reads a text with an asterisk as its first character, its last, both or none; elsewhere
// it is itself.
func (r *reader) pattern(text string) *Pattern {
	var p Pattern
	p.Text, p.OpenStart = strings.CutPrefix(text, "*")
	p.Text, p.OpenEnd = strings.CutSuffix(p.Text, "*")
	open := p.OpenStart || p.OpenEnd
	if open && len(document.StartKey(p.Text)) > document.MaxPatternBytes {
		r.bad(reason.PatternTooLong(document.MaxPatternBytes - 1))
		return nil
	}
	return &p
}

// postalCodes reads patterns.
func (r *reader) postalCodes(items []string) {
	for _, item := range items {
		if p := r.pattern(item); p != nil {
			r.query.PostalCodes = append(r.query.PostalCodes, *p)
		}
	}
}

// tags are compared without regard to case.
func (r *reader) tags(items []string) { r.query.Tags = items }

// labels reads keys. Which labels there are is not known here: an unknown one finds nothing.
func (r *reader) labels(items []string) {
	for _, item := range items {
		if !slugPattern.MatchString(item) {
			r.bad(reason.NotSlug)
			return
		}
	}
	r.query.Labels = items
}

// availabilities are those of dates (RULES.md, Search).
var availabilities = []string{"available", "few_left", "sold_out", "waiting_list", "not_yet_on_sale", "free_entry"}

// Bookable are the availabilities with which there are places.
var Bookable = []string{"available", "few_left", "free_entry"}

func (r *reader) availabilities(items []string) {
	for _, item := range items {
		if !slices.Contains(availabilities, item) {
			r.bad(reason.ItemNotOneOf(shortened(item), availabilities))
			return
		}
	}
	r.query.Availabilities = items
}

func (r *reader) spaceTypes(items []string) {
	for _, item := range items {
		if strings.ContainsFunc(item, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' }) {
			r.bad(reason.ItemNotSpaceType(shortened(item)))
			return
		}
	}
	r.query.SpaceTypes = items
}

func (r *reader) countries(items []string) {
	for _, item := range items {
		code, ok := code(item)
		if !ok {
			r.bad(reason.ItemNotCountry(shortened(item)))
			return
		}
		r.query.Countries = append(r.query.Countries, code)
	}
}

// languageCode is how ISO 639 writes a language.
var languageCode = regexp.MustCompile(`^[a-z]{2,3}$`)

func (r *reader) languages(items []string) {
	for _, item := range items {
		code := strings.ToLower(item)
		if !languageCode.MatchString(code) {
			r.bad(reason.ItemNotLanguage(shortened(item)))
			return
		}
		r.query.Languages = append(r.query.Languages, code)
	}
}

// releaseStatuses are the statuses of public dates (RULES.md, What is public).
var releaseStatuses = []string{"released", "cancelled", "deferred", "rescheduled"}

func (r *reader) releaseStatuses(items []string) {
	for _, item := range items {
		if !slices.Contains(releaseStatuses, item) {
			r.bad(reason.ItemNotOneOf(shortened(item), releaseStatuses))
			return
		}
	}
	r.query.ReleaseStatuses = items
}

// priceTypes are the kinds of prices of events (RULES.md, Search).
var priceTypes = []string{"not_specified", "regular_price", "free", "donation", "tiered_prices"}

func (r *reader) priceTypes(items []string) {
	for _, item := range items {
		if !slices.Contains(priceTypes, item) {
			r.bad(reason.ItemNotOneOf(shortened(item), priceTypes))
			return
		}
	}
	r.query.PriceTypes = items
}

// code returns a code of three letters in upper case.
func code(text string) (upper string, ok bool) {
	if len(text) != 3 {
		return "", false
	}
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return "", false
		}
	}
	return strings.ToUpper(text), true
}

// slugPattern is how portals and lists are named.
var slugPattern = regexp.MustCompile(`^[a-z0-9-]{1,100}$`)

// portal reads a slug. Which portals there are is not known here.
func (r *reader) portal(text string) {
	if !slugPattern.MatchString(text) {
		r.bad(reason.NotSlug)
		return
	}
	r.query.Portal = text
}

// list reads a slug. Which lists there are is not known here.
func (r *reader) list(text string) {
	if !slugPattern.MatchString(text) {
		r.bad(reason.NotSlug)
		return
	}
	r.query.List = text
}

// region reads three parts. Which regions there are is not known here: an unknown one finds
// nothing.
func (r *reader) region(text string) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		r.bad(reason.NotRegion)
		return
	}
	r.query.Region = &Region{Country: parts[0], State: parts[1], Region: parts[2]}
}
