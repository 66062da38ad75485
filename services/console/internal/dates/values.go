package dates

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/price"
	"litfass/services/console/internal/text"
)

// The names of the fields of the forms, as in the admin service if it has them.
const (
	fieldStartDate     = "start_date"
	fieldStartTime     = "start_time"
	fieldEndDate       = "end_date"
	fieldEndTime       = "end_time"
	fieldEntryTime     = "entry_time"
	fieldAllDay        = "all_day"
	fieldTicketLink    = "ticket_link"
	fieldAccessibility = "accessibility_info"
	fieldStatus        = "release_status"
	fieldStatusNote    = "status_note"
	fieldPlace         = "own_place"
	fieldScope         = "scope"
	fieldUnit          = "repeat"
	fieldEvery         = "repeat_every"
	fieldWeekdays      = "repeat_weekdays"
	fieldBy            = "repeat_by"
	fieldNth           = "repeat_nth"
	fieldNthDay        = "repeat_nth_day"
	fieldEnd           = "repeat_end"
	fieldUntil         = "repeat_until"
	fieldCount         = "repeat_count"
	fieldFurther       = "further"
	fieldShown         = "shown" // the days that the preview had, and
	fieldOn            = "on"    // days to include
)

// values are the fields of a date as people have typed them.
type values struct {
	startDate, startTime, endDate, endTime, entryTime string
	allDay                                            bool
	ticketLink, accessibility                         string
	badLink                                           bool   // ticketLink is not the address of a page
	place                                             string // as placeKey
	status, statusNote                                string
	hours                                             opening.Values
	tickets                                           ticketValues
	tariffs                                           ownTariffs
	repeat                                            repetition
}

// repetition has the fields of a repetition.
type repetition struct {
	unit              string // of package rule; "" for none
	every             string
	weekdays          []string // of time.Weekday, in digits
	byWeekday         bool
	nth, nthDay       string
	untilDay          bool // it ends with a day, else with a count
	until, count      string
	further, excepted []string // days
}

// ownTariffs are the tariffs of a date.
type ownTariffs struct {
	all   []price.Tariff
	wrong string // what the person must change
	given bool   // the form has them
}

// readValues reads a form.
func readValues(t *text.Texts, f page.Form) values {
	link, valid := f.Link(fieldTicketLink)
	var tariffs ownTariffs
	tariffs.all, tariffs.wrong, tariffs.given = price.ReadTariffs(f, t)
	return values{
		startDate: f.Text(fieldStartDate), startTime: clockOf(f.Text(fieldStartTime)), endDate: f.Text(fieldEndDate),
		endTime: clockOf(f.Text(fieldEndTime)), entryTime: clockOf(f.Text(fieldEntryTime)), allDay: f.Text(fieldAllDay) != "",
		ticketLink: link, badLink: !valid, accessibility: f.Text(fieldAccessibility),
		place: f.Text(fieldPlace), status: f.Text(fieldStatus), statusNote: f.Text(fieldStatusNote), hours: opening.Read(f),
		tickets: readTickets(f), tariffs: tariffs,
		repeat: repetition{
			unit: f.Text(fieldUnit), every: f.Text(fieldEvery), weekdays: f.Values[fieldWeekdays],
			byWeekday: f.Text(fieldBy) == "weekday", nth: f.Text(fieldNth), nthDay: f.Text(fieldNthDay),
			untilDay: f.Text(fieldEnd) != "count", until: f.Text(fieldUntil), count: f.Text(fieldCount),
			further: filled(f.Values[fieldFurther]), excepted: exceptedOf(f),
		},
	}
}

// clockOf writes a time as 20:00 that was typed as 20.00 or 9:30.
func clockOf(text string) string {
	text = strings.Replace(text, ".", ":", 1)
	if len(text) == len("9:30") && text[1] == ':' {
		return "0" + text
	}
	return text
}

func filled(texts []string) (full []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(full, text) {
			full = append(full, text)
		}
	}
	slices.Sort(full)
	return full
}

// exceptedOf returns the days that the preview had and that are no longer ticked.
func exceptedOf(f page.Form) (days []string) {
	for _, day := range filled(f.Values[fieldShown]) {
		if !slices.Contains(f.Values[fieldOn], day) {
			days = append(days, day)
		}
	}
	return days
}

// valuesOf fills a form with a date.
func valuesOf(d adminapi.Date) values {
	return values{
		startDate: d.StartDate, startTime: string(d.StartTime), endDate: string(d.EndDate), endTime: string(d.EndTime),
		entryTime: string(d.EntryTime), allDay: d.AllDay, ticketLink: string(d.TicketLink),
		accessibility: string(d.AccessibilityInfo), place: placeKey(string(d.VenueUUID), string(d.SpaceUUID)),
		status: d.ReleaseStatus, statusNote: string(d.StatusNote), hours: opening.Of(d.Hours), tickets: ticketsOf(d),
		tariffs: ownTariffs{all: price.TariffsOf(d.Tariffs), given: true},
	}
}

// isAllDay reports whether the date has no times of its own, as one with opening hours.
func (v values) isAllDay() bool { return v.allDay || !v.hours.Empty() }

// newValues returns the values of an empty form: no repetition; if one is chosen, its interval is
// preset to one unit, and its end to a day.
func newValues() values {
	return values{repeat: repetition{every: "1", untilDay: true}}
}

// fields returns the date as the admin service takes it. All-day dates have no times, and an end
// before the start is one on the next day.
func (v values) fields(t *text.Texts) adminapi.DateFields {
	venue, space := splitPlace(v.place)
	d := adminapi.DateFields{
		StartDate: v.startDate, StartTime: value.Text(v.startTime), EndDate: value.Text(v.endDate), EndTime: value.Text(v.endTime),
		EntryTime: value.Text(v.entryTime), AllDay: v.isAllDay(), VenueUUID: value.Text(venue), SpaceUUID: value.Text(space),
		ReleaseStatus: v.status, StatusNote: value.Text(v.statusNote), TicketLink: value.Text(v.ticketLink), AccessibilityInfo: value.Text(v.accessibility),
	}
	d.DateTickets, d.PreviousStart = v.tickets.fields()
	d.Hours, _ = v.hours.Hours(t) // check has its errors
	d.Tariffs = price.Stored(v.tariffs.all)
	if d.AllDay {
		d.StartTime, d.EndTime, d.EntryTime = "", "", ""
	}
	if d.EndTime != "" && d.EndTime < d.StartTime && (v.endDate == "" || v.endDate == v.startDate) {
		d.EndDate = value.Text(dayOf(v.startDate).AddDate(0, 0, 1).Format("2006-01-02"))
	}
	return d
}
