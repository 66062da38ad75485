package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
)

func TestRulesRefused(t *testing.T) {
	const number = "that is not valid; it takes 1..1000000000"
	tests := []struct{ rrule, reason string }{
		{"COUNT=3", "has a FREQ that is not valid; it takes YEARLY, MONTHLY, WEEKLY, DAILY"},
		{"FREQ=DAILY", "has no end: it needs COUNT or UNTIL"},
		{"FREQ=DAILY;COUNT=3;UNTIL=20270101", "may not have COUNT with UNTIL"},
		{"FREQ=HOURLY;COUNT=3", "has a FREQ that is not valid; it takes YEARLY, MONTHLY, WEEKLY, DAILY"},
		{"FREQ=SECONDLY;COUNT=3", "has a FREQ that is not valid; it takes YEARLY, MONTHLY, WEEKLY, DAILY"},
		{"FREQ=;COUNT=3", "has a FREQ that is not valid; it takes YEARLY, MONTHLY, WEEKLY, DAILY"},
		{"FREQ=DAILY;COUNT=0", "has a COUNT " + number},
		{"FREQ=DAILY;COUNT=-1", "has a COUNT " + number},
		{"FREQ=DAILY;COUNT=99999999999999999999", "has a COUNT " + number},
		{"FREQ=DAILY;COUNT=3;INTERVAL=0", "has an INTERVAL " + number},
		{"FREQ=DAILY;COUNT=3;INTERVAL=.5", "has an INTERVAL " + number},
		{"FREQ=DAILY;COUNT=3;COUNT=4", "has COUNT twice"},
		{"FREQ=DAILY;COUNT=3;BYEASTER=1", `has a part that is not one of RFC 5545: "BYEASTER"`},
		{"FREQ=DAILY;COUNT=3;", `has a part that is not one of RFC 5545: ""`},
		{"FREQ=DAILY;COUNT=3\nRRULE:FREQ=DAILY", "has a COUNT " + number},
		{"DTSTART:20261120T200000\nRRULE:FREQ=DAILY;COUNT=3", `has a part that is not one of RFC 5545: "DTSTART:20261120T200"`},
		{"FREQ=DAıLY;COUNT=3", "holds a character that is not ASCII"},
		{"FREQ=DAILY;UNTIL=20270101T190000Z", "has an UNTIL in UTC: write the time at the venue, without Z"},
		{"FREQ=DAILY;UNTIL=2027-01-01", "has an UNTIL that is not valid; it takes 19000101..29991231, 19000101T000000..29991231T235959"},
		{"FREQ=DAILY;UNTIL=20270230", "has an UNTIL that is not valid; it takes 19000101..29991231, 19000101T000000..29991231T235959"},
		{"FREQ=DAILY;UNTIL=99991231", "has an UNTIL that is not valid; it takes 19000101..29991231, 19000101T000000..29991231T235959"},
		{"FREQ=DAILY;UNTIL=20261119", "has an UNTIL before the first date"},
		{"FREQ=DAILY;UNTIL=20261120T195900", "has an UNTIL before the first date"},
		{"FREQ=DAILY;COUNT=3;WKST=XX", "has a WKST that is not valid; it takes MO, TU, WE, TH, FR, SA, SU"},
		{"FREQ=DAILY;COUNT=3;BYMONTH=13", "has a BYMONTH that is not valid; it takes 1..12"},
		{"FREQ=DAILY;COUNT=3;BYMONTH=-1", "has a BYMONTH that is not valid; it takes 1..12"},
		{"FREQ=DAILY;COUNT=3;BYMONTH=1,", "has a BYMONTH that is not valid; it takes 1..12"},
		{"FREQ=DAILY;COUNT=3;BYMONTH", "has a BYMONTH that is not valid; it takes 1..12"},
		{"FREQ=DAILY;COUNT=3;BYMONTHDAY=0", "has a BYMONTHDAY that is not valid; it takes 1..31, -31..-1"},
		{"FREQ=DAILY;COUNT=3;BYMONTHDAY=-9223372036854775808",
			"has a BYMONTHDAY that is not valid; it takes 1..31, -31..-1"},
		{"FREQ=DAILY;COUNT=3;BYHOUR=24", "has a BYHOUR that is not valid; it takes 0..23"},
		{"FREQ=DAILY;COUNT=3;BYSECOND=30", "has a BYSECOND that is not valid; it takes 0..0"},
		{"FREQ=DAILY;COUNT=3;BYYEARDAY=1", "may have BYYEARDAY only with FREQ=YEARLY"},
		{"FREQ=MONTHLY;COUNT=3;BYWEEKNO=1", "may have BYWEEKNO only with FREQ=YEARLY"},
		{"FREQ=WEEKLY;COUNT=3;BYMONTHDAY=1", "may not have BYMONTHDAY with FREQ=WEEKLY"},
		{"FREQ=WEEKLY;COUNT=3;BYDAY=1FR", "may have BYDAY=1FR only with FREQ=MONTHLY, FREQ=YEARLY"},
		{"FREQ=YEARLY;COUNT=3;BYWEEKNO=1;BYDAY=1FR", "may not have BYDAY=1FR with BYWEEKNO"},
		{"FREQ=DAILY;COUNT=3;BYSETPOS=1", "may have BYSETPOS only with BYDAY, BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYHOUR, BYMINUTE, BYSECOND"},
		{"FREQ=YEARLY;COUNT=980", "names only 974 dates up to the year 2999, fewer than its COUNT"},
		{"FREQ=DAILY;COUNT=3;BYMONTH=2;BYMONTHDAY=30", "leaves no date"},
	}
	for _, day := range []string{"F", "FRI", "0FR", "54FR", "-54FR", "FR1", "+FR", "", "MO,", "MO,,TU", "-9223372036854775808FR"} {
		tests = append(tests, struct{ rrule, reason string }{"FREQ=MONTHLY;COUNT=3;BYDAY=" + day,
			"has a BYDAY that is not valid; it takes MO..SU, 1MO..53SU, -53MO..-1SU"})
	}
	for _, test := range tests {
		checkViolation(t, Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: test.rrule}, "rrule", test.reason)
	}
	allDay := Series{StartDate: "2026-11-20", AllDay: true, RRule: "FREQ=DAILY;COUNT=3;BYHOUR=3"}
	checkViolation(t, allDay, "rrule", "has a time of day although the dates are all-day")
}

func TestFieldsRefused(t *testing.T) {
	const notADay, notAClock = "is not a date YYYY-MM-DD from 1900 to 2999", "is not a time HH:MM"
	const notAnEntry = "is not a date such as 2026-12-24 or 2026-12-24T20:00 from 1900 to 2999"
	const inAllDay, inAllDayList = "is given although the date is all-day", "has a time of day although the dates are all-day"
	timed := func(change func(*Series)) Series {
		s := Series{StartDate: "2026-11-20", StartTime: "20:00"}
		change(&s)
		return s
	}
	tests := []struct {
		in            Series
		field, reason string
	}{
		{Series{StartTime: "20:00"}, "start_date", "is missing"},
		{Series{StartDate: "2026-11-20"}, "start_time", "is missing: only an all-day date has none"},
		{timed(func(s *Series) { s.StartDate = "20261120" }), "start_date", notADay},
		{timed(func(s *Series) { s.StartDate = "2026-02-29" }), "start_date", notADay},
		{timed(func(s *Series) { s.StartDate = "1899-12-31" }), "start_date", notADay},
		{timed(func(s *Series) { s.StartDate = "3000-01-01" }), "start_date", notADay},
		{timed(func(s *Series) { s.StartTime = "8:00" }), "start_time", notAClock},
		{timed(func(s *Series) { s.StartTime = "24:00" }), "start_time", notAClock},
		{timed(func(s *Series) { s.EndDate = "tomorrow" }), "end_date", notADay},
		{timed(func(s *Series) { s.EndDate = "2026-11-19" }), "end_date", "lies before start_date"},
		{timed(func(s *Series) { s.EndTime = "2:00" }), "end_time", notAClock},
		{timed(func(s *Series) { s.EndTime = "02:00" }), "end_time",
			"lies before start_time; a date past midnight has the next day as its end_date"},
		{timed(func(s *Series) { s.StartDate, s.EndDate, s.RRule = "2999-12-30", "2999-12-31", "FREQ=DAILY;COUNT=2" }),
			"end_date", "makes the last date end after the year 2999"},
		{Series{StartDate: "2026-11-20", AllDay: true, StartTime: "20:00"}, "start_time", inAllDay},
		{Series{StartDate: "2026-11-20", AllDay: true, EndTime: "20:00"}, "end_time", inAllDay},
		{timed(func(s *Series) { s.RDate = []string{"2026-11-21", "", "2026-11-22"} }), "rdate[1]", notAnEntry},
		{timed(func(s *Series) { s.RDate = []string{"20261121T200030"} }), "rdate[0]", notAnEntry},
		{timed(func(s *Series) { s.RDate = []string{"20261121T200000Z"} }), "rdate[0]", notAnEntry},
		{timed(func(s *Series) { s.ExDate = []string{"2026-11-21T20:00+01:00"} }), "exdate[0]", notAnEntry},
		{timed(func(s *Series) { s.ExDate = []string{"2026-11-20", "3000-01-01"} }), "exdate[1]", notAnEntry},
		{timed(func(s *Series) { s.ExDate = []string{"2026-11-20"} }), "exdate", "leaves no date"},
		{timed(func(s *Series) { s.RDate = days(1000) }), "rdate", "means more than 1000 dates"},
		{timed(func(s *Series) { s.RDate = days(1001) }), "rdate", "has more than 1000 elements"},
		{timed(func(s *Series) { s.ExDate = days(1001) }), "exdate", "has more than 1000 elements"},
		{Series{StartDate: "2026-11-20", AllDay: true, RDate: []string{"2026-11-20T20:00"}}, "rdate[0]", inAllDayList},
		{Series{StartDate: "2026-11-20", AllDay: true, ExDate: []string{"20261120T200000"}}, "exdate[0]", inAllDayList},
	}
	for _, test := range tests {
		checkViolation(t, test.in, test.field, test.reason)
	}
}

// days returns so many days of 2030 and later as entries of RDATE.
func days(n int) []string {
	var list []string
	for i := range n {
		list = append(list, on(dayNumber(2030, 1, 1+i), 0).format(calendarDate))
	}
	return list
}

func TestEveryBadFieldIsNamed(t *testing.T) {
	_, err := Expand(Series{StartDate: "x", StartTime: "x", EndDate: "x", EndTime: "x", RRule: "FREQ=HOURLY;INTERVAL=0",
		RDate: []string{"x", "x"}, ExDate: []string{"x"}})
	var fields []string
	for _, violation := range fault.Of(err).Violations {
		fields = append(fields, violation.Field)
	}
	want := []string{"start_date", "start_time", "end_date", "end_time", "rrule", "rrule", "rrule", "rdate[0]", "rdate[1]", "exdate[0]"}
	if !fault.Is(err, fault.Invalid) || !slices.Equal(fields, want) {
		t.Errorf("got %v, want %v", fields, want)
	}
}

func TestLimitOfDates(t *testing.T) {
	s := Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: "FREQ=DAILY;COUNT=1000"}
	got, err := Expand(s)
	if err != nil || len(got) != MaxDates {
		t.Fatalf("%d dates, %v; want %d", len(got), err, MaxDates)
	}
	s.RRule = "FREQ=DAILY;COUNT=1001"
	checkViolation(t, s, "rrule", "means more than 1000 dates")
	s.ExDate = []string{got[7].ID()}
	if got, err = Expand(s); err != nil || len(got) != MaxDates {
		t.Fatalf("with one left out %d dates, %v; want %d", len(got), err, MaxDates)
	}
	s.RDate = []string{"2026-11-20T15:00"}
	checkViolation(t, s, "rrule", "means more than 1000 dates")
}

// everyDayOfTheYear is a list of 732 numbers.
func everyDayOfTheYear() string {
	var list []string
	for i := 1; i <= maxListed; i++ {
		list = append(list, fmt.Sprint(i), fmt.Sprint(-i))
	}
	return strings.Join(list, ",")
}

func numbersTo(n int) string {
	list := []string{"0"}
	for i := 1; i <= n; i++ {
		list = append(list, fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

var hostileRules = []string{
	"FREQ=YEARLY;COUNT=1000000000;BYMONTH=2;BYMONTHDAY=30",
	"FREQ=DAILY;UNTIL=29991231;BYMONTH=2;BYMONTHDAY=30",
	"FREQ=WEEKLY;COUNT=5;BYMONTH=2;BYDAY=MO;BYSETPOS=366",
	"FREQ=MONTHLY;COUNT=5;BYMONTH=2;BYMONTHDAY=31,-31",
	"FREQ=MONTHLY;COUNT=5;BYDAY=53MO",
	"FREQ=YEARLY;COUNT=5;BYMONTH=12;BYDAY=53MO,-53MO",
	"FREQ=YEARLY;COUNT=5;BYWEEKNO=1;BYMONTH=7;BYDAY=MO",
	"FREQ=YEARLY;COUNT=5;BYYEARDAY=366;BYMONTH=1",
	"FREQ=DAILY;COUNT=1000000000",
	"FREQ=DAILY;UNTIL=29991231",
	"FREQ=YEARLY;INTERVAL=1000000000;COUNT=1000000000",
	"FREQ=MONTHLY;INTERVAL=1000000000;UNTIL=29991231",
	"FREQ=WEEKLY;INTERVAL=1000000000;COUNT=2",
	"FREQ=DAILY;INTERVAL=1000000000;COUNT=2",
	"FREQ=DAILY;COUNT=5;BYHOUR=" + numbersTo(23) + ";BYMINUTE=" + numbersTo(59) + ";BYMONTH=2;BYMONTHDAY=30",
	"FREQ=YEARLY;UNTIL=29991231;BYYEARDAY=" + everyDayOfTheYear() + ";BYHOUR=" + numbersTo(23) + ";BYMINUTE=" + numbersTo(59),
	"FREQ=WEEKLY;COUNT=5;BYDAY=SU,MO;BYSETPOS=" + everyDayOfTheYear()[len("1,-1,2,-2,"):],
	"FREQ=DAILY;COUNT=5;BYDAY=FR;BYSETPOS=" + everyDayOfTheYear()[len("1,-1,"):],
}

// TestHostileRulesAreBounded counts the days that are examined for a rule: none twice.
func TestHostileRulesAreBounded(t *testing.T) {
	for _, text := range hostileRules {
		var bad fault.Violations
		p := read(Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: text}, &bad)
		if len(bad) > 0 {
			t.Errorf("%.80s: %v", text, bad)
			continue
		}
		w, named := newWalk(p.rule, p.start, nil), 0
		for range w.moments() {
			named++
			if named > MaxDates {
				break
			}
		}
		if w.examined > finalDay+366 {
			t.Errorf("%.80s: looks at %d days", text, w.examined)
		}
		if _, err := Expand(Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: text}); err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}

func TestLongTextsAreRefused(t *testing.T) {
	long := strings.Repeat("BYDAY=MO,", 100_000/9)
	for _, text := range []string{long, "FREQ=DAILY;COUNT=3;BYMONTH=" + strings.Repeat("1,", 50_000) + "1", strings.Repeat(";", 100_000)} {
		checkViolation(t, Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: text}, "rrule", "has more than 5000 bytes")
	}
	checkViolation(t, Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: strings.Repeat(";", 5_000)}, "rrule",
		`has a part that is not one of RFC 5545: ""`)
	_, err := Expand(Series{StartDate: long, StartTime: long, EndDate: long, EndTime: long, RDate: []string{long}, ExDate: []string{long}})
	if size := len(err.Error()); size > 1_000 {
		t.Errorf("the error has %d bytes", size)
	}
	if rule := "FREQ=YEARLY;COUNT=3;BYYEARDAY=" + everyDayOfTheYear(); len(rule) > maxRule {
		t.Errorf("a rule of %d bytes does not fit", len(rule))
	}
}
