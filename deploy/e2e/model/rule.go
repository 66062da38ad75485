package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

const moment = "2006-01-02T15:04"

// newRule names a rule that the service makes from another one and gives a uuid.
func newRule(of string) string { return "new rule instead of " + of }

func isNewRule(rule string) bool { return strings.HasPrefix(rule, "new rule") }

// Originals returns the starts of the dates that a rule means, in order. It reads rules that are
// daily or weekly and choose no days of their own.
func Originals(rule Object) []string {
	allDay, _ := rule["all_day"].(bool)
	first, layout := text(rule, "start_date"), time.DateOnly
	if !allDay {
		first, layout = first+"T"+text(rule, "start_time"), moment
	}
	starts := repeated(first, layout, text(rule, "rrule"))
	for _, more := range texts(rule, "rdate") {
		if len(more) < len(first) {
			more += first[len(more):]
		}
		starts = append(starts, more)
	}
	for _, less := range texts(rule, "exdate") {
		starts = slices.DeleteFunc(starts, func(start string) bool { return strings.HasPrefix(start, less) })
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// repeated returns the dates of an RRULE from its first start; without one only that start.
func repeated(first, layout, rrule string) []string {
	if rrule == "" {
		return []string{first}
	}
	step, interval, count, until := 1, 1, 1000, "9999-12-31"
	for part := range strings.SplitSeq(rrule, ";") {
		name, value, _ := strings.Cut(part, "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "FREQ":
			step = map[string]int{"DAILY": 1, "WEEKLY": 7}[value]
		case "INTERVAL":
			interval = number
		case "COUNT":
			count = number
		case "UNTIL":
			until = value[:4] + "-" + value[4:6] + "-" + value[6:8]
		default:
			panic("the model does not read " + part)
		}
	}
	start, err := time.Parse(layout, first)
	if err != nil || step == 0 {
		panic("the model does not read " + first + " " + rrule)
	}
	var starts []string
	for n := range count {
		next := start.AddDate(0, 0, n*step*interval)
		if next.Format(time.DateOnly) > until {
			break
		}
		starts = append(starts, next.Format(layout))
	}
	return starts
}

func texts(o Object, key string) []string {
	list, _ := o[key].([]any)
	texts := make([]string, len(list))
	for i, value := range list {
		texts[i] = value.(string)
	}
	return texts
}

// datesOf returns the dates of a rule that repeats a first one: each lasts as long, and its doors
// open as long before its start unless that is on the day before.
func datesOf(first, repeats Object) []Object {
	rule := Object{"start_date": first["start_date"], "start_time": first["start_time"], "all_day": first["all_day"]}
	for key, value := range repeats {
		rule[key] = value
	}
	start, length := period(first)
	var dates []Object
	for _, original := range Originals(rule) {
		date := Plain(first).(Object)
		at := clock(original)
		date["rule_uuid"], date["recurrence_id"] = newRule(""), original
		date["start_date"] = original[:len(time.DateOnly)]
		end := at.Add(length)
		date["end_date"] = nil
		if end.Format(time.DateOnly) != date["start_date"] {
			date["end_date"] = end.Format(time.DateOnly)
		}
		if first["all_day"] != true {
			date["start_time"] = at.Format("15:04")
		}
		if first["end_time"] != nil {
			date["end_time"] = end.Format("15:04")
		}
		if entry := text(first, "entry_time"); entry != "" {
			opens := at.Add(clock(text(first, "start_date") + "T" + entry).Sub(start))
			date["entry_time"] = opens.Format("15:04")
			if opens.Day() != at.Day() {
				date["entry_time"] = nil
			}
		}
		dates = append(dates, date)
	}
	return dates
}

// period returns the start of a date and its duration on the wall clock.
func period(d Object) (start time.Time, length time.Duration) {
	day, at := text(d, "start_date"), text(d, "start_time")
	lastDay, endsAt := day, at
	if end := text(d, "end_date"); end != "" {
		lastDay = end
	}
	if end := text(d, "end_time"); end != "" {
		endsAt = end
	}
	start = clock(strings.TrimSuffix(day+"T"+at, "T"))
	return start, clock(strings.TrimSuffix(lastDay+"T"+endsAt, "T")).Sub(start)
}

// clock reads a day with or without a time.
func clock(text string) time.Time {
	layout := moment
	if len(text) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		panic(err)
	}
	return at
}

func addDays(day string, days int) string {
	return clock(day).AddDate(0, 0, days).Format(time.DateOnly)
}

func daysBetween(from, to string) int { return int(clock(to).Sub(clock(from)).Hours() / 24) }

// shiftID moves the original start of a date by some days.
func shiftID(original string, days int) string {
	return addDays(original[:len(time.DateOnly)], days) + original[len(time.DateOnly):]
}
