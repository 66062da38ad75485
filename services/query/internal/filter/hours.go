package filter

import (
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/services/query/internal/params"
)

// Dates with opening hours are found by package document's attributes Openings. Only they have
// first_open, so that the engine leaves their conditions at once where there are none.

// maxTimedDays is the number of days up to which times of openings are compared on each of them
// (RULES.md, Opening hours).
const maxTimedDays = 31

// Running narrows an expression of dates to the dates that run on at least one of the days, those
// with opening hours to the ones that open. byPeriod leaves the opening hours out.
func Running(e Expr, days params.Days, byPeriod bool) Expr {
	return Simplify(and{e, running(days), openOn(days, byPeriod)})
}

// RunningOn narrows an expression to dates that run on a day, as Running does. With a time, dates
// with opening hours must be open then.
func RunningOn(e Expr, day params.Day, t *params.TimeRange, byPeriod bool) Expr {
	days := params.Days{From: day, To: day}
	if t == nil || byPeriod {
		return Running(e, days, byPeriod)
	}
	return Simplify(and{e, running(days), or{missing{"first_open"}, openAt(*t, &days)}})
}

// running is the condition on the periods of dates.
func running(days params.Days) Expr {
	return and{compare{"start_day", "<=", number(int(days.To))}, compare{"end_day", ">=", number(int(days.From))}}
}

// openOn is the condition on dates that run on the days: without opening hours, or open on one of
// the days. A range of days with the first or the last open day of a date has an open one; all days
// of any other are between these two.
func openOn(days params.Days, byPeriod bool) Expr {
	if byPeriod {
		return all{}
	}
	from, to := number(int(days.From)), number(int(days.To))
	return or{
		missing{"first_open"},
		and{exists{"first_open"}, or{
			between{"first_open", from, to},
			between{"last_open", from, to},
			and{compare{"first_open", "<", from}, compare{"last_open", ">", to}, opensWithin(days)},
		}},
	}
}

// opensWithin is the condition on dates with open days before and after a range of days to open
// within it. As many days as a week has are all closed only in a longer gap.
func opensWithin(days params.Days) Expr {
	first, last := dayOf(days.From), dayOf(days.To)
	if last-first+1 >= document.GapDays {
		return or{
			notIn{"shut_days", numbers(document.DayPath(first))},
			between{"shut_until", number(int(days.From)), number((last - 1).Number())},
		}
	}
	opens := or{startsUnder(int(days.From), int(days.To))}
	for day := first; day <= last; day++ {
		weekday := document.WeekdayKey(day)
		opens = append(opens, and{startsUnder(weekday, weekday), weeklyOn(day)})
	}
	return opens
}

// startsUnder requires an opening under one of the keys from first to last.
func startsUnder(first, last int) Expr {
	return between{"open_from", number(document.OpenMinute(first, 0)), number(document.OpenMinute(last, hours.DayMinutes-1))}
}

// weeklyOn requires that the weekly hours apply on a day.
func weeklyOn(day hours.Day) Expr { return notIn{"off_days", numbers(document.DayPath(day))} }

// openAt is the condition on dates with opening hours to be open at a time of the day: on one of
// the days, or without these or with too many on any day of the period.
func openAt(t params.TimeRange, days *params.Days) Expr {
	if days == nil || !isShort(*days) {
		return and{exists{"first_open"}, openUnder(document.AnyDay, t)}
	}
	var opens or
	byWeekday := map[int]or{}
	for day, last := dayOf(days.From), dayOf(days.To); day <= last; day++ {
		at := number(day.Number())
		opens = append(opens, openUnder(day.Number(), t))
		weekday := document.WeekdayKey(day)
		byWeekday[weekday] = append(byWeekday[weekday],
			and{compare{"first_open", "<=", at}, compare{"last_open", ">=", at}, weeklyOn(day)})
	}
	for weekday := range document.GapDays {
		if applies := byWeekday[weekday+1]; applies != nil {
			opens = append(opens, and{openUnder(weekday+1, t), applies})
		}
	}
	return and{exists{"first_open"}, opens}
}

// isShort reports whether times are compared on each of the days.
func isShort(days params.Days) bool { return dayOf(days.To)-dayOf(days.From) < maxTimedDays }

// openUnder requires a minute of a range in the openings under a key.
func openUnder(key int, t params.TimeRange) Expr {
	if t.From > t.To {
		return or{
			openUnder(key, params.TimeRange{From: t.From, To: hours.DayMinutes - 1}),
			openUnder(key, params.TimeRange{From: 0, To: t.To}),
		}
	}
	open := or{in{"open_times", numbers(document.OpenPath(key, t.From))}}
	if t.From < t.To {
		open = append(open, between{
			"open_from", number(document.OpenMinute(key, t.From+1)), number(document.OpenMinute(key, t.To)),
		})
	}
	return open
}

func dayOf(day params.Day) hours.Day { return hours.DayOf(day.Start()) }

func numbers(values []int) []literal {
	literals := make([]literal, len(values))
	for i, n := range values {
		literals[i] = number(n)
	}
	return literals
}

// WithHours returns the filter of the dates with opening hours.
func WithHours() string {
	filter, _ := Compile(exists{"first_open"})
	return filter
}

// OpenOn narrows an expression of dates to those with opening hours that are open on a day, at a
// time if one is given, and WithoutHours to all without.
func OpenOn(e Expr, day params.Day, t *params.TimeRange) Expr {
	days := params.Days{From: day, To: day}
	if t != nil {
		return Simplify(and{e, openAt(*t, &days)})
	}
	return Simplify(and{e, exists{"first_open"}, openOn(days, false)})
}

// WithoutHours is described at OpenOn.
func WithoutHours(e Expr) Expr { return Simplify(and{e, missing{"first_open"}}) }

// All is the expression of all dates.
func All() Expr { return all{} }
