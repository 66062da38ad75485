package view

import (
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/text"
)

// When is the time of a date, as the API gives it.
type When struct {
	StartDate, StartTime string
	EndDate, EndTime     value.Text
	AllDay               bool
}

// WhenOf returns the time of an entry.
func WhenOf(e publicapi.Entry) When {
	return When{e.StartDate, e.StartTime, e.EndDate, e.EndTime, e.AllDay}
}

// WhenOfDate returns the time of a date of an event.
func WhenOfDate(d publicapi.Date) When {
	return When{d.StartDate, d.StartTime, d.EndDate, d.EndTime, d.AllDay}
}

// Start returns the first day, in UTC; the zero time for one that cannot be read.
func (w When) Start() time.Time { return dayOf(w.StartDate) }

// End returns the last day, which is the first one where no other is known.
func (w When) End() time.Time {
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
	if !w.Several() {
		return relative(t, w.Start(), today)
	}
	if w.Start().Year() != w.End().Year() {
		today = time.Time{} // both years are written
	}
	return relative(t, w.Start(), today) + " – " + relative(t, w.End(), today)
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
