package rules

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
)

// Normalize brings every value into its stored form.
func (d *Date) Normalize() {
	cleanLower(&d.UUID, &d.ReleaseStatus)
	cleanLower(&d.VenueUUID, &d.SpaceUUID)
	cleanLines(&d.StartDate)
	cleanLines(&d.StartTime, &d.EndDate, &d.EndTime, &d.EntryTime)
	cleanTexts(&d.AccessibilityInfo)
	cleanURLs(&d.TicketLink)
	cleanLower(&d.RuleUUID)
	cleanLines(&d.RecurrenceID)
	setDefault(&d.ReleaseStatus, StatusInherited)
}

// Validate returns every value of one date that breaks a rule. The date must be normalized.
func (d *Date) Validate() fault.Violations {
	c := newChecker()
	d.check(c)
	return *c.violations
}

// check records every value of one date that breaks a rule.
func (d *Date) check(c checker) {
	c.uuid("uuid", d.UUID)
	c.reference("venue_uuid", string(d.VenueUUID))
	c.reference("space_uuid", string(d.SpaceUUID))
	if d.SpaceUUID != "" && d.VenueUUID == "" {
		c.bad("space_uuid", "needs a venue_uuid of the date's own")
	}
	if !slices.Contains(dateStatuses, d.ReleaseStatus) {
		c.bad("release_status", "is not one of inherited, cancelled, deferred, rescheduled")
	}
	c.url("ticket_link", string(d.TicketLink))
	c.text("accessibility_info", string(d.AccessibilityInfo), adminapi.MaxText)
	d.checkTimes(c)
}

// checkTimes checks that the date's days and times are valid and in order. All-day dates have no
// times.
func (d *Date) checkTimes(c checker) {
	if d.StartDate == "" {
		c.bad("start_date", "is missing")
	}
	startDay, endDay := c.day("start_date", d.StartDate), c.day("end_date", string(d.EndDate))
	if d.AllDay {
		d.checkAllDay(c)
	} else if d.StartTime == "" {
		c.bad("start_time", "is missing: only an all-day date has none")
	}
	start, end := c.clock("start_time", string(d.StartTime)), c.clock("end_time", string(d.EndTime))
	entry := c.clock("entry_time", string(d.EntryTime))
	if startDay && endDay && string(d.EndDate) < d.StartDate {
		c.bad("end_date", "lies before start_date")
	}
	sameDay := d.EndDate == "" || string(d.EndDate) == d.StartDate
	if start && end && sameDay && d.EndTime < d.StartTime {
		c.bad("end_time", "lies before start_time; a date past midnight has the next day as its end_date")
	}
	if start && entry && d.EntryTime > d.StartTime {
		c.bad("entry_time", "lies after start_time")
	}
}

func (d *Date) checkAllDay(c checker) {
	const reason = "is given although the date is all-day"
	if d.StartTime != "" {
		c.bad("start_time", reason)
	}
	if d.EndTime != "" {
		c.bad("end_time", reason)
	}
	if d.EntryTime != "" {
		c.bad("entry_time", reason)
	}
}
