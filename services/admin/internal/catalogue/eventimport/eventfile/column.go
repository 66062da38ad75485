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

// guesser guesses the fields of columns.
type guesser struct {
	columns []Column
	values  func(column int) []string
	work    *work
}

// guess guesses the fields of the columns that are not mapped.
func (g guesser) guess(mapping map[string]string) {
	g.work.begin("the columns")
	for i := range g.columns {
		if _, given := mapping[g.columns[i].Name]; !given {
			g.guessByHeader(i)
		}
	}
	for i := range g.columns {
		if _, given := mapping[g.columns[i].Name]; !given && g.columns[i].Field == "" && g.columns[i].Note == "" {
			g.guessByContent(i)
		}
	}
}

func isTaken(columns []Column, field string) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Field == field })
}

// guessByHeader sets the field of a column by its name, unless another column has the field.
func (g guesser) guessByHeader(place int) {
	c, values := &g.columns[place], g.values(place)
	field := fieldOfName(c.Name)
	switch field {
	case "":
		return
	case startOfEither:
		field = g.dayOrTime(values, FieldStartDate, FieldStartTime)
	case endOfEither:
		field = g.dayOrTime(values, FieldEndDate, FieldEndTime)
	case cityOrVenue:
		field = FieldVenue
		if namesVenue(g.columns) {
			field = FieldCity
		}
	case FieldTags:
		if plainName(c.Name) == "tag" && g.mostly(values, isDay) { // German for day
			field = FieldStartDate
		}
	case FieldTicketLink, FieldEntryTime: // advance sale, entry
		if g.arePrices(values) {
			field = FieldPrice
		}
	}
	if field == someonesPrice {
		if !g.arePrices(values) {
			return
		}
		field = FieldPrice
	}
	if field != FieldPrice && isTaken(g.columns, field) {
		c.Note = fmt.Sprintf("may be %s, too, which another column is already", field)
		return
	}
	c.Field, c.GuessedBy = field, ByHeader
}

// namesVenue reports whether a column is the venue by its name.
func namesVenue(columns []Column) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Field == FieldVenue || fieldOfName(c.Name) == FieldVenue })
}

func (g guesser) dayOrTime(values []string, day, clock string) string {
	if g.mostly(values, isDay) {
		return day
	}
	return clock
}

// guessByContent finds a column of days or times whose name is unknown.
func (g guesser) guessByContent(place int) {
	c, values := &g.columns[place], g.values(place)
	field := ""
	switch {
	case isTaken(g.columns, FieldStartDate) && isTaken(g.columns, FieldStartTime):
	case g.mostly(values, serialDay.MatchString): // may be any number
	case g.mostly(values, isDay):
		field = FieldStartDate
	case g.mostly(values, isClock):
		field = FieldStartTime
	}
	if field == "" || isTaken(g.columns, field) {
		return
	}
	c.Field, c.GuessedBy = field, ByContent
	c.Note = "its name says nothing; its values look like this field"
}

// arePrices reports whether most values are prices, which also words may be.
func (g guesser) arePrices(values []string) bool {
	return g.pass(values, func(string) bool { return true }, isPrice)
}

const (
	stepsOfTest = 300 // steps of a budget
	maxTested   = 200 // bytes of a value that may be a day, a time or a price
)

// mostly reports whether at least four of five values that are not empty have a digit and pass a
// test.
func (g guesser) mostly(values []string, test func(string) bool) bool {
	return g.pass(values, func(text string) bool { return strings.ContainsAny(text, "0123456789") }, test)
}

// pass reports whether at least four of five values that are not empty pass a test and, before it,
// one that is cheap.
func (g guesser) pass(values []string, cheap, test func(string) bool) bool {
	given, failed := 0, 0
	for _, text := range values {
		if text != "" {
			given++
		}
	}
	for _, text := range values {
		switch {
		case text == "":
			continue
		case len(text) > maxTested || !cheap(text):
			failed++
		case !g.work.Spend(stepsOfTest):
			return false
		case !test(text):
			failed++
		}
		if failed*5 > given {
			return false
		}
	}
	return given > 0
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
