package hours

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// random returns hours with exceptions in November and December 2026; many have little else.
func random(r *rand.Rand) (h Hours) {
	clock := func() string { return fmt.Sprintf("%02d:%02d", r.IntN(24), 15*r.IntN(4)) }
	day := func(from, days int) string {
		return time.Date(2026, 11, 1+from+r.IntN(days), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	for range r.IntN(5) {
		h.Weekly = append(h.Weekly, Weekly{Day: Weekdays[r.IntN(7)], From: clock(), To: clock()})
	}
	for range r.IntN(4) {
		from := r.IntN(50)
		h.Closed = append(h.Closed, Closed{From: day(from, 1), To: day(from, 20)})
	}
	for range r.IntN(4) {
		h.Special = append(h.Special, Special{Date: day(0, 60), From: clock(), To: clock()})
	}
	return h
}

// opens is the rule, word by word: a special day beats a closed one, and both beat the week.
func opens(h Hours, first, last string, day Day) bool {
	text := day.String()
	switch {
	case text < first || last != "" && text > last:
		return false
	case slices.ContainsFunc(h.Special, func(s Special) bool { return s.Date == text }):
		return true
	case slices.ContainsFunc(h.Closed, func(c Closed) bool { return c.From <= text && text <= c.To }):
		return false
	default:
		weekday := Weekdays[(int(day.Time().Weekday())+6)%7]
		return slices.ContainsFunc(h.Weekly, func(w Weekly) bool { return w.Day == weekday })
	}
}

func TestCalendar(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 23))
	for range 3_000 {
		h := random(r)
		first, last := time.Date(2026, 11, r.IntN(30), 0, 0, 0, 0, time.UTC), ""
		if r.IntN(4) > 0 {
			last = first.AddDate(0, 0, r.IntN(60)).Format(time.DateOnly)
		}
		c, err := h.Over(first.Format(time.DateOnly), last)
		if err != nil {
			t.Fatal(err)
		}
		from := DayOf(first) - 3
		var open []Day
		for day := from; day < from+120; day++ {
			is := opens(h, first.Format(time.DateOnly), last, day)
			if got := len(c.On(day)) > 0; got != is {
				t.Fatalf("%+v from %s to %q: %s is open: %t", h, first, last, day, got)
			}
			if is {
				open = append(open, day)
			}
		}
		checkNeighbours(t, c, open, from, from+110)
		checkGaps(t, c, open, from+110)
	}
}

// checkNeighbours compares the next and previous open days of a window.
func checkNeighbours(t *testing.T, c Calendar, open []Day, from, to Day) {
	t.Helper()
	for day := from; day < to; day++ {
		at, _ := slices.BinarySearch(open, day)
		next, ok := c.Next(day)
		if at < len(open) && (!ok || next != open[at]) || at == len(open) && ok && next < to {
			t.Fatalf("%+v: after %s comes %s (%t), not %v", c, day, next, ok, open)
		}
		at, _ = slices.BinarySearch(open, day+1)
		previous, ok := c.Previous(day)
		if ok != (at > 0) || ok && previous != open[at-1] {
			t.Fatalf("%+v: before %s comes %s (%t), not %v", c, day, previous, ok, open)
		}
	}
}

func checkGaps(t *testing.T, c Calendar, open []Day, to Day) {
	t.Helper()
	var want [][2]Day
	for i := 1; i < len(open); i++ {
		if open[i]-open[i-1] > 7 {
			want = append(want, [2]Day{open[i-1] + 1, open[i] - 1})
		}
	}
	got := slices.DeleteFunc(c.Gaps(7), func(gap [2]Day) bool { return gap[1] >= to })
	want = slices.DeleteFunc(want, func(gap [2]Day) bool { return gap[1] >= to })
	if !slices.Equal(got, want) {
		t.Fatalf("%+v: gaps %v, want %v", c, got, want)
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		weekday, number int
	}{"0001-01-01": {0, 10101}, "2026-11-22": {6, 20261122}, "2028-02-29": {1, 20280229}, Forever.String(): {4, 99991231}} {
		day, err := ParseDay(text)
		if err != nil || day.Weekday() != want.weekday || day.Number() != want.number || day.String() != text {
			t.Errorf("%s: %d, weekday %d, %d: %v", text, day, day.Weekday(), day.Number(), err)
		}
	}
	if day, _ := ParseDay("0000-05-01"); day != 0 {
		t.Errorf("a day before all others is %d", day)
	}
}

func TestHoursInJSON(t *testing.T) {
	t.Parallel()
	h := Hours{Closed: []Closed{{From: "2026-12-24"}}, Weekly: []Weekly{{"tue", "14:00", "18:00"}, {"mon", "10:00", "12:00"}}}
	h.Normalize()
	data, err := json.Marshal(map[string]Hours{"a": h, "b": {}})
	const want = `{"a":{"weekly":[{"day":"mon","from":"10:00","to":"12:00"},{"day":"tue","from":"14:00","to":"18:00"}],` +
		`"closed":[{"from":"2026-12-24","to":"2026-12-24","note":null}],"special":[]},"b":null}`
	if err != nil || string(data) != want {
		t.Errorf("%s: %v", data, err)
	}
	read := map[string]Hours{}
	if err := json.Unmarshal(data, &read); err != nil || !read["b"].Empty() || len(read["a"].Weekly) != 2 {
		t.Errorf("%+v: %v", read, err)
	}
}
