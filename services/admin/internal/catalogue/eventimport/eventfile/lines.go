package eventfile

import (
	"strings"

	"litfass/pkg/chassis/fault/reason"
)

// The limits of the input of package ical, which reads parameters byte by byte, and nested
// components by recursion.
const (
	maxHead      = 2_000     // bytes of a line before its value
	maxComponent = 512 << 10 // bytes of one event
)

// component is the text of one VEVENT without the components inside it, such as alarms.
type component struct {
	lines  []string
	length int
	reason *reason.Reason // why it cannot be read
}

// cutComponents returns the VEVENTs of a calendar. The fault is Invalid for a text without any, or
// one that ends inside of one.
func cutComponents(text string) ([]component, error) {
	var events []component
	var current *component
	depth := 0 // of components inside of the current one
	for line := range unfolded(text) {
		name, value, _ := strings.Cut(line, ":")
		name, value = strings.ToUpper(strings.TrimSpace(name)), strings.ToUpper(strings.TrimSpace(value))
		switch {
		case name == "BEGIN" && value == "VEVENT" && current == nil:
			if len(events) == MaxRows {
				return nil, tooLarge(MaxRows, reason.WordEvents)
			}
			current = &component{}
		case current == nil:
		case name == "BEGIN":
			depth++
		case name == "END" && depth > 0:
			depth--
		case name == "END":
			events, current = append(events, *current), nil
		case depth == 0:
			current.add(line)
		}
	}
	switch {
	case current != nil:
		return nil, invalid("content", reason.EndsInsideEvent)
	case len(events) == 0:
		return nil, invalid("content", reason.NoEvents)
	}
	return events, nil
}

// add appends a line, or records why the component cannot be read.
func (c *component) add(line string) {
	c.length += len(line)
	head := headLength(line)
	switch {
	case c.length > maxComponent:
		c.lines, c.reason = nil, reason.TooLongEvent
	case head < 0 || head > maxHead:
		c.reason = reason.CalendarLineUnreadable(shorten(line))
	default:
		c.lines = append(c.lines, line)
	}
}

// headLength returns how long the name of a line is with its parameters, or -1 for a line without a
// value.
func headLength(line string) int {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			return i
		}
	}
	return -1
}

// unfolded yields the lines of a calendar that are not empty; a line that begins with a space
// continues the one before.
func unfolded(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var line strings.Builder
		for part := range strings.Lines(text) {
			part = strings.TrimRight(part, "\r\n")
			if strings.HasPrefix(part, " ") || strings.HasPrefix(part, "\t") {
				line.WriteString(part[1:])
				continue
			}
			if line.Len() > 0 && !yield(line.String()) {
				return
			}
			line.Reset()
			line.WriteString(part)
		}
		if line.Len() > 0 {
			yield(line.String())
		}
	}
}
