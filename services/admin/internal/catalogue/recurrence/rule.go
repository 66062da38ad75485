package recurrence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// maxRule is the longest rule in bytes. Every day of the year, counted from both ends, fits.
const maxRule = 5000

// maxNumber bounds COUNT and INTERVAL so that multiples of them stay small integers.
const maxNumber = 1_000_000_000

const (
	yearly  = "YEARLY"
	monthly = "MONTHLY"
	weekly  = "WEEKLY"
	daily   = "DAILY"
)

var frequencies = []string{yearly, monthly, weekly, daily}

// weekdayNames are in the order of day.weekday.
var weekdayNames = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// weekdayPart is an entry of BYDAY.
type weekdayPart struct {
	ordinal int // 2: the second of its month or year; -1: the last; 0: every one
	weekday int // 0 is Monday
}

// The parts of a rule that are lists of numbers, as positions in listParts and rule.lists.
const (
	byMonth = iota
	byWeekNo
	byYearDay
	byMonthDay
	byHour
	byMinute
	bySecond
	bySetPos
	listCount
)

// listPart is the form of a list of numbers: from low to high, and where negative is set, from
// -high to -low.
type listPart struct {
	name      string
	low, high int
	negative  bool
}

var listParts = [listCount]listPart{
	byMonth:    {"BYMONTH", 1, 12, false},
	byWeekNo:   {"BYWEEKNO", 1, 53, true},
	byYearDay:  {"BYYEARDAY", 1, 366, true},
	byMonthDay: {"BYMONTHDAY", 1, 31, true},
	byHour:     {"BYHOUR", 0, 23, false},
	byMinute:   {"BYMINUTE", 0, 59, false},
	bySecond:   {"BYSECOND", 0, 0, false}, // the catalogue's times have no seconds
	bySetPos:   {"BYSETPOS", 1, 366, true},
}

// rule is a parsed RRULE. It has either a count or an until.
type rule struct {
	frequency string
	interval  int
	count     int
	until     moment // the last moment a date may start
	weekStart int
	weekdays  []weekdayPart
	lists     [listCount][]int // each distinct and ascending
}

// ruleReader reads one rule and records its violations.
type ruleReader struct {
	rule   *rule
	bad    *fault.Violations
	allDay bool
}

func (r *ruleReader) refuse(why *reason.Reason) { r.bad.Add("rrule", why) }

// parseRule reads RRULE's value (RFC 5545, 3.3.10) and records violations of rrule.
func parseRule(text string, allDay bool, bad *fault.Violations) *rule {
	r := &ruleReader{rule: &rule{interval: 1}, bad: bad, allDay: allDay}
	switch {
	case len(text) > maxRule:
		r.refuse(reason.TooManyBytes(maxRule))
	case strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII }):
		r.refuse(reason.NotASCII)
	default:
		text = strings.ToUpper(strings.TrimSpace(text))
		r.parts(strings.TrimPrefix(text, "RRULE:"))
	}
	return r.rule
}

// parts reads all parts, up to the first that rules do not have or have only once.
func (r *ruleReader) parts(text string) {
	given := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		if given[name] {
			r.refuse(reason.RulePartTwice(name))
			return
		}
		if !r.part(name, value) {
			r.refuse(reason.RulePartUnknown(reason.Quoted(fmt.Sprintf("%.20s", name))))
			return
		}
		given[name] = true
	}
	r.check(given)
}

// part reads one part and reports whether rules have a part of this name.
func (r *ruleReader) part(name, value string) bool {
	switch name {
	case "FREQ":
		r.readFrequency(value)
	case "INTERVAL":
		r.rule.interval = r.number(name, value)
	case "COUNT":
		r.rule.count = r.number(name, value)
	case "UNTIL":
		r.readUntil(value)
	case "WKST":
		r.rule.weekStart = max(0, slices.Index(weekdayNames, value))
		if !slices.Contains(weekdayNames, value) {
			r.refuse(reason.RulePartInvalid("WKST", strings.Join(weekdayNames, ", ")))
		}
	case "BYDAY":
		r.readWeekdays(value)
	default:
		position := slices.IndexFunc(listParts[:], func(p listPart) bool { return p.name == name })
		if position < 0 {
			return false
		}
		r.rule.lists[position] = r.numbers(listParts[position], value)
	}
	return true
}

func (r *ruleReader) readFrequency(value string) {
	r.rule.frequency = value
	if !slices.Contains(frequencies, value) {
		r.refuse(reason.RulePartInvalid("FREQ", strings.Join(frequencies, ", ")))
	}
}

func (r *ruleReader) number(name, value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxNumber {
		r.refuse(reason.RulePartInvalid(reason.RulePart(name), "1.."+strconv.Itoa(maxNumber)))
	}
	return n
}

// readUntil reads a floating UNTIL. Without a time it ends with that day; of an all-day series it
// is a day.
func (r *ruleReader) readUntil(value string) {
	if t, ok := parseExactly(calendarMoment, value); ok {
		r.rule.until = momentOf(t)
	} else if t, ok := parseExactly(calendarDate, value); ok {
		r.rule.until = on(momentOf(t).day(), minutesOfDay-1)
	} else if strings.HasSuffix(value, "Z") {
		r.refuse(reason.UntilInUTC)
	} else {
		r.refuse(reason.RulePartInvalid("UNTIL", fmt.Sprintf("%d0101..%d1231, %[1]d0101T000000..%[2]d1231T235959", firstYear, lastYear)))
	}
	if r.allDay {
		r.rule.until = on(r.rule.until.day(), minutesOfDay-1)
	}
}

// readWeekdays reads BYDAY: MO, 2MO, -1FR.
func (r *ruleReader) readWeekdays(value string) {
	var list []weekdayPart
	for text := range strings.SplitSeq(value, ",") {
		day, ok := parseWeekday(text)
		if !ok {
			r.refuse(reason.RulePartInvalid("BYDAY", "MO..SU, 1MO..53SU, -53MO..-1SU"))
			return
		}
		list = append(list, day)
	}
	slices.SortFunc(list, func(a, b weekdayPart) int {
		return (a.ordinal-b.ordinal)*len(weekdayNames) + a.weekday - b.weekday
	})
	r.rule.weekdays = slices.Compact(list)
}

func parseWeekday(text string) (weekdayPart, bool) {
	split := max(0, len(text)-2)
	weekday := slices.Index(weekdayNames, text[split:])
	if split == 0 {
		return weekdayPart{0, weekday}, weekday >= 0
	}
	ordinal, err := strconv.Atoi(text[:split])
	return weekdayPart{ordinal, weekday}, err == nil && weekday >= 0 && ordinal != 0 && ordinal >= -53 && ordinal <= 53
}

func (r *ruleReader) numbers(part listPart, value string) []int {
	var list []int
	for text := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || !part.allows(n) {
			r.refuse(reason.RulePartInvalid(reason.RulePart(part.name), part.bounds()))
			return nil
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (p listPart) allows(n int) bool {
	return n >= p.low && n <= p.high || p.negative && n <= -p.low && n >= -p.high
}

// bounds writes the numbers of the list in a notation that needs no translation.
func (p listPart) bounds() string {
	if p.negative {
		return fmt.Sprintf("%d..%d, -%d..-%d", p.low, p.high, p.high, p.low)
	}
	return fmt.Sprintf("%d..%d", p.low, p.high)
}
