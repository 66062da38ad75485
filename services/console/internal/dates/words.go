package dates

import (
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/text"
)

// dayText writes the day of a date, or its days.
func dayText(t *text.Texts, d adminapi.Date) string {
	day := t.Day(dayOf(d.StartDate))
	if d.EndDate == "" && !d.Hours.Empty() {
		return t.With("dates.permanent", "Day", day)
	}
	if days := daysOf(d); days > 1 || days == 1 && d.AllDay {
		return t.With("dates.to", "From", day, "To", t.Day(dayOf(string(d.EndDate))))
	}
	return day
}

// daysOf returns how many days after its start a date ends.
func daysOf(d adminapi.Date) int {
	if d.EndDate == "" {
		return 0
	}
	return int(dayOf(string(d.EndDate)).Sub(dayOf(d.StartDate)).Hours() / 24)
}

// timeText writes the times of a date.
func timeText(t *text.Texts, d adminapi.Date) string {
	if !d.Hours.Empty() {
		return d.Hours.Text(t.Code)
	}
	if d.AllDay {
		return t.T("dates.all_day")
	}
	times := string(d.StartTime)
	if d.EndTime != "" {
		times += "–" + string(d.EndTime)
	}
	return t.Clock(times)
}

// fullText writes the day and the times of a date.
func fullText(t *text.Texts, d adminapi.Date) string { return dayText(t, d) + ", " + timeText(t, d) }

// hoursText writes opening hours with their exceptions, as people type them.
func hoursText(t *text.Texts, h hours.Hours) string {
	lines := opening.Of(h)
	return strings.Join(slices.DeleteFunc([]string{h.Text(t.Code), lines[opening.Closed], lines[opening.Special]},
		func(line string) bool { return line == "" }), "\n")
}

// statusText describes the status of a date that differs from the event; "" for all others.
func statusText(t *text.Texts, status string) string {
	if status == "" || status == adminapi.StatusInherited {
		return ""
	}
	return t.T("dates.status." + status)
}

// plannedDate is a date of a preview as one that is stored.
func plannedDate(d adminapi.RuleDate) adminapi.Date {
	return adminapi.Date{DateFields: adminapi.DateFields{
		StartDate: d.StartDate, StartTime: d.StartTime, EndDate: d.EndDate, EndTime: d.EndTime, AllDay: d.AllDay,
	}}
}

// machineText writes when a date starts for the datetime of a <time>.
func machineText(d adminapi.Date) string {
	return d.StartDate + prefixed("T", string(d.StartTime))
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// monthOf reads a month such as 2026-12.
func monthOf(text string) (time.Time, bool) {
	first, err := time.Parse("2006-01", text)
	return first, err == nil && first.Year() >= 1900 && first.Year() <= 2999
}

// placesText names an availability, with the number of places left.
func placesText(t *text.Texts, d adminapi.DateAvailability) string {
	name := t.T("dates.places.is_" + string(d.Availability))
	if left, given := d.RemainingPlaces.Number(); given && left > 0 {
		return name + " (" + t.Integer(left) + ")"
	}
	return name
}
