package recurrence

import (
	"strings"

	"litfass/pkg/chassis/fault/reason"
)

// check records violations by combinations of parts (RFC 5545, 3.3.10).
func (r *ruleReader) check(given map[string]bool) {
	switch {
	case given["COUNT"] && given["UNTIL"]:
		r.refuse(reason.RulePartNotWith("COUNT", "UNTIL"))
	case !given["COUNT"] && !given["UNTIL"]:
		r.refuse(reason.NoEndOfRule)
	}
	f := r.rule.frequency
	if !given["FREQ"] {
		r.readFrequency("")
	}
	if given["BYWEEKNO"] && f != yearly {
		r.refuse(reason.RulePartOnlyWith("BYWEEKNO", "FREQ=YEARLY"))
	}
	if given["BYYEARDAY"] && f != yearly {
		r.refuse(reason.RulePartOnlyWith("BYYEARDAY", "FREQ=YEARLY"))
	}
	if given["BYMONTHDAY"] && f == weekly {
		r.refuse(reason.RulePartNotWith("BYMONTHDAY", "FREQ=WEEKLY"))
	}
	if r.allDay && (given["BYHOUR"] || given["BYMINUTE"] || given["BYSECOND"]) {
		r.refuse(reason.TimeInAllDayRule)
	}
	r.checkOrdinals(given)
	r.checkPositions(given)
}

func (r *ruleReader) checkOrdinals(given map[string]bool) {
	for _, w := range r.rule.weekdays {
		if w.ordinal == 0 {
			continue
		}
		numbered := "BYDAY=" + w.text()
		if f := r.rule.frequency; f != monthly && f != yearly {
			r.refuse(reason.RulePartOnlyWith(numbered, "FREQ=MONTHLY, FREQ=YEARLY"))
		} else if given["BYWEEKNO"] {
			r.refuse(reason.RulePartNotWith(numbered, "BYWEEKNO"))
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
	r.refuse(reason.RulePartOnlyWith("BYSETPOS", "BYDAY, BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYHOUR, BYMINUTE, BYSECOND"))
}
