package feed

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The part of the schema.org vocabulary that describes dates.
type (
	graph struct {
		Context string `json:"@context"`
		Graph   []any  `json:"@graph"` // event, breadcrumbs
	}
	breadcrumbs struct {
		Type  string  `json:"@type"`
		Items []crumb `json:"itemListElement"`
	}
	crumb struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}
	event struct {
		Type           string        `json:"@type"`
		ID             string        `json:"@id"`
		Identifier     string        `json:"identifier"` // uuid of the date
		URL            string        `json:"url"`
		Name           string        `json:"name"`
		Description    string        `json:"description,omitempty"`
		Start          string        `json:"startDate"`
		Previous       string        `json:"previousStartDate,omitempty"`
		End            string        `json:"endDate,omitempty"`
		Schedules      []schedule    `json:"eventSchedule,omitempty"`
		DoorTime       string        `json:"doorTime,omitempty"`
		Modified       string        `json:"dateModified"`
		Status         string        `json:"eventStatus"`
		AttendanceMode string        `json:"eventAttendanceMode"`
		Location       []any         `json:"location"` // place, virtualLocation; at least one
		Organizer      *organization `json:"organizer,omitempty"`
		Images         []string      `json:"image,omitempty"`
		Offers         any           `json:"offers,omitempty"` // offer, or a list of them
		Free           *bool         `json:"isAccessibleForFree,omitempty"`
		Languages      []string      `json:"inLanguage,omitempty"`
		Ages           string        `json:"typicalAgeRange,omitempty"`
		Keywords       []string      `json:"keywords,omitempty"`
		Capacity       *int          `json:"maximumAttendeeCapacity,omitempty"`
		Series         []series      `json:"superEvent,omitempty"`
		Performers     []contributor `json:"performer,omitempty"`
		Directors      []contributor `json:"director,omitempty"`
		Composers      []contributor `json:"composer,omitempty"`
		Contributors   []contributor `json:"contributor,omitempty"` // in roles that have no property of their own
	}
	series struct {
		Type        string        `json:"@type"`
		ID          string        `json:"@id"`
		URL         string        `json:"url"`
		Name        string        `json:"name"`
		Description string        `json:"description,omitempty"`
		Start       string        `json:"startDate,omitempty"`
		End         string        `json:"endDate,omitempty"`
		Organizer   *organization `json:"organizer,omitempty"`
		SameAs      string        `json:"sameAs,omitempty"`
		Events      []event       `json:"subEvent,omitempty"`
	}
	place struct {
		Type    string       `json:"@type"`
		Name    string       `json:"name"`
		URL     string       `json:"url,omitempty"`
		SameAs  string       `json:"sameAs,omitempty"`
		Address *address     `json:"address,omitempty"`
		Geo     *coordinates `json:"geo,omitempty"`
	}
	virtualLocation struct {
		Type string `json:"@type"`
		URL  string `json:"url"`
	}
	address struct {
		Type     string `json:"@type"`
		Street   string `json:"streetAddress,omitempty"`
		Postal   string `json:"postalCode,omitempty"`
		Locality string `json:"addressLocality,omitempty"`
		Region   string `json:"addressRegion,omitempty"`
		Country  string `json:"addressCountry,omitempty"` // ISO 3166-1 alpha-2
	}
	coordinates struct {
		Type string  `json:"@type"`
		Lat  float64 `json:"latitude"`
		Lon  float64 `json:"longitude"`
	}
	organization struct {
		Type   string `json:"@type"`
		Name   string `json:"name"`
		URL    string `json:"url,omitempty"`
		SameAs string `json:"sameAs,omitempty"`
	}
	contributor struct {
		Type   string   `json:"@type"` // Person or PerformingGroup
		ID     string   `json:"@id"`
		Name   string   `json:"name"`
		URL    string   `json:"url"`
		SameAs []string `json:"sameAs,omitempty"`
	}
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

const vocabulary = "https://schema.org/"

// onlineOnly is the visitor information bit of online events (RULES.md, Flags).
const onlineOnly = 14

// JSONLD writes a schema.org Event for each date, and after the dates of one event the pages that
// lead to it. The result can be embedded in an HTML script element: it contains no <, > and &.
func JSONLD(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	document := graph{Context: strings.TrimSuffix(vocabulary, "/"), Graph: make([]any, len(items))}
	for n, item := range items {
		document.Graph[n] = eventOf(f.Site, item)
	}
	if len(items) > 0 && items[0].Details != nil {
		document.Graph = append(document.Graph, f.breadcrumbs(items[0]))
	}
	return json.Marshal(document)
}

// breadcrumbs are the pages from the list of all dates by the one of the town to that of the event.
func (f Feed) breadcrumbs(i timedItem) breadcrumbs {
	list := breadcrumbs{Type: "BreadcrumbList"}
	add := func(name, item string) {
		list.Items = append(list.Items, crumb{Type: "ListItem", Position: len(list.Items) + 1, Name: name, Item: item})
	}
	add(f.Site.Name, f.Site.URL+"/")
	if city := line(i.VenueCity); city != "" {
		add(city, f.Site.URL+"/?"+url.Values{"city": {i.VenueCity}}.Encode())
	}
	add(line(i.Title), f.Site.URL+"/event/"+i.UUID)
	return list
}

func eventOf(s Site, i timedItem) event {
	e := event{
		Type: "Event", ID: i.page(s), Identifier: i.DateUUID, URL: i.page(s), Name: line(i.Title), Description: begun(i.text()),
		Modified: i.changed().Format(time.RFC3339), Status: vocabulary + statusOf(i.ReleaseStatus), Images: i.images(), Keywords: i.keywords(),
		Languages: i.Languages, Ages: ages(i.MinAge, i.MaxAge), Free: i.free(),
	}
	switch offers := i.offers(s); len(offers) {
	case 0:
	case 1:
		e.Offers = offers[0]
	default:
		e.Offers = offers
	}
	e.Start, e.End = i.written()
	e.Schedules = i.schedules()
	if i.moved() != "" { // search engines read it with no other status
		e.Previous, e.Status = i.local(i.PreviousStart), vocabulary+"EventRescheduled"
	}
	e.AttendanceMode, e.Location = i.attendance(s)
	if name := line(i.OrgName); name != "" {
		e.Organizer = &organization{Type: "Organization", Name: name, URL: s.organization(i.OrgUUID)}
	}
	if i.Details != nil {
		e.Capacity, e.Series = i.Details.MaxAttendees, i.superEvents(s)
		e.name(s, i.Details.Contributors)
		if e.Organizer != nil {
			e.Organizer.SameAs = link(i.Details.OrgWebLink)
		}
		if entry := i.Details.EntryTime; entry != "" && !i.allDay {
			if door, err := value.LocalTime(i.StartDate, string(entry), i.start.Location()); err == nil {
				e.DoorTime = door.Format(time.RFC3339)
			}
		}
	}
	return e
}

// superEvents are the series to which an event belongs.
func (i Item) superEvents(s Site) (of []series) {
	for _, one := range i.Details.Series {
		of = append(of, s.series(one.Slug, one.Title, string(one.StartDate), string(one.EndDate)))
	}
	return of
}

func (s Site) series(slug, title, start, end string) series {
	page := s.URL + "/series/" + slug
	return series{Type: "EventSeries", ID: page, URL: page, Name: line(title), Start: start, End: end}
}

// SeriesJSONLD writes a schema.org EventSeries with the dates of a feed as its events, like JSONLD.
func SeriesJSONLD(f Feed, of publicapi.ShownSeries) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	described := f.Site.series(of.Slug, of.Title, string(of.StartDate), string(of.EndDate))
	described.Description = begun(joined("\n\n", line(of.Subtitle), asText(of.Description)))
	described.SameAs = link(of.WebLink)
	if name := line(of.OrgName); name != "" {
		described.Organizer = &organization{Type: "Organization", Name: name, URL: f.Site.organization(of.OrgUUID), SameAs: link(of.OrgWebLink)}
	}
	for _, item := range items {
		described.Events = append(described.Events, eventOf(f.Site, item))
	}
	return json.Marshal(graph{Context: strings.TrimSuffix(vocabulary, "/"), Graph: []any{described}})
}

// performing are the roles of those whom visitors see or hear.
var performing = map[string]bool{
	"performer": true, "ensemble": true, "soloist": true, "conductor": true, "speaker": true, "reader": true, "moderator": true,
	"dj": true, "guide": true,
}

// name adds contributors under the properties of their roles, each once under a property.
func (e *event) name(s Site, named []publicapi.Participant) {
	for _, p := range named {
		list := &e.Contributors
		switch {
		case performing[p.Role]:
			list = &e.Performers
		case p.Role == "director":
			list = &e.Directors
		case p.Role == "composer":
			list = &e.Composers
		}
		id := s.URL + "/contributor/" + p.UUID
		if slices.ContainsFunc(*list, func(c contributor) bool { return c.ID == id }) {
			continue
		}
		c := contributor{Type: "Person", ID: id, Name: line(p.Name), URL: id}
		if p.Type == "group" {
			c.Type = "PerformingGroup"
		}
		if address := link(p.WebLink); address != "" {
			c.SameAs = append(c.SameAs, address)
		}
		if p.Wikidata != "" {
			c.SameAs = append(c.SameAs, "https://www.wikidata.org/wiki/"+string(p.Wikidata))
		}
		*list = append(*list, c)
	}
}

// maxDescription is the number of characters of a description, which each date of an event has;
// what search engines show of it is shorter.
const maxDescription = 500

// begun returns the beginning of a text, up to a word that ends within maxDescription.
func begun(text string) string {
	letters := []rune(text)
	if len(letters) <= maxDescription {
		return text
	}
	kept := string(letters[:maxDescription-1])
	if end := strings.LastIndexAny(kept, " \n"); end > 0 {
		kept = kept[:end]
	}
	return strings.TrimSpace(kept) + "…"
}

// organization returns the address of the page of an organization.
func (s Site) organization(uuid string) string { return s.URL + "/organization/" + uuid }

func statusOf(releaseStatus string) string {
	switch releaseStatus {
	case cancelled:
		return "EventCancelled"
	case deferred:
		return "EventPostponed"
	case rescheduled:
		return "EventRescheduled"
	default:
		return "EventScheduled"
	}
}

// written returns the start and the end, with the offset from UTC where the time is known.
func (p period) written() (start, end string) {
	start = p.start.Format(time.RFC3339)
	if p.allDay {
		start = p.start.Format(dayLayout)
	}
	if !p.end.IsZero() {
		return start, p.end.Format(time.RFC3339)
	}
	return start, p.lastDay
}

// attendance returns the attendance mode with its locations. A venue is left out only where the
// date is only online and a link says where: without one, the venue is the only location. Where
// neither is known, the page of the date or the organizer stands for it.
func (i Item) attendance(s Site) (mode string, locations []any) {
	link := link(i.OnlineLink)
	flagged := i.VisitorInfoFlags != nil && *i.VisitorInfoFlags>>onlineOnly&1 == 1
	present := i.VenueUUID != "" && (!flagged || link == "")
	if present {
		locations = append(locations, i.location(s))
	}
	if link != "" {
		locations = append(locations, virtualLocation{Type: "VirtualLocation", URL: link})
	}
	if len(locations) == 0 && flagged {
		locations = append(locations, virtualLocation{Type: "VirtualLocation", URL: i.page(s)})
	} else if len(locations) == 0 {
		locations = append(locations, place{Type: "Place", Name: cmp.Or(line(i.OrgName), line(i.Title))})
	}
	switch online := link != "" || flagged; {
	case present && online:
		mode = "MixedEventAttendanceMode"
	case online:
		mode = "OnlineEventAttendanceMode"
	default:
		mode = "OfflineEventAttendanceMode"
	}
	return vocabulary + mode, locations
}

func (i Item) location(s Site) place {
	p := place{Type: "Place", Name: i.venue(), URL: s.URL + "/venue/" + string(i.VenueUUID), Address: &address{
		Type: "PostalAddress", Street: i.street(), Postal: line(i.VenuePostalCode), Locality: line(i.VenueCity),
		Region: line(i.VenueState), Country: twoLetters(i.VenueCountry),
	}}
	if i.VenueLat != nil && i.VenueLon != nil {
		p.Geo = &coordinates{Type: "GeoCoordinates", Lat: *i.VenueLat, Lon: *i.VenueLon}
	}
	if i.Details != nil {
		p.SameAs = link(i.Details.VenueWebLink)
	}
	return p
}

// twoLetters returns the code of two letters of a country that is given by three.
func twoLetters(country string) string {
	region, err := language.ParseRegion(country)
	if err != nil {
		return country
	}
	return region.String()
}

// images returns the addresses of the images, first the one that lists show.
func (i Item) images() []string {
	addresses := []string{string(i.ImagePath)}
	if i.Details != nil {
		addresses = append(addresses, i.Details.Images...)
	}
	var shown []string
	seen := map[string]bool{"": true}
	for _, address := range addresses {
		if address = link(value.Text(address)); !seen[address] {
			seen[address] = true
			shown = append(shown, address)
		}
	}
	return shown
}

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

// local returns a moment on the clock of the place with its offset from UTC; a day as it is.
func (i timedItem) local(moment value.Text) string {
	day, clock, timed := strings.Cut(string(moment), "T")
	if !timed {
		return day
	}
	at, err := value.LocalTime(day, clock, i.zone)
	if err != nil {
		return ""
	}
	return at.Format(time.RFC3339)
}

func amount(n float64) json.Number { return json.Number(strconv.FormatFloat(n, 'f', -1, 64)) }

// ages writes a range of ages, such as 6-10, and 12- without an upper bound; "" without any.
func ages(low, high *int) string {
	switch {
	case low == nil && high == nil:
		return ""
	case high == nil:
		return strconv.Itoa(*low) + "-"
	case low == nil:
		return "0-" + strconv.Itoa(*high)
	default:
		return strconv.Itoa(*low) + "-" + strconv.Itoa(*high)
	}
}
