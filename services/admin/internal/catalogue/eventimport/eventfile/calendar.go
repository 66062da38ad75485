package eventfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-ical"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// properties are the properties of an event that are read as text, with their fields unless the
// options map them.
var properties = []struct{ name, field string }{
	{ical.PropUID, FieldExternalID},
	{ical.PropSummary, FieldTitle},
	{ical.PropDescription, FieldDescription},
	{ical.PropLocation, FieldVenue},
	{ical.PropURL, FieldSourceLink},
	{ical.PropCategories, FieldTags},
}

// ofCalendar are the fields for which calendars have properties of their own.
var ofCalendar = []string{
	FieldStartDate, FieldStartTime, FieldEndDate, FieldEndTime, FieldEntryTime, FieldStatus,
}

// readCalendar reads the events of a calendar. Their properties are its columns.
func readCalendar(text string, options Options) (File, error) {
	components, err := cutComponents(text)
	if err != nil {
		return File{}, err
	}
	events, zones := make([]calendarEvent, len(components)), readZones(text, options.work)
	for i, c := range components {
		if !options.work.begin(fmt.Sprintf("VEVENT %d", i+1)) {
			return File{}, nil
		}
		events[i] = newCalendarEvent(c, i+1)
		events[i].zones = zones
	}
	file := File{Rows: len(events)}
	if file.Columns, err = propertyColumns(events, options.Mapping); err != nil {
		return file, err
	}
	left := MaxDates
	for _, series := range bySeries(events) {
		if left -= series.readDates(options.Until, left); left < 0 {
			return file, tooLarge(MaxDates, reason.WordDates)
		}
	}
	rows := make([]row, len(events))
	slices.SortStableFunc(events, func(a, b calendarEvent) int { return cmp.Compare(a.rank(), b.rank()) })
	for i := range events {
		rows[i] = events[i].row(file.Columns)
	}
	file.Events = group(rows)
	return file, nil
}

// calendarEvent is one VEVENT: an event with its rule, or one date of it that differs.
type calendarEvent struct {
	number  int
	props   ical.Props // never nil
	dates   []Date
	reasons []Reason
	ofRule  bool // a date of an event that is in the file, too
	zones   *fileZones
}

// rank puts events before the dates that differ from their rules.
func (e *calendarEvent) rank() int {
	if e.ofRule {
		return 1
	}
	return 0
}

// maxReasons is the maximum number of reasons that are kept of an event, which may have a list of
// values of which none can be read.
const maxReasons = 100

func (e *calendarEvent) refuse(field string, why *reason.Reason) {
	e.refuseBy(fault.Violate(field, why))
}

func (e *calendarEvent) refuseBy(v fault.Violation) {
	if len(e.reasons) < maxReasons {
		e.reasons = append(e.reasons, Reason{e.number, v})
	}
}

func newCalendarEvent(c component, number int) calendarEvent {
	e := calendarEvent{number: number, props: ical.Props{}}
	props, err := decodeProps(c.lines)
	if err != nil && c.reason == nil {
		c.reason = reason.NotCalendarEvent
	}
	if props != nil {
		e.props = props
	}
	if c.reason != nil {
		e.refuse("", c.reason)
	}
	return e
}

// decodeProps reads the lines of a VEVENT. Package ical panics on some that end early.
func decodeProps(lines []string) (props ical.Props, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("read event: %v", cause)
		}
	}()
	body := slices.Concat([]string{"BEGIN:VCALENDAR", "BEGIN:VEVENT"}, lines, []string{"END:VEVENT", "END:VCALENDAR", ""})
	calendar, err := ical.NewDecoder(strings.NewReader(strings.Join(body, "\r\n"))).Decode()
	if err != nil {
		return nil, err
	}
	return calendar.Children[0].Props, nil
}

// text returns the values of a property, joined where there are several.
func (e *calendarEvent) text(name string) string {
	var texts []string
	for _, prop := range e.props.Values(name) {
		prop.SetValueType(ical.ValueText)
		list, err := prop.TextList()
		if err != nil {
			e.refuse("", reason.PropertyUnreadable(reason.RulePart(name), shorten(prop.Value)))
			continue
		}
		texts = append(texts, strings.Join(list, ", "))
	}
	if name == ical.PropURL && len(e.props.Values(name)) > 0 {
		return strings.TrimSpace(e.props.Get(name).Value) // a URI is not escaped
	}
	if name != ical.PropCategories && len(texts) > 0 {
		return strings.TrimSpace(texts[0])
	}
	return strings.TrimSpace(strings.Join(texts, ", "))
}

// propertyColumns returns the properties that the events have. The fault is that of applyMapping.
func propertyColumns(events []calendarEvent, mapping map[string]string) ([]Column, error) {
	var columns []Column
	fields := map[string]string{}
	for _, property := range properties {
		var values []string
		for i := range events {
			if events[i].props.Get(property.name) != nil {
				values = append(values, events[i].text(property.name))
			}
		}
		if values != nil {
			columns = append(columns, Column{Name: property.name, Samples: samples(values)})
			fields[property.name] = property.field
		}
	}
	for name, field := range mapping {
		if slices.Contains(ofCalendar, field) {
			return nil, invalid("mapping", reason.FieldOfCalendar(shorten(name), field))
		}
	}
	if err := applyMapping(columns, mapping); err != nil {
		return columns, err
	}
	for i := range columns {
		c := &columns[i]
		if _, given := mapping[c.Name]; !given && !isTaken(columns, fields[c.Name]) {
			c.Field, c.GuessedBy = fields[c.Name], ByHeader
		}
	}
	return columns, nil
}

// row returns the values of an event, with the dates of readDates.
func (e *calendarEvent) row(columns []Column) row {
	r := row{number: e.number, values: map[string]string{}, own: map[string]string{}, dates: e.dates}
	for _, column := range columns {
		ofDate := slices.Contains(ofDates, column.Field) || column.Field == FieldExternalID
		switch {
		case column.Field == "":
		case e.ofRule && !ofDate:
			r.own[column.Field] = e.text(column.Name)
		default:
			r.values[column.Field] = e.text(column.Name)
		}
	}
	r.identify()
	for i := range r.dates {
		d := &r.dates[i]
		for _, field := range ofDates {
			if text, given := r.values[field]; given {
				d.Values[field] = text
			}
		}
	}
	r.reasons = e.reasons
	return r
}
