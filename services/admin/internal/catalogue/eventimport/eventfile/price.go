package eventfile

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
)

// Price is what an event costs, as a file says it.
type Price struct {
	Free, Donation bool
	Low, High      float64 // High is 0 for a single amount; Low is 0 where it is free for some
	Currency       string  // ISO 4217
}

var (
	amounts   = regexp.MustCompile(`\d{1,6}(?:[.,]\d{1,2})?`)
	thousands = regexp.MustCompile(`\b(\d{1,3})[. ](\d{3})\b`)
	phone     = regexp.MustCompile(`\b0\d{2,}|\d{7,}`)
	donation  = regexp.MustCompile(`(?i)\b(spenden?|spendenbasis|hut|hutkasse|freiwilliger beitrag|donations?|donationer|pay what you (?:can|want))\b`)
	free      = regexp.MustCompile(`(?i)\b(frei|freier eintritt|kein eintritt|umsonst|kostenlos|kostenfrei|gratis|free|fri|fri (?:entr[eé]|adgang)|ingen entr[eé])(?:[^\pL]|$)`)
	kroner    = regexp.MustCompile(`(?i)\b(kr|dkk|kroner)\b`)
	// admission is free for all, unless the text names some.
	admission = regexp.MustCompile(`(?i)\b(eintritt (?:ist )?frei|freier eintritt|kein eintritt|free (?:entry|admission)|fri (?:entr[eé]|adgang)|ingen entr[eé])(?:[^\pL]|$)`)
	some      = regexp.MustCompile(`(?i)(?:^|[^\pL])(kind|kinder|schüler|studierende|studenten|mitglieder|geflüchtete|erm(?:äßigt)?|bis|unter|ab|für|children|kids|members|students|under|for|børn|medlemmer|studerende)(?:[^\pL]|$)`)
	// priced are words that may be the code of a currency: those with an amount.
	priced = regexp.MustCompile(`\d[ ,.–-]*([A-Z]{3})\b|\b([A-Z]{3})\s?\d`)
	word   = regexp.MustCompile(`\b([A-Z]{3})\b()`)
	euro   = regexp.MustCompile(`(?i)\b(eur|euro)\b`)
	// counted are numbers of a price that are no amounts: ages, times, discounts, what is included.
	counted = regexp.MustCompile(`(?i)\d+(?:\s?[-–]\s?\d+)?\s?(?:%|(?:jahren?|j\.|years?|år|uhr|personen|pers\.|getränke?|drinks?)(?:[^\pL]|$))`)
)

// symbols are the currencies by their symbols.
var symbols = map[string]string{"€": "EUR", "£": "GBP", "$": "USD"}

// ReadPrice reads a price: 12,50 €, 8-12 EUR, kr. 80, frei. An amount without a currency is in
// euros. Of several amounts the lowest and the highest count, and nothing where it is free for
// some. ok is false for anything else.
func ReadPrice(text string) (price Price, ok bool) {
	if phone.MatchString(text) {
		return price, false
	}
	found := amounts.FindAllString(thousands.ReplaceAllString(counted.ReplaceAllString(text, " "), "$1$2"), -1)
	var numbers []float64
	for _, number := range found {
		amount, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
		if err != nil {
			return price, false
		}
		numbers = append(numbers, amount)
	}
	switch {
	case len(numbers) == 0 && donation.MatchString(text):
		return Price{Donation: true}, true
	case len(numbers) == 0 && free.MatchString(text), len(numbers) == 1 && numbers[0] == 0:
		return Price{Free: true}, true
	case len(numbers) == 0:
		return price, false
	case admission.MatchString(text) && !some.MatchString(text): // amounts of other things
		return Price{Free: true}, true
	case free.MatchString(text):
		numbers = append(numbers, 0)
	}
	price = Price{Low: numbers[0], Currency: currencyOf(text)}
	if low, high := slices.Min(numbers), slices.Max(numbers); low != high {
		price.Low, price.High = low, high
	}
	return price, true
}

// isPrice reports whether a value of a column that may also hold addresses or times is a price.
func isPrice(text string) bool {
	_, ok := ReadPrice(text)
	return ok && !isClock(text) && !strings.Contains(text, "/"+"/") && !strings.Contains(text, "www.")
}

// danishPrices are names of columns in which an amount without a currency is in kroner.
var danishPrices = []string{"pris", "priser", "billetpris", "billetpriser", "entré", "entrépris"}

// withCurrency adds the currency that the name of the column says to a price that lacks one.
func withCurrency(text, column string) string {
	if !amounts.MatchString(text) || statedCurrency(text) != "" {
		return text
	}
	unit := cmp.Or(statedCurrency(column), currencyCode(word, column))
	if unit == "" && slices.Contains(danishPrices, plainName(column)) {
		unit = "DKK"
	}
	return strings.TrimSpace(text + " " + unit)
}

// joinPrices joins the prices of two columns.
func joinPrices(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " / " + b
}

func currencyOf(text string) string {
	return cmp.Or(statedCurrency(text), "EUR")
}

// statedCurrency returns the currency that a text names, "" for none.
func statedCurrency(text string) string {
	for symbol, unit := range symbols {
		if strings.Contains(text, symbol) {
			return unit
		}
	}
	if unit := currencyCode(priced, text); unit != "" {
		return unit
	}
	switch {
	case kroner.MatchString(text):
		return "DKK"
	case euro.MatchString(text):
		return "EUR"
	}
	return ""
}

// currencyCode returns the first of the words that is the code of a currency, "" for none.
func currencyCode(words *regexp.Regexp, text string) string {
	for _, found := range words.FindAllStringSubmatch(text, -1) {
		if unit, err := currency.ParseISO(found[1] + found[2]); err == nil {
			return unit.String()
		}
	}
	return ""
}

var (
	ageNumber = regexp.MustCompile(`\d{1,3}`)
	highest   = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:bis|max\.?|maximal|under|unter|up to|op til|til|u)(?:\s+zu)?\s*\d|^\s*[-–]\s*\d|\d\s*(?:and|og|und) (?:under|jünger|younger|yngre)`)
	lowest    = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:ab|from|fra)\s*\d`)
	every     = regexp.MustCompile(`(?i)^\s*(alle|jedes alter|ohne altersbeschränkung|keine altersbeschränkung|all ages|all|everyone|alle aldre|-|–)\s*\.?\s*$`)
	inMonths  = regexp.MustCompile(`(?i)(\d{1,2})\s*(?:monaten?|mon\.|months?|måneder)`)
	halfYear  = regexp.MustCompile(`(\d)[.,]\d\b|(\d)\s?½`)
)

// ReadAges reads the ages that an event is for: ab 6, 6+, 6-12, bis 12. A missing bound is -1. ok
// is false for anything else.
func ReadAges(text string) (low, high int, ok bool) {
	if every.MatchString(text) {
		return -1, -1, true
	}
	text = inMonths.ReplaceAllStringFunc(text, func(found string) string {
		months, _ := strconv.Atoi(ageNumber.FindString(found)) // at most two digits
		return strconv.Itoa(months / 12)
	})
	text = halfYear.ReplaceAllString(text, "$1$2")
	var numbers []int
	for _, digits := range ageNumber.FindAllString(text, -1) {
		number, _ := strconv.Atoi(digits) // at most three digits
		numbers = append(numbers, number)
	}
	switch {
	case len(numbers) == 1 && highest.MatchString(text):
		return -1, numbers[0], true
	case len(numbers) == 1:
		return numbers[0], -1, true
	case len(lowest.FindAllString(text, -1)) > 1: // two recommendations
	case len(numbers) == 2 && numbers[0] <= numbers[1]:
		return numbers[0], numbers[1], true
	}
	return -1, -1, false
}
