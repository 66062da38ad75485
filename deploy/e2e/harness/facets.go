package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// facets compares the counts of all dimensions with the reference. It repeats the question when
// midnight passes meanwhile.
func (k *Checker) facets(ctx context.Context, q generate.Query) error {
	for {
		day := Today()
		err := k.facetsOn(ctx, q.Parameters, day)
		if day == Today() {
			return err
		}
	}
}

func (k *Checker) facetsOn(ctx context.Context, p reference.Parameters, day string) error {
	by := slices.Clone(reference.Dimensions)
	days, counted := k.Ref.Histogram(p, day)
	if counted {
		by = append(by, "day")
	}
	got, err := k.Client.Facets(ctx, p, by)
	if err != nil {
		return err
	}
	if want := k.Ref.Total(p, day); *got.Total != want {
		return fmt.Errorf("the total of the facets is %d, want %d", *got.Total, want)
	}
	for dimension, want := range k.Ref.Facets(p, day) {
		if !slices.EqualFunc(got.Facets[dimension], want, sameFacet(dimension, p["group"] == "event")) {
			return fmt.Errorf("facets by %s are\n  %v, want\n  %v", dimension, got.Facets[dimension], want)
		}
	}
	if counted && !slices.Equal(got.Facets["day"], days) {
		return fmt.Errorf("facets by day are\n  %v, want\n  %v", got.Facets["day"], days)
	}
	return nil
}

// sameFacet compares two values of a dimension. Which of several spellings of a city is shown for
// events is not predicted.
func sameFacet(dimension string, events bool) func(a, b reference.Facet) bool {
	return func(a, b reference.Facet) bool {
		if dimension == "city" && events {
			a.Value, b.Value = reference.Fold(a.Value), reference.Fold(b.Value)
		}
		return a == b
	}
}

// Groups walks through the events of a search, or with the unit series through its series, by
// cursor and by offset. They must be those that the walk through its dates finds, each at the place
// of its first date.
func (k *Checker) Groups(ctx context.Context, q generate.Query, unit string, limit int) error {
	group := reference.Grouped
	if unit == "series" {
		group = k.Ref.BySeries
	}
	dates := q
	dates.Parameters = maps.Clone(q.Parameters)
	for _, name := range []string{"last_event_start_at", "last_event_date_uuid", "offset", "group"} {
		delete(dates.Parameters, name)
	}
	var want []reference.Group
	if ordered(dates.Parameters) {
		want = group(k.Ref.Events(dates.Parameters, Today()).Found)
	} else {
		all, err := k.Everything(ctx, dates)
		if err != nil {
			return err
		}
		var found []*reference.Dated
		for _, entry := range all {
			found = append(found, k.byDate[entry.Text("date_uuid")])
		}
		want = group(found)
	}
	events := dates
	events.Parameters = maps.Clone(dates.Parameters)
	events.Parameters["group"], events.Parameters["limit"] = unit, strconv.Itoa(limit)
	for _, byCursor := range []bool{true, false} {
		if err := k.walkGroups(ctx, events, want, byCursor); err != nil {
			return fmt.Errorf("walk by cursor %t: %w", byCursor, err)
		}
	}
	return nil
}

// walkGroups follows a walk for up to mostSteps pages.
func (k *Checker) walkGroups(ctx context.Context, q generate.Query, want []reference.Group, byCursor bool) error {
	const mostSteps = 6
	q.Parameters = maps.Clone(q.Parameters)
	limit, _ := strconv.Atoi(q.Parameters["limit"])
	for seen, step := 0, 0; step < mostSteps; step++ {
		page, err := k.Client.Search(ctx, q)
		if err != nil {
			return err
		}
		if err := checkTotal(page, q.Parameters, len(want)); err != nil {
			return err
		}
		end := min(seen+limit, len(want))
		if err := k.sameGroups(page.Events, want[seen:end], q.Parameters["lang"]); err != nil {
			return fmt.Errorf("after %d events: %w", seen, err)
		}
		if seen = end; len(page.Events) < limit {
			return nil
		}
		if byCursor {
			q.Parameters["last_event_start_at"], q.Parameters["last_event_date_uuid"] = *page.LastEventStartAt, *page.LastEventDateUUID
		} else {
			q.Parameters["offset"] = strconv.Itoa(seen)
		}
	}
	return nil
}

func (k *Checker) sameGroups(got []client.Entry, want []reference.Group, lang string) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d events, want %d", len(got), len(want))
	}
	for i, entry := range got {
		first := want[i].First
		if err := reference.SameFields(entry, k.shownIn(first, lang)); err != nil {
			return fmt.Errorf("event %d is %s, want %s: %w", i+1, shown(entry), describe(first), err)
		}
		if entry["date_count"] != float64(want[i].Dates) {
			return fmt.Errorf("event %d, %s, has %v dates, want %d", i+1, shown(entry), entry["date_count"], want[i].Dates)
		}
	}
	return nil
}
