package dates

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/dates/rule"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// maxRepeated is how many dates a rule may mean.
const maxRepeated = 1000

// check returns the errors of the fields of a date.
func (v values) check(t *text.Texts) view.Errors {
	errors := view.Errors{}
	must := func(field, id string, right bool) {
		if !right && errors[field] == "" {
			errors[field] = t.T(id)
		}
	}
	must(fieldStartDate, "dates.error.start_date_missing", v.startDate != "")
	must(fieldStartDate, "dates.error.day", isDay(v.startDate))
	must(fieldEndDate, "dates.error.day", v.endDate == "" || isDay(v.endDate))
	must(fieldEndDate, "dates.error.end_before", v.endDate == "" || v.endDate >= v.startDate)
	_, wrong := v.hours.Hours(t)
	maps.Copy(errors, wrong)
	if !v.isAllDay() {
		must(fieldStartTime, "dates.error.start_time_missing", v.startTime != "")
		for field, clock := range map[string]string{
			fieldStartTime: v.startTime, fieldEndTime: v.endTime, fieldEntryTime: v.entryTime,
		} {
			must(field, "dates.error.time", clock == "" || isClock(clock))
		}
		must(fieldEntryTime, "dates.error.entry_after", v.entryTime == "" || v.entryTime <= v.startTime)
	}
	v.tickets.check(must)
	if v.tariffs.wrong != "" {
		errors[fieldTariffs] = v.tariffs.wrong
	}
	must(fieldTicketLink, "reason.not_url", !v.badLink)
	must(fieldAccessibility, "dates.error.too_long", utf8.RuneCountInString(v.accessibility) <= adminapi.MaxText)
	return errors
}

func isDay(text string) bool {
	day, err := time.Parse(time.DateOnly, text)
	return err == nil && day.Year() >= 1900 && day.Year() <= 2999
}

func isClock(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil
}

// plan is a repetition that was read.
type plan struct {
	repeats bool
	form    rule.Form
	rrule   string // "" for a list of days
	begin   string // the first day that the rule can begin with, when that is not the one of the form; else ""
}

// plan reads the repetition, and adds its errors.
func (v values) plan(t *text.Texts, errors view.Errors) plan {
	p := plan{repeats: v.repeat.unit != "" || len(v.repeat.further) > 0}
	for _, day := range v.repeat.further {
		if !isDay(day) {
			errors[fieldFurther] = t.T("dates.error.day")
		}
	}
	if v.repeat.unit == "" {
		return p
	}
	p.form = v.repeat.form(t, errors)
	if len(errors) > 0 {
		return p
	}
	start := dayOf(v.startDate)
	first, found := p.form.First(start)
	switch {
	case !found:
		errors[fieldNth] = t.T("dates.error.never")
	case !first.Equal(start):
		p.begin = first.Format(time.DateOnly)
		errors[fieldStartDate] = t.With("dates.error.begin", "Day", t.Day(start), "First", t.Day(first))
	case p.form.Until != "" && p.form.Until < v.startDate:
		errors[fieldUntil] = t.T("dates.error.until_before")
	}
	p.rrule = p.form.RRule(start)
	return p
}

// form reads the fields of a rule.
func (r repetition) form(t *text.Texts, errors view.Errors) rule.Form {
	f := rule.Form{Unit: rule.Unit(r.unit)}
	if !slices.Contains(rule.Units, f.Unit) {
		errors[fieldUnit] = t.T("dates.error.choose")
	}
	f.Every = numberIn(t, errors, fieldEvery, r.every, maxRepeated)
	for _, text := range r.weekdays {
		if day, err := strconv.Atoi(text); err == nil && day >= 0 && day <= 6 && f.Unit == rule.Weeks {
			f.Weekdays = append(f.Weekdays, time.Weekday(day))
		}
	}
	f.Weekdays = rule.Sorted(f.Weekdays)
	if r.byWeekday && (f.Unit == rule.Months || f.Unit == rule.Years) {
		r.readNth(t, errors, &f)
	}
	if r.untilDay {
		f.Until = r.until
		if !isDay(f.Until) {
			errors[fieldUntil] = t.T("dates.error.until_missing")
		}
	} else {
		f.Count = numberIn(t, errors, fieldCount, r.count, maxRepeated)
	}
	return f
}

// readNth reads which weekday of a month is meant.
func (r repetition) readNth(t *text.Texts, errors view.Errors, f *rule.Form) {
	nth, err := strconv.Atoi(r.nth)
	day, errDay := strconv.Atoi(r.nthDay)
	if err != nil || errDay != nil || nth == 0 || nth < rule.Last || nth > 5 || day < 0 || day > 6 {
		errors[fieldNth] = t.T("dates.error.choose")
		return
	}
	f.Nth, f.Weekday = nth, time.Weekday(day)
}

// numberIn reads a number from 1 to limit.
func numberIn(t *text.Texts, errors view.Errors, field, typed string, limit int) int {
	n, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || n < 1 || n > limit {
		errors[field] = t.With("dates.error.number", "Max", t.Integer(limit))
	}
	return n
}
