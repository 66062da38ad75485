package text

import (
	"regexp"
	"strings"
)

// reason is how the admin service says what is wrong with a field, and the message for it. What
// varies stands as {A} and {B}, which are parameters of the message, or as {_}.
type reason struct{ id, pattern string }

// reasons are the frequent ones, those that say more before those that begin alike.
var reasons = compile([]reason{
	{"reason.required", "is required"},
	{"reason.required", "is missing"},
	{"reason.release_needs", "is missing: a released event has one"},
	{"reason.release_dates", "is empty: a released event has at least one date"},
	{"reason.release_place", "is missing: a released event has a venue, an online link, or a venue for each date"},
	{"reason.start_time", "is missing: only an all-day date has none"},
	{"reason.point", "is missing: a point has both lat and lon"},
	{"reason.country", "is missing: a state belongs to a country"},
	{"reason.currency", "is missing: a price has a currency"},
	{"reason.email", "is not an e-mail address"},
	{"reason.email_password", "is required to change the e-mail address"},
	{"reason.longer", "has more than {A} characters"},
	{"reason.longer", "has {_} characters, more than {A}"},
	{"reason.longer", "must have at most {A} characters"},
	{"reason.shorter", "must have at least {A} characters"},
	{"reason.guessed", "is too common: {_}"},
	{"reason.is_email", "must not be the e-mail address"},
	{"reason.control", "must be text without control characters"},
	{"reason.control", "must not hold the character {_}"},
	{"reason.control", "holds the invisible character {_}"},
	{"reason.control", "holds the control character {_}"},
	{"reason.control", "holds a space, a control character or an invisible one"},
	{"reason.control", "is not valid UTF-8"},
	{"reason.text", "is not text"},
	{"reason.text", "must be text"},
	{"reason.day", "is not a date YYYY-MM-DD from {_} to {_}"},
	{"reason.day", "must be a date YYYY-MM-DD from 1900 to 2999, or null"},
	{"reason.clock", "is not a time HH:MM"},
	{"reason.before_start", "lies before start_date"},
	{"reason.before_start_time", "lies before start_time; {_}"},
	{"reason.after_start_time", "lies after start_time"},
	{"reason.before_opening", "lies before opened_at"},
	{"reason.all_day", "is given although the date is all-day"},
	{"reason.future", "must lie in the future, before the year 3000"},
	{"reason.address", "is not an http or https URL"},
	{"reason.feed", "is not an http, https or webcal address"},
	{"reason.address_password", "holds a user name or a password"},
	{"reason.between", "is not between {A} and {B}"},
	{"reason.between", "must be an integer from {A} to {B}"},
	{"reason.between", "must be a whole number from {A} to {B}"},
	{"reason.between", "must be a number from {A} to {B}"},
	{"reason.below_age", "is below min_age"},
	{"reason.below_price", "is below min_price"},
	{"reason.free", "is above 0 although the event is free"},
	{"reason.decimals", "has more than three decimals"},
	{"reason.many", "has {_} elements, more than {A}"},
	{"reason.many", "has more than {A} elements"},
	{"reason.many", "has more than {A} entries"},
	{"reason.twice", "is given twice"},
	{"reason.choice", "must be one of {_}"},
	{"reason.choice", "is not one of {_}"},
	{"reason.choice", "must be true or false"},
	{"reason.no_dates", "names no date"},
	{"reason.unknown", "names no {_}"},
	{"reason.unknown", "names what does not exist, or is not yours to know of"},
	{"reason.other_space", "names a space of another venue"},
	{"reason.zone", "is not an IANA time zone"},
	{"reason.link_used", "is not valid, was used before, or has expired"},
	{"reason.fixed", "cannot be changed"},
})

type compiled struct {
	id     string
	whole  *regexp.Regexp
	params []string
}

var variable = regexp.MustCompile(`\\\{(A|B|_)\\\}`)

func compile(table []reason) (all []compiled) {
	for _, entry := range table {
		made := compiled{id: entry.id}
		pattern := variable.ReplaceAllStringFunc(regexp.QuoteMeta(entry.pattern), func(found string) string {
			made.params = append(made.params, strings.Trim(found, `\{}`))
			return "(.+)"
		})
		made.whole = regexp.MustCompile(`(?s)^` + pattern + `$`)
		all = append(all, made)
	}
	return all
}

// Reason translates an English reason of the admin service into the language of the texts. An
// unknown one is returned marked if that language is another (see English).
func Reason(t *Texts, english string) string {
	for _, known := range reasons {
		match := known.whole.FindStringSubmatch(english)
		if match == nil {
			continue
		}
		var pairs []any
		for i, name := range known.params {
			pairs = append(pairs, name, match[i+1])
		}
		return t.With(known.id, pairs...)
	}
	return mark(t, english)
}

// Refusal returns the message of an answer of the admin service, in the language of the texts, by
// its code; without one, what the service says.
func Refusal(t *Texts, code, english string) string {
	if id := "refusal." + code; t.Has(id) {
		return t.T(id)
	}
	return mark(t, english)
}

// marker precedes English text on a page in another language. It has no width.
const marker = "\u2063"

func mark(t *Texts, english string) string {
	if t.Code == "en" || english == "" || strings.HasPrefix(english, marker) {
		return english
	}
	return marker + english
}

// English returns a text without its marker, and whether it had one: whether it is English on a
// page in another language, so that the page can mark it for screen readers.
func English(text string) (words string, marked bool) { return strings.CutPrefix(text, marker) }
