package model

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// addDates judges a new date, or the dates of a rule.
func (t *trial) addDates() {
	t.verdict.Status = http.StatusCreated
	body := Plain(t.Body).(Object)
	rule := Object{}
	for _, key := range []string{"rrule", "rdate", "exdate"} {
		rule[key] = body[key]
		delete(body, key)
	}
	t.refuseVersion(body)
	first := made(blankDate, body)
	for _, fault := range faultsOfDate(first) {
		t.refuse(http.StatusBadRequest, fault)
	}
	if !t.verdict.Accepted() {
		t.reach(Event, editEvent)
		return
	}
	added := []Object{first}
	if rule["rrule"] != nil || rule["rdate"] != nil || rule["exdate"] != nil {
		added = datesOf(first, rule)
	}
	if len(added) == 0 {
		t.refuse(http.StatusBadRequest, "the rule means no date")
	}
	t.edit(Event, func(e *Entity) {
		setParts(e.Fields, "dates", append(Parts(e.Fields, "dates"), added...))
	})
}

// chosen returns the place of the request's date, and whether an edit of it applies to another date
// of the event.
func (t *trial) chosen(dates []Object) (at int, affects func(Object) bool) {
	at = part(dates, t.Part)
	if at < 0 {
		t.refuse(http.StatusNotFound, "the event has no such date")
		return at, nil
	}
	rule, original := dates[at]["rule_uuid"], text(dates[at], "recurrence_id")
	scope := strings.TrimPrefix(t.Query, "scope=")
	if rule == nil && (scope == "all" || scope == "following") {
		t.refuse(http.StatusBadRequest, "the date is of no rule")
		return -1, nil
	}
	return at, func(other Object) bool {
		switch {
		case other["uuid"] == t.Part:
			return true
		case rule == nil || other["rule_uuid"] != rule:
			return false
		default:
			return scope == "all" || scope == "following" && text(other, "recurrence_id") >= original
		}
	}
}

// editDates judges an edit of a date, and with a scope of further dates of its rule.
func (t *trial) editDates() {
	if uuid := text(t.Body, "uuid"); uuid != "" && uuid != t.Part {
		t.refuse(http.StatusBadRequest, "the body has the uuid of another date")
	}
	t.edit(Event, func(e *Entity) {
		dates := Parts(e.Fields, "dates")
		at, affects := t.chosen(dates)
		if at < 0 {
			return
		}
		was := Plain(dates[at]).(Object)
		is := Plain(was).(Object)
		assign(is, blankDate, t.Body)
		t.keepNewer(was, is, t.Body)
		if len(faultsOfDate(is)) > 0 {
			t.refuse(http.StatusBadRequest, "the date breaks a rule")
			return
		}
		for i := range dates {
			if i == at {
				dates[i] = is
			} else if affects(dates[i]) {
				follow(dates[i], was, is)
			}
		}
		if t.Query == "scope=following" && !same(was, is) {
			split(dates, text(was, "rule_uuid"), text(was, "recurrence_id"))
		}
		setParts(e.Fields, "dates", dates)
	})
}

// follow applies the change of a date to another date of its rule: it moves by as many days, lasts
// as long where that has changed, and takes over all other changes.
func follow(d, was, is Object) {
	moved := daysBetween(text(was, "start_date"), text(is, "start_date"))
	start := addDays(text(d, "start_date"), moved)
	d["start_date"] = start
	end, wasEnd, isEnd := text(d, "end_date"), text(was, "end_date"), text(is, "end_date")
	switch {
	case wasEnd != "" && isEnd == "":
		d["end_date"] = nil
	case isEnd != "" && (wasEnd == "" || daysBetween(text(was, "start_date"), wasEnd) != daysBetween(text(is, "start_date"), isEnd)):
		d["end_date"] = addDays(start, daysBetween(text(is, "start_date"), isEnd))
	case end != "":
		d["end_date"] = addDays(end, moved)
	}
	for key := range blankDate {
		if key != "start_date" && key != "end_date" && !reflect.DeepEqual(was[key], is[key]) {
			d[key] = is[key]
		}
	}
	if was["venue_uuid"] != is["venue_uuid"] {
		d["space_uuid"] = is["space_uuid"]
	}
	if is["all_day"] == true && was["all_day"] != true {
		d["start_time"], d["end_time"], d["entry_time"] = nil, nil, nil
	}
	if is["all_day"] != true && was["all_day"] == true {
		d["hours"] = is["hours"]
	}
}

// same compares two dates.
func same(a, b Object) bool {
	for key := range blankDate {
		if !reflect.DeepEqual(a[key], b[key]) {
			return false
		}
	}
	return true
}

// split gives the dates of a rule from one on a rule of their own, unless they are all of them.
func split(dates []Object, rule, from string) {
	earlier := slices.ContainsFunc(dates, func(d Object) bool { return d["rule_uuid"] == rule && text(d, "recurrence_id") < from })
	for _, d := range dates {
		if earlier && d["rule_uuid"] == rule && text(d, "recurrence_id") >= from {
			d["rule_uuid"] = newRule(rule)
		}
	}
}

// deleteDates judges the deletion of a date, and with a scope of further dates of its rule.
func (t *trial) deleteDates() {
	t.edit(Event, func(e *Entity) {
		dates := Parts(e.Fields, "dates")
		if at, affects := t.chosen(dates); at >= 0 {
			setParts(e.Fields, "dates", slices.DeleteFunc(dates, affects))
		}
	})
}
