package rules

import "cmp"

// Period is the time of a date, in local time: "2026-11-20T19:30". The hour 24 ends a day. A date
// without an end time ends when it starts, or at the end of another end date.
type Period struct{ Start, End string }

// Period returns the time of the date, which must be valid.
func (d *Date) Period() Period {
	const dayEnd = "24:00"
	last, start, end := cmp.Or(string(d.EndDate), d.StartDate), cmp.Or(string(d.StartTime), "00:00"), string(d.EndTime)
	switch {
	case end != "":
	case d.AllDay || last != d.StartDate:
		end = dayEnd
	default:
		end = start
	}
	return Period{d.StartDate + "T" + start, last + "T" + end}
}

// Overlaps reports whether two periods have a moment in common; the end of one may be the start of
// the other.
func (p Period) Overlaps(other Period) bool {
	return p.Start == other.Start || p.Start < other.End && other.Start < p.End
}

// Place returns the venue and space of one of the event's dates: its own, or else the event's
// (RULES.md, Dates and places). Either is "" where there is none.
func (e *Event) Place(d *Date) (venue, space string) {
	if d.VenueUUID != "" {
		return string(d.VenueUUID), string(d.SpaceUUID)
	}
	return string(e.VenueUUID), string(e.SpaceUUID)
}

// TakesPlace reports whether one of the event's dates takes place as it is listed: it is neither
// cancelled nor deferred, by its own status or else by the event's.
func (e *Event) TakesPlace(d *Date) bool {
	status := d.ReleaseStatus
	if status == StatusInherited {
		status = e.ReleaseStatus
	}
	return status != StatusCancelled && status != StatusDeferred
}
