package recurrence

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

// randomCase is a series with a random rule, and its dates according to the oracle.
type randomCase struct {
	series Series
	want   []time.Time // the rule's dates; empty when no date near the first one fits it
}

func (c randomCase) moments() []string {
	var list []string
	for _, t := range c.want {
		list = append(list, c.id(t))
	}
	return list
}

func (c randomCase) id(t time.Time) string {
	if c.series.AllDay {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02T15:04")
}

// newRandomCase starts the series on the first date near a random day that fits the rule. Where
// none does, the series starts on the random day and want is empty.
func newRandomCase(r *rand.Rand) randomCase {
	o := randomRule(r)
	allDay := len(o.hours)+len(o.minutes) == 0 && r.IntN(3) == 0
	base := time.Date(1995+r.IntN(40), time.Month(1+r.IntN(12)), 1+r.IntN(31), 0, 0, 0, 0, time.UTC)
	if !allDay {
		base = base.Add(time.Duration(r.IntN(24*60)) * time.Minute)
	}
	count := o.count
	o.count, o.until = 1, base.AddDate(6, 0, 0)
	start := base
	near := o.expand(base, o.until)
	if len(near) > 0 {
		start = near[0]
	}
	o.count, o.until = count, start.AddDate(r.IntN(6), r.IntN(12), r.IntN(31))
	horizon := start.AddDate(8, 0, 0)
	want := o.expand(start, horizon)
	if o.count > len(want) {
		o.count, o.until = 0, horizon
		want = o.expand(start, horizon)
	}
	s := Series{StartDate: start.Format("2006-01-02"), AllDay: allDay, RRule: o.text(r, allDay)}
	if !allDay {
		s.StartTime = start.Format("15:04")
	}
	if len(near) == 0 {
		want = nil
	}
	return randomCase{series: s, want: want}
}

func randomRule(r *rand.Rand) *oracle {
	o := &oracle{freq: []string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[r.IntN(4)], interval: 1, weekStart: time.Monday}
	if r.IntN(2) == 0 {
		o.interval = 1 + r.IntN(5)
	}
	if r.IntN(2) == 0 {
		o.weekStart = time.Weekday(r.IntN(7))
	}
	if r.IntN(2) == 0 {
		o.count = 1 + r.IntN(60)
	}
	annual, ordinals := o.freq == "YEARLY", o.freq == "YEARLY" || o.freq == "MONTHLY"
	o.months = randomList(r, 3, 1, 12, false)
	if o.freq != "WEEKLY" {
		o.monthDays = randomList(r, 4, 1, 31, true)
	}
	if annual {
		o.yearDays = randomList(r, 6, 1, 366, true)
		o.weekNos = randomList(r, 4, 1, 53, true)
	}
	for range r.IntN(2) * (1 + r.IntN(4)) {
		w := oracleWeekday{weekday: time.Weekday(r.IntN(7))}
		if ordinals && len(o.weekNos) == 0 && r.IntN(2) == 0 {
			w.nth = randomSign(r) * (1 + r.IntN(5))
			if annual && r.IntN(4) == 0 {
				w.nth *= 10
			}
		}
		o.weekdays = append(o.weekdays, w)
	}
	o.hours, o.minutes = randomList(r, 8, 0, 23, false), randomList(r, 12, 0, 59, false)
	if len(o.months)+len(o.monthDays)+len(o.yearDays)+len(o.weekNos)+len(o.weekdays)+len(o.hours)+len(o.minutes) > 0 {
		o.positions = randomList(r, 4, 1, 6, true)
	}
	return o
}

// randomList returns a short list in one of so many cases, else none.
func randomList(r *rand.Rand, oneOf, low, high int, negative bool) []int {
	if r.IntN(oneOf) != 0 {
		return nil
	}
	var list []int
	for range 1 + r.IntN(4) {
		n := low + r.IntN(high-low+1)
		if negative {
			n *= randomSign(r)
		}
		list = append(list, n)
	}
	return list
}

func randomSign(r *rand.Rand) int { return 1 - 2*r.IntN(2) }

func TestExpandAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 1))
	fitting, byFrequency := 0, map[string]int{}
	for range 3_000 {
		c := newRandomCase(r)
		got, err := Expand(c.series)
		switch {
		case len(c.want) == 0:
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("%+v: %v, %v; want a refusal", c.series, got, err)
			}
		case len(c.want) > MaxDates:
			checkViolation(t, c.series, "rrule", "means more than 1000 dates")
		case err != nil:
			t.Fatalf("%+v: %v; want %v", c.series, err, c.moments())
		case !slices.Equal(ids(got), c.moments()):
			t.Fatalf("%+v:\n got %v\nwant %v", c.series, ids(got), c.moments())
		default:
			fitting++
			byFrequency[parseRule(c.series.RRule, c.series.AllDay, &fault.Violations{}).frequency]++
		}
	}
	if fitting < 2_000 || len(byFrequency) != 4 {
		t.Fatalf("only %d rules had dates to compare: %v", fitting, byFrequency)
	}
	t.Logf("%d rules with dates: %v", fitting, byFrequency)
}

// TestRefusedStartNamesTheNextDate moves the start to where the rule does not name it.
func TestRefusedStartNamesTheNextDate(t *testing.T) {
	tests := []struct{ start, clock, rrule, field, reason string }{
		{"2026-11-20", "20:00", "FREQ=WEEKLY;BYDAY=TU;COUNT=3", "start_date",
			"does not fit the rrule, which next names 2026-11-24T20:00"},
		{"2026-11-20", "20:00", "FREQ=DAILY;BYHOUR=15,21;COUNT=3", "start_time",
			"does not fit the rrule, which next names 2026-11-20T21:00"},
		{"2026-11-20", "20:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3", "start_date",
			"does not fit the rrule, which next names 2028-02-29T20:00"},
		{"2026-11-20", "20:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", "start_date",
			"does not fit the rrule, which next names 2026-11-30T20:00"},
	}
	for _, test := range tests {
		checkViolation(t, Series{StartDate: test.start, StartTime: test.clock, RRule: test.rrule}, test.field, test.reason)
	}
}

// TestListsAddAndLeaveOut compares RDATE and EXDATE with plain set operations on the oracle's
// dates.
func TestListsAddAndLeaveOut(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 2))
	compared := 0
	for range 600 {
		c := newRandomCase(r)
		if len(c.want) == 0 || len(c.want) > 500 {
			continue
		}
		want := c.moments()
		for range r.IntN(4) {
			added := c.id(c.want[0].AddDate(0, 0, r.IntN(800)-100).Add(time.Duration(r.IntN(2)) * time.Hour))
			c.series.RDate = append(c.series.RDate, added)
			want = append(want, added)
		}
		for range r.IntN(4) {
			out := want[r.IntN(len(want))]
			c.series.ExDate = append(c.series.ExDate, out)
		}
		if r.IntN(4) == 0 {
			c.series.ExDate = append(c.series.ExDate, want[r.IntN(len(want))][:len("2006-01-02")])
		}
		want = slices.DeleteFunc(want, func(id string) bool {
			return slices.Contains(c.series.ExDate, id) || slices.Contains(c.series.ExDate, id[:len("2006-01-02")])
		})
		slices.Sort(want)
		want = slices.Compact(want)
		if len(want) == 0 {
			checkViolation(t, c.series, "exdate", "leaves no date")
			continue
		}
		got, err := Expand(c.series)
		if err != nil || !slices.Equal(ids(got), want) {
			t.Fatalf("%+v: %v\n got %v\nwant %v", c.series, err, ids(got), want)
		}
		compared++
		checkNormalized(t, c.series, got)
	}
	if compared < 300 {
		t.Fatalf("only %d series had dates to compare", compared)
	}
}

// checkNormalized checks that the stored form means the same dates and is its own stored form.
func checkNormalized(t *testing.T, s Series, want []Occurrence) {
	t.Helper()
	stored, err := Normalize(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	got, err := Expand(stored)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v as %+v: %v\n got %v\nwant %v", s, stored, err, got, want)
	}
	again, err := Normalize(stored)
	if err != nil || !sameSeries(again, stored) {
		t.Fatalf("%+v is stored as %+v and then as %+v, %v", s, stored, again, err)
	}
}

func sameSeries(a, b Series) bool {
	same := slices.Equal(a.RDate, b.RDate) && slices.Equal(a.ExDate, b.ExDate)
	return same && a.StartDate == b.StartDate && a.StartTime == b.StartTime && a.EndDate == b.EndDate &&
		a.EndTime == b.EndTime && a.AllDay == b.AllDay && a.RRule == b.RRule
}

// TestSplitKeepsTheDates divides random series at random moments: both sides together mean the same
// dates.
func TestSplitKeepsTheDates(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 3))
	bothSides := 0
	for range 900 {
		c := newRandomCase(r)
		if len(c.want) == 0 || len(c.want) > 300 {
			continue
		}
		for range r.IntN(3) {
			day := c.want[0].AddDate(0, 0, r.IntN(800)-100).Add(time.Duration(r.IntN(2)) * time.Hour)
			c.series.RDate = append(c.series.RDate, c.id(day))
			c.series.ExDate = append(c.series.ExDate, c.id(c.want[r.IntN(len(c.want))]))
		}
		if !c.series.AllDay && r.IntN(2) == 0 {
			end := c.want[0].Add(time.Duration(r.IntN(400)) * time.Minute)
			c.series.EndDate, c.series.EndTime = end.Format("2006-01-02"), end.Format("15:04")
		}
		whole, err := Expand(c.series)
		if err != nil {
			continue // everything is left out
		}
		at := whole[r.IntN(len(whole))].ID()
		if r.IntN(3) == 0 {
			at = c.id(c.want[0].AddDate(0, 0, r.IntN(800)-100))
		}
		if checkSplit(t, c.series, at, whole) {
			bothSides++
		}
	}
	if bothSides < 400 {
		t.Fatalf("only %d series were divided", bothSides)
	}
}

// checkSplit reports whether both sides have dates.
func checkSplit(t *testing.T, s Series, at string, whole []Occurrence) bool {
	t.Helper()
	before, after, err := Split(s, at)
	if err != nil {
		t.Fatalf("%+v at %s: %v", s, at, err)
	}
	border := 0
	for border < len(whole) && whole[border].ID() < at {
		border++
	}
	checkSide(t, s, at, before, whole[:border])
	checkSide(t, s, at, after, whole[border:])
	return border > 0 && border < len(whole)
}

func checkSide(t *testing.T, s Series, at string, side Series, want []Occurrence) {
	t.Helper()
	if len(want) == 0 {
		if side.StartDate != "" {
			t.Fatalf("%+v at %s has the side %+v; want none", s, at, side)
		}
		return
	}
	got, err := Expand(side)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v at %s has the side %+v: %v\n got %v\nwant %v", s, at, side, err, got, want)
	}
}

func ids(list []Occurrence) []string {
	var ids []string
	for _, o := range list {
		ids = append(ids, o.ID())
	}
	return ids
}

// checkViolation checks that the series is refused for exactly one field and reason.
func checkViolation(t *testing.T, s Series, field, reason string) {
	t.Helper()
	got, err := Expand(s)
	if err == nil || !fault.Is(err, fault.Invalid) || len(fault.Of(err).Violations) != 1 ||
		fault.Of(err).Violations[0].Field != field || fault.Of(err).Violations[0].Reason != reason {
		t.Errorf("%+v: %v, %v; want %s %s", s, got, err, field, reason)
	}
}
