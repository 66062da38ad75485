package event

import (
	"html"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/ui"
	"litfass/services/console/internal/lookup"
	money "litfass/services/console/internal/price"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// drawer draws the fields of a group.
type drawer = func(*sheet, version.Values, view.State) templ.Component

// inputs draws keys as fields of one line.
func inputs(keys ...string) drawer {
	return func(s *sheet, values version.Values, state view.State) templ.Component {
		fields := make([]templ.Component, len(keys))
		for i, key := range keys {
			fields[i] = view.Input(s.field(key, values, state))
		}
		return templ.Join(fields...)
	}
}

// addresses draws keys as fields for addresses of pages.
func addresses(keys ...string) drawer {
	return func(s *sheet, values version.Values, state view.State) templ.Component {
		fields := make([]templ.Component, len(keys))
		for i, key := range keys {
			field := s.field(key, values, state)
			field.Inputmode, field.Content = "url", false
			fields[i] = view.Input(field)
		}
		return templ.Join(fields...)
	}
}

// pair draws keys as short fields side by side.
func pair(inputmode string, keys ...string) drawer {
	return func(s *sheet, values version.Values, state view.State) templ.Component {
		fields := make([]templ.Component, len(keys))
		for i, key := range keys {
			field := s.field(key, values, state)
			field.Inputmode, field.Content = inputmode, false
			fields[i] = view.Input(field)
		}
		return beside(fields)
	}
}

// markdown draws a key as a text with a help and the way it looks.
func markdown(key string, rows int) drawer {
	return func(s *sheet, values version.Values, state view.State) templ.Component {
		field := s.field(key, values, state)
		field.Rows = rows
		return markdownFields(s.Text, field, s.values.Text(key), key == "description")
	}
}

// maxAdded is how many types or languages can be added at once.
const maxAdded = 4

// texts writes numbers in digits.
func texts(numbers []int) []string {
	written := make([]string, len(numbers))
	for i, number := range numbers {
		written[i] = strconv.Itoa(number)
	}
	return written
}

// chosenType is a type of the event, with its genres to tick.
type chosenType struct {
	lookup.Type
	genres []view.Option
}

// typesOf returns the types of an event in their order, each once.
func (s *sheet) typesOf(chosen []adminapi.EventType) []chosenType {
	var all []chosenType
	var order []int
	genres := map[int][]string{}
	for _, t := range chosen {
		if !slices.Contains(order, t.TypeID) {
			order = append(order, t.TypeID)
		}
		genres[t.TypeID] = append(genres[t.TypeID], strconv.Itoa(t.GenreID))
	}
	for _, id := range order {
		named := chosenType{Type: s.sets.Type(id)}
		for _, option := range named.Genres.Options(genres[id]...) {
			option.Value = named.ID + ":" + option.Value
			named.genres = append(named.genres, option)
		}
		all = append(all, named)
	}
	return all
}

// furtherTypes are the types that can be added.
func (s *sheet) furtherTypes(chosen []chosenType) []view.Option {
	further := []view.Option{{Label: s.Text.T("event.types.choose")}}
	for _, t := range s.sets.Types {
		if !slices.ContainsFunc(chosen, func(c chosenType) bool { return c.ID == t.ID }) {
			further = append(further, view.Option{Value: t.ID, Label: t.Name})
		}
	}
	return further
}

// usualLanguages can be ticked without a search for them.
var usualLanguages = []string{"de", "da", "en"}

// languageOptions are the languages to tick, and further ones to add.
func (s *sheet) languageOptions(chosen []string) (tick, add []view.Option) {
	add = []view.Option{{Label: s.Text.T("event.languages.choose")}}
	near := slices.Clone(usualLanguages)
	for _, code := range chosen {
		if !slices.Contains(near, code) {
			near = append(near, code)
		}
	}
	for _, code := range near {
		tick = append(tick, view.Option{Value: code, Label: s.sets.Languages.Name(code), Chosen: slices.Contains(chosen, code)})
	}
	for _, language := range s.sets.Languages {
		if !slices.Contains(near, language.ID) {
			add = append(add, view.Option{Value: language.ID, Label: language.Name})
		}
	}
	return tick, add
}

func (s *sheet) ticketOptions(chosen []string) []view.Option {
	all := make([]view.Option, len(ticketFlags))
	for i, flag := range ticketFlags {
		all[i] = view.Option{Value: flag, Label: s.Text.T("event.ticket." + flag), Chosen: slices.Contains(chosen, flag)}
	}
	return all
}

// topic is some flags about the same thing, to tick.
type topic struct {
	icon, name string
	flags      []view.Option
	ticked     int
}

// topicIcons are the icons of the topics of visitor information, by their ids.
var topicIcons = map[string]string{"1": "person", "2": "sun", "3": "cup", "4": "screen", "5": "shield"}

// topics groups flags, which are ordered by topic.
func topics(flags []publicapi.Flag, mask *value.Mask) []topic {
	var set []int
	if mask != nil {
		set = mask.Bits()
	}
	var all []topic
	last := ""
	for _, flag := range flags {
		if flag.TopicID != last {
			all, last = append(all, topic{icon: topicIcons[flag.TopicID], name: flag.TopicName}), flag.TopicID
		}
		of := &all[len(all)-1]
		bit, err := strconv.Atoi(flag.ID)
		chosen := err == nil && slices.Contains(set, bit)
		of.flags = append(of.flags, view.Option{Value: flag.ID, Label: flag.Name, Chosen: chosen})
		if chosen {
			of.ticked++
		}
	}
	return all
}

// anyChosen reports whether any of the options is chosen.
func anyChosen(options []view.Option) bool {
	return slices.ContainsFunc(options, func(o view.Option) bool { return o.Chosen })
}

// amountField is the field of an amount of money.
func (s *sheet) amountField(key string, values version.Values, state view.State) view.Field {
	field := s.field(key, values, state)
	field.Value, field.Inputmode, field.Content = money.Write(s.Text, field.Value), "decimal", false
	return field
}

// lowestPrice is the field of the price, or of the lowest one of a range.
func (s *sheet) lowestPrice(values version.Values, state view.State) view.Field {
	field := s.amountField("min_price", values, state)
	field.Alone = s.Text.T("event.price.amount")
	return field
}

// highestPrice is the field of the highest price, which styles hide for a regular price while it is
// empty.
func (s *sheet) highestPrice(values version.Values, state view.State) view.Field {
	field := s.amountField("max_price", values, state)
	field.Placeholder = " " // shown while it is empty
	return field
}

// prose shows a text of organizers in Markdown. One that cannot be read is shown as it is.
func prose(text string) templ.Component {
	markup, err := ui.Markdown(text)
	if err != nil {
		markup = html.EscapeString(text)
	}
	return templ.Raw(markup)
}
