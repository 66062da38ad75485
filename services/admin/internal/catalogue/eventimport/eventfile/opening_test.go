package eventfile

import (
	"fmt"
	"testing"
)

// TestPagesWithOpeningHours: what a page says of openings makes one date; a course that repeats
// stays several.
func TestPagesWithOpeningHours(t *testing.T) {
	t.Parallel()
	const period, endless = `"startDate": "2026-11-06T10:00:00+01:00", "endDate": "2027-01-31"`, `"startDate": "2020-01-01"`
	const week = `{"dayOfWeek": ["Tuesday", "https://schema.org/Wednesday", "PublicHolidays"], "opens": "10:00", "closes": "18:00:00"}`
	for what, test := range map[string]struct{ kind, fields, want string }{
		"weekly":   {"Event", period + `, "openingHoursSpecification": ` + week, "2026-11-06/2027-01-31 tue 10:00-18:00 wed 10:00-18:00"},
		"no end":   {"Event", endless + `, "openingHoursSpecification": [` + week + `]`, "2020-01-01 tue 10:00-18:00 wed 10:00-18:00"},
		"all days": {"Event", endless + `, "openingHoursSpecification": {"dayOfWeek": ["Mo"], "opens": "00:00", "closes": "23:59"}`, "2020-01-01 mon 00:00-00:00"},
		"exceptions": {"Event", period + `, "openingHoursSpecification": [` + week + `, {"opens": "00:00", "closes": "00:00", "validFrom": "2026-12-24", "validThrough": "2026-12-25"}],
			"specialOpeningHoursSpecification": {"opens": "18:00", "closes": "01:00", "validFrom": "2026-12-07", "validThrough": "2026-12-07"}`,
			"2026-11-06/2027-01-31 tue 10:00-18:00 wed 10:00-18:00 closed 2026-12-24-2026-12-24 closed 2026-12-25-2026-12-25 2026-12-07 18:00-01:00"},
		"a season": {"Event", period + `, "openingHoursSpecification": {"dayOfWeek": "Monday", "opens": "10:00", "closes": "18:00", "validFrom": "2026-11-10"}`,
			"!start_date property_unreadable"},
		"no time": {"Event", period + `, "openingHoursSpecification": {"dayOfWeek": "Monday", "opens": "10:00", "closes": "late"}`, "!start_date property_unreadable"},
		"no day":  {"Event", period + `, "openingHoursSpecification": {"dayOfWeek": "Sometimes", "opens": "10:00", "closes": "12:00"}`, "!start_date property_unreadable"},
		"a schedule of an exhibition": {"ExhibitionEvent", period + `, "eventSchedule": [
			{"@type": "Schedule", "repeatFrequency": "P1W", "byDay": ["https://schema.org/Tuesday"], "startTime": "10:00", "endTime": "18:00", "exceptDate": ["2026-12-29"]},
			{"@type": "Schedule", "startDate": "2026-12-07", "endDate": "2026-12-07", "startTime": "18:00", "endTime": "01:00"}]`,
			"2026-11-06/2027-01-31 tue 10:00-18:00 closed 2026-12-29-2026-12-29 2026-12-07 18:00-01:00"},
		"a course": {"EducationEvent", `"eventSchedule": {"repeatFrequency": "P1W", "byDay": "TU", "startDate": "2026-11-10", "startTime": "18:00", "endTime": "20:00", "repeatCount": 2}`,
			"2026-11-10T18:00/2026-11-10T20:00 2026-11-17T18:00/2026-11-17T20:00"},
		"guided tours of an exhibition": {"ExhibitionEvent", `"eventSchedule": {"repeatFrequency": "P1W", "startDate": "2026-11-10", "startTime": "18:00", "endTime": "19:00", "repeatCount": 1}`,
			"2026-11-10T18:00/2026-11-10T19:00"},
	} {
		file, err := Read(t.Context(), []byte(page(fmt.Sprintf(`{"@type": %q, "@id": "a", "name": "a", %s}`, test.kind, test.fields))), Options{})
		if err != nil {
			t.Fatal(what, err)
		}
		if got := openings(file); got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}

// openings writes the dates of the only event of a file with their hours, or why it has none.
func openings(file File) (text string) {
	add := func(part string) {
		if text != "" {
			text += " "
		}
		text += part
	}
	for _, why := range file.Events[0].Reasons {
		add("!" + why.Field + " " + why.Code)
	}
	if text != "" {
		return text
	}
	for _, d := range file.Events[0].Dates {
		at := d.Start.String()
		if d.End != (Moment{}) {
			at += "/" + d.End.String()
		}
		add(at)
		if d.Hours == nil {
			continue
		}
		for _, w := range d.Hours.Weekly {
			add(w.Day + " " + w.From + "-" + w.To)
		}
		for _, c := range d.Hours.Closed {
			add("closed " + c.From + "-" + c.To)
		}
		for _, s := range d.Hours.Special {
			add(s.Date + " " + s.From + "-" + s.To)
		}
	}
	return text
}
