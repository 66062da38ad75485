package rule

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"litfass/services/console/internal/text"
)

// Series is a rule with the facts for its sentence.
type Series struct {
	Start  string // of the first date: YYYY-MM-DD, with THH:MM unless it is all-day
	RRule  string // "" for only the first date and RDate
	RDate  []string
	ExDate []string
	Dates  int // how many dates it means
}

// maxDays is how many further or left out days a sentence names one by one.
const maxDays = 6

// Sentence writes a series for people, such as "Every Tuesday at 20:00 until 27 April 2027, except
// 22 and 29 December: 12 dates". A rule that no Form says is written as it is.
func Sentence(t *text.Texts, s Series) string {
	first, timed := momentOf(s.Start)
	words := writer{t, first.Year()}
	sentence := words.days("rule.list", append([]string{s.Start}, s.RDate...))
	if s.RRule != "" {
		sentence = words.rule(s.RRule, first, timed)
		sentence = words.add(sentence, "rule.further", s.RDate)
	} else if timed {
		sentence = words.at(sentence, first)
	}
	sentence = words.add(sentence, "rule.except", s.ExDate)
	return capitalized(t.Count("rule.total", s.Dates, "Rule", sentence))
}

// writer writes the parts of a sentence. Days of its year are written without it.
type writer struct {
	t    *text.Texts
	year int
}

// momentOf reads a day, or a day with a time.
func momentOf(start string) (moment time.Time, timed bool) {
	if moment, err := time.Parse("2006-01-02T15:04", start); err == nil {
		return moment, true
	}
	day, _ := time.Parse(time.DateOnly, start) // the admin service writes nothing else
	return day, false
}

func capitalized(sentence string) string {
	first, size := utf8.DecodeRuneInString(sentence)
	return string(unicode.ToUpper(first)) + sentence[size:]
}

// rule writes the rule with its time and its end.
func (w writer) rule(rrule string, first time.Time, timed bool) string {
	form, known := Parse(rrule, first)
	if !known {
		return w.t.With("rule.unknown", "Text", rrule)
	}
	sentence := w.pattern(form, first)
	if timed {
		sentence = w.at(sentence, first)
	}
	if form.Until == "" {
		return w.t.Count("rule.times", form.Count, "Rule", sentence)
	}
	until, _ := momentOf(form.Until)
	return w.t.With("rule.until", "Rule", sentence, "Day", writer{w.t, 0}.day(until))
}

func (w writer) at(sentence string, start time.Time) string {
	return w.t.With("rule.at", "Rule", sentence, "Time", w.t.Clock(start.Format("15:04")))
}

// pattern writes which days a rule means.
func (w writer) pattern(f Form, first time.Time) string {
	switch f.Unit {
	case Weeks:
		return w.weeks(f, first)
	case Months:
		if f.Nth == 0 {
			return w.t.Count("rule.months", f.Every, "Day", Ordinal(w.t, first.Day()))
		}
		return w.t.Count("rule.months_nth", f.Every, "Nth", Nth(w.t, f.Nth), "Weekday", w.t.Weekday(f.Weekday))
	case Years:
		if f.Nth == 0 {
			return w.t.Count("rule.years", f.Every, "Day", writer{w.t, first.Year()}.day(first))
		}
		return w.t.Count("rule.years_nth", f.Every, "Nth", Nth(w.t, f.Nth),
			"Weekday", w.t.Weekday(f.Weekday), "Month", monthName(w.t, first))
	default:
		return w.t.Count("rule.days", f.Every)
	}
}

func (w writer) weeks(f Form, first time.Time) string {
	days := f.Weekdays
	if len(days) == 0 {
		days = []time.Weekday{first.Weekday()}
	}
	names := make([]string, len(days))
	for i, day := range days {
		names[i] = w.t.Weekday(day)
		if f.Every > 1 { // Danish has another form after the week
			names[i] = strings.Fields(w.t.T("rule.weekdays"))[day]
		}
	}
	return w.t.Count("rule.weeks", f.Every, "Days", List(w.t, names))
}

// add writes days after a sentence, if there are any.
func (w writer) add(sentence, id string, days []string) string {
	if len(days) == 0 {
		return sentence
	}
	return sentence + ", " + w.days(id, days)
}

// days writes days one by one, or how many there are.
func (w writer) days(id string, days []string) string {
	if len(days) > maxDays {
		return w.t.Count(id+"_many", len(days))
	}
	moments := make([]time.Time, len(days))
	sameMonth := true
	for i, day := range days {
		moments[i], _ = momentOf(day)
		sameMonth = sameMonth && moments[i].Format("2006-01") == moments[0].Format("2006-01")
	}
	names := make([]string, len(days))
	for i, moment := range moments {
		names[i] = w.day(moment)
		if sameMonth && i < len(days)-1 {
			names[i] = w.t.With("rule.day_number", "Day", strconv.Itoa(moment.Day()))
		}
	}
	return w.t.With(id, "Days", List(w.t, names))
}

// day writes a day with its month, and with its year unless that is the writer's.
func (w writer) day(day time.Time) string {
	written := w.t.With("rule.day_number", "Day", strconv.Itoa(day.Day())) + " " + monthName(w.t, day)
	if day.Year() == w.year {
		return written
	}
	return written + " " + strconv.Itoa(day.Year())
}

func monthName(t *text.Texts, day time.Time) string {
	return t.T("month." + strconv.Itoa(int(day.Month())))
}

// List writes several things, such as "a, b and c".
func List(t *text.Texts, things []string) string {
	if len(things) < 2 {
		return strings.Join(things, "")
	}
	last := len(things) - 1
	return t.With("rule.and", "First", strings.Join(things[:last], ", "), "Last", things[last])
}

// Ordinal writes which day of the month a day is, such as "20th".
func Ordinal(t *text.Texts, day int) string {
	return strings.Fields(t.T("rule.ordinals"))[day-1]
}

// Nth writes which weekday of a month is meant, such as "third".
func Nth(t *text.Texts, nth int) string {
	names := strings.Fields(t.T("rule.nth"))
	if nth == Last {
		return names[len(names)-1]
	}
	return names[nth-1]
}
