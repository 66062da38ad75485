package feed

import (
	"cmp"
	"encoding/json"
	"strconv"

	"litfass/pkg/contracts/value"
)

// The part of the schema.org vocabulary that describes tickets.
type (
	offer struct {
		Type     string      `json:"@type"` // Offer, or AggregateOffer with the least and the greatest price
		Name     string      `json:"name,omitempty"`
		About    string      `json:"description,omitempty"`
		Price    json.Number `json:"price,omitempty"` // the least
		Low      json.Number `json:"lowPrice,omitempty"`
		High     json.Number `json:"highPrice,omitempty"`
		Currency string      `json:"priceCurrency,omitempty"`
		URL      string      `json:"url"`
		sale
	}
	// sale is whether there are tickets, and when they are sold.
	sale struct {
		Availability string    `json:"availability,omitempty"`
		From         string    `json:"validFrom,omitempty"`
		Until        string    `json:"validThrough,omitempty"`
		Left         *quantity `json:"inventoryLevel,omitempty"`
	}
	quantity struct {
		Type  string      `json:"@type"`
		Value value.Count `json:"value"`
	}
)

// free reports whether attending costs nothing; nil when unknown, as for donations.
func (i Item) free() *bool {
	free := i.PriceType == "free"
	if i.PriceType == donation || !free && i.MinPrice == nil && i.PriceType != regularPrice && i.PriceType != "tiered_prices" {
		return nil
	}
	return &free
}

// The types of prices that are suggestions, and of one price.
const (
	donation     = "donation"
	regularPrice = "regular_price"
)

// offers returns the tariffs, or else the price; none where neither that, nor a ticket link, nor
// whether there are places is known. The amounts of a donation are no prices.
func (i timedItem) offers(s Site) []offer {
	tickets := ""
	if i.Details != nil {
		tickets = link(i.Details.TicketLink)
	}
	common := offer{Type: "Offer", URL: cmp.Or(tickets, i.page(s)), sale: i.sale()}
	if i.Details != nil && len(i.Details.Tariffs) > 0 && i.PriceType != donation {
		offers := make([]offer, len(i.Details.Tariffs))
		for n, t := range i.Details.Tariffs {
			offers[n] = common
			offers[n].Name, offers[n].About, offers[n].Currency = line(t.Name), line(t.Condition), t.Currency
			offers[n].between(t.MinPrice, t.MaxPrice)
		}
		return offers
	}
	switch o := &common; {
	case i.PriceType == "free":
		o.Price, o.Currency = "0", i.Currency
	case i.PriceType == donation:
	case i.MinPrice != nil && i.MaxPrice == nil && i.PriceType != regularPrice:
		o.Type, o.Price, o.Low, o.Currency = "AggregateOffer", amount(*i.MinPrice), amount(*i.MinPrice), i.Currency
	default:
		o.Currency = i.Currency
		o.between(i.MinPrice, i.MaxPrice)
	}
	if common.Price == "" && common.High == "" {
		if common.Currency = ""; tickets == "" && i.Availability == "" {
			return nil
		}
	}
	return []offer{common}
}

// between sets the price, or the least and the greatest one.
func (o *offer) between(low, high *float64) {
	switch {
	case low != nil && high != nil && *high > *low:
		o.Type, o.Price, o.Low, o.High = "AggregateOffer", amount(*low), amount(*low), amount(*high)
	case low != nil:
		o.Price = amount(*low)
	case high != nil:
		o.Type, o.High = "AggregateOffer", amount(*high)
	}
}

// availabilities are the terms that search engines read of an event, by the catalogue's.
var availabilities = map[string]string{
	"available": "InStock", "few_left": "InStock", "free_entry": "InStock", "sold_out": "SoldOut", "waiting_list": "SoldOut",
	"not_yet_on_sale": "PreOrder",
}

func (i timedItem) sale() (s sale) {
	if term := availabilities[i.Availability]; term != "" {
		s.Availability = vocabulary + term
	}
	s.From, s.Until = i.local(i.OnSaleFrom), i.local(i.OnSaleUntil)
	if _, given := i.RemainingPlaces.Number(); given {
		s.Left = &quantity{"QuantitativeValue", i.RemainingPlaces}
	}
	return s
}

func amount(n float64) json.Number { return json.Number(strconv.FormatFloat(n, 'f', -1, 64)) }
