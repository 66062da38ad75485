package rule

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads a rule in the form in which the admin service stores it. first is when its first
// date starts, its time 00:00 for all-day dates. It reports false for a rule that a Form cannot
// say, such as one with times of the day: that is shown as it is.
func Parse(rrule string, first time.Time) (Form, bool) {
	parts := partsOf(rrule)
	f := Form{Every: 1, Unit: unitOf(parts["FREQ"])}
	delete(parts, "FREQ")
	known := f.Unit != "" && f.readNumbers(parts) && f.readUntil(parts, first) && f.readDays(parts, first)
	return f, known && len(parts) == 0 && (f.Until == "") == (f.Count > 0)
}

func partsOf(rrule string) map[string]string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(rrule, "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	return parts
}

func unitOf(frequency string) Unit {
	for unit, name := range frequencies {
		if name == frequency {
			return unit
		}
	}
	return ""
}

// readNumbers takes the interval and the count.
func (f *Form) readNumbers(parts map[string]string) bool {
	for name, into := range map[string]*int{"INTERVAL": &f.Every, "COUNT": &f.Count} {
		text, given := parts[name]
		if !given {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return false
		}
		*into = n
		delete(parts, name)
	}
	return true
}

// readUntil takes the end as the last day on which a date can start.
func (f *Form) readUntil(parts map[string]string, first time.Time) bool {
	text, given := parts["UNTIL"]
	if !given {
		return true
	}
	delete(parts, "UNTIL")
	if day, err := time.Parse("20060102", text); err == nil {
		f.Until = day.Format(time.DateOnly)
		return true
	}
	end, err := time.Parse("20060102T150405", text)
	if err != nil {
		return false
	}
	if end.Hour()*60+end.Minute() < first.Hour()*60+first.Minute() {
		end = end.AddDate(0, 0, -1)
	}
	f.Until = end.Format(time.DateOnly)
	return true
}

// readDays reads the parts that choose the days.
func (f *Form) readDays(parts map[string]string, first time.Time) bool {
	switch f.Unit {
	case Weeks:
		return f.readWeekdays(parts)
	case Months:
		return f.readMonthday(parts, first) && f.readNth(parts)
	case Years:
		byWeekday := parts["BYDAY"] != ""
		if month, given := parts["BYMONTH"]; given && month != strconv.Itoa(int(first.Month())) || byWeekday && !given {
			return false
		}
		delete(parts, "BYMONTH")
		return f.readMonthday(parts, first) && f.readNth(parts)
	default:
		return true
	}
}

func (f *Form) readWeekdays(parts map[string]string) bool {
	text, given := parts["BYDAY"]
	if !given {
		return true
	}
	delete(parts, "BYDAY")
	for name := range strings.SplitSeq(text, ",") {
		day := slices.Index(weekdayNames, name)
		if day < 0 {
			return false
		}
		f.Weekdays = append(f.Weekdays, time.Weekday(day))
	}
	f.Weekdays = Sorted(f.Weekdays)
	return true
}

// readMonthday takes the day of the month, which a form only has as that of the first date.
func (f *Form) readMonthday(parts map[string]string, first time.Time) bool {
	if text, given := parts["BYMONTHDAY"]; given {
		delete(parts, "BYMONTHDAY")
		return text == strconv.Itoa(first.Day()) && parts["BYDAY"] == ""
	}
	return true
}

// readNth takes the weekday of a month, written 3FR or as FR with BYSETPOS=3.
func (f *Form) readNth(parts map[string]string) bool {
	text, given := parts["BYDAY"]
	if !given {
		return true
	}
	number, name := text[:max(0, len(text)-2)], text[max(0, len(text)-2):]
	if position, set := parts["BYSETPOS"]; set && number == "" {
		number = position
		delete(parts, "BYSETPOS")
	}
	delete(parts, "BYDAY")
	day := slices.Index(weekdayNames, name)
	nth, err := strconv.Atoi(number)
	f.Nth, f.Weekday = nth, time.Weekday(max(0, day))
	return err == nil && day >= 0 && nth >= Last && nth <= 5 && nth != 0
}
