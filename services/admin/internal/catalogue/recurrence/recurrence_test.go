package recurrence

import (
	"slices"
	"strings"
	"testing"
)

// TestExamplesOfRFC5545 holds examples of RFC 5545, 3.8.5.3, with an end where they have none. The
// one whose DTSTART its rule does not name starts on the rule's first date.
func TestExamplesOfRFC5545(t *testing.T) {
	tests := []struct{ name, start, rrule, want string }{
		{"daily for 10 occurrences", "1997-09-02", "FREQ=DAILY;COUNT=4",
			"1997-09-02 1997-09-03 1997-09-04 1997-09-05"},
		{"every 10 days", "1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5",
			"1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"},
		{"every day in January", "1998-01-30", "FREQ=DAILY;UNTIL=19990102T140000;BYMONTH=1",
			"1998-01-30 1998-01-31 1999-01-01 1999-01-02"},
		{"every other week", "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=4",
			"1997-09-02 1997-09-16 1997-09-30 1997-10-14"},
		{"every other week on three days", "1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19970920T000000;WKST=SU;BYDAY=MO,WE,FR",
			"1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19"},
		{"first Friday", "1997-09-05", "FREQ=MONTHLY;COUNT=4;BYDAY=1FR",
			"1997-09-05 1997-10-03 1997-11-07 1997-12-05"},
		{"first and last Sunday of every other month", "1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU",
			"1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25"},
		{"second-to-last Monday", "1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
			"1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16"},
		{"third-to-last day", "1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=6",
			"1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26"},
		{"first and last day", "1997-09-30", "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,-1",
			"1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30"},
		{"every 18 months on days 10 to 12", "1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=5;BYMONTHDAY=10,11,12",
			"1997-09-10 1997-09-11 1997-09-12 1999-03-10 1999-03-11"},
		{"annually in June and July", "1997-06-10", "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
			"1997-06-10 1997-07-10 1998-06-10 1998-07-10"},
		{"every third year on days 1, 100 and 200", "1997-01-01", "FREQ=YEARLY;INTERVAL=3;COUNT=7;BYYEARDAY=1,100,200",
			"1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01"},
		{"20th Monday of the year", "1997-05-19", "FREQ=YEARLY;BYDAY=20MO;COUNT=3", "1997-05-19 1998-05-18 1999-05-17"},
		{"Monday of week 20", "1997-05-12", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "1997-05-12 1998-05-11 1999-05-17"},
		{"every Thursday in March", "1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=5",
			"1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12"},
		{"Friday the 13th", "1998-02-13", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=5",
			"1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13"},
		{"Saturday after the first Sunday", "1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=4",
			"1997-09-13 1997-10-11 1997-11-08 1997-12-13"},
		{"election day", "1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
			"1996-11-05 2000-11-07 2004-11-02"},
		{"third of Tuesday to Thursday", "1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
			"1997-09-04 1997-10-07 1997-11-06"},
		{"second-to-last weekday", "1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=7",
			"1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30"},
		{"weeks from Monday", "1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
			"1997-08-05 1997-08-10 1997-08-19 1997-08-24"},
		{"weeks from Sunday", "1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
			"1997-08-05 1997-08-17 1997-08-19 1997-08-31"},
		{"no 30 February", "2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
			"2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkDates(t, Series{StartDate: test.start, StartTime: "09:00", RRule: test.rrule}, test.want)
		})
	}
}

func TestCalendar(t *testing.T) {
	tests := []struct{ name, start, rrule, want string }{
		{"29 February in leap years", "2096-02-29", "FREQ=YEARLY;COUNT=3", "2096-02-29 2104-02-29 2108-02-29"},
		{"end of February", "2027-02-28", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=3", "2027-02-28 2028-02-29 2029-02-28"},
		{"day 366", "2024-12-31", "FREQ=YEARLY;BYYEARDAY=366;COUNT=2", "2024-12-31 2028-12-31"},
		{"last day of the year", "2024-12-31", "FREQ=YEARLY;BYYEARDAY=-1;COUNT=2", "2024-12-31 2025-12-31"},
		{"months without a 31st", "2027-01-31", "FREQ=MONTHLY;COUNT=4", "2027-01-31 2027-03-31 2027-05-31 2027-07-31"},
		{"a fifth Monday", "2027-03-29", "FREQ=MONTHLY;BYDAY=5MO;COUNT=3", "2027-03-29 2027-05-31 2027-08-30"},
		{"all and the first Mondays are all Mondays", "2027-03-01", "FREQ=MONTHLY;BYDAY=1MO,MO;COUNT=3",
			"2027-03-01 2027-03-08 2027-03-15"},
		{"the week of New Year is one week", "2026-12-29", "FREQ=WEEKLY;BYDAY=TU,SA;COUNT=4;INTERVAL=2",
			"2026-12-29 2027-01-02 2027-01-12 2027-01-16"},
		{"week 53", "2026-12-28", "FREQ=YEARLY;BYWEEKNO=53;COUNT=3", "2026-12-28 2032-12-27 2037-12-28"},
		{"week 1 of every second year", "2025-12-29", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;COUNT=3",
			"2025-12-29 2028-01-03 2029-12-31"},
		{"last week's days in the next year", "2011-01-01", "FREQ=YEARLY;BYWEEKNO=52;BYDAY=SA,SU;COUNT=4",
			"2011-01-01 2011-01-02 2011-12-31 2012-01-01"},
		{"days of every month", "2027-04-08", "FREQ=YEARLY;BYMONTHDAY=8;COUNT=2", "2027-04-08 2027-05-08"},
		{"a position counts dates before the first one", "2027-03-17", "FREQ=MONTHLY;BYDAY=WE;BYSETPOS=3,-1;COUNT=3",
			"2027-03-17 2027-03-31 2027-04-21"},
		{"a position named twice", "2027-02-22", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=4,-1;COUNT=3",
			"2027-02-22 2027-03-22 2027-03-29"},
		{"UNTIL without a time holds its day", "2027-03-01", "FREQ=DAILY;UNTIL=20270303", "2027-03-01 2027-03-02 2027-03-03"},
		{"UNTIL at the start of a date holds it", "2027-03-01", "FREQ=DAILY;UNTIL=20270302T090000", "2027-03-01 2027-03-02"},
		{"UNTIL before the start of a date", "2027-03-01", "FREQ=DAILY;UNTIL=20270302T085959", "2027-03-01"},
		{"the last day there is", "2999-12-30", "FREQ=DAILY;UNTIL=29991231", "2999-12-30 2999-12-31"},
		{"the first day there is", "1900-01-01", "FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO;COUNT=3", "1900-01-01 1900-01-07 1900-01-08"},
		{"lower case, spaces and a prefix", "2027-03-01", " rrule:freq=daily;count=2\n", "2027-03-01 2027-03-02"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkDates(t, Series{StartDate: test.start, StartTime: "09:00", RRule: test.rrule}, test.want)
		})
	}
}

func checkDates(t *testing.T, s Series, want string) {
	t.Helper()
	got, err := Expand(s)
	if err != nil {
		t.Fatal(err)
	}
	var days []string
	for _, o := range got {
		days = append(days, o.StartDate)
		if o.StartTime != s.StartTime {
			t.Errorf("%v starts at %s, want %s", o.StartDate, o.StartTime, s.StartTime)
		}
	}
	if !slices.Equal(days, strings.Fields(want)) {
		t.Errorf("got %v, want %s", days, want)
	}
}

// TestTimesStayOnTheWallClock crosses both changes of daylight-saving time of Europe (29 March, 25
// October 2026), also at the times that are skipped and repeated, and expects ends as far from
// starts as on every other night.
func TestTimesStayOnTheWallClock(t *testing.T) {
	spring, autumn := "2026-03-28", "2026-10-24"
	tests := []struct {
		name string
		in   Series
		want []Occurrence
	}{
		{"over the change", Series{StartDate: "2026-03-22", StartTime: "20:00", EndTime: "22:30", RRule: "FREQ=WEEKLY;COUNT=3"},
			[]Occurrence{{"2026-03-22", "20:00", "", "22:30"}, {"2026-03-29", "20:00", "", "22:30"}, {"2026-04-05", "20:00", "", "22:30"}}},
		{"a time that is skipped", Series{StartDate: spring, StartTime: "02:30", EndTime: "03:30", RRule: "FREQ=DAILY;COUNT=3"},
			[]Occurrence{{spring, "02:30", "", "03:30"}, {"2026-03-29", "02:30", "", "03:30"}, {"2026-03-30", "02:30", "", "03:30"}}},
		{"a time that comes twice", Series{StartDate: autumn, StartTime: "02:30", RRule: "FREQ=DAILY;COUNT=2"},
			[]Occurrence{{autumn, "02:30", "", ""}, {"2026-10-25", "02:30", "", ""}}},
		{"a night that is an hour shorter",
			Series{StartDate: "2026-03-21", StartTime: "22:00", EndDate: "2026-03-22", EndTime: "04:00", RRule: "FREQ=WEEKLY;COUNT=2"},
			[]Occurrence{{"2026-03-21", "22:00", "2026-03-22", "04:00"}, {spring, "22:00", "2026-03-29", "04:00"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { checkOccurrences(t, test.in, test.want) })
	}
}

func TestEndsAndLists(t *testing.T) {
	tests := []struct {
		name string
		in   Series
		want []Occurrence
	}{
		{"the first date alone", Series{StartDate: "2026-11-20", StartTime: "20:00"}, []Occurrence{{"2026-11-20", "20:00", "", ""}}},
		{"an end day without a time", Series{StartDate: "2026-11-20", StartTime: "20:00", EndDate: "2026-11-22", RRule: "FREQ=MONTHLY;COUNT=2"},
			[]Occurrence{{"2026-11-20", "20:00", "2026-11-22", ""}, {"2026-12-20", "20:00", "2026-12-22", ""}}},
		{"an end day that is the start day", Series{StartDate: "2026-11-20", AllDay: true, EndDate: "2026-11-20"},
			[]Occurrence{{"2026-11-20", "", "", ""}}},
		{"all-day over several days", Series{StartDate: "2026-12-30", EndDate: "2027-01-02", AllDay: true, RRule: "FREQ=YEARLY;UNTIL=20271230T000000"},
			[]Occurrence{{"2026-12-30", "", "2027-01-02", ""}, {"2027-12-30", "", "2028-01-02", ""}}},
		{"two times a day", Series{StartDate: "2026-11-20", StartTime: "20:30", EndTime: "23:00", RRule: "FREQ=DAILY;BYHOUR=23,20;BYSECOND=0;COUNT=3"},
			[]Occurrence{{"2026-11-20", "20:30", "", "23:00"}, {"2026-11-20", "23:30", "2026-11-21", "02:00"}, {"2026-11-21", "20:30", "", "23:00"}}},
		{"dates added in each form", Series{StartDate: "2026-11-20", StartTime: "20:00", EndTime: "22:00",
			RDate: []string{"2026-11-22T15:00", "2026-11-21", "20261119T230000", "20261122", "2026-11-20T20:00", "2026-11-21T20:00"}},
			[]Occurrence{{"2026-11-19", "23:00", "2026-11-20", "01:00"}, {"2026-11-20", "20:00", "", "22:00"},
				{"2026-11-21", "20:00", "", "22:00"}, {"2026-11-22", "15:00", "", "17:00"}, {"2026-11-22", "20:00", "", "22:00"}}},
		{"COUNT counts what is left out", Series{StartDate: "2026-12-22", StartTime: "20:00", RRule: "FREQ=DAILY;COUNT=4",
			ExDate: []string{"20261224", "2026-12-23T20:00", "2026-12-25T19:00", "2027-01-01"}},
			[]Occurrence{{"2026-12-22", "20:00", "", ""}, {"2026-12-25", "20:00", "", ""}}},
		{"the first date left out", Series{StartDate: "2026-12-22", AllDay: true, RRule: "FREQ=DAILY;COUNT=2", ExDate: []string{"2026-12-22"}},
			[]Occurrence{{"2026-12-23", "", "", ""}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { checkOccurrences(t, test.in, test.want) })
	}
}

func checkOccurrences(t *testing.T, s Series, want []Occurrence) {
	t.Helper()
	got, err := Expand(s)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v\n got %v\nwant %v", err, got, want)
	}
	checkNormalized(t, s, want)
}

func TestNormalize(t *testing.T) {
	tests := []struct{ in, want string }{
		{"count=3;freq=daily", "FREQ=DAILY;COUNT=3"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=MO;COUNT=3", "FREQ=WEEKLY;COUNT=3"},
		{"FREQ=WEEKLY;WKST=SU;INTERVAL=02;COUNT=3;BYDAY=SU,MO,SU", "FREQ=WEEKLY;INTERVAL=2;COUNT=3;WKST=SU;BYDAY=MO,SU"},
		{"FREQ=MONTHLY;UNTIL=20270101;BYDAY=FR,+1MO,-1TU,1MO", "FREQ=MONTHLY;UNTIL=20270101T235900;BYDAY=-1TU,FR,1MO"},
		{"FREQ=MONTHLY;UNTIL=20270101T200059;BYMONTHDAY=31,+1,-1", "FREQ=MONTHLY;UNTIL=20270101T200000;BYMONTHDAY=-1,1,31"},
		{"FREQ=YEARLY;COUNT=1;BYSETPOS=1;BYSECOND=0;BYMINUTE=30;BYHOUR=9;BYMONTH=12,1",
			"FREQ=YEARLY;COUNT=1;BYMONTH=1,12;BYHOUR=9;BYMINUTE=30;BYSETPOS=1"},
	}
	for _, test := range tests {
		got, err := Normalize(Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: test.in})
		if err != nil || got.RRule != test.want {
			t.Errorf("%s: %q, %v; want %q", test.in, got.RRule, err, test.want)
		}
	}
}

func TestNormalizeLists(t *testing.T) {
	allDay := Series{StartDate: "2026-11-20", EndDate: "2026-11-20", AllDay: true, RRule: "FREQ=DAILY;UNTIL=20261224T100000",
		RDate: []string{"20270102", "2027-01-01", "20270101"}, ExDate: []string{"20261212", "2026-12-11", "2026-12-12"}}
	checkStored(t, allDay, Series{StartDate: "2026-11-20", AllDay: true, RRule: "FREQ=DAILY;UNTIL=20261224",
		RDate: []string{"2027-01-01", "2027-01-02"}, ExDate: []string{"2026-12-11", "2026-12-12"}})
	timed := Series{StartDate: "2026-11-20", StartTime: "20:00", EndDate: "2026-11-20", EndTime: "22:00",
		RDate:  []string{"2027-01-02", "20270101T150000", "2027-01-02T20:00"},
		ExDate: []string{"20261212T200000", "2026-12-11T20:00", "2026-12-11", "2026-12-12T20:00"}}
	checkStored(t, timed, Series{StartDate: "2026-11-20", StartTime: "20:00", EndTime: "22:00",
		RDate: []string{"2027-01-01T15:00", "2027-01-02T20:00"}, ExDate: []string{"2026-12-11", "2026-12-12T20:00"}})
}

func checkStored(t *testing.T, s, want Series) {
	t.Helper()
	got, err := Normalize(s)
	if err != nil || !sameSeries(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}
