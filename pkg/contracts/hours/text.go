package hours

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/language"
)

// words are the words of hours in a language.
type words struct {
	weekdays  [7]string // in short, Monday first
	clock     string    // around the times of a day
	separator string    // between hours and minutes
	special   string    // for hours that are only special ones
}

// inLanguage are the words by language; each of language.Codes has its own.
var inLanguage = map[string]words{
	"en": {[7]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, "%", ":", "on certain days"},
	"de": {[7]string{"Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"}, "% Uhr", ":", "an einzelnen Tagen"},
	"da": {[7]string{"man.", "tirs.", "ons.", "tors.", "fre.", "lør.", "søn."}, "kl. %", ".", "på enkelte dage"},
}

// Text writes the weekly hours in a line, such as "Tue–Fri 10–18, Sat 11–17". Hours that are only
// special ones are written as such; none are "".
func (h Hours) Text(lang string) string {
	w := inLanguage[language.Nearest(lang)]
	if len(h.Weekly) == 0 {
		if len(h.Special) == 0 {
			return ""
		}
		return w.special
	}
	var parts []string
	for _, group := range h.Week() {
		parts = append(parts, w.days(group.Days)+" "+Clock(lang, group.Times))
	}
	return strings.Join(parts, ", ")
}

// Clock writes the times of a day, such as "10–12:30 & 14–18".
func Clock(lang string, times [][2]string) string {
	w := inLanguage[language.Nearest(lang)]
	written := make([]string, len(times))
	for i, t := range times {
		written[i] = w.time(t[0]) + "–" + w.time(t[1])
	}
	return strings.ReplaceAll(w.clock, "%", strings.Join(written, " & "))
}

// WeekdayName writes a day of the week in short, 0 for Monday.
func WeekdayName(lang string, weekday int) string {
	return inLanguage[language.Nearest(lang)].weekdays[weekday]
}

// time writes HH:MM without what is not needed, such as 10 or 9:30.
func (w words) time(text string) string {
	hour, minute, _ := strings.Cut(text, ":")
	if hour = strings.TrimPrefix(hour, "0"); hour == "" {
		hour = "0"
	}
	if minute == "00" {
		return hour
	}
	return hour + w.separator + minute
}

// days writes days of the week, in ranges where three or more follow each other.
func (w words) days(days []int) string {
	var parts []string
	for from := 0; from < len(days); {
		to := from
		for to+1 < len(days) && days[to+1] == days[to]+1 {
			to++
		}
		switch to - from {
		case 0:
			parts = append(parts, w.weekdays[days[from]])
		case 1:
			parts = append(parts, w.weekdays[days[from]], w.weekdays[days[to]])
		default:
			parts = append(parts, w.weekdays[days[from]]+"–"+w.weekdays[days[to]])
		}
		from = to + 1
	}
	return strings.Join(parts, "/")
}

// WeekGroup are days of the week, 0 for Monday, with the same openings, HH:MM.
type WeekGroup struct {
	Days  []int
	Times [][2]string
}

// Week returns the weekly openings by days that have the same ones, in the order of their first
// days.
func (h Hours) Week() (groups []WeekGroup) {
	for weekday, key := range Weekdays {
		var times [][2]string
		for _, w := range h.Weekly {
			if w.Day == key {
				times = append(times, [2]string{w.From, w.To})
			}
		}
		same := func(g WeekGroup) bool { return slices.Equal(g.Times, times) }
		if at := slices.IndexFunc(groups, same); at >= 0 {
			groups[at].Days = append(groups[at].Days, weekday)
		} else if len(times) > 0 {
			groups = append(groups, WeekGroup{[]int{weekday}, times})
		}
	}
	return groups
}
