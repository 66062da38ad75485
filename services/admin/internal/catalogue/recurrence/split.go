package recurrence

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// Split divides a series for a change of a date and all that follow it: before holds the dates that
// start before at, after those from at on. Together they mean the dates of s, as long as no time
// changes. A rule that has dates on both sides ends with UNTIL in before, and starts again in after
// with its COUNT less the dates before. A side without dates is the zero Series: no StartDate.
//
// at is an Occurrence's ID or a date, here named recurrence_id; it need not be a date of the
// series. The error is that of Expand.
func Split(s Series, at string) (before, after Series, err error) {
	var bad fault.Violations
	p := read(s, &bad)
	border, _, ok := parseMoment(at)
	if !ok {
		bad.Add("recurrence_id", reason.NotDateOfRule(firstYear, lastYear))
	}
	var starts []moment
	if len(bad) == 0 {
		starts = p.starts(&bad)
	}
	if len(bad) > 0 {
		return Series{}, Series{}, invalid(bad)
	}
	if starts[0] < border {
		before = p.before(border).series()
	}
	if starts[len(starts)-1] >= border {
		after = p.from(border).series()
	}
	return before, after, nil
}

// before returns the plan of the dates that start before border.
func (p *plan) before(border moment) *plan {
	last := moment(-1)
	for m := range p.named() {
		if m >= border {
			break
		}
		last = m
	}
	side := p.side(func(m moment) bool { return m < border })
	if last < 0 {
		return side.withoutRule()
	}
	if p.rule != nil {
		ended := *p.rule
		ended.count, ended.until = 0, ended.endingWith(last)
		side.rule = &ended
	}
	return side
}

// endingWith returns the UNTIL that makes last the rule's last date: the end of its day, so that
// the dates may later be moved to another time, unless the rule itself names times of day.
func (r *rule) endingWith(last moment) moment {
	if len(r.lists[byHour]) > 0 || len(r.lists[byMinute]) > 0 {
		return last
	}
	return on(last.day(), minutesOfDay-1)
}

// from returns the plan of the dates that start at border or later.
func (p *plan) from(border moment) *plan {
	passed := 0
	side := p.side(func(m moment) bool { return m >= border })
	for m := range p.named() {
		if m < border {
			passed++
			continue
		}
		side.start = m
		if p.rule != nil && p.rule.count > 0 {
			rest := *p.rule
			rest.count -= passed
			side.rule = &rest
		}
		return side
	}
	return side.withoutRule()
}

// side returns the plan with only the additions and exclusions of one side. An excluded day counts
// for both sides of a border within it.
func (p *plan) side(has func(moment) bool) *plan {
	side := *p
	side.added, side.leftOut, side.daysLeft = nil, map[moment]bool{}, map[int]bool{}
	for _, m := range p.added {
		if has(m) {
			side.added = append(side.added, m)
		}
	}
	for m := range p.leftOut {
		if has(m) {
			side.leftOut[m] = true
		}
	}
	for number := range p.daysLeft {
		if has(on(number, 0)) || has(on(number, minutesOfDay-1)) {
			side.daysLeft[number] = true
		}
	}
	return &side
}

// withoutRule returns the plan of only the added dates, which begins with the first of them.
func (p *plan) withoutRule() *plan {
	p.rule, p.start, p.added = nil, p.added[0], p.added[1:]
	return p
}
