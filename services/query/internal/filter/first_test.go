package filter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/services/query/internal/params"
)

// attributes is a Document that was decoded from JSON.
type attributes map[string]any

func (a attributes) Values(name string) (texts []string, numbers []float64, exists bool) {
	value, exists := a[name]
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, item := range list {
		switch item := item.(type) {
		case string:
			texts = append(texts, item)
		case float64:
			numbers = append(numbers, item)
		}
	}
	return texts, numbers, exists
}

// datesOfAnEvent returns related dates, most of them in order, as the index has them.
func datesOfAnEvent(t *testing.T, r *rand.Rand) []attributes {
	t.Helper()
	dates := make([]document.Date, 1+r.IntN(5))
	day := 1 + r.IntN(20)
	for i := range dates {
		day += r.IntN(3)
		lasting := 0
		if r.IntN(5) == 0 {
			lasting = r.IntN(4)
		}
		hour := r.IntN(24)
		minute := hour * 60
		dates[i] = document.Date{
			StartKey: int64(20261100+day)*10000 + int64(hour)*100, StartDay: 20261100 + day, EndDay: 20261100 + day + lasting, StartMinute: &minute,
			EndsAt: int64(day+lasting)*86400 + int64(hour)*3600, Categories: []int{1 + r.IntN(2)},
		}
	}
	if r.IntN(3) > 0 {
		for i := range dates {
			dates[i].Categories = dates[0].Categories
		}
	}
	if r.IntN(2) == 0 {
		for i := range dates {
			dates[i].Availability = []string{"available", "sold_out"}[r.IntN(2)]
		}
	}
	if r.IntN(3) == 0 { // the same opening hours, or others
		h := hours.Hours{Weekly: []hours.Weekly{{Day: "tue", From: "10:00", To: "18:00"}, {Day: "sat", From: "10:00", To: "18:00"}}}
		for i := range dates {
			calendar, err := h.Over([]string{"2026-11-01", "2026-11-09"}[r.IntN(4)/3], "2026-11-29")
			if err != nil {
				t.Fatal(err)
			}
			dates[i].Openings, dates[i].EndDay, dates[i].EndsAt = document.NewOpenings(calendar), 20261129, 30*86400
		}
	}
	document.Relate(dates)
	read := make([]attributes, len(dates))
	for i, date := range dates {
		data, err := json.Marshal(date)
		if err == nil {
			err = json.Unmarshal(data, &read[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return read
}

// TestFirstFindsOneDateOfEachEvent: First finds one date of each event that is steady in what the
// query reads, if the query finds any.
func TestFirstFindsOneDateOfEachEvent(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 11))
	var steady, several, differing int
	for range 8_000 {
		var q params.Query
		on := func(odds int, set func(params.Day)) {
			if r.IntN(odds) == 0 {
				set(params.Day(20261101 + r.IntN(28)))
			}
		}
		on(2, func(day params.Day) { q.Start, q.Ongoing = day, r.IntN(2) == 0 })
		on(4, func(day params.Day) { q.End = day })
		on(4, func(day params.Day) { q.StartsBefore = day })
		on(4, func(day params.Day) { q.EndsOn = day })
		on(4, func(day params.Day) { q.On = &params.Days{From: day, To: day + params.Day(r.IntN(5))} })
		on(3, func(params.Day) { q.EndsAfter = int64(r.IntN(30*24)) * 3600 })
		on(3, func(params.Day) { q.Categories = []int{1} })
		on(6, func(params.Day) { q.Available = true })
		query := Dates(q, Places{})
		first, ok := First(query)
		if !ok {
			t.Fatalf("%+v: no filter", q)
		}
		differences := Differences(query)
		same, firstOfSame := Steady(query, differences), Steady(first, differences)
		var found, firsts int
		dates := datesOfAnEvent(t, r)
		for _, date := range dates {
			found += count(same.Matches(date))
			firsts += count(firstOfSame.Matches(date))
		}
		if firsts != min(found, 1) {
			filter, _ := Compile(first)
			t.Fatalf("%s finds %d dates of\n%s, of which %d are found", filter, firsts, shown(dates), found)
		}
		steady += min(found, 1)
		several += count(found > 1)
		differing += count(found > 1 && dates[0]["varies_in"] != nil)
	}
	if steady < 1000 || several < 500 || differing < 100 {
		t.Errorf("only %d events were found, %d with several dates, %d of them with differences", steady, several, differing)
	}
}

func count(found bool) int {
	if found {
		return 1
	}
	return 0
}

func shown(dates []attributes) (text string) {
	for _, d := range dates {
		text += fmt.Sprintf("%v to %v until %v after %v %v %v\n",
			d["start_key"], d["end_day"], d["ends_at"], d["earlier_start_day"], d["earlier_end_day"], d["earlier_ends_at"])
	}
	return text
}

// TestFirstNeedsBounds: the filters of first dates, and the conditions on times for which there is
// none.
func TestFirstNeedsBounds(t *testing.T) {
	for in, want := range map[string]string{
		"": "earlier_start_day NOT EXISTS",
		"start=2026-11-20&categories=1": "categories = 1 AND start_day >= 20261120 AND " +
			"(earlier_start_day NOT EXISTS OR earlier_start_day < 20261120)",
		"starts_before=2026-11-20&title=a": `start_day <= 20261120 AND title_key = "^a$" AND ` + "earlier_start_day NOT EXISTS",
		"price=9,EUR":                      `(price_type = "free" OR (currency = "EUR" AND min_price <= 9)) AND ` + "earlier_start_day NOT EXISTS",
		"time=20,22":                       "",
		"time=22-4":                        "",
		"start=2026-11-20&time=8,9":        "",
		"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA: "",
	} {
		q, err := params.Events.FromURL(in, today)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if first, ok := First(Dates(q, Places{})); ok {
			got, _ = Compile(first)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
