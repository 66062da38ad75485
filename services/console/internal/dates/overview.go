package dates

import (
	"slices"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/dates/rule"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
)

const (
	// openDates is how many dates are listed without being folded by month.
	openDates = 14
	// maxDates is how many dates the section has before it leads to further ones.
	maxDates = 60
)

// overview is the content of the section.
type overview struct {
	t *text.Texts
	parent
	months   []month // of the coming dates, the next first
	folded   bool    // whether months open and close
	past     []entry // the latest first
	pastMore int     // how many are not among past
	later    string  // address of the later dates; "" when all are shown
	earlier  string
	calendar calendar
	rules    []string // a sentence for each repetition
	total    int      // how many dates the event has
}

// month are the dates of one month.
type month struct {
	first   time.Time
	entries []entry
}

// entry is a date in the list.
type entry struct {
	adminapi.Date
	place string // its own; "" for that of the event
	past  bool
}

// status returns the status that is in force for a date, "" when it takes place as the event does.
func (e entry) status() string {
	if e.ReleaseStatus == adminapi.StatusInherited {
		return ""
	}
	return e.ReleaseStatus
}

// cancelled reports whether the date itself is cancelled.
func (e entry) cancelled() bool { return e.ReleaseStatus == adminapi.StatusCancelled }

// base is the digest of the fields of a date.
func base(d adminapi.Date) string {
	return version.ValuesOf(d).DigestOf("start_date", "start_time", "end_date", "end_time", "entry_time", "all_day",
		"venue_uuid", "space_uuid", "release_status", "status_note", "ticket_link", "accessibility_info", "hours",
		"on_sale_from", "on_sale_until", "previous_start", "tariffs")
}

// isPast reports whether the last day of a date is over.
func isPast(d adminapi.Date, today time.Time) bool {
	return d.LastDay() < today.Format(time.DateOnly)
}

func overviewOf(r *page.Request, l parent, names map[string]string) overview {
	o := overview{
		t: r.Text, parent: l, total: len(l.event.Dates), calendar: calendarOf(r, l.event), rules: sentences(r.Text, l.event),
	}
	var coming []entry
	for _, d := range l.event.Dates {
		e := entry{d, ownPlace(r.Text, d, names), isPast(d, r.Today)}
		if e.past {
			o.past = append(o.past, e)
		} else {
			coming = append(coming, e)
		}
	}
	slices.Reverse(o.past)
	if len(o.past) > maxDates {
		o.past, o.pastMore = o.past[:maxDates], len(o.past)-maxDates
	}
	o.page(r, coming)
	return o
}

// page takes the part of the coming dates that the address asks for.
func (o *overview) page(r *page.Request, coming []entry) {
	from := slices.IndexFunc(coming, func(e entry) bool { return e.UUID == r.Query.Get("from") })
	from = max(from, 0)
	if from > 0 {
		o.earlier = o.path() + "?from=" + coming[max(0, from-maxDates)].UUID
	}
	to := min(len(coming), from+maxDates)
	if to < len(coming) {
		o.later = o.path() + "?from=" + coming[to].UUID
	}
	o.months, o.folded = byMonth(coming[from:to]), to-from > openDates
}

func byMonth(entries []entry) (months []month) {
	for _, e := range entries {
		day := dayOf(e.StartDate)
		first := day.AddDate(0, 0, 1-day.Day())
		if len(months) == 0 || !months[len(months)-1].first.Equal(first) {
			months = append(months, month{first: first})
		}
		last := &months[len(months)-1]
		last.entries = append(last.entries, e)
	}
	return months
}

// sentences writes the repetitions of an event with the dates that are left of them.
func sentences(t *text.Texts, e adminapi.Event) (all []string) {
	count := map[string]int{}
	for _, d := range e.Dates {
		count[string(d.RuleUUID)]++
	}
	for _, r := range e.DateRules {
		if count[r.UUID] < 2 {
			continue
		}
		start := r.StartDate
		if r.StartTime != "" {
			start += "T" + string(r.StartTime)
		}
		all = append(all, rule.Sentence(t, rule.Series{
			Start: start, RRule: string(r.RRule), RDate: r.RDate, ExDate: r.ExDate, Dates: count[r.UUID],
		}))
	}
	return all
}

// dayOf reads a day of the admin service.
func dayOf(text string) time.Time {
	day, _ := time.Parse(time.DateOnly, text) // the admin service writes nothing else
	return day
}

// has reports whether a date is in the month.
func (m month) has(uuid string) bool {
	return slices.ContainsFunc(m.entries, func(e entry) bool { return e.UUID == uuid })
}
