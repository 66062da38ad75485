package eventfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Availabilities are those of dates as the value set has them, the best one first.
var Availabilities = []string{"free_entry", "available", "few_left", "not_yet_on_sale", "waiting_list", "sold_out"}

// availabilityWords are the words for them in schema.org, English, German and Danish.
var availabilityWords = map[string][]string{
	"":                {""},
	"available":       {"instock", "instoreonly", "onlineonly", "frei", "verfügbar", "plätze frei", "ledig", "ledige pladser"},
	"few_left":        {"limitedavailability", "few left", "few places left", "wenige restplätze", "restkarten", "restplätze", "få pladser", "få pladser tilbage"},
	"sold_out":        {"soldout", "outofstock", "sold out", "ausverkauft", "ausgebucht", "udsolgt"},
	"waiting_list":    {"waiting list", "warteliste", "venteliste", "backorder"},
	"not_yet_on_sale": {"preorder", "presale", "not yet on sale", "noch nicht im verkauf", "endnu ikke i salg"},
	"free_entry":      {"free entry", "eintritt frei", "gratis adgang", "fri entré"},
}

// ReadAvailability returns the availability that a text names, "" for none.
func ReadAvailability(text string) (availability string, ok bool) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, prefix := range []string{"https://schema.org/", "http://schema.org/"} {
		word = strings.TrimPrefix(word, prefix)
	}
	for availability, words := range availabilityWords {
		if word == availability || slices.Contains(words, word) {
			return availability, true
		}
	}
	return "", false
}

// Tariff is a price with its name.
type Tariff struct {
	Name, Condition string
	Price
}

// tariffLine is a tariff: Balcony: 12–15 EUR (up to 26).
var tariffLine = regexp.MustCompile(`^(.+):\s*([^:()]+?)\s*(?:\((.*)\))?$`)

// ReadTariffs reads tariffs, which semicolons separate: Stalls: 24–38 EUR; Balcony: 12 EUR (up to
// 26). ok is false where one of them has no name or no amount, or another currency than the first.
func ReadTariffs(text string) (all []Tariff, ok bool) {
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		found := tariffLine.FindStringSubmatch(part)
		if found == nil {
			return nil, false
		}
		price, ok := ReadPrice(found[2])
		if !ok || price.Donation {
			return nil, false
		}
		if price.Free {
			price.Currency = currencyOf(found[2])
		}
		if len(all) > 0 && price.Currency != all[0].Currency {
			return nil, false
		}
		all = append(all, Tariff{strings.TrimSpace(found[1]), found[3], price})
	}
	return all, true
}

// inTariff writes a text of an offer so that it can be a part of what ReadTariffs reads.
var inTariff = strings.NewReplacer(";", ",", "\n", " ", "\r", " ", "(", "[", ")", "]")

// tariffOf writes an offer with a name and a price as ReadTariffs reads it, "" for any other.
func tariffOf(offer object) string {
	name := strings.TrimSpace(inTariff.Replace(textOf(offer["name"])))
	var prices []string
	for _, key := range []string{"lowPrice", "price", "highPrice"} {
		text := strings.ReplaceAll(textOf(offer[key]), ",", ".")
		if _, err := strconv.ParseFloat(text, 64); err == nil && !slices.Contains(prices, text) {
			prices = append(prices, text)
		}
	}
	currency := textOf(offer["priceCurrency"])
	if name == "" || len(prices) == 0 || currency == "" {
		return ""
	}
	text := name + ": " + strings.Join(prices, "–") + " " + currency
	if condition := strings.TrimSpace(inTariff.Replace(textOf(offer["description"]))); condition != "" {
		text += " (" + condition + ")"
	}
	return text
}

// ownTariffs names the offers of a date that differ from those of its event as its tariffs.
func (e linkedEvent) ownTariffs(event linkedEvent) {
	own, price := e.values["offers.name"], e.values["offers.price"]
	switch {
	case own == "" && price == "": // no offers
		return
	case own == "" && price != event.values["offers.price"]:
		own = unnamedTariff(price)
	case own == event.values["offers.name"]:
		own = ""
	}
	e.values["subEvent.offers.name"] = own
}

// unnamedTariff writes a price as a tariff, "" for none. Most pages have no names for their prices.
func unnamedTariff(price string) string {
	read, ok := ReadPrice(price)
	if !ok || read.Donation || price == "" || !read.Free && read.Currency == "" {
		return ""
	}
	return "Ticket: " + price
}
