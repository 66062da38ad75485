package view

import (
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/text"
)

// When is the time of a date, as the API gives it.
type When struct {
	StartDate, StartTime string
	EndDate, EndTime     value.Text
	AllDay               bool
	Opening              hours.Hours // of a period, which without EndDate has no end
}

// WhenOf returns the time of an entry.
func WhenOf(e publicapi.Entry) When {
	return When{e.StartDate, e.StartTime, e.EndDate, e.EndTime, e.AllDay, e.Hours}
}

// WhenOfDate returns the time of a date of an event.
func WhenOfDate(d publicapi.Date) When {
	return When{d.StartDate, d.StartTime, d.EndDate, d.EndTime, d.AllDay, d.Hours}
}

// Start returns the first day, in UTC; the zero time for one that cannot be read.
func (w When) Start() time.Time { return dayOf(w.StartDate) }

// Endless reports whether the date has no end.
func (w When) Endless() bool { return w.EndDate == "" && !w.Opening.Empty() }

// On reports whether the date runs on a day: with opening hours, whether it opens. One that ends in
// the night after its start runs only on its first day.
func (w When) On(day time.Time) bool {
	last := w.End()
	if w.Overnight() {
		last = w.Start()
	}
	if w.Start().After(day) || last.Before(day) {
		return false
	}
	calendar, err := w.Opening.Over(w.StartDate, string(w.EndDate))
	return w.Opening.Empty() || err == nil && len(calendar.On(hours.DayOf(day))) > 0
}

// End returns the last day, which is the first one where no other is known, and the last day of all
// of a date without an end.
func (w When) End() time.Time {
	if w.Endless() {
		return hours.Forever.Time()
	}
	if w.EndDate == "" {
		return w.Start()
	}
	return dayOf(string(w.EndDate))
}

func dayOf(text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}
	}
	return day
}

// Machine returns the start as the attribute datetime of an element takes it, without a zone: the
// time is that of the venue.
func (w When) Machine() string {
	if w.AllDay || w.StartTime == "" {
		return w.StartDate
	}
	return w.StartDate + "T" + w.StartTime
}

// Days writes the day, or the first and the last one, in words. today is the day in the site's
// zone.
func (w When) Days(t *text.Texts, today time.Time) string {
	if period := w.openPeriod(t, today); period != "" {
		return period
	}
	if !w.Several() {
		return relative(t, w.Start(), today)
	}
	if w.Start().Year() != w.End().Year() {
		today = time.Time{} // both years are written
	}
	return relative(t, w.Start(), today) + " – " + relative(t, w.End(), today)
}

// Open reports whether the period of a date with opening hours has begun and is not over.
func (w When) Open(today time.Time) bool {
	return !w.Opening.Empty() && !w.Start().After(today) && !w.End().Before(today)
}

// openPeriod writes the period of a date with opening hours that has begun or has no end: until
// when it is open, or from when on. "" for other dates.
func (w When) openPeriod(t *text.Texts, today time.Time) string {
	begun := !w.Start().After(today)
	switch {
	case w.Opening.Empty() || !w.Endless() && (!begun || w.End().Before(today)):
		return ""
	case !w.Endless():
		return t.With("until", "End", dayWithYear(t, w.End(), today))
	case begun:
		return t.T("hours.permanent")
	default:
		return t.With("hours.from", "Day", dayWithYear(t, w.Start(), today))
	}
}

// Several reports whether a date is of several days, as people count them.
func (w When) Several() bool { return w.End().After(w.Start()) && !w.Overnight() }

// Overnight reports whether a date ends in the night that follows its start, which people do not
// count as another day.
func (w When) Overnight() bool {
	return !w.AllDay && w.EndTime != "" && w.EndTime <= "08:00" && w.End().Equal(w.Start().AddDate(0, 0, 1))
}

// relative writes a day, with the word for one that is near.
func relative(t *text.Texts, day, today time.Time) string {
	name := dayWithYear(t, day, today)
	switch day.Format(time.DateOnly) {
	case today.Format(time.DateOnly):
		return t.T("today") + ", " + name
	case today.AddDate(0, 0, 1).Format(time.DateOnly):
		return t.T("tomorrow") + ", " + name
	default:
		return name
	}
}

// Begin writes the time of the day at which a date begins, "" where none is known and for whole
// days in a row.
func (w When) Begin(t *text.Texts) string {
	switch {
	case !w.Opening.Empty():
		return w.Opening.Text(t.Code)
	case w.StartTime == "" || w.AllDay && w.Several():
		return ""
	case w.AllDay:
		return t.T("all_day")
	default:
		return t.Clock(w.StartTime)
	}
}

// Finish writes when a date that begins on a day ends: the time, or the last day of several. It is
// "" where neither is known.
func (w When) Finish(t *text.Texts, today time.Time) string {
	switch {
	case w.Endless():
		return ""
	case w.Several():
		return t.With("until", "End", dayWithYear(t, w.End(), today))
	case w.AllDay || w.EndTime == "":
		return ""
	default:
		return t.With("until", "End", t.Clock(string(w.EndTime)))
	}
}

// dayWithYear writes a day, with its year if that is not the one of today.
func dayWithYear(t *text.Texts, day, today time.Time) string {
	if day.Year() == today.Year() {
		return t.ShortDay(day)
	}
	return t.ShortDay(day) + " " + day.Format("2006")
}

// Hours writes the times of the day, "" where none is known.
func (w When) Hours(t *text.Texts) string {
	switch {
	case !w.Opening.Empty():
		return w.Opening.Text(t.Code)
	case w.AllDay:
		return t.T("all_day")
	case w.StartTime == "":
		return ""
	case w.EndTime == "":
		return t.Clock(w.StartTime)
	default:
		return t.Clock(w.StartTime + "–" + string(w.EndTime))
	}
}
