package feed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// randomHours returns opening hours with exceptions at random in the winter of 2026.
func randomHours(r *rand.Rand) (h hours.Hours) {
	times := [][2]string{{"10:00", "18:00"}, {"09:30", "12:00"}, {"22:00", "03:00"}}
	day := func() string { return time.Date(2026, 11, 1+r.IntN(100), 0, 0, 0, 0, time.UTC).Format(dayLayout) }
	for range 1 + r.IntN(6) {
		at := times[r.IntN(3)]
		h.Weekly = append(h.Weekly, hours.Weekly{Day: hours.Weekdays[r.IntN(7)], From: at[0], To: at[1]})
	}
	for range r.IntN(3) {
		from := day()
		closed, _ := hours.ParseDay(from)
		h.Closed = append(h.Closed, hours.Closed{From: from, To: (closed + hours.Day(r.IntN(20))).String()})
	}
	for range r.IntN(4) {
		at := times[r.IntN(3)]
		h.Special = append(h.Special, hours.Special{Date: day(), From: at[0], To: at[1]})
	}
	h.Normalize()
	h.Weekly = slices.Compact(h.Weekly)
	h.Special = slices.Compact(h.Special)
	return h
}

// TestCalendarsHaveEveryOpening: another library expands the series to exactly the openings of the
// days, also over changes of the clock.
func TestCalendarsHaveEveryOpening(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 23))
	zone := berlin(t)
	expanded := 0
	for range 300 {
		h := randomHours(r)
		item := changed("1", func(i *Item) {
			i.AllDay, i.StartTime, i.EndTime, i.Hours = true, "00:00", "", h
			i.StartDate = time.Date(2026, 10, r.IntN(60), 0, 0, 0, 0, time.UTC).Format(dayLayout)
			if i.EndDate = ""; r.IntN(3) > 0 {
				i.EndDate = value.Text(time.Date(2027, 1, r.IntN(150), 0, 0, 0, 0, time.UTC).Format(dayLayout))
			}
		})
		calendar, err := h.Over(item.StartDate, string(item.EndDate))
		if err != nil {
			t.Fatal(err)
		}
		first, _ := hours.ParseDay("2026-09-01")
		var want []string
		for day := first; day < first+300; day++ {
			for _, opening := range calendar.On(day) {
				start, end := block{Opening: opening}.on(day, zone)
				want = append(want, fmt.Sprint(start.UTC(), end.Sub(start)))
			}
		}
		got := openingsIn(t, item, first.Time(), zone)
		slices.Sort(want)
		if !slices.Equal(got, slices.Compact(want)) {
			t.Fatalf("%+v from %s to %s:\n got %s\nwant %s", h, item.StartDate, item.EndDate, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		expanded += len(got)
	}
	if expanded < 5_000 {
		t.Errorf("only %d openings", expanded)
	}
}

// openingsIn returns the openings of 300 days in the calendar of an item, as its reader expands it.
func openingsIn(t *testing.T, item Item, from time.Time, zone *time.Location) (openings []string) {
	t.Helper()
	_, calendar := calendarOf(t, item)
	for _, event := range calendar.Events() {
		start, err := event.DateTimeStart(zone)
		if err != nil {
			t.Fatal(err)
		}
		end, err := event.DateTimeEnd(zone)
		if err != nil {
			t.Fatal(err)
		}
		set, err := event.RecurrenceSet(zone)
		if err != nil {
			t.Fatal(err)
		}
		starts := []time.Time{start}
		if set != nil {
			starts = set.Between(from.Add(-24*time.Hour), from.AddDate(0, 0, 300).Add(-2*time.Hour), true)
		}
		for _, further := range event.Props.Values("RDATE") { // which RecurrenceSet leaves out
			at, err := further.DateTime(zone)
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, at)
		}
		for _, at := range starts {
			local := at.In(zone)
			wall := time.Date(local.Year(), local.Month(), local.Day(), end.In(zone).Hour(), end.In(zone).Minute(), 0, 0, zone)
			if !wall.After(local) {
				wall = wall.AddDate(0, 0, 1)
			}
			openings = append(openings, fmt.Sprint(at.UTC(), wall.Sub(at)))
		}
	}
	slices.Sort(openings)
	return openings
}

// TestSchedulesOfSchemaOrg: the weekly openings with their exceptions, then the special ones.
func TestSchedulesOfSchemaOrg(t *testing.T) {
	item := changed("1", func(i *Item) {
		i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime, i.Hours = true, "2026-12-01", "00:00", "2027-01-31", "", museum()
	})
	items, err := feedOf(t, item).timed()
	if err != nil {
		t.Fatal(err)
	}
	list := items[0].schedules()
	if len(list) != 4 {
		t.Fatalf("%+v", list)
	}
	day, evening, single := list[1], list[3], list[0]
	if len(day.Days) != 6 || day.Days[0] != "https://schema.org/Tuesday" || day.StartTime != "10:00" || day.EndTime != "18:00" ||
		day.StartDate != "2026-12-01" || day.EndDate != "2027-01-31" || day.Frequency != "P1W" || day.Zone != "Europe/Berlin" ||
		!slices.Equal(day.Except, []string{"2026-12-24", "2026-12-31"}) {
		t.Errorf("weekly %+v", day)
	}
	if !slices.Equal(evening.Days, []string{"https://schema.org/Thursday"}) || evening.StartTime != "19:00" {
		t.Errorf("in the evening %+v", evening)
	}
	if single.StartDate != "2026-12-31" || single.EndDate != "2026-12-31" || single.EndTime != "14:00" || single.Days != nil {
		t.Errorf("a special day %+v", single)
	}
}

// mostHours are as many openings and exceptions as hours may have.
func mostHours() (h hours.Hours) {
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }
	day := func(n int) string { return time.Date(2027, 1, 1+n, 0, 0, 0, 0, time.UTC).Format(dayLayout) }
	for i := range 50 {
		from := i/7*170 + i%7
		h.Weekly = append(h.Weekly, hours.Weekly{Day: hours.Weekdays[i%7], From: clock(from), To: clock(from + 100)})
	}
	for i := range 100 {
		h.Closed = append(h.Closed, hours.Closed{From: day(20 * i), To: day(20*i + 9)})
	}
	for i := range 200 {
		h.Special = append(h.Special, hours.Special{Date: day(7*i + 3), From: clock(61 * i), To: "23:59"})
	}
	h.Normalize()
	return h
}

// TestOpeningsOfAFeedAreBounded: a feed of a thousand museums has all of their openings. One of
// dates with the longest hours has periods in their place, and those of others beside them.
func TestOpeningsOfAFeedAreBounded(t *testing.T) {
	dates := func(count int, h hours.Hours) (items []Item) {
		for n := range count {
			items = append(items, changed("1", func(i *Item) {
				i.DateUUID, i.AllDay, i.StartTime, i.EndTime, i.Hours = fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", n), true, "00:00", "", h
				i.StartDate, i.EndDate = "2026-11-01", "2032-12-31"
			}))
		}
		return items
	}
	for name, c := range map[string]struct {
		items             []Item
		series, scheduled int // in the calendar, and dates with a schedule in JSON-LD
	}{
		"museums": {dates(1000, museum()), 3000, 1000}, "one with the longest": {dates(1, mostHours()), 250, 1},
		"many with the longest": {append(dates(200, mostHours()), dates(1, museum())...), 3, 1},
	} {
		calendar, err := ICS(feedOf(t, c.items...))
		linked, linkErr := JSONLD(feedOf(t, c.items...))
		if err != nil || linkErr != nil || max(len(calendar), len(linked)) > openingBytes {
			t.Errorf("%s: %d and %d bytes, %v, %v", name, len(calendar), len(linked), err, linkErr)
		}
		series := strings.Count(string(calendar), "\r\nUID:") - strings.Count(string(calendar), "\r\nDTSTART;VALUE=DATE")
		if scheduled := strings.Count(string(linked), `"eventSchedule"`); series != c.series || scheduled != c.scheduled {
			t.Errorf("%s: %d series and %d dates with schedules", name, series, scheduled)
		}
	}
}

// BenchmarkMostHours writes a date with as many openings and exceptions as hours may have.
func BenchmarkMostHours(b *testing.B) {
	item := timedItem{room: openingBytes, Item: changed("1", func(i *Item) { i.AllDay, i.StartDate, i.EndDate, i.Hours = true, "2027-01-01", "", mostHours() })}
	for b.Loop() {
		if blocks, err := item.blocks(); err != nil || len(blocks) < 50 {
			b.Fatal(len(blocks), err)
		}
	}
}
