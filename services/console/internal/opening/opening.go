// Package opening reads and writes opening hours as people type them: a line for each day of the
// week, such as "10–13, 14–18", and a line for each closed or special day.
package opening

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// The names of the fields of a form: prefix and one of hours.Weekdays, and two of lines.
const (
	prefix  = "hours_"
	Closed  = prefix + "closed"
	Special = prefix + "special"
)

// Field returns the name of the field of a day of the week.
func Field(weekday string) string { return prefix + weekday }

// Names are the names of all fields.
var Names = append(weekFields(), Closed, Special)

func weekFields() (fields []string) {
	for _, day := range hours.Weekdays {
		fields = append(fields, Field(day))
	}
	return fields
}

// FieldOf returns the field of an element of opening hours that the admin service names, such as
// hours.closed[0].to, and any other name as it is.
func FieldOf(name string) string {
	switch {
	case strings.HasPrefix(name, "hours.closed"):
		return Closed
	case strings.HasPrefix(name, "hours.special"):
		return Special
	case strings.HasPrefix(name, "hours.") || name == "hours":
		return Field(hours.Weekdays[0])
	default:
		return name
	}
}

// Values are the fields as people have typed them, by name.
type Values map[string]string

// Empty reports whether nothing was typed.
func (v Values) Empty() bool {
	return !slices.ContainsFunc(Names, func(name string) bool { return v[name] != "" })
}

// Open reports whether fields that are folded up have something to say.
func (v Values) Open(errors view.Errors) bool {
	return !v.Empty() || slices.ContainsFunc(Names, func(name string) bool { return errors[name] != "" })
}

// Read reads the fields of a form.
func Read(f page.Form) Values {
	v := Values{}
	for _, name := range Names {
		v[name] = strings.TrimSpace(f.Text(name))
	}
	return v
}

// Of fills the fields with opening hours, as Hours reads them.
func Of(h hours.Hours) Values {
	v := Values{}
	add := func(name, separator, part string) {
		if v[name] != "" {
			part = v[name] + separator + part
		}
		v[name] = part
	}
	for _, w := range h.Weekly {
		add(Field(w.Day), ", ", w.From+"–"+w.To)
	}
	for _, c := range h.Closed {
		days := c.From
		if c.To != c.From {
			days += " – " + c.To
		}
		add(Closed, "\n", strings.TrimSpace(days+" "+string(c.Note)))
	}
	for _, s := range h.Special {
		add(Special, "\n", strings.TrimSpace(s.Date+" "+s.From+"–"+s.To+" "+string(s.Note)))
	}
	return v
}

// Hours returns the opening hours, and the errors by field.
func (v Values) Hours(t *text.Texts) (h hours.Hours, errors view.Errors) {
	errors = view.Errors{}
	if v.Empty() {
		return h, errors
	}
	for _, day := range hours.Weekdays {
		times, ok := timesIn(v[Field(day)])
		if !ok {
			errors[Field(day)] = t.T("hours.error.times")
		}
		for _, at := range times {
			h.Weekly = append(h.Weekly, hours.Weekly{Day: day, From: at[0], To: at[1]})
		}
	}
	for line := range lines(v[Closed]) {
		closed, ok := closedIn(line)
		if !ok {
			errors[Closed] = t.With("hours.error.closed", "Line", line)
		}
		h.Closed = append(h.Closed, closed)
	}
	for line := range lines(v[Special]) {
		special, ok := specialIn(line)
		if !ok {
			errors[Special] = t.With("hours.error.special", "Line", line)
		}
		h.Special = append(h.Special, special...)
	}
	if len(errors) == 0 && len(h.Weekly)+len(h.Special) == 0 {
		errors[Field(hours.Weekdays[0])] = t.T("hours.error.none")
	}
	if len(h.Special) > adminapi.MaxSpecial {
		errors[Special] = t.With("reason.too_many", "max", adminapi.MaxSpecial)
	}
	h.Normalize()
	return h, errors
}

// lines yields the lines of a text that are not blank.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
}

const dash = `\s*(?:-|–|—|bis|to|til)\s*`

var (
	clock      = regexp.MustCompile(`^([01]?\d|2[0-4])(?:[:.]([0-5]\d))?(?:\s*(?:Uhr|h))?$`)
	dashes     = regexp.MustCompile(dash)
	separators = regexp.MustCompile(`\s*(?:[,;&/]|und|and|og)\s*`)
	day        = `(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4})`
	closedLine = regexp.MustCompile(`^` + day + `(?:` + dash + day + `)?(?:\s*[,:;]?\s+(.*))?$`)
	time24     = `(?:kl\.?\s*)?(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?(?:\s*Uhr)?`
	span       = time24 + dash + time24
	dayLine    = regexp.MustCompile(`^` + day + `\s*[,:;]?\s+(` + span + `(?:\s*(?:[,;&/]|und|and|og)\s*` + span + `)*)(?:\s*[,:;]?\s+(.*))?$`)
)

// timesIn reads times such as "10-13, 14:30–18 Uhr"; none are no times.
func timesIn(line string) (times [][2]string, ok bool) {
	if line == "" {
		return nil, true
	}
	for _, part := range separators.Split(line, -1) {
		ends := dashes.Split(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "kl.")), -1)
		if len(ends) != 2 {
			return nil, false
		}
		from, fromOK := clockIn(ends[0])
		to, toOK := clockIn(ends[1])
		if !fromOK || !toOK {
			return nil, false
		}
		times = append(times, [2]string{from, to})
	}
	slices.SortFunc(times, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	for i := range times[1:] {
		if before := times[i]; before[1] <= before[0] || times[i+1][0] < before[1] {
			return nil, false
		}
	}
	return times, true
}

// clockIn reads a time such as 9, 9:30, 09.30 or 24.
func clockIn(text string) (string, bool) {
	parts := clock.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return "", false
	}
	hour, _ := strconv.Atoi(parts[1])
	minute, _ := strconv.Atoi(cmp.Or(parts[2], "0"))
	return time.Date(1, 1, 1, hour%24, minute, 0, 0, time.UTC).Format("15:04"), hour < 24 || minute == 0
}

// dayIn reads a day such as 2026-12-24 or 24.12.2026.
func dayIn(text string) (string, bool) {
	for _, layout := range []string{time.DateOnly, "2.1.2006", "2/1/2006"} {
		if at, err := time.Parse(layout, text); err == nil && isDay(at) {
			return at.Format(time.DateOnly), true
		}
	}
	return "", false
}

func isDay(at time.Time) bool { return at.Year() >= 1900 && at.Year() <= 2999 }

// closedIn reads a line such as "24.12.2026 – 26.12.2026 Christmas".
func closedIn(line string) (c hours.Closed, ok bool) {
	parts := closedLine.FindStringSubmatch(line)
	if parts == nil {
		return c, false
	}
	from, fromOK := dayIn(parts[1])
	to, toOK := dayIn(cmp.Or(parts[2], parts[1]))
	return hours.Closed{From: from, To: to, Note: value.Text(parts[3])}, fromOK && toOK && from <= to
}

// specialIn reads a line such as "31.12.2026 10–14 New Year's Eve".
func specialIn(line string) (special []hours.Special, ok bool) {
	parts := dayLine.FindStringSubmatch(line)
	if parts == nil {
		return nil, false
	}
	day, dayOK := dayIn(parts[1])
	times, timesOK := timesIn(parts[2])
	for _, at := range times {
		special = append(special, hours.Special{Date: day, From: at[0], To: at[1], Note: value.Text(parts[3])})
	}
	return special, dayOK && timesOK
}
