package organization

import (
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/text"
)

// status is the state of an event, or of one of its dates, for people.
type status struct {
	name string // of the message, and of the style
	icon string
	at   string // when it becomes public; "" unless that lies ahead
}

var statusIcons = map[string]string{
	adminapi.StatusDraft: "minus", adminapi.StatusReview: "eye", adminapi.StatusReleased: "check",
	adminapi.StatusCancelled: "close", adminapi.StatusDeferred: "clock", adminapi.StatusRescheduled: "arrow",
	scheduled: "clock",
}

// scheduled is the state of a released event that is not public yet.
const scheduled = "scheduled"

func statusOf(t *text.Texts, now time.Time, name string, release *time.Time) status {
	s := status{name: name}
	if name == adminapi.StatusReleased && release != nil && release.After(now) {
		local := release.In(now.Location())
		s.name, s.at = scheduled, day(t, now, local)+", "+t.Clock(local.Format("15:04"))
	}
	s.icon = statusIcons[s.name]
	return s
}

// inForce returns the status to show of a listed date: that of its event, unless dates are listed
// and the event is public.
func inForce(d adminapi.EventDate, dates bool) string {
	if !dates || !adminapi.PublicStatus(d.EventReleaseStatus) {
		return d.EventReleaseStatus
	}
	return d.ReleaseStatus
}

// day writes a day, with its year unless that is the present one.
func day(t *text.Texts, now, when time.Time) string {
	if when.Year() == now.Year() {
		return t.ShortDay(when)
	}
	return t.ShortDay(when) + " " + when.Format("2006")
}

// when writes the days and times of a date; "" for an event without one.
func when(t *text.Texts, now time.Time, d adminapi.EventDate) string {
	start, err := time.Parse(time.DateOnly, string(d.StartDate))
	if err != nil {
		return ""
	}
	words := day(t, now, start)
	if end, err := time.Parse(time.DateOnly, string(d.EndDate)); err == nil && !end.Equal(start) {
		words += " – " + day(t, now, end)
	}
	switch {
	case d.AllDay || d.StartTime == "":
	case d.EndTime != "" && (d.EndDate == "" || d.EndDate == d.StartDate):
		words += ", " + t.Clock(string(d.StartTime)+"–"+string(d.EndTime))
	default:
		words += ", " + t.Clock(string(d.StartTime))
	}
	return words
}

// where writes the place of a date; "" for none.
func where(d adminapi.EventDate) string {
	if d.SpaceName == "" {
		return string(d.VenueName)
	}
	return string(d.VenueName) + " · " + string(d.SpaceName)
}

// titleOf returns the title of an event; drafts may have none.
func titleOf(t *text.Texts, title string) string {
	if title == "" {
		return t.T("organization.untitled")
	}
	return title
}

// lacks names the fields that an event lacks for its release.
func lacks(t *text.Texts, fields []string) string {
	words := make([]string, len(fields))
	for i, field := range fields {
		words[i] = field
		if id := "organization.lacks." + field; t.Has(id) {
			words[i] = t.T(id)
		}
	}
	return strings.Join(words, ", ")
}

// count is the message with the length of a list.
func count(l eventList) string {
	if l.filter.dates {
		return "organization.events.dates"
	}
	return "organization.events.count"
}
