package recurrence

import (
	"testing"

	"litfass/pkg/chassis/fault"
)

func TestSplit(t *testing.T) {
	weekly := Series{StartDate: "2026-11-03", StartTime: "20:00", EndDate: "2026-11-04", EndTime: "01:00"}
	with := func(start, end, rrule string, rdate, exdate []string) Series {
		s := weekly
		s.StartDate, s.EndDate, s.RRule, s.RDate, s.ExDate = start, end, rrule, rdate, exdate
		return s
	}
	first := func(rrule string, rdate, exdate []string) Series {
		return with("2026-11-03", "2026-11-04", rrule, rdate, exdate)
	}
	afterRDate := with("2026-12-01", "2026-12-02", "", []string{"2026-12-05T20:00"}, nil)
	tests := []struct {
		name              string
		in                Series
		at                string
		before, following Series
	}{
		{"a rule with COUNT", first("FREQ=WEEKLY;COUNT=10", nil, nil), "2026-11-24T20:00",
			first("FREQ=WEEKLY;UNTIL=20261117T235900", nil, nil), with("2026-11-24", "2026-11-25", "FREQ=WEEKLY;COUNT=7", nil, nil)},
		{"a rule with UNTIL", first("FREQ=WEEKLY;INTERVAL=2;UNTIL=20270101T200000", nil, nil), "2026-11-17T20:00",
			first("FREQ=WEEKLY;INTERVAL=2;UNTIL=20261103T235900", nil, nil),
			with("2026-11-17", "2026-11-18", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270101T200000", nil, nil)},
		{"lists", first("FREQ=WEEKLY;COUNT=4", []string{"2026-11-05", "2026-11-19"}, []string{"2026-11-10", "2026-11-24"}), "2026-11-17T20:00",
			first("FREQ=WEEKLY;UNTIL=20261110T235900", []string{"2026-11-05T20:00"}, []string{"2026-11-10"}),
			with("2026-11-17", "2026-11-18", "FREQ=WEEKLY;COUNT=2", []string{"2026-11-19T20:00"}, []string{"2026-11-24"})},
		{"at a day without a date", first("FREQ=WEEKLY;COUNT=2", nil, nil), "2026-11-04",
			first("FREQ=WEEKLY;UNTIL=20261103T235900", nil, nil), with("2026-11-10", "2026-11-11", "FREQ=WEEKLY;COUNT=1", nil, nil)},
		{"after the rule's end", first("FREQ=WEEKLY;COUNT=2", []string{"2026-12-01", "2026-12-05"}, nil), "2026-12-01T20:00",
			first("FREQ=WEEKLY;UNTIL=20261110T235900", nil, nil), afterRDate},
		{"at the first date", first("FREQ=WEEKLY;COUNT=2", nil, nil), "2026-11-03T20:00", Series{}, first("FREQ=WEEKLY;COUNT=2", nil, nil)},
		{"after the last date", first("FREQ=WEEKLY;COUNT=2", nil, nil), "2026-11-11",
			first("FREQ=WEEKLY;UNTIL=20261110T235900", nil, nil), Series{}},
		{"in a whole day left out", first("FREQ=DAILY;BYHOUR=15,20;COUNT=6", nil, []string{"2026-11-04"}), "2026-11-04T18:00",
			first("FREQ=DAILY;UNTIL=20261104T150000;BYHOUR=15,20", nil, []string{"2026-11-04"}),
			with("2026-11-04", "2026-11-05", "FREQ=DAILY;COUNT=4;BYHOUR=15,20", nil, []string{"2026-11-04"})},
		{"between two times of a day", first("FREQ=DAILY;BYHOUR=15,20;COUNT=4", nil, nil), "2026-11-04T20:00",
			first("FREQ=DAILY;UNTIL=20261104T150000;BYHOUR=15,20", nil, nil),
			with("2026-11-04", "2026-11-05", "FREQ=DAILY;COUNT=2;BYHOUR=15,20", nil, nil)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, following, err := Split(test.in, test.at)
			if err != nil || !sameSeries(before, test.before) || !sameSeries(following, test.following) {
				t.Errorf("%v\n got %+v\n and %+v\nwant %+v\n and %+v", err, before, following, test.before, test.following)
			}
		})
	}
}

// TestSplitThenMovedInTime moves both sides of a divided rule to another time of day: no date is
// lost.
func TestSplitThenMovedInTime(t *testing.T) {
	before, after, err := Split(Series{StartDate: "2026-11-03", StartTime: "20:00", RRule: "FREQ=WEEKLY;COUNT=6"}, "2026-11-17T20:00")
	if err != nil {
		t.Fatal(err)
	}
	before.StartTime, after.StartTime = "21:30", "19:00"
	checkDates(t, before, "2026-11-03 2026-11-10")
	checkDates(t, after, "2026-11-17 2026-11-24 2026-12-01 2026-12-08")
}

func TestSplitRefuses(t *testing.T) {
	s := Series{StartDate: "2026-11-03", StartTime: "20:00", RRule: "FREQ=WEEKLY;COUNT=6"}
	for _, at := range []string{"", "tomorrow", "2026-11-17T20:00:00"} {
		_, _, err := Split(s, at)
		checkFields(t, err, "recurrence_id")
	}
	s.RRule = "FREQ=WEEKLY;COUNT=6;BYDAY=MO"
	_, _, err := Split(s, "2026-11-17")
	checkFields(t, err, "start_date")
	s.RRule = "FREQ=WEEKLY"
	_, _, err = Split(s, "")
	checkFields(t, err, "rrule", "recurrence_id")
}

func checkFields(t *testing.T, err error, want ...string) {
	t.Helper()
	violations := fault.Of(err).Violations
	if len(violations) != len(want) {
		t.Fatalf("got %v, want violations of %v", err, want)
	}
	for i, violation := range violations {
		if violation.Field != want[i] {
			t.Errorf("got %v, want violations of %v", err, want)
		}
	}
}
