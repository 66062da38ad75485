package recurrence

import "strings"

// check records violations by combinations of parts (RFC 5545, 3.3.10).
func (r *ruleReader) check(given map[string]bool) {
	r.checkEnd(given)
	f := r.rule.frequency
	if !given["FREQ"] {
		r.refuse("has no FREQ")
	}
	if given["BYWEEKNO"] && f != yearly {
		r.refuse("may have BYWEEKNO only with FREQ=YEARLY")
	}
	if given["BYYEARDAY"] && f != yearly {
		r.refuse("may have BYYEARDAY only with FREQ=YEARLY")
	}
	if given["BYMONTHDAY"] && f == weekly {
		r.refuse("may not have BYMONTHDAY with FREQ=WEEKLY")
	}
	if r.allDay && (given["BYHOUR"] || given["BYMINUTE"] || given["BYSECOND"]) {
		r.refuse("has a time of day although the dates are all-day")
	}
	r.checkOrdinals(given)
	r.checkPositions(given)
}

func (r *ruleReader) checkEnd(given map[string]bool) {
	switch {
	case given["COUNT"] && given["UNTIL"]:
		r.refuse("has both COUNT and UNTIL")
	case !given["COUNT"] && !given["UNTIL"]:
		r.refuse("has no end: it needs COUNT or UNTIL")
	}
}

func (r *ruleReader) checkOrdinals(given map[string]bool) {
	for _, w := range r.rule.weekdays {
		if w.ordinal == 0 {
			continue
		}
		if f := r.rule.frequency; f != monthly && f != yearly || given["BYWEEKNO"] {
			r.refuse("may have numbers in BYDAY only with FREQ=MONTHLY, or FREQ=YEARLY without BYWEEKNO")
		}
		return
	}
}

// checkPositions refuses a BYSETPOS that has no set to choose from.
func (r *ruleReader) checkPositions(given map[string]bool) {
	if !given["BYSETPOS"] {
		return
	}
	for name := range given {
		if strings.HasPrefix(name, "BY") && name != "BYSETPOS" {
			return
		}
	}
	r.refuse("may have BYSETPOS only beside another BY part")
}
