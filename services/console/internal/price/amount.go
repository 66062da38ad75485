// Package price reads and writes amounts of money as people type them, and has the fields of
// tariffs, of an event or of a single date.
package price

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Read reads an amount of money as people type it, and reports whether it is one.
func Read(typed string, t *text.Texts) (float64, bool) {
	amount, err := strconv.ParseFloat(decimal(typed, t.T("format.decimal")), 64)
	const highest = 99_999_999
	return amount, err == nil && amount >= 0 && amount <= highest // not NaN
}

// Grouped is a whole number with separators of thousands.
var Grouped = regexp.MustCompile(`^\d{1,3}([.,' ]\d{3})+$`)

var amountParts = regexp.MustCompile(`^(\d[\d.,]*?)([.,](\d*))?$`)

// decimal writes an amount as people type it with a point and without separators of thousands: of
// two separators the last one is the decimal one. A single one in front of three digits separates
// thousands unless the language has it for decimals. It returns "" for an invalid amount.
func decimal(typed, point string) string {
	typed = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "€", "", "$", "", "£", "", ",-", "", ",–", "").Replace(typed)
	parts := amountParts.FindStringSubmatch(typed)
	if parts == nil {
		return ""
	}
	whole, separator, cents := parts[1], strings.TrimRight(parts[2], "0123456789"), parts[3]
	const group = 3
	if separator != "" && separator != point && len(cents) == group && !strings.Contains(whole, point) {
		whole, cents = whole+separator+cents, ""
	}
	if strings.ContainsAny(whole, ".,") {
		if !Grouped.MatchString(whole) {
			return ""
		}
		whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	}
	if cents == "" {
		return whole
	}
	return whole + "." + cents
}

// Write writes an amount of the API, such as 12.5, as the language does; anything but a number
// stays as it is.
func Write(t *text.Texts, plain string) string {
	number, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return plain
	}
	written := strconv.FormatFloat(number, 'f', -1, 64)
	if whole, cents, found := strings.Cut(written, "."); found {
		const shortest = 2
		for len(cents) < shortest {
			cents += "0"
		}
		written = whole + t.T("format.decimal") + cents
	}
	return written
}

// usualCurrencies come first in the list.
var usualCurrencies = []string{"EUR", "DKK", "SEK", "NOK", "PLN", "CHF", "GBP", "USD"}

// CurrencyOptions are the currencies to choose from; the first is chosen unless another one is.
func CurrencyOptions(currencies lookup.Choices, chosen string) []view.Option {
	if chosen == "" {
		chosen = usualCurrencies[0]
	}
	all := currencies.Options(chosen)
	slices.SortStableFunc(all, func(a, b view.Option) int { return currencyRank(a.Value) - currencyRank(b.Value) })
	return all
}

func currencyRank(code string) int {
	if rank := slices.Index(usualCurrencies, code); rank >= 0 {
		return rank
	}
	return len(usualCurrencies)
}
