package rules

import (
	"time"

	"litfass/pkg/contracts/value"
)

// NoteChanges notes what visitors should know of an edit of an event that was public before it: the
// start of a date as it was published, and when its status changed or it was moved (RULES.md, Dates
// and places). A value that the edit sets itself stays. before is nil for a new event.
func (e *Event) NoteChanges(before *Event, now time.Time) {
	if before == nil || !PublicStatus(before.ReleaseStatus) || before.ReleaseDate != nil && before.ReleaseDate.After(now) {
		return
	}
	second := value.Text(now.UTC().Format(time.RFC3339))
	if e.ReleaseStatus != before.ReleaseStatus && e.StatusChangedAt == before.StatusChangedAt {
		e.StatusChangedAt = when(alters(e.ReleaseStatus), second)
	}
	if !PublicStatus(e.ReleaseStatus) {
		return
	}
	was := make(map[string]*Date, len(before.Dates))
	for i := range before.Dates {
		was[before.Dates[i].UUID] = &before.Dates[i]
	}
	for i := range e.Dates {
		if stored := was[e.Dates[i].UUID]; stored != nil {
			e.Dates[i].noteChange(stored, second)
		}
	}
}

// noteChange keeps the first start that was published, until the date is moved back to it.
func (d *Date) noteChange(before *Date, now value.Text) {
	from, to := before.start(), d.start()
	if from != to && d.PreviousStart == before.PreviousStart {
		switch before.PreviousStart {
		case "":
			d.PreviousStart = from
		case to:
			d.PreviousStart = ""
		}
	}
	if (from != to || d.ReleaseStatus != before.ReleaseStatus) && d.StatusChangedAt == before.StatusChangedAt {
		d.StatusChangedAt = when(alters(d.ReleaseStatus) || d.PreviousStart != "", now)
	}
}

// start returns when the date starts, local to its place: a day if it is all-day.
func (d *Date) start() value.Text {
	if d.AllDay || d.StartTime == "" {
		return value.Text(d.StartDate)
	}
	return value.Text(d.StartDate) + "T" + d.StartTime
}

// alters reports whether something with this status does not take place as it was announced.
func alters(status string) bool {
	return status == StatusCancelled || status == StatusDeferred || status == StatusRescheduled
}

func when(condition bool, text value.Text) value.Text {
	if condition {
		return text
	}
	return ""
}
