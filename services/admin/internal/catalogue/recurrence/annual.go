package recurrence

import (
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/platform/budget"
)

// Annual returns the moments of a rule of time zones from first to end, both on its wall clock. It
// has neither COUNT nor times, and first need not be a moment of it. ok is false for another rule,
// for one with more moments than most, and when the budget ends.
func Annual(text string, first, end time.Time, most int, within *budget.Budget) (moments []time.Time, ok bool) {
	var bad fault.Violations
	r := parseRule(text+";UNTIL="+end.Format(calendarMoment), false, &bad)
	timed := len(r.lists[byHour])+len(r.lists[byMinute])+len(r.lists[bySecond]) > 0
	if len(bad) > 0 || r.frequency != yearly || timed || first.Year() < firstYear {
		return nil, false
	}
	for m := range newWalk(r, momentOf(first), within).moments() {
		if len(moments) == most {
			return nil, false
		}
		at := epoch.AddDate(0, 0, m.day()).Add(time.Duration(m.minute()) * time.Minute)
		moments = append(moments, at.Add(time.Duration(first.Second())*time.Second))
	}
	return moments, within.Err() == nil
}

// CutUntil takes UNTIL out of a rule, and returns its value, "" without one.
func CutUntil(text string) (rest, until string) {
	var kept []string
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		switch {
		case part == "":
		case strings.EqualFold(strings.TrimSpace(name), "UNTIL"):
			until = value
		default:
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ";"), until
}
