package filter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/services/query/internal/params"
)

const hourDay = "2006-01-02"

// randomHours returns opening hours, some of them with exceptions for weeks.
func randomHours(r *rand.Rand) (h hours.Hours) {
	clock := func() string { return fmt.Sprintf("%02d:%02d", r.IntN(24), r.IntN(60)) }
	day := func(from, days int) string {
		return time.Date(2026, 11, 1+from+r.IntN(days), 0, 0, 0, 0, time.UTC).Format(hourDay)
	}
	for range r.IntN(5) {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: hours.Weekdays[r.IntN(7)], From: clock(), To: clock()})
	}
	for range r.IntN(3) {
		from := r.IntN(50)
		h.Closed = append(h.Closed, hours.Closed{From: day(from, 1), To: day(from, 25)})
	}
	for range r.IntN(3) {
		h.Special = append(h.Special, hours.Special{Date: day(0, 70), From: clock(), To: clock()})
	}
	h.Normalize()
	return h
}

// openMinutes returns the minutes of the clock at which openings of a day are open, by the rules
// word by word.
func openMinutes(h hours.Hours, day time.Time) (open [hours.DayMinutes]bool) {
	add := func(from, to string) {
		start, _ := time.Parse("15:04", from)
		end, _ := time.Parse("15:04", to)
		at := start.Hour()*60 + start.Minute()
		for first := true; first || at != end.Hour()*60+end.Minute(); first = false {
			open[at] = true
			at = (at + 1) % hours.DayMinutes
		}
	}
	text := day.Format(hourDay)
	special := false
	for _, s := range h.Special {
		if s.Date == text {
			add(s.From, s.To)
			special = true
		}
	}
	if special || slices.ContainsFunc(h.Closed, func(c hours.Closed) bool { return c.From <= text && text <= c.To }) {
		return open
	}
	for _, w := range h.Weekly {
		if (slices.Index(hours.Weekdays, w.Day)+1)%7 == int(day.Weekday()) {
			add(w.From, w.To)
		}
	}
	return open
}

// isOpen reports whether hours are open at one of the minutes on a day of the period and the days.
func isOpen(h hours.Hours, first, last time.Time, days *params.Days, t *params.TimeRange) bool {
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if number := params.DayOf(day); days != nil && (number < days.From || number > days.To) {
			continue
		}
		for minute, open := range openMinutes(h, day) {
			within := t == nil || t.From <= t.To && t.From <= minute && minute <= t.To ||
				t.From > t.To && (minute >= t.From || minute <= t.To)
			if open && within {
				return true
			}
		}
	}
	return false
}

// TestOpeningHoursAreFilteredExactly compares filters with the rules, for all lengths of ranges.
func TestOpeningHoursAreFilteredExactly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 23))
	found := map[string]int{}
	for range 6_000 {
		h := randomHours(r)
		first := time.Date(2026, 11, 1+r.IntN(30), 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 0, r.IntN(80))
		var q params.Query
		if closed := h.Closed; len(closed) > 0 && r.IntN(4) == 0 { // the days at the edges of a closure
			q.On = &params.Days{From: beside(r, closed[0].From), To: beside(r, closed[0].To)}
			if q.On.To < q.On.From {
				q.On.To = q.On.From
			}
		} else if r.IntN(4) > 0 {
			from := time.Date(2026, 10, 25+r.IntN(90), 0, 0, 0, 0, time.UTC)
			q.On = &params.Days{From: params.DayOf(from), To: params.DayOf(from.AddDate(0, 0, r.IntN([]int{1, 3, 14, 31, 60}[r.IntN(5)])))}
		}
		if q.On == nil || r.IntN(2) == 0 {
			q.Time = &params.TimeRange{From: r.IntN(hours.DayMinutes), To: r.IntN(hours.DayMinutes)}
		}
		want := isOpen(h, first, last, q.On, q.Time)
		if q.Time != nil && q.On != nil && dayOf(q.On.To)-dayOf(q.On.From) >= maxTimedDays {
			want = isOpen(h, first, last, q.On, nil) && isOpen(h, first, last, nil, q.Time)
		}
		if got := Simplify(Dates(q, Places{})).Matches(dateWith(t, h, first, last)); got != want {
			filter, _ := Compile(Dates(q, Places{}))
			t.Fatalf("%+v from %s to %s on %v at %v: found %t\n%s", h, first, last, q.On, q.Time, got, filter)
		}
		checkDay(t, q, dateWith(t, h, first, last), params.DayOf(first.AddDate(0, 0, r.IntN(80))))
		found[fmt.Sprint(q.On != nil, q.Time != nil, want)]++
	}
	if len(found) != 6 || slices.Min([]int{found["true true true"], found["true false true"], found["false true true"], found["true true false"]}) < 500 {
		t.Errorf("compared %v", found)
	}
}

// beside returns a day, or the one before or after.
func beside(r *rand.Rand, day string) params.Day {
	at, _ := time.Parse(hourDay, day)
	return params.DayOf(at.AddDate(0, 0, r.IntN(3)-1))
}

// checkDay compares the conditions by which a day is counted with those of a search on this day.
func checkDay(t *testing.T, q params.Query, date attributes, day params.Day) {
	t.Helper()
	q.On = nil
	always := Dates(q, Places{})
	q.On = &params.Days{From: day, To: day}
	want := Simplify(Dates(q, Places{})).Matches(date)
	for name, on := range map[string]Expr{"RunningOn": RunningOn(always, day, q.Time, false), "OpenOn": OpenOn(always, day, q.Time)} {
		if got := on.Matches(date); got != want {
			t.Fatalf("%s %v at %v: found %t, want %t", name, day, q.Time, got, want)
		}
	}
}

// dateWith returns the document of a date with opening hours.
func dateWith(t *testing.T, h hours.Hours, first, last time.Time) (read attributes) {
	t.Helper()
	calendar, err := h.Over(first.Format(hourDay), last.Format(hourDay))
	if err != nil {
		t.Fatal(err)
	}
	date := document.Date{
		StartDay: int(params.DayOf(first)), EndDay: int(params.DayOf(last)), Openings: document.NewOpenings(calendar),
	}
	data, err := json.Marshal(date)
	if err == nil {
		err = json.Unmarshal(data, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestHoursWithoutEnd: a period without an end is open in any later year, and its document stays
// small.
func TestHoursWithoutEnd(t *testing.T) {
	var h hours.Hours
	for _, day := range hours.Weekdays[1:] {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: day, From: "10:00", To: "18:00"})
	}
	for year := 2026; year < 2076; year++ {
		h.Closed = append(h.Closed, hours.Closed{From: fmt.Sprint(year, "-12-24"), To: fmt.Sprint(year, "-12-25")})
	}
	calendar, err := h.Over("2020-03-01", "")
	if err != nil {
		t.Fatal(err)
	}
	openings := document.NewOpenings(calendar)
	data, err := json.Marshal(document.Date{StartDay: 20200301, EndDay: 99991231, Openings: openings})
	var read attributes
	if err == nil {
		err = json.Unmarshal(data, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := len(openings.OpenFrom) + len(openings.OpenTimes) + len(openings.OffDays) + len(openings.ShutDays); n > 200 {
		t.Errorf("%d values", n)
	}
	for text, want := range map[string]bool{
		"on=2026-11-24": true, "on=2026-11-23": false, "on=2026-11-23,2026-11-24": true, "on=2075-12-24": false, "on=2090-12-23": true,
		"on=2026-11-24&time=17,19": true, "on=2026-11-24&time=18,19": false, "on=9999-12-24,9999-12-31": true, "time=3,9": false, "time=3,10": true,
		"on=2000-01-01,2020-02-29": false, "on=2000-01-01,2020-03-03": true,
	} {
		q, err := params.Events.FromURL(text, today)
		if err != nil {
			t.Fatal(err)
		}
		if got := Simplify(Dates(q, Places{})).Matches(read); got != want {
			t.Errorf("%s: found %t", text, got)
		}
	}
}
