package eventfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
)

// Moment is a day, or a day and a time, on the wall clock of a place.
type Moment struct {
	Day   string         // YYYY-MM-DD
	Clock string         // HH:MM; "" for a whole day
	Zone  *time.Location // of the wall clock; nil: the zone of the event's place
}

// In returns the moment on the wall clock of a zone. A whole day is the same everywhere.
func (m Moment) In(zone *time.Location) Moment {
	at, err := time.ParseInLocation("2006-01-02 15:04", m.Day+" "+m.Clock, locationOr(m.Zone, zone))
	if m.Zone == nil || m.Clock == "" || err != nil {
		return Moment{Day: m.Day, Clock: m.Clock}
	}
	at = at.In(zone)
	return Moment{Day: at.Format(time.DateOnly), Clock: at.Format("15:04")}
}

func locationOr(zone, other *time.Location) *time.Location {
	if zone == nil {
		return other
	}
	return zone
}

// naive returns the wall clock as a time in UTC; a whole day begins at midnight.
func (m Moment) naive() time.Time {
	at, err := time.Parse("2006-01-02T15:04", m.Day+"T"+cmp.Or(m.Clock, "00:00"))
	if err != nil {
		return time.Time{}
	}
	return at
}

// after returns the moment later on the same wall clock.
func (m Moment) after(by time.Duration) Moment {
	at := m.naive().Add(by)
	m.Day = at.Format(time.DateOnly)
	if m.Clock != "" {
		m.Clock = at.Format("15:04")
	}
	return m
}

// instant returns the moment in UTC when it has a zone, so that equal moments are equal values.
func (m Moment) instant() Moment {
	if m.Zone == nil || m.Clock == "" {
		return Moment{Day: m.Day, Clock: m.Clock}
	}
	m = m.In(time.UTC)
	m.Zone = time.UTC
	return m
}

// String returns the moment as 2026-12-24T20:00, a whole day as 2026-12-24.
func (m Moment) String() string {
	if m.Clock == "" {
		return m.Day
	}
	return m.Day + "T" + m.Clock
}

// followStart completes the end of a date that says only a day or only a time: an end at an earlier
// time without a day is on the next day.
func (m *Moment) followStart(start Moment) {
	if m.Day != "" || m.Clock == "" {
		return
	}
	m.Day = start.Day
	if day, err := time.Parse(time.DateOnly, start.Day); err == nil && m.Clock < start.Clock {
		m.Day = day.AddDate(0, 0, 1).Format(time.DateOnly)
	}
}

var (
	weekday     = regexp.MustCompile(`^\p{L}{2,12}\.?,?\s+(\d)`)
	isoDay      = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})`)
	pointedDay  = regexp.MustCompile(`^(\d{1,2})[.-]\s?(\d{1,2})[.-]\s?(\d{4}|\d{2})\b`)
	slashedDay  = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b`)
	spokenDay   = regexp.MustCompile(`^(\d{1,2})\.?\s+(\p{L}{3,10})\.?,?\s+(\d{4})\b`)
	englishDay  = regexp.MustCompile(`^(\p{L}{3,10})\.?\s+(\d{1,2}),?\s+(\d{4})\b`)
	withZone    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2})$`)
	clockOfDay  = regexp.MustCompile(`^(?i)(?:kl\.?\s*|um\s+|ab\s+|at\s+)?(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(uhr|h|am|pm|a\.m\.|p\.m\.)?\.?$`)
	rangeOfTime = regexp.MustCompile(`^(.*\d.*?)\s*(?:-|–|—|\bbis\b|\bto\b|\btil\b)\s*(\d.*)$`)
)

// months are the beginnings of the names of months in English, German and Danish.
var months = [][]string{
	{"jan"}, {"feb"}, {"mar", "mär"}, {"apr"}, {"may", "mai", "maj"}, {"jun"}, {"jul"}, {"aug"}, {"sep"},
	{"oct", "okt"}, {"nov"}, {"dec", "dez"},
}

// readDay reads a day, with or without a time after it. order is that of day and month in
// 03/04/2026, "" for an unknown one. why is why there is none.
func readDay(text, order string) (m Moment, why *reason.Reason) {
	if m, ok := readSerial(text); ok {
		return m, nil
	}
	if withZone.MatchString(text) {
		return readMoment(text)
	}
	text = withoutWeekday(text)
	day, rest, why := cutDay(text, order)
	if why != nil {
		return m, why
	}
	m.Day = day
	rest = strings.Trim(rest, " ,T\u00a0")
	if rest == "" {
		return m, nil
	}
	clock, ok := readClock(rest)
	if !ok {
		return m, reason.NotWrittenDate(shorten(text))
	}
	m.Clock = clock
	return m, nil
}

// withoutWeekday cuts the name of a day off the beginning of a date.
func withoutWeekday(text string) string {
	if englishDay.MatchString(text) {
		return text
	}
	return weekday.ReplaceAllString(text, "$1")
}

// readMoment reads a day and time with an offset.
func readMoment(text string) (m Moment, why *reason.Reason) {
	text = strings.Replace(text, " ", "T", 1)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = time.Parse("2006-01-02T15:04Z07:00", text)
	}
	if err != nil {
		return m, reason.NotWrittenDate(shorten(text))
	}
	at = at.UTC()
	return Moment{at.Format(time.DateOnly), at.Format("15:04"), time.UTC}, nil
}

// cutDay reads the day at the beginning of a text.
func cutDay(text, order string) (day, rest string, why *reason.Reason) {
	if part := isoDay.FindStringSubmatch(text); part != nil {
		return checkedDay(text, part[0], part[1], part[2], part[3])
	}
	if part := pointedDay.FindStringSubmatch(text); part != nil {
		return checkedDay(text, part[0], part[3], part[2], part[1])
	}
	if part := slashedDay.FindStringSubmatch(text); part != nil {
		switch {
		case order == MonthFirst:
			return checkedDay(text, part[0], part[3], part[1], part[2])
		case order == DayFirst || part[1] == part[2]:
			return checkedDay(text, part[0], part[3], part[2], part[1])
		}
		return "", "", reason.AmbiguousDay(shorten(text))
	}
	if part := spokenDay.FindStringSubmatch(text); part != nil {
		return checkedDay(text, part[0], part[3], monthOf(part[2]), part[1])
	}
	if part := englishDay.FindStringSubmatch(text); part != nil {
		return checkedDay(text, part[0], part[3], monthOf(part[1]), part[2])
	}
	return "", "", reason.NotWrittenDate(shorten(text))
}

// checkedDay returns the day of the parts of a text, and the rest of the text.
func checkedDay(text, found, year, month, day string) (written, rest string, why *reason.Reason) {
	if len(year) == 2 {
		year = "20" + year
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n } // digits, or "" for no month
	written = fmt.Sprintf("%s-%02d-%02d", year, number(month), number(day))
	if _, err := time.Parse(time.DateOnly, written); err != nil {
		return "", "", reason.NotCalendarDay(shorten(text))
	}
	return written, strings.TrimPrefix(text, found), nil
}

// monthOf returns the number of a month as text, "" for other words.
func monthOf(name string) string {
	name = strings.ToLower(name)
	place := slices.IndexFunc(months, func(beginnings []string) bool {
		return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(name, b) })
	})
	if place < 0 {
		return ""
	}
	return strconv.Itoa(place + 1)
}

// readClock reads a time of day: 20:00, 20.30, 20 Uhr, kl. 20, 8 pm.
func readClock(text string) (clock string, ok bool) {
	part := clockOfDay.FindStringSubmatch(strings.TrimSpace(text))
	if part == nil {
		return "", false
	}
	hour, _ := strconv.Atoi(part[1]) // digits
	unit := strings.ToLower(strings.ReplaceAll(part[3], ".", ""))
	if part[2] == "" && unit == "" && !strings.HasPrefix(strings.ToLower(text), "k") {
		return "", false // only a number
	}
	switch {
	case (unit == "am" || unit == "pm") && (hour < 1 || hour > 12):
		return "", false
	case unit == "am" && hour == 12:
		hour = 0
	case unit == "pm" && hour < 12:
		hour += 12
	}
	minute := part[2]
	if minute == "" {
		minute = "00"
	}
	clock = fmt.Sprintf("%02d:%s", hour, minute)
	if _, err := time.Parse("15:04", clock); err != nil {
		return "", false
	}
	return clock, true
}

// cutRange divides 20:00–22:00 into its ends. The second is "" for a single time.
func cutRange(text string) (start, end string) {
	part := rangeOfTime.FindStringSubmatch(text)
	if part == nil {
		return text, ""
	}
	start, end = strings.TrimSpace(part[1]), strings.TrimSpace(part[2])
	if _, ok := readClock(start); !ok { // 20–22 Uhr
		if _, ok := readClock(start + " Uhr"); ok {
			start += " Uhr"
		}
	}
	if _, ok := readClock(end); !ok {
		if _, ok := readClock(end + " Uhr"); ok {
			end += " Uhr"
		}
	}
	return start, end
}

func isDay(text string) bool {
	_, _, why := readDays(text, DayFirst)
	if why != nil {
		_, _, why = readDays(text, MonthFirst)
	}
	return why == nil
}

func isClock(text string) bool {
	start, _ := cutRange(text)
	_, ok := readClock(start)
	return ok
}

// orderOf returns the order of day and month that the dates of a file show: one of them has a part
// that is no month. It returns "" when none or both show it.
func orderOf(columns []Column, values func(column int) []string) string {
	dayFirst, monthFirst := false, false
	for i, column := range columns {
		if column.Field != FieldStartDate && column.Field != FieldEndDate {
			continue
		}
		for _, text := range values(i) {
			part := slashedDay.FindStringSubmatch(withoutWeekday(text))
			if part == nil {
				continue
			}
			dayFirst = dayFirst || len(part[1]) == 2 && part[1] > "12"
			monthFirst = monthFirst || len(part[2]) == 2 && part[2] > "12"
		}
	}
	switch {
	case dayFirst && !monthFirst:
		return DayFirst
	case monthFirst && !dayFirst:
		return MonthFirst
	}
	return ""
}
