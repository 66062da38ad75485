package feed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"litfass/pkg/contracts/hours"
)

// block are the openings of a date at the same times: a series that calendars know.
type block struct {
	hours.Opening
	weekdays []int       // 0 for Monday; on which it is weekly, none if only on special days
	first    hours.Day   // with a weekly opening
	except   []hours.Day // without a weekly opening on one of weekdays, from the first on
	special  []hours.Day // in order
}

// The bounds of openings in a feed. Without them, a thousand dates with the longest opening hours
// would be a calendar of 480 MB, of which the program would need fifteen times as much.
const (
	openingBytes = 8 << 20 // of a feed, about
	blockBytes   = 1_000   // of an event of a calendar, without its text
	dayBytes     = 60      // of an exception or a further day
)

// room returns how many bytes the openings of each date may take: dates with opening hours have
// equal parts, so that none can take those of others.
func (f Feed) room() int {
	dates := 0
	for _, i := range f.Items {
		if !i.Hours.Empty() {
			dates++
		}
	}
	return openingBytes / max(dates, 1)
}

// blocks returns the openings of a date by their times, in order; none without opening hours, and
// none if they take more bytes than there is room: then the date is a period whose text has them.
func (i timedItem) blocks() ([]block, error) {
	if i.Hours.Empty() {
		return nil, nil
	}
	calendar, err := i.Hours.Over(i.StartDate, string(i.EndDate))
	if err != nil {
		return nil, err
	}
	var all []block
	at := func(o hours.Opening) *block {
		n := slices.IndexFunc(all, func(b block) bool { return b.Opening == o })
		if n < 0 {
			n = len(all)
			all = append(all, block{Opening: o})
		}
		return &all[n]
	}
	for weekday, applies := range calendar.Weekdays() {
		for _, opening := range calendar.Week(weekday) {
			if applies {
				b := at(opening)
				b.weekdays = append(b.weekdays, weekday)
			}
		}
	}
	for _, day := range calendar.Special() {
		for _, opening := range calendar.On(day) {
			b := at(opening)
			b.special = append(b.special, day)
		}
	}
	bytes := len(all) * (blockBytes + len(i.about()))
	exceptions := calendar.Exceptions()
	for n := range all {
		if bytes <= i.room {
			all[n].bound(calendar.First, exceptions)
		}
		bytes += (len(all[n].except) + len(all[n].special)) * dayBytes
	}
	if bytes > i.room {
		return nil, nil
	}
	slices.SortFunc(all, func(a, b block) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return all, nil
}

// bound sets the first weekly opening of a period that begins on a day, and the exceptions after
// it.
func (b *block) bound(first hours.Day, exceptions [][2]hours.Day) {
	if len(b.weekdays) == 0 {
		return
	}
	excepted := func(day hours.Day) bool {
		return slices.ContainsFunc(exceptions, func(days [2]hours.Day) bool { return days[0] <= day && day <= days[1] })
	}
	for b.first = first; !slices.Contains(b.weekdays, b.first.Weekday()) || excepted(b.first); b.first++ {
	}
	for _, days := range exceptions {
		for day := max(days[0], b.first); day <= days[1]; day++ {
			if slices.Contains(b.weekdays, day.Weekday()) && !slices.Contains(b.special, day) {
				b.except = append(b.except, day)
			}
		}
	}
	b.special = slices.DeleteFunc(b.special, func(day hours.Day) bool { // the rule has it already
		return day >= b.first && slices.Contains(b.weekdays, day.Weekday())
	})
}

// start returns the start of the opening on a day, and its end.
func (b block) on(day hours.Day, zone *time.Location) (start, end time.Time) {
	midnight := day.Time()
	return localTime(midnight, b.From, zone), localTime(midnight, b.To, zone)
}

func localTime(day time.Time, minute int, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, minute, 0, 0, zone)
}

// clocks returns the times of the opening in digits, such as 1000-1800.
func (b block) clocks() string {
	return fmt.Sprintf("%02d%02d-%02d%02d", b.From/60, b.From%60, b.To/60%24, b.To%60)
}

// calendarDays are the days of the week in iCalendar and in schema.org, Monday first.
var (
	calendarDays = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}
	schemaDays   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

func named(weekdays []int, names []string) []string {
	list := make([]string, len(weekdays))
	for n, weekday := range weekdays {
		list[n] = names[weekday]
	}
	return list
}

// series sets the openings of a block: its first one, and the rule, the exceptions and the further
// days by which they repeat (RFC 5545, 3.8.5).
func (i timedItem) series(event *ics.VEvent, b block) {
	first, further := b.first, b.special
	if len(b.weekdays) == 0 {
		first, further = b.special[0], b.special[1:]
	}
	start, end := b.on(first, i.zone)
	zone := ics.WithTZID(i.zone.String())
	event.SetProperty(ics.ComponentPropertyDtStart, start.Format(icsMoment), zone)
	event.SetProperty(ics.ComponentPropertyDtEnd, end.Format(icsMoment), zone)
	if len(b.weekdays) > 0 {
		rule := "FREQ=WEEKLY;BYDAY=" + strings.Join(named(b.weekdays, calendarDays), ",")
		if last, err := hours.ParseDay(string(i.EndDate)); err == nil {
			until := localTime(last.Time(), hours.DayMinutes-1, i.zone)
			rule += ";UNTIL=" + until.UTC().Format(icsMoment) + "Z"
		}
		event.AddRrule(rule)
	}
	for _, day := range b.except {
		except, _ := b.on(day, i.zone)
		event.AddExdate(except.Format(icsMoment), zone)
	}
	for _, day := range further {
		more, _ := b.on(day, i.zone)
		event.AddRdate(more.Format(icsMoment), zone)
	}
}

// ruledYears is the number of years after a change up to which the calendar of a series knows the
// clock changes.
const ruledYears = 10

// addYears adds the years of a date with opening hours.
func (o observances) addYears(i timedItem) {
	first, last := i.start.Year(), i.changed().Year()+ruledYears
	if end, err := time.Parse(dayLayout, string(i.EndDate)); err == nil {
		last = min(last, end.Year()+1)
	}
	for year := first; year <= max(last, first); year++ {
		o.add(period{start: time.Date(year, time.January, 1, 0, 0, 0, 0, i.zone)})
	}
}

// schedule is a series of openings as schema.org has them.
type schedule struct {
	Type      string   `json:"@type"`
	Frequency string   `json:"repeatFrequency,omitempty"`
	Days      []string `json:"byDay,omitempty"`
	StartDate string   `json:"startDate"`
	EndDate   string   `json:"endDate,omitempty"`
	StartTime string   `json:"startTime"`
	EndTime   string   `json:"endTime"`
	Except    []string `json:"exceptDate,omitempty"`
	Zone      string   `json:"scheduleTimezone"`
}

// schedules returns the openings of a date.
func (i timedItem) schedules() (list []schedule) {
	blocks, err := i.blocks()
	if err != nil { // timed has refused it
		return nil
	}
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }
	for _, b := range blocks {
		one := schedule{Type: "Schedule", StartTime: clock(b.From), EndTime: clock(b.To), Zone: i.zone.String()}
		if len(b.weekdays) > 0 {
			weekly := one
			weekly.Frequency, weekly.StartDate, weekly.EndDate = "P1W", b.first.String(), string(i.EndDate)
			for _, name := range named(b.weekdays, schemaDays) {
				weekly.Days = append(weekly.Days, vocabulary+name)
			}
			for _, day := range b.except {
				weekly.Except = append(weekly.Except, day.String())
			}
			list = append(list, weekly)
		}
		for _, day := range b.special {
			one.StartDate, one.EndDate = day.String(), day.String()
			list = append(list, one)
		}
	}
	return list
}
