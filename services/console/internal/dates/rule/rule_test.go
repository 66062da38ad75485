package rule

import (
	"reflect"
	"testing"
	"time"
)

func day(text string) time.Time {
	moment, _ := momentOf(text)
	return moment
}

// TestFormsAndRules: what people enter becomes a rule, and its stored form becomes what they
// entered.
func TestFormsAndRules(t *testing.T) {
	for _, test := range []struct {
		name, start  string
		form         Form
		rule, stored string
	}{
		{"daily", "2026-12-01T20:00", Form{Every: 1, Unit: Days, Count: 5}, "FREQ=DAILY;COUNT=5", "FREQ=DAILY;COUNT=5"},
		{"every third day", "2026-12-01", Form{Every: 3, Unit: Days, Until: "2027-01-31"},
			"FREQ=DAILY;INTERVAL=3;UNTIL=20270131", "FREQ=DAILY;INTERVAL=3;UNTIL=20270131"},
		{"weekly", "2026-12-01T20:00", Form{Every: 1, Unit: Weeks, Until: "2027-04-27"},
			"FREQ=WEEKLY;UNTIL=20270427", "FREQ=WEEKLY;UNTIL=20270427T235900"},
		{"every second week on days", "2026-12-01T20:00",
			Form{Every: 2, Unit: Weeks, Weekdays: []time.Weekday{time.Tuesday, time.Sunday}, Count: 12},
			"FREQ=WEEKLY;INTERVAL=2;COUNT=12;BYDAY=TU,SU", "FREQ=WEEKLY;INTERVAL=2;COUNT=12;BYDAY=TU,SU"},
		{"monthly", "2026-12-20", Form{Every: 1, Unit: Months, Count: 3}, "FREQ=MONTHLY;COUNT=3", "FREQ=MONTHLY;COUNT=3"},
		{"the third Friday", "2026-12-18", Form{Every: 1, Unit: Months, Nth: 3, Weekday: time.Friday, Count: 3},
			"FREQ=MONTHLY;COUNT=3;BYDAY=3FR", "FREQ=MONTHLY;COUNT=3;BYDAY=3FR"},
		{"the last Sunday", "2026-12-27", Form{Every: 2, Unit: Months, Nth: Last, Weekday: time.Sunday, Until: "2028-01-01"},
			"FREQ=MONTHLY;INTERVAL=2;UNTIL=20280101;BYDAY=-1SU", "FREQ=MONTHLY;INTERVAL=2;UNTIL=20280101;BYDAY=-1SU"},
		{"yearly", "2026-12-20", Form{Every: 1, Unit: Years, Count: 3}, "FREQ=YEARLY;COUNT=3", "FREQ=YEARLY;COUNT=3"},
		{"yearly on a weekday", "2026-11-20", Form{Every: 1, Unit: Years, Nth: 3, Weekday: time.Friday, Count: 3},
			"FREQ=YEARLY;COUNT=3;BYDAY=3FR;BYMONTH=11", "FREQ=YEARLY;COUNT=3;BYDAY=3FR;BYMONTH=11"},
	} {
		if got := test.form.RRule(day(test.start)); got != test.rule {
			t.Errorf("%s: the rule is %s, want %s", test.name, got, test.rule)
		}
		got, known := Parse(test.stored, day(test.start))
		if !known || !reflect.DeepEqual(got, test.form) {
			t.Errorf("%s: the form is %+v, %t, want %+v", test.name, got, known, test.form)
		}
	}
}

func TestOtherWordsForAForm(t *testing.T) {
	for _, test := range []struct{ rule, start, same string }{
		{"FREQ=MONTHLY;COUNT=3;BYDAY=FR;BYSETPOS=3", "2026-12-18", "FREQ=MONTHLY;COUNT=3;BYDAY=3FR"},
		{"FREQ=MONTHLY;COUNT=3;BYMONTHDAY=18", "2026-12-18", "FREQ=MONTHLY;COUNT=3"},
		{"FREQ=YEARLY;COUNT=3;BYMONTH=12;BYMONTHDAY=18", "2026-12-18", "FREQ=YEARLY;COUNT=3"},
		{"RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=SU,MO", "2026-12-20", "FREQ=WEEKLY;COUNT=3;BYDAY=MO,SU"},
		{"FREQ=DAILY;UNTIL=20270131T120000", "2026-12-18T20:00", "FREQ=DAILY;UNTIL=20270130"},
	} {
		form, known := Parse(test.rule, day(test.start))
		if got := form.RRule(day(test.start)); !known || got != test.same {
			t.Errorf("%s: %s, %t, want %s", test.rule, got, known, test.same)
		}
	}
}

// TestRulesThatNoFormSays are shown as they are, never as another rule.
func TestRulesThatNoFormSays(t *testing.T) {
	for _, rule := range []string{
		"", "FREQ=HOURLY;COUNT=3", "FREQ=DAILY", "FREQ=DAILY;COUNT=3;BYHOUR=10,20", "FREQ=DAILY;COUNT=3;BYDAY=MO",
		"FREQ=WEEKLY;INTERVAL=2;COUNT=3;WKST=SU", "FREQ=MONTHLY;COUNT=3;BYDAY=1FR,3FR", "FREQ=MONTHLY;COUNT=3;BYDAY=FR",
		"FREQ=MONTHLY;COUNT=3;BYMONTHDAY=1", "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=1,15", "FREQ=MONTHLY;COUNT=3;BYDAY=FR;BYMONTHDAY=13",
		"FREQ=MONTHLY;COUNT=3;BYDAY=-2FR", "FREQ=YEARLY;COUNT=3;BYDAY=20FR", "FREQ=YEARLY;COUNT=3;BYDAY=3FR;BYMONTH=5",
		"FREQ=YEARLY;COUNT=3;BYWEEKNO=20", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;UNTIL=tomorrow", "FREQ=WEEKLY;COUNT=3;BYDAY=XX",
		"FREQ=MONTHLY;COUNT=3;BYDAY=F", "FREQ=DAILY;COUNT=3;UNTIL=20270101",
	} {
		if form, known := Parse(rule, day("2026-12-13T20:00")); known {
			t.Errorf("%s: %+v", rule, form)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, test := range []struct {
		form       Form
		from, want string
	}{
		{Form{Unit: Days}, "2026-12-02", "2026-12-02"},
		{Form{Unit: Weeks}, "2026-12-02", "2026-12-02"},
		{Form{Unit: Weeks, Weekdays: []time.Weekday{time.Tuesday}}, "2026-12-02", "2026-12-08"},
		{Form{Unit: Months, Nth: 3, Weekday: time.Friday}, "2026-12-19", "2027-01-15"},
		{Form{Unit: Months, Nth: Last, Weekday: time.Thursday}, "2026-12-01", "2026-12-31"},
		{Form{Unit: Years, Nth: 3, Weekday: time.Friday}, "2026-11-21", "2027-11-19"},
		{Form{Unit: Years, Nth: 5, Weekday: time.Monday}, "2027-02-01", "2044-02-29"},
	} {
		got, found := test.form.First(day(test.from))
		if !found || got.Format(time.DateOnly) != test.want {
			t.Errorf("%+v from %s: %s, %t, want %s", test.form, test.from, got.Format(time.DateOnly), found, test.want)
		}
	}
}
