package event

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

var titles = group{
	name: "title", write: "header", keys: []string{"title", "subtitle"}, draw: inputs("title", "subtitle"),
	read: func(d *formBody) {
		d.text("title", adminapi.MaxTitle)
		d.body["title"] = d.Text("title") // which is never null
		d.text("subtitle", adminapi.MaxTitle)
	},
}

var source = group{
	name: "source", write: "header", keys: []string{"source_link"}, draw: addresses("source_link"),
	read: func(d *formBody) { d.address("source_link") },
}

var video = group{
	name: "video", write: "header", keys: []string{"video_link"}, draw: addresses("video_link"),
	read: func(d *formBody) { d.address("video_link") },
}

var types = group{
	name: "types", write: "types", keys: []string{"event_types", "categories"}, redraw: adds("add_type"), read: readTypes,
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		var chosen []adminapi.EventType
		_ = values.Read("event_types", &chosen) // an unreadable value is shown as nothing
		var categories []int
		_ = values.Read("categories", &categories)
		return templ.Join(
			typeFields(s, s.typesOf(chosen), state.Errors["event_types"]),
			view.Choices(s.field("categories", nil, state), "checkbox", s.sets.Categories.Options(texts(categories)...)),
		)
	},
}

// readTypes reads the ticked types with their ticked genres, the one that is added, and the ticked
// categories with those that an added type brings. A type without a genre has genre 0.
func readTypes(d *formBody) {
	chosen, categories := []adminapi.EventType{}, d.numbers("categories")
	for _, added := range d.numbers("add_type") {
		for _, category := range adminapi.CategoriesOf(added) {
			if !slices.Contains(categories, category) {
				categories = append(categories, category)
			}
		}
	}
	d.body["categories"] = categories
	for _, id := range unique(append(d.numbers("type"), d.numbers("add_type")...)) {
		genres := []int{}
		for _, pair := range d.ticked("genre") {
			if of, genre, _ := strings.Cut(pair, ":"); of == strconv.Itoa(id) {
				if number, err := strconv.Atoi(genre); err == nil {
					genres = append(genres, number)
				}
			}
		}
		if len(genres) == 0 {
			genres = []int{0}
		}
		for _, genre := range genres {
			chosen = append(chosen, adminapi.EventType{TypeID: id, GenreID: genre})
		}
	}
	d.body["event_types"] = chosen
}

var tags = group{
	name: "tags", write: "tags", keys: []string{"tags"}, redraw: adds("add_tags"),
	read: func(d *formBody) {
		tags := d.ticked("tags")
		for _, tag := range strings.FieldsFunc(d.Get("add_tags"), func(c rune) bool { return c == ',' || c == ';' || c == '\n' }) {
			if tag = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(tag), "#")); tag != "" {
				tags = append(tags, tag)
			}
			if utf8.RuneCountInString(tag) > adminapi.MaxTag {
				d.errors["add_tags"] = d.t.With("event.tag_too_long", "Max", d.t.Integer(adminapi.MaxTag))
			}
		}
		d.body["tags"] = tags
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return tagFields(s, values.Strings("tags"), state)
	},
}

var occasion = group{
	name: "occasion", write: "participation-infos", keys: []string{"occasion"},
	read: func(d *formBody) {
		d.number("occasion", 0, 1_000)
		if d.body["occasion"] == nil {
			d.body["occasion"] = 0
		}
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		none := view.Option{Value: "0", Label: s.Text.T("event.none")}
		return view.Select(s.field("occasion", values, state), append([]view.Option{none}, s.sets.Occasions.Options(values.Text("occasion"))...))
	},
}

var participation = group{
	name: "participation", write: "participation-infos", keys: []string{"participation_info", "meeting_point"},
	read: func(d *formBody) {
		d.text("participation_info", adminapi.MaxText)
		d.text("meeting_point", adminapi.MaxTitle)
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		info := s.field("participation_info", values, state)
		info.Rows = 3
		return templ.Join(view.TextArea(info), view.Input(s.field("meeting_point", values, state)))
	},
}

var ages = group{
	name: "ages", write: "participation-infos", keys: []string{"min_age", "max_age"}, together: true, draw: pair("numeric", "min_age", "max_age"),
	read: func(d *formBody) {
		d.number("min_age", 0, adminapi.MaxAge)
		d.number("max_age", 0, adminapi.MaxAge)
		low, isLow := d.body["min_age"].(int)
		if high, isHigh := d.body["max_age"].(int); isLow && isHigh && high < low {
			d.errors["max_age"] = d.t.T("event.below_lowest")
		}
	},
}

var attendees = group{
	name: "attendees", write: "participation-infos", keys: []string{"max_attendees"}, draw: pair("numeric", "max_attendees"),
	read: func(d *formBody) { d.number("max_attendees", 1, adminapi.MaxAttendees) },
}

var visitorInfo = group{
	name: "visitor-info", write: "participation-infos", keys: []string{"visitor_info_flags"},
	read: func(d *formBody) {
		var mask value.Mask
		bits := d.numbers("flag")
		for _, bit := range bits {
			if bit >= 0 && bit < 64 {
				mask |= 1 << bit
			}
		}
		d.body["visitor_info_flags"] = mask
		if len(bits) == 0 && d.Get("none") == "" {
			d.body["visitor_info_flags"] = nil // nothing is known
		}
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return flagFields(s, values.Mask("visitor_info_flags"), state.Errors["visitor_info_flags"])
	},
}

var price = group{
	name: "price", write: "participation-infos", keys: []string{"price_type", "min_price", "max_price", "currency"}, together: true,
	read: readPrice,
	draw: priceFields,
}

const (
	priceUnknown = "not_specified"
	priceFree    = "free"
)

// readPrice reads price and currency. A free event has no price; a price has a currency. Where
// tariffs give the prices, the form does not have them.
func readPrice(d *formBody) {
	d.body["price_type"] = d.Text("price_type")
	if d.body["price_type"] == "" {
		d.body["price_type"] = priceUnknown
	}
	if d.body["price_type"] == priceFree {
		d.body["min_price"], d.body["max_price"], d.body["currency"] = nil, nil, nil
		return
	}
	if d.Values["min_price"] == nil {
		return
	}
	d.amount("min_price")
	d.amount("max_price")
	low, isLow := d.body["min_price"].(float64)
	high, isHigh := d.body["max_price"].(float64)
	if isLow && isHigh && high < low {
		d.errors["max_price"] = d.t.T("event.below_lowest")
	}
	d.body["currency"] = nil
	if isLow || isHigh || len(d.errors) > 0 {
		d.body["currency"] = d.TextOrNil("currency")
	}
}

// ticketFlags is the information about tickets.
var ticketFlags = []string{
	"ticket_required", "advance_ticket", "on_site_ticket_sales", "registration_required", "reduced_price_available",
	"presale_fee_applies",
}

var tickets = group{
	name: "tickets", write: "participation-infos", keys: []string{"ticket_flags"},
	read: func(d *formBody) { d.body["ticket_flags"] = d.ticked("ticket_flags") },
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return view.Choices(s.field("ticket_flags", nil, state), "checkbox", s.ticketOptions(values.Strings("ticket_flags")))
	},
}

var summary = group{
	name: "summary", write: "summary", keys: []string{"summary"}, draw: markdown("summary", 3),
	read: func(d *formBody) { d.text("summary", adminapi.MaxText) },
}

var description = group{
	name: "description", write: "description", keys: []string{"description"}, draw: markdown("description", 10),
	read: func(d *formBody) { d.text("description", adminapi.MaxDescription) },
}

var languages = group{
	name: "languages", write: "languages", keys: []string{"languages"}, redraw: adds("add_language"),
	read: func(d *formBody) {
		d.body["languages"] = unique(append(d.ticked("languages"), d.ticked("add_language")...))
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return languageFields(s, values.Strings("languages"), state.Errors["languages"])
	},
}

// online is in the one form of the page; without one, the section of the place has a form for it.
var online = group{
	name: "online", write: "place", keys: []string{"online_link"},
	read: func(d *formBody) {
		if d.Values["online_link"] != nil { // else the form does not have it
			d.address("online_link")
		}
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		field := s.field("online_link", values, state)
		field.Label, field.Hint = s.Text.T("place.online"), s.Text.T("place.online_hint")
		field.Inputmode, field.Content = "url", false
		return view.Input(field)
	},
}

// adds reports whether a form adds something by a field of its own.
func adds(name string) func(page.Form) bool {
	return func(form page.Form) bool { return form.Text(name) != "" }
}
