package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// AssignSlugs returns the slug of each date, in the order of the dates: "2026-11-20-1930", all-day
// "2026-11-20", and with "-2", "-3", ... for further dates of the same moment (RULES.md, Ids and
// names). Of dates of one moment the smaller uuid comes first, so the slugs do not depend on the
// order of the list. They are unique within the list as long as it holds at most 1,000 dates: a
// number below 1,000 cannot be taken for a time of four digits.
func AssignSlugs(dates []Date) []string {
	order := make([]int, len(dates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareDates(dates[a], dates[b]) })
	slugs := make([]string, len(dates))
	previous, repeats := "", 1
	for _, i := range order {
		moment := momentSlug(dates[i])
		if moment != previous {
			previous, repeats = moment, 1
			slugs[i] = moment
			continue
		}
		repeats++
		slugs[i] = moment + "-" + strconv.Itoa(repeats)
	}
	return slugs
}

func momentSlug(d Date) string {
	if d.StartTime == "" {
		return d.StartDate
	}
	return d.StartDate + "-" + strings.Replace(string(d.StartTime), ":", "", 1)
}

// compareDates orders dates by start, all-day first, then by uuid.
func compareDates(a, b Date) int {
	return cmp.Or(
		strings.Compare(a.StartDate, b.StartDate),
		strings.Compare(string(a.StartTime), string(b.StartTime)),
		strings.Compare(a.UUID, b.UUID),
	)
}
