package model

import (
	"net/http"
	"time"
)

// derivePrices gives an event with tariffs their prices: those that the edit leaves as they were,
// or does not give. Others must be the same.
func (t *trial) derivePrices(before *Entity, is Object) {
	tariffs := Parts(is, "tariffs")
	if len(tariffs) == 0 {
		return
	}
	derived := Object{"currency": tariffs[0]["currency"]}
	for i, tariff := range tariffs {
		low, high := tariff["min_price"], tariff["max_price"]
		if high == nil {
			high = low
		}
		if i == 0 || low.(float64) < derived["min_price"].(float64) {
			derived["min_price"] = low
		}
		if i == 0 || high.(float64) > derived["max_price"].(float64) {
			derived["max_price"] = high
		}
	}
	for key, value := range derived {
		if is[key] != nil && is[key] != value && (before == nil || is[key] != before.Fields[key]) {
			t.refuse(http.StatusBadRequest, key+" is not that of the tariffs")
		}
		is[key] = value
	}
}

// now stands for a time that only the service knows, see learnTimes.
const now = "now"

// noteChanges: an edit of an event that is public leaves the first start of a date that it moves,
// and the time of the change.
func (t *trial) noteChanges(was, is Object) {
	from, to := text(was, "release_status"), text(is, "release_status")
	if !isPublic(from) || t.waits(was) {
		return
	}
	note := func(was, is Object, noteworthy bool) {
		if was["status_changed_at"] != is["status_changed_at"] {
			return
		}
		if is["status_changed_at"] = nil; noteworthy {
			is["status_changed_at"] = now
		}
	}
	if from != to {
		note(was, is, isPublic(to) && to != "released")
	}
	if !isPublic(to) {
		return
	}
	dates, stored := Parts(is, "dates"), Parts(was, "dates")
	for _, d := range dates {
		at := part(stored, text(d, "uuid"))
		if at < 0 {
			continue
		}
		old := stored[at]
		moved := startOf(old) != startOf(d)
		if moved && d["previous_start"] == old["previous_start"] {
			switch old["previous_start"] {
			case nil:
				d["previous_start"] = startOf(old)
			case startOf(d):
				d["previous_start"] = nil
			}
		}
		if moved || old["release_status"] != d["release_status"] {
			note(old, d, d["release_status"] != "inherited" || d["previous_start"] != nil)
		}
	}
	setParts(is, "dates", dates)
}

// startOf returns the start of a date: its day if it is all-day.
func startOf(d Object) any {
	if start := text(d, "start_time"); start != "" {
		return text(d, "start_date") + "T" + start
	}
	return d["start_date"]
}

// learnTimes takes over the times of changes that have just been made.
func learnTimes(e, shown Object) {
	learn := func(known, shown Object) {
		at, err := time.Parse(time.RFC3339, text(shown, "status_changed_at"))
		if known["status_changed_at"] == now && err == nil && time.Since(at).Abs() < time.Hour {
			known["status_changed_at"] = shown["status_changed_at"]
		}
	}
	learn(e, shown)
	dates := Parts(shown, "dates")
	for _, d := range Parts(e, "dates") {
		if at := part(dates, text(d, "uuid")); at >= 0 {
			learn(d, dates[at])
		}
	}
}
