// Package filter is the filter of an address: the names of its values, its chips and its form.
package filter

import (
	"strconv"
	"strings"
	"time"

	"litfass/services/site/internal/page"
	"litfass/services/site/internal/text"
)

// Chips names the active filters, each with the address of the list without it.
func Chips(r *page.Request, n Names) []Choice {
	c := chips{r: r, t: r.Text, names: n}
	c.one("search", func(v string) string { return r.Text.With("list.chip.words", "Words", v) })
	c.days()
	c.one("time", c.hours)
	c.one("city", plain)
	c.circle()
	c.one("portal", plain)
	c.one("list", func(v string) string { return n.of("list", v) })
	c.one("geolist_region", func(v string) string { return n.of("geolist_region", v) })
	c.each("series_uuids", "list.chip.series")
	c.each("venue_uuids", "list.chip.venue")
	c.each("space_uuids", "list.chip.space")
	c.each("categories", "")
	c.each("event_types", "")
	c.each("genres", "")
	c.each("label", "")
	c.each("availability", "")
	if r.Value("available") == "true" {
		c.add("available", r.Text.T("list.chip.available"), r.LinkWithout("available"))
	}
	c.each("tags", "")
	c.one("price", c.price)
	c.each("price_types", "")
	c.each("languages", "")
	c.each("accessibility", "")
	c.each("visitor_infos", "")
	c.one("age", c.labelled("list.chip.age"))
	c.each("org_uuids", "list.chip.organization")
	c.each("contributor", "list.chip.contributor")
	c.each("countries", "")
	c.each("space_types", "")
	c.each("release_statuses", "")
	c.one("title", c.labelled("list.chip.title"))
	c.one("venue", c.labelled("list.chip.venue_name"))
	c.one("postal_code", c.labelled("list.chip.postal_code"))
	if chosen := r.Items("event_uuids"); len(chosen) > 0 {
		c.add("event_uuids", r.Text.Count("list.chip.events", len(chosen)), r.LinkWithout("event_uuids"))
	}
	return c.list
}

// chips are the filters named so far.
type chips struct {
	r     *page.Request
	t     *text.Texts
	names Names
	list  []Choice
}

func plain(value string) string { return value }

func (c *chips) add(parameter, name, link string) {
	c.list = append(c.list, Choice{Value: parameter, Name: name, Link: link})
}

// one adds a parameter of one value.
func (c *chips) one(parameter string, name func(value string) string) {
	if value := c.r.Value(parameter); value != "" {
		c.add(parameter, name(value), c.r.LinkWithout(parameter))
	}
}

// each adds every value of a list. unknown is the message for one without a name; "" shows the
// value itself.
func (c *chips) each(parameter, unknown string) {
	for _, value := range c.r.Items(parameter) {
		name := c.names.of(parameter, value)
		if name == value && unknown != "" {
			name = c.t.T(unknown)
		}
		c.add(parameter, name, c.r.LinkWithoutValue(parameter, value))
	}
}

// labelled returns a name that a message puts before the value.
func (c *chips) labelled(message string) func(string) string {
	return func(value string) string { return c.t.T(message) + ": " + value }
}

// days adds when the dates are.
func (c *chips) days() {
	c.one("on", func(value string) string {
		from, to, two := strings.Cut(value, ",")
		if !two || from == to {
			return c.day(from)
		}
		return c.day(from) + " – " + c.day(to)
	})
	if start := c.r.Value("start"); start != "" {
		c.add("start", c.t.With("list.chip.from", "Day", c.day(start)), c.r.LinkWithout("start", "ongoing"))
	}
	c.one("starts_before", c.until)
	c.one("end", c.until)
}

func (c *chips) until(value string) string { return c.t.With("list.chip.to", "Day", c.day(value)) }

// day writes a day of the address; a word that stands for days as that word.
func (c *chips) day(value string) string {
	switch value {
	case "today", "tomorrow", "weekend":
		return c.t.T("list." + value)
	}
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return value
	}
	return c.t.ShortDay(day)
}

// hours writes the hours of the parameter time.
func (c *chips) hours(value string) string {
	from, to, two := strings.Cut(strings.Replace(value, "-", ",", 1), ",")
	if !two {
		return value
	}
	return c.t.Clock(clock(from)) + " – " + c.t.Clock(clock(to))
}

// clock writes H, HH or HHMM as HH:MM.
func clock(value string) string {
	hours, minutes := value, "00"
	if len(value) == 4 {
		hours, minutes = value[:2], value[2:]
	}
	if len(hours) == 1 {
		hours = "0" + hours
	}
	return hours + ":" + minutes
}

// price writes the parameter price.
func (c *chips) price(value string) string {
	if value == "free" || value == "donation" {
		return c.t.T("list.price." + value)
	}
	amount, currency, _ := strings.Cut(value, ",")
	number, err := strconv.ParseFloat(amount, 64)
	if err != nil || number < 0 || number > 1e12 {
		return value
	}
	return c.t.With("list.price.to", "Price", c.t.Money(number, strings.ToUpper(currency)))
}

// circle adds the surroundings of a place, which need all three parameters.
func (c *chips) circle() {
	if !c.r.Has("lon") || !c.r.Has("lat") || !c.r.Has("radius") {
		return
	}
	c.add("lon", c.t.With("list.chip.near", "Distance", distance(c.t, c.r.Value("radius"))), c.r.LinkWithout(page.Circle...))
}

// distance writes metres in kilometres, where they are some.
func distance(t *text.Texts, metres string) string {
	n, err := strconv.ParseFloat(metres, 64)
	if err != nil {
		return metres
	}
	if n < 1000 {
		return strconv.FormatFloat(n, 'f', 0, 64) + " m"
	}
	kilometres := strconv.FormatFloat(n/1000, 'f', -1, 64)
	return strings.Replace(kilometres, ".", t.T("format.decimal"), 1) + " km"
}

// Title names a list by its filters, "" without any.
func Title(chips []Choice) string {
	const maxNamed = 4
	names := make([]string, 0, maxNamed)
	for _, chip := range chips[:min(len(chips), maxNamed)] {
		names = append(names, chip.Name)
	}
	return strings.Join(names, " · ")
}
