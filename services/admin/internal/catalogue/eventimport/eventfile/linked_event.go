package eventfile

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kindsOfEvents are the names of types of events by those of schema.org.
var kindsOfEvents = map[string]string{
	"ChildrensEvent": "Children", "ComedyEvent": "Comedy", "DanceEvent": "Dance", "EducationEvent": "Education",
	"ExhibitionEvent": "Exhibition", "Festival": "Festival", "FoodEvent": "Food and drink", "LiteraryEvent": "Literature",
	"MusicEvent": "Concert", "ScreeningEvent": "Film", "SocialEvent": "Social", "SportsEvent": "Sport",
	"TheaterEvent": "Theater & Stage", "VisualArtsEvent": "Art",
}

// read reads the values of an event.
func (l *linkedEvents) read(o object) linkedEvent {
	e := linkedEvent{start: textOf(o["startDate"]), end: textOf(o["endDate"]), doors: textOf(o["doorTime"])}
	e.values = map[string]string{
		"@id":  cmp.Or(textOf(o["@id"]), textOf(o["identifier"]), textOf(o["url"])),
		"name": textOf(o["name"]), "alternateName": textOf(o["alternateName"]), "description": textOf(o["description"]),
		"url": textOf(o["url"]), "keywords": textsOf(o["keywords"]), "inLanguage": textOf(o["inLanguage"]),
		"typicalAgeRange": textOf(o["typicalAgeRange"]), "eventStatus": statusOfEvent(textOf(o["eventStatus"])),
		"previousStartDate": textOf(o["previousStartDate"]),
	}
	if e.values["url"] == "" {
		e.values["url"] = textOf(o["mainEntityOfPage"])
	}
	for _, name := range typesOf(o) {
		if kind := kindsOfEvents[name]; kind != "" {
			e.values["@type"] = kind
		}
	}
	l.readImage(e, o["image"])
	l.readOffers(e, o)
	l.readContributors(e, o)
	for _, item := range firstOf(o["location"]) {
		l.readLocation(e, item)
		if e.placeHours == nil {
			e.placeHours = l.hoursOf(l.resolve(item))
		}
	}
	return e
}

func (l *linkedEvents) readImage(e linkedEvent, item any) {
	image := l.first(item)
	if image == nil {
		e.values["image"] = textOf(item)
		return
	}
	e.values["image"] = cmp.Or(textOf(image["contentUrl"]), textOf(image["url"]))
	e.values["image.caption"] = cmp.Or(textOf(image["caption"]), textOf(image["description"]))
	e.values["image.creator"] = cmp.Or(textOf(image["creditText"]), textOf(image["creator"]))
	e.values["image.copyrightNotice"] = textOf(image["copyrightNotice"])
	e.values["image.license"] = textOf(image["license"])
	source := strings.TrimSuffix(textOf(image["digitalSourceType"]), "DigitalSource")
	if source = source[strings.LastIndex(source, "/")+1:]; strings.EqualFold(source, "trainedAlgorithmicMedia") {
		e.values["image.digitalSourceType"] = Yes
	}
}

// readOffers reads the lowest and the highest price, the tariffs, where and when tickets are sold,
// and whether there are any.
func (l *linkedEvents) readOffers(e linkedEvent, o object) {
	var prices []float64
	currency, tariffs, states := "", []string{}, []string{}
	for _, item := range firstOf(o["offers"]) {
		offer := l.resolve(item)
		if offer == nil {
			continue
		}
		for _, name := range []string{"price", "lowPrice", "highPrice"} {
			if price, err := strconv.ParseFloat(strings.ReplaceAll(textOf(offer[name]), ",", "."), 64); err == nil {
				prices = append(prices, price)
			}
		}
		currency = cmp.Or(currency, textOf(offer["priceCurrency"]))
		for _, name := range []string{"url", "validFrom", "validThrough"} {
			e.values["offers."+name] = cmp.Or(e.values["offers."+name], textOf(offer[name]))
		}
		if left := l.first(offer["inventoryLevel"]); left != nil {
			e.values["offers.inventoryLevel"] = cmp.Or(e.values["offers.inventoryLevel"], textOf(left["value"]))
		}
		if tariff := tariffOf(offer); tariff != "" {
			tariffs = append(tariffs, tariff)
		}
		if state, known := ReadAvailability(textOf(offer["availability"])); known && state != "" {
			states = append(states, state)
		}
	}
	e.values["offers.name"] = strings.Join(tariffs, "; ")
	if len(states) > 0 { // there are tickets as long as one offer has some
		e.values["offers.availability"] = slices.MinFunc(states, func(a, b string) int {
			return slices.Index(Availabilities, a) - slices.Index(Availabilities, b)
		})
	}
	switch free := textOf(o["isAccessibleForFree"]); {
	case strings.EqualFold(strings.TrimPrefix(free, "https://schema.org/"), "true"):
		e.values["offers.price"] = "free"
	case len(prices) == 0:
	case slices.Max(prices) == 0:
		e.values["offers.price"] = "free"
	default:
		low, high := slices.Min(prices), slices.Max(prices)
		text := strconv.FormatFloat(low, 'f', -1, 64)
		if high > low {
			text += "-" + strconv.FormatFloat(high, 'f', -1, 64)
		}
		e.values["offers.price"] = strings.TrimSpace(text + " " + currency)
	}
}

// readLocation reads a place, an address, or where an event is on the web.
func (l *linkedEvents) readLocation(e linkedEvent, item any) {
	place := l.resolve(item)
	if place == nil {
		e.values["location.name"] = cmp.Or(e.values["location.name"], textOf(item))
		return
	}
	if slices.Contains(typesOf(place), "VirtualLocation") {
		e.values["location.url"] = cmp.Or(e.values["location.url"], textOf(place["url"]))
		return
	}
	if e.values["location.name"] != "" {
		return
	}
	e.values["location.name"] = textOf(place["name"])
	address := place
	if part := l.first(place["address"]); part != nil {
		address = part
	} else if text := textOf(place["address"]); text != "" {
		e.values["location.streetAddress"] = text
		return
	}
	for _, name := range []string{"streetAddress", "postalCode", "addressLocality"} {
		e.values["location."+name] = textOf(address[name])
	}
}

// statusOfEvent returns the word for a status of schema.org.
func statusOfEvent(text string) string {
	switch text[strings.LastIndexAny(text, "/:#")+1:] {
	case "EventCancelled":
		return StatusCancelled
	case "EventPostponed":
		return StatusDeferred
	case "EventRescheduled":
		return StatusRescheduled
	}
	return ""
}

var (
	midnight   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]00:00(?::00)?(?:\D.*)?$`)
	dayEnd     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]23:59(?:\D.*)?$`)
	parts      = regexp.MustCompile(`(:\d{2})\.\d+`)
	plainZone  = regexp.MustCompile(`([T ]\d{2}:\d{2}(?::\d{2})?)([+-]\d{2})(\d{2})?$`)
	clockInDay = regexp.MustCompile(`(?:^|[T ])(\d{2}:\d{2})`)
)

func isMidnight(text string) bool { return midnight.MatchString(text) }

func isDayEnd(text string) bool { return dayEnd.MatchString(text) }

// plainMoment leaves out parts of a second, and writes an offset such as +0100 or +01 with a colon.
func plainMoment(text string) string {
	text = parts.ReplaceAllString(text, "$1")
	found := plainZone.FindStringSubmatchIndex(text)
	if found == nil {
		return text
	}
	part := plainZone.FindStringSubmatch(text)
	return text[:found[0]] + part[1] + part[2] + ":" + cmp.Or(part[3], "00")
}

// clockOf returns the time of day in a moment, as it is written.
func clockOf(text string) string {
	if found := clockInDay.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return text
}
