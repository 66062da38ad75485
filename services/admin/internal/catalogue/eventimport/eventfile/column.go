package eventfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"litfass/pkg/chassis/fault/reason"
)

// How a column's field was found.
const (
	ByHeader  = "header"
	ByContent = "content"
	ByEarlier = "earlier" // the mapping of an earlier file with the same columns
)

// Column is a column of a CSV file, or a property of a calendar's events.
type Column struct {
	Name      string
	Samples   []string // at most three different values
	Field     string   // "" for one that is not read
	GuessedBy string   // "" where Options.Mapping maps it
	Note      string   // why a guess is doubtful, for people
}

// withEarlier returns the options with the mapping of an earlier file, which marks the columns that
// it maps.
func (o Options) withEarlier(columns []Column) (Options, error) {
	if o.Mapping != nil || o.Earlier == nil {
		return o, nil
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	mapping, order, err := o.Earlier(names)
	if err != nil {
		return o, err
	}
	o.Mapping = mapping
	if o.DateOrder == "" {
		o.DateOrder = order
	}
	for i, c := range columns {
		if _, mapped := mapping[c.Name]; mapped {
			columns[i].GuessedBy = ByEarlier
		}
	}
	return o, nil
}

// applyMapping sets the fields of columns as the options map them. The fault is Invalid, naming
// mapping.
func applyMapping(columns []Column, mapping map[string]string) error {
	for name, field := range mapping {
		place := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
		switch {
		case place < 0:
			return invalid("mapping", reason.UnknownColumn(shorten(name)))
		case field != "" && !IsField(field):
			return invalid("mapping", reason.UnknownMappedField(shorten(field)))
		case field != "" && field != FieldPrice && isTaken(columns, field):
			return invalid("mapping", reason.FieldMappedTwice(field))
		}
		columns[place].Field = field
	}
	return nil
}

// guessFields guesses the fields of the columns that the options do not map.
func guessFields(columns []Column, values func(column int) []string, mapping map[string]string) {
	for i := range columns {
		if _, given := mapping[columns[i].Name]; !given {
			guessByHeader(columns, i, values(i))
		}
	}
	for i := range columns {
		if _, given := mapping[columns[i].Name]; !given && columns[i].Field == "" && columns[i].Note == "" {
			guessByContent(columns, i, values(i))
		}
	}
}

func isTaken(columns []Column, field string) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Field == field })
}

// guessByHeader sets the field of a column by its name, unless another column has the field.
func guessByHeader(columns []Column, place int, values []string) {
	c := &columns[place]
	field := fieldOfName(c.Name)
	switch field {
	case "":
		return
	case startOfEither:
		field = dayOrTime(values, FieldStartDate, FieldStartTime)
	case endOfEither:
		field = dayOrTime(values, FieldEndDate, FieldEndTime)
	case cityOrVenue:
		field = FieldVenue
		if namesVenue(columns) {
			field = FieldCity
		}
	case FieldTags:
		if plainName(c.Name) == "tag" && mostly(values, isDay) { // German for day
			field = FieldStartDate
		}
	case FieldTicketLink, FieldEntryTime: // advance sale, entry
		if mostly(values, isPrice) {
			field = FieldPrice
		}
	}
	if field == someonesPrice {
		if !mostly(values, isPrice) {
			return
		}
		field = FieldPrice
	}
	if field != FieldPrice && isTaken(columns, field) {
		c.Note = fmt.Sprintf("may be %s, too, which another column is already", field)
		return
	}
	c.Field, c.GuessedBy = field, ByHeader
}

// namesVenue reports whether a column is the venue by its name.
func namesVenue(columns []Column) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Field == FieldVenue || fieldOfName(c.Name) == FieldVenue })
}

func dayOrTime(values []string, day, clock string) string {
	if mostly(values, isDay) {
		return day
	}
	return clock
}

// guessByContent finds a column of days or times whose name is unknown.
func guessByContent(columns []Column, place int, values []string) {
	c := &columns[place]
	field := ""
	switch {
	case mostly(values, serialDay.MatchString): // may be any number
	case mostly(values, isDay):
		field = FieldStartDate
	case mostly(values, isClock):
		field = FieldStartTime
	}
	if field == "" || isTaken(columns, field) {
		return
	}
	c.Field, c.GuessedBy = field, ByContent
	c.Note = "its name says nothing; its values look like this field"
}

// mostly reports whether at least four of five values that are not empty pass a test.
func mostly(values []string, test func(string) bool) bool {
	given, passed := 0, 0
	for _, text := range values {
		if text == "" {
			continue
		}
		given++
		if test(text) {
			passed++
		}
	}
	return given > 0 && passed*5 >= given*4
}

// samples returns the first different values that are not empty.
func samples(values []string) []string {
	shown := []string{}
	for _, text := range values {
		text = shorten(text)
		if text != "" && !slices.Contains(shown, text) {
			shown = append(shown, text)
		}
		if len(shown) == maxSamples {
			break
		}
	}
	return shown
}

// shorten returns the beginning of a value, on one line.
func shorten(text string) string {
	if len(text) > 4*maxSample {
		text = strings.ToValidUTF8(text[:4*maxSample], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxSample {
		return text
	}
	return string([]rune(text)[:maxSample-1]) + "…"
}
