package rules_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
)

func TestAssignSlugs(t *testing.T) {
	dates := []rules.Date{
		{UUID: "c", StartDate: "2026-11-20", StartTime: "19:30"},
		{UUID: "a", StartDate: "2026-11-20", StartTime: "19:30"},
		{UUID: "d", StartDate: "2026-11-20"},
		{UUID: "b", StartDate: "2026-11-20", StartTime: "19:30"},
		{UUID: "e", StartDate: "2026-11-20", StartTime: "00:00"},
		{UUID: "f", StartDate: "2026-11-20"},
		{UUID: "g", StartDate: "2024-02-29", StartTime: "09:05"},
	}
	want := []string{
		"2026-11-20-1930-3", "2026-11-20-1930", "2026-11-20", "2026-11-20-1930-2", "2026-11-20-0000", "2026-11-20-2",
		"2024-02-29-0905",
	}
	if got := rules.AssignSlugs(dates); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSlugsAreUniqueAndDoNotDependOnOrder(t *testing.T) {
	dates := manyDates(rules.MaxDates)
	byUUID := map[string]string{}
	seen := map[string]bool{}
	for i, slug := range rules.AssignSlugs(dates) {
		byUUID[dates[i].UUID] = slug
		seen[slug] = true
	}
	if len(seen) != len(dates) {
		t.Fatalf("%d slugs for %d dates", len(seen), len(dates))
	}
	shuffle := rand.New(rand.NewPCG(1, 2))
	shuffle.Shuffle(len(dates), func(i, j int) { dates[i], dates[j] = dates[j], dates[i] })
	for i, slug := range rules.AssignSlugs(dates) {
		if slug != byUUID[dates[i].UUID] {
			t.Fatalf("%s has slug %s, before %s", dates[i].UUID, slug, byUUID[dates[i].UUID])
		}
	}
}

// manyDates are all-day dates of one day and one date at ten o'clock, whose slug looks like a
// thousandth all-day one.
func manyDates(count int) []rules.Date {
	dates := make([]rules.Date, count)
	for i := range dates {
		dates[i] = rules.Date{UUID: fmt.Sprintf("01941f29-7c00-7000-8000-%012d", i), StartDate: "2026-11-20", AllDay: true}
	}
	dates[0].AllDay, dates[0].StartTime = false, "10:00"
	return dates
}
