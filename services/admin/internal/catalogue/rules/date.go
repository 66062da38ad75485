package rules

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// Normalize brings every value into its stored form.
func (d *Date) Normalize() {
	cleanLower(&d.UUID, &d.ReleaseStatus)
	cleanLower(&d.VenueUUID, &d.SpaceUUID)
	cleanLines(&d.StartDate)
	cleanLines(&d.StartTime, &d.EndDate, &d.EndTime, &d.EntryTime)
	cleanTexts(&d.AccessibilityInfo, &d.StatusNote)
	cleanURLs(&d.TicketLink)
	cleanLower(&d.RuleUUID, &d.SeriesPartUUID)
	cleanLines(&d.RecurrenceID)
	setDefault(&d.ReleaseStatus, StatusInherited)
	normalizeHours(&d.Hours)
	cleanLower(&d.Availability)
	cleanLines(&d.OnSaleFrom, &d.OnSaleUntil, &d.PreviousStart)
	cleanSecond(&d.StatusChangedAt)
	d.Tariffs = cleanTariffs(d.Tariffs)
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
	c.reference("series_part_uuid", string(d.SeriesPartUUID))
	if d.SpaceUUID != "" && d.VenueUUID == "" {
		c.bad("space_uuid", reason.OwnVenueRequired)
	}
	if !slices.Contains(dateStatuses, d.ReleaseStatus) {
		c.bad("release_status", reason.NotOneOf([]string{"inherited", "cancelled", "deferred", "rescheduled"}))
	}
	c.text("status_note", string(d.StatusNote), adminapi.MaxReason)
	c.url("ticket_link", string(d.TicketLink))
	c.text("accessibility_info", string(d.AccessibilityInfo), adminapi.MaxText)
	d.checkTimes(c)
	c.hours(d.Hours)
	if !d.Hours.Empty() && !d.AllDay {
		c.bad("all_day", reason.OnlyValue("true"))
	}
	c.availability(d.DateAvailability)
	d.checkSale(c)
	c.second("status_changed_at", string(d.StatusChangedAt))
	c.tariffs(d.Tariffs, "") // a date of a free event may cost something
}

// checkTimes checks that the date's days and times are valid and in order. All-day dates have no
// times.
func (d *Date) checkTimes(c checker) {
	if d.StartDate == "" {
		c.bad("start_date", reason.Required)
	}
	startDay, endDay := c.day("start_date", d.StartDate), c.day("end_date", string(d.EndDate))
	if d.AllDay {
		d.checkAllDay(c)
	} else if d.StartTime == "" {
		c.bad("start_time", reason.StartTimeRequired)
	}
	start, end := c.clock("start_time", string(d.StartTime)), c.clock("end_time", string(d.EndTime))
	entry := c.clock("entry_time", string(d.EntryTime))
	if startDay && endDay && string(d.EndDate) < d.StartDate {
		c.bad("end_date", reason.Before("start_date"))
	}
	sameDay := d.EndDate == "" || string(d.EndDate) == d.StartDate
	if start && end && sameDay && d.EndTime < d.StartTime {
		c.bad("end_time", reason.EndBeforeStart)
	}
	if start && entry && d.EntryTime > d.StartTime {
		c.bad("entry_time", reason.After("start_time"))
	}
}

func (d *Date) checkAllDay(c checker) {
	wrong := reason.AllDayHasNoTime
	if d.StartTime != "" {
		c.bad("start_time", wrong)
	}
	if d.EndTime != "" {
		c.bad("end_time", wrong)
	}
	if d.EntryTime != "" {
		c.bad("entry_time", wrong)
	}
}
