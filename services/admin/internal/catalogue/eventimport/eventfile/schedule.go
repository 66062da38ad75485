package eventfile

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/platform/budget"
)

// schedules returns an event once for each date of its eventSchedule; none if it has no schedule. A
// schedule that cannot be read is the problem of an event without dates.
func (l *linkedEvents) schedules(o object, event linkedEvent) (dates []linkedEvent) {
	for _, item := range listOf(o["eventSchedule"]) {
		if l.reads++; l.full(len(dates)) {
			break
		}
		s := l.resolve(item)
		if s == nil {
			continue
		}
		occurrences, why := l.expand(s)
		if why != nil {
			event.problem = why
			return []linkedEvent{event}
		}
		for _, at := range occurrences {
			date := event
			date.values = maps.Clone(event.values)
			date.values["@id"] = cmp.Or(event.values["@id"], event.values["name"])
			date.start, date.end = at.start, at.end
			dates = append(dates, date)
		}
	}
	return dates
}

// span is when a date of a schedule begins and ends, as pages write it.
type span struct{ start, end string }

// expand returns the dates of a schedule.
func (l *linkedEvents) expand(s object) ([]span, *reason.Reason) {
	day, clock := dayAndClock(textOf(s["startDate"]))
	series := recurrence.Series{StartDate: day, StartTime: cmp.Or(timeOfDay(s["startTime"]), clock), EndTime: timeOfDay(s["endTime"])}
	if series.AllDay = series.StartTime == ""; series.AllDay {
		series.EndTime = ""
	} else if series.EndTime != "" && series.EndTime <= series.StartTime { // past midnight
		series.EndDate = dayAfter(day)
	}
	for _, item := range firstOf(s["exceptDate"]) {
		left, at := dayAndClock(textOf(item))
		series.ExDate = append(series.ExDate, Moment{Day: left, Clock: cmp.Or(series.StartTime, at)}.String())
	}
	var why *reason.Reason
	if series.RRule, why = l.ruleOf(s); why != nil {
		return nil, why
	}
	within := l.work.Part(stepsOfRule)
	occurrences, err := recurrence.ExpandWithin(series, within)
	if next := nextOf(err); next != "" { // a schedule may begin before its first date
		series.StartDate, _ = dayAndClock(next)
		if series.EndDate != "" {
			series.EndDate = dayAfter(series.StartDate)
		}
		occurrences, err = recurrence.ExpandWithin(series, within)
	}
	if errors.Is(err, budget.ErrSpent) {
		return nil, reason.TooMuchWork("eventSchedule")
	}
	if err != nil {
		return nil, reason.PropertyUnreadable("eventSchedule", shorten(fault.Of(err).Message))
	}
	zone, err := time.LoadLocation(textOf(s["scheduleTimezone"]))
	if textOf(s["scheduleTimezone"]) == "" || err != nil {
		zone = nil // that of the place
	}
	spans := make([]span, len(occurrences))
	for i, o := range occurrences {
		spans[i].start = written(o.StartDate, o.StartTime, zone)
		if o.EndTime != "" || o.EndDate != "" {
			spans[i].end = written(cmp.Or(o.EndDate, o.StartDate), o.EndTime, zone)
		}
	}
	return spans, nil
}

// nextOf returns the first date of a rule by the error of one that begins earlier, "" for another
// error.
func nextOf(err error) string {
	if err == nil {
		return ""
	}
	for _, v := range fault.Of(err).Violations {
		if next, is := v.Params["next"].(string); is && v.Code == reason.NotOfRule(next).Code {
			return next
		}
	}
	return ""
}

// dayAfter returns the next day, "" after one that is none.
func dayAfter(day string) string {
	first, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return first.AddDate(0, 0, 1).Format(time.DateOnly)
}

// written writes a moment, with the offset of a zone unless that is nil.
func written(day, clock string, zone *time.Location) string {
	at, err := time.ParseInLocation("2006-01-02 15:04", day+" "+clock, locationOr(zone, time.UTC))
	switch {
	case clock == "" || err != nil:
		return day
	case zone == nil:
		return day + "T" + clock
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// dayAndClock parts a moment as it is written into its day and its time of day, "" without.
func dayAndClock(text string) (day, clock string) {
	if day, _, _ = strings.Cut(strings.ReplaceAll(text, " ", "T"), "T"); day == text {
		return day, ""
	}
	return day, clockOf(text)
}

func timeOfDay(item any) string {
	if text := textOf(item); text != "" {
		return clockOf(text)
	}
	return ""
}

var (
	frequency  = regexp.MustCompile(`^P(\d{1,3})([DWMY])$`)
	byDay      = regexp.MustCompile(`^([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)$`)
	frequences = map[string]string{
		"D": "DAILY", "W": "WEEKLY", "M": "MONTHLY", "Y": "YEARLY",
		"DAILY": "DAILY", "WEEKLY": "WEEKLY", "MONTHLY": "MONTHLY", "YEARLY": "YEARLY",
	}
)

// ruleOf returns the rule of a schedule, "" for a single date. One without an end ends as the
// options say.
func (l *linkedEvents) ruleOf(s object) (string, *reason.Reason) {
	days, why := daysOf(s)
	if why != nil {
		return "", why
	}
	repeat := strings.ToUpper(textOf(s["repeatFrequency"]))
	parts := frequency.FindStringSubmatch(repeat)
	if parts == nil {
		parts = []string{"", "1", repeat}
	}
	name := frequences[parts[2]]
	switch {
	case repeat == "" && len(days) > 0:
		name = "WEEKLY"
	case repeat == "":
		return "", nil
	case name == "":
		return "", reason.PropertyUnreadable("repeatFrequency", shorten(repeat))
	}
	rule := []string{"FREQ=" + name, "INTERVAL=" + parts[1]}
	if len(days) > 0 {
		rule = append(rule, "BYDAY="+strings.Join(days, ","))
	}
	for _, numbers := range [][2]string{{"byMonth", "BYMONTH"}, {"byMonthDay", "BYMONTHDAY"}} {
		if text := textsOf(s[numbers[0]]); text != "" {
			rule = append(rule, numbers[1]+"="+strings.ReplaceAll(text, " ", ""))
		}
	}
	until, _ := dayAndClock(textOf(s["endDate"]))
	count, err := strconv.Atoi(textOf(s["repeatCount"]))
	switch {
	case err == nil && count > 0 && until == "":
		return strings.Join(append(rule, "COUNT="+strconv.Itoa(count)), ";"), nil
	case until == "" && l.until == "":
		return "", reason.RuleWithoutEnd
	}
	until = cmp.Or(until, l.until)
	return strings.Join(append(rule, "UNTIL="+strings.ReplaceAll(until, "-", "")+"T235900"), ";"), nil
}

// daysOf returns the weekdays of a schedule as rules write them: of schema.org's Monday, or MO and
// 2MO.
func daysOf(s object) (days []string, why *reason.Reason) {
	for _, item := range firstOf(s["byDay"]) {
		text := textOf(item)
		name := strings.ToUpper(text[strings.LastIndexAny(text, "/:#")+1:])
		if strings.HasSuffix(name, "DAY") && len(name) > 2 {
			name = name[:2]
		}
		if !byDay.MatchString(name) {
			return nil, reason.PropertyUnreadable("byDay", shorten(text))
		}
		if week := textOf(s["byMonthWeek"]); week != "" && len(name) == 2 {
			name = week + name
		}
		if !slices.Contains(days, name) {
			days = append(days, name)
		}
	}
	return days, nil
}
