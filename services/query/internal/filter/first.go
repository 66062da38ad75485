package filter

import (
	"slices"

	"litfass/pkg/contracts/document"
)

// earlierOf are the attributes of the earlier date of an event by the attributes of its times; see
// document.Relate.
var earlierOf = map[string]string{
	"start_day": "earlier_start_day", "end_day": "earlier_end_day", "ends_at": "earlier_ends_at",
}

// times are the attributes in which the dates of an event may differ without a name in VariesIn.
var times = []string{"date_uuid", "start_key", "start_day", "end_day", "start_minute", "ends_at", "changed_at"}

// First narrows an expression of dates to the first date that it finds of each event, if the event
// is Steady in what Differences returns. Counting these dates is counting their events, without
// looking at each. ok is false if times are not only bounded: then no filter finds the first dates.
//
// A date is the first one if it is found and the date before it is not. That one ends and starts no
// later, so it can only miss a lower bound.
func First(e Expr) (first Expr, ok bool) {
	e = Simplify(e)
	conditions, several := e.(and)
	if !several {
		conditions = and{e}
	}
	missed := or{missing{"earlier_start_day"}}
	for _, condition := range conditions {
		bound, isBound := condition.(compare)
		switch earlier := earlierOf[bound.attribute]; {
		case !isBound || earlier == "":
			if slices.ContainsFunc(Attributes(condition), isTime) {
				return nil, false
			}
		case bound.operator == ">":
			missed = append(missed, compare{earlier, "<=", bound.value})
		case bound.operator == ">=":
			missed = append(missed, compare{earlier, "<", bound.value})
		}
	}
	return Simplify(and{e, missed}), true
}

func isTime(attribute string) bool { return slices.Contains(times, attribute) }

// Differences returns the differences between the dates of an event, as document.Date names them,
// with which First may find none of its dates or several.
func Differences(e Expr) []string {
	return append(document.VariesIn(Attributes(e)), document.VariesInOrder)
}

// Steady narrows an expression of dates to those of events whose dates do not differ in some ways,
// and Varying to those of all others.
func Steady(e Expr, differences []string) Expr {
	return Simplify(and{e, notIn{variesIn, literalsOf(differences)}})
}

// Varying is described at Steady.
func Varying(e Expr, differences []string) Expr {
	return Simplify(and{e, in{variesIn, literalsOf(differences)}})
}

const variesIn = "varies_in"
