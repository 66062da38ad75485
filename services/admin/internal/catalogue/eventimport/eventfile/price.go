package eventfile

import (
	"regexp"
	"strconv"
	"strings"
)

// Price is what an event costs, as a file says it.
type Price struct {
	Free, Donation bool
	Low, High      float64 // High is 0 for a single amount
	Currency       string  // ISO 4217
}

var (
	amounts  = regexp.MustCompile(`\d{1,6}(?:[.,]\d{1,2})?`)
	donation = regexp.MustCompile(`(?i)\b(spenden?|spendenbasis|hut|donation|donations|donationer|pay what you (?:can|want))\b`)
	free     = regexp.MustCompile(`(?i)\b(frei|eintritt frei|kostenlos|kostenfrei|gratis|free)\b`)
	kroner   = regexp.MustCompile(`(?i)\b(kr|dkk|kroner)\b`)
	code     = regexp.MustCompile(`\b(EUR|DKK|SEK|NOK|CHF|GBP|USD|PLN|CZK)\b`)
)

// symbols are the currencies by their symbols.
var symbols = map[string]string{"€": "EUR", "£": "GBP", "$": "USD"}

// ReadPrice reads a price: 12,50 €, 8-12 EUR, kr. 80, frei. An amount without a currency is in
// euros. ok is false for anything else, such as three amounts.
func ReadPrice(text string) (price Price, ok bool) {
	found := amounts.FindAllString(text, -1)
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
	case len(numbers) == 0 || len(numbers) > 2:
		return price, false
	}
	price = Price{Low: numbers[0], Currency: currencyOf(text)}
	if len(numbers) > 1 && numbers[1] != numbers[0] {
		price.Low, price.High = min(numbers[0], numbers[1]), max(numbers[0], numbers[1])
	}
	return price, true
}

func currencyOf(text string) string {
	for symbol, currency := range symbols {
		if strings.Contains(text, symbol) {
			return currency
		}
	}
	switch {
	case kroner.MatchString(text):
		return "DKK"
	case code.MatchString(text):
		return code.FindString(text)
	}
	return "EUR"
}

var (
	ageNumber = regexp.MustCompile(`\d{1,3}`)
	highest   = regexp.MustCompile(`(?i)^\s*(bis|max\.?|maximal|under|unter|up to|til|-|–)\s*\d`)
	every     = regexp.MustCompile(`(?i)^\s*(alle|jedes alter|all ages|all|everyone|alle aldre)\s*\.?\s*$`)
)

// ReadAges reads the ages that an event is for: ab 6, 6+, 6-12, bis 12. A missing bound is -1. ok
// is false for anything else.
func ReadAges(text string) (low, high int, ok bool) {
	if every.MatchString(text) {
		return -1, -1, true
	}
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
	case len(numbers) == 2 && numbers[0] <= numbers[1]:
		return numbers[0], numbers[1], true
	}
	return -1, -1, false
}
