package recurrence

import (
	"fmt"
	"strconv"
	"strings"
)

// text writes the rule in its one form. Defaults of RFC 5545 are left out: INTERVAL=1, WKST=MO,
// BYSECOND=0.
func (r *rule) text(allDay bool) string {
	parts := []string{"FREQ=" + r.frequency}
	if r.interval != 1 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", r.interval))
	}
	switch {
	case r.count != 0:
		parts = append(parts, fmt.Sprintf("COUNT=%d", r.count))
	case allDay:
		parts = append(parts, "UNTIL="+r.until.format(calendarDate))
	default:
		parts = append(parts, "UNTIL="+r.until.format(calendarMoment))
	}
	if r.weekStart != 0 {
		parts = append(parts, "WKST="+weekdayNames[r.weekStart])
	}
	if len(r.weekdays) > 0 {
		parts = append(parts, "BYDAY="+join(r.weekdays, weekdayPart.text))
	}
	for position, part := range listParts {
		if list := r.lists[position]; len(list) > 0 && position != bySecond {
			parts = append(parts, part.name+"="+join(list, strconv.Itoa))
		}
	}
	return strings.Join(parts, ";")
}

func (w weekdayPart) text() string {
	if w.ordinal == 0 {
		return weekdayNames[w.weekday]
	}
	return strconv.Itoa(w.ordinal) + weekdayNames[w.weekday]
}

func join[T any](list []T, text func(T) string) string {
	texts := make([]string, len(list))
	for i, element := range list {
		texts[i] = text(element)
	}
	return strings.Join(texts, ",")
}
