package rules

import (
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"strings"
	"time"
	_ "time/tzdata" // time zones, also on systems without them
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/valueset"
	"litfass/services/admin/internal/platform/invisible"
)

const (
	minYear = 1900
	maxYear = 2999
)

// checker collects the violations of one entity. Fields in a list are named by list and position.
type checker struct {
	violations *fault.Violations
	within     string // path of the object that has the fields, ending in "."; "" for the entity
}

func newChecker() checker { return checker{violations: &fault.Violations{}} }

// at is the checker of one element of a list.
func (c checker) at(list string, position int) checker {
	return c.in(fmt.Sprintf("%s[%d]", list, position))
}

// in is the checker of an object in a field.
func (c checker) in(field string) checker {
	return checker{violations: c.violations, within: c.path(field) + "."}
}

// bad records a violation; field "" means the list's element itself.
func (c checker) bad(field string, why *reason.Reason) {
	c.violations.Add(c.path(field), why)
}

func (c checker) path(field string) string {
	return strings.TrimSuffix(c.within+field, ".")
}

// text checks an optional text.
func (c checker) text(field, text string, limit int) {
	if !utf8.ValidString(text) {
		c.bad(field, reason.NotUTF8)
		return
	}
	characters := 0
	for _, r := range text {
		characters++
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			c.bad(field, reason.ControlCharacter(reason.Rune(r)))
			return
		}
	}
	if characters > limit {
		c.bad(field, reason.TooLong(limit))
	}
}

// required checks a required text.
func (c checker) required(field, text string, limit int) {
	if text == "" {
		c.bad(field, reason.Required)
		return
	}
	c.text(field, text, limit)
}

// visible checks that a name hides no characters: mails show it to strangers.
func (c checker) visible(field, name string) {
	if hidden, found := invisible.InName(name); found {
		c.bad(field, reason.InvisibleCharacter(reason.Rune(hidden)))
	}
}

// uuid checks a required identifier: a UUIDv7 in its canonical form (RULES.md, Ids and names).
func (c checker) uuid(field, text string) {
	if text == "" {
		c.bad(field, reason.Required)
		return
	}
	if id, valid := value.UUIDv7(text); !valid || id != text {
		c.bad(field, reason.NotUUID)
	}
}

// reference checks an optional identifier.
func (c checker) reference(field, text string) {
	if text != "" {
		c.uuid(field, text)
	}
}

// url checks an optional absolute http or https URL.
func (c checker) url(field, text string) {
	if text == "" {
		return
	}
	parsed, err := url.Parse(text)
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unfitForURL):
		c.bad(field, reason.InvisibleInURL)
	case err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "":
		c.bad(field, reason.NotURL)
	case parsed.User != nil: // http://known.example@unknown.example misleads about its host
		c.bad(field, reason.URLWithPassword)
	case utf8.RuneCountInString(text) > adminapi.MaxURL:
		c.bad(field, reason.TooLong(adminapi.MaxURL))
	}
}

func isSpaceOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func unfitForURL(r rune) bool { return isSpaceOrControl(r) || invisible.Is(r) }

// email checks an optional address.
func (c checker) email(field, text string) {
	if text == "" {
		return
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || strings.ContainsFunc(text, isSpaceOrControl) {
		c.bad(field, reason.NotEmail)
	} else if utf8.RuneCountInString(text) > adminapi.MaxEmail {
		c.bad(field, reason.TooLong(adminapi.MaxEmail))
	}
}

// item checks an optional key of a value set.
func (c checker) item(field, lookup, key string) {
	if key != "" && !valueset.Has(lookup, key) {
		c.bad(field, reason.NotInSet(reason.Set(lookup)))
	}
}

// number checks an optional integer.
func (c checker) number(field string, number *int, low, high int) {
	if number != nil && (*number < low || *number > high) {
		c.bad(field, reason.NotBetween(float64(low), float64(high)))
	}
}

// day checks an optional date, and reports whether it is present and valid.
func (c checker) day(field, text string) bool {
	if text == "" {
		return false
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < minYear || day.Year() > maxYear {
		c.bad(field, reason.NotDate(minYear, maxYear))
		return false
	}
	return true
}

// clock checks an optional time of day, and reports whether it is present and valid.
func (c checker) clock(field, text string) bool {
	if text == "" {
		return false
	}
	if _, err := time.Parse("15:04", text); err != nil || len(text) != len("15:04") {
		c.bad(field, reason.NotTime)
		return false
	}
	return true
}

// timezone checks the optional IANA name of a time zone.
func (c checker) timezone(field, name string) {
	if name == "" {
		return
	}
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		c.bad(field, reason.NotTimezone)
	}
}

// place checks the address fields that organizations and venues share.
func (c checker) place(state, country string, lat, lon *float64) {
	c.item("country", change.LookupCountries, country)
	if state != "" {
		c.state(state, country)
	}
	if (lat == nil) != (lon == nil) {
		c.bad(map[bool]string{true: "lat", false: "lon"}[lat == nil], reason.PointIncomplete)
	}
	c.degrees("lat", lat, 90)
	c.degrees("lon", lon, 180)
}

func (c checker) state(state, country string) {
	switch {
	case country == "":
		c.bad("country", reason.CountryRequired)
	case !isStateCode(state):
		c.bad("state", reason.NotStateCode)
	case !valueset.HasState(country, state):
		c.bad("state", reason.StateOfOtherCountry(country))
	}
}

func isStateCode(text string) bool {
	other := func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }
	return len(text) <= 3 && !strings.ContainsFunc(text, other)
}

func (c checker) degrees(field string, degrees *float64, limit float64) {
	if degrees != nil && !(math.Abs(*degrees) <= limit) { // NaN too
		c.bad(field, reason.NotBetween(-limit, limit))
	}
}
