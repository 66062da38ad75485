package editing

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/store"
)

// mostWarnings is how many warnings of one code an answer holds.
const mostWarnings = 20

// warnOfDates warns of the dates that a write adds, or moves to another time or place: those that
// lie in the past, and those in a space that another event uses at the same time.
func warnOfDates(ctx context.Context, tx pgx.Tx, e *Editor, before, after *catalog.Event) ([]Warning, error) {
	now := e.Now().In(e.Zone).Format("2006-01-02T15:04")
	warnings := []Warning{}
	var coming []int // places of those dates that are not over
	for _, i := range movedDates(before, after) {
		switch date := &after.Dates[i]; {
		case date.Period().End >= now:
			coming = append(coming, i)
		case len(warnings) < mostWarnings:
			warnings = append(warnings, Warning{Code: WarnDatePast, Field: dateField(i), Message: "the date lies in the past"})
		}
	}
	taken, err := warnOfTakenSpaces(ctx, tx, after, coming)
	return append(warnings, taken...), err
}

// movedDates returns the places of the dates that are new, or not when and where they were.
func movedDates(before, after *catalog.Event) []int {
	type moment struct {
		period       catalog.Period
		venue, space string
		takesPlace   bool
	}
	momentOf := func(e *catalog.Event, d *catalog.Date) moment {
		venue, space := e.Place(d)
		return moment{d.Period(), venue, space, e.TakesPlace(d)}
	}
	known := map[string]moment{}
	if before != nil {
		for i := range before.Dates {
			known[before.Dates[i].UUID] = momentOf(before, &before.Dates[i])
		}
	}
	var moved []int
	for i := range after.Dates {
		if stored, exists := known[after.Dates[i].UUID]; !exists || stored != momentOf(after, &after.Dates[i]) {
			moved = append(moved, i)
		}
	}
	return moved
}

// warnOfTakenSpaces warns of those of an event's dates, given by their places, in whose space
// another event takes place at the same time.
func warnOfTakenSpaces(ctx context.Context, tx pgx.Tx, event *catalog.Event, dates []int) ([]Warning, error) {
	dates = slices.DeleteFunc(dates, func(i int) bool {
		_, space := event.Place(&event.Dates[i])
		return space == "" || !event.TakesPlace(&event.Dates[i])
	})
	if len(dates) == 0 {
		return nil, nil
	}
	bookings, err := bookingsOf(ctx, tx, event, dates)
	if err != nil {
		return nil, err
	}
	var warnings []Warning
	for _, i := range dates {
		_, space := event.Place(&event.Dates[i])
		period := event.Dates[i].Period()
		for _, booking := range bookings[space] {
			if len(warnings) < mostWarnings && period.Overlaps(booking.Date.Period()) {
				warnings = append(warnings, Warning{
					Code: WarnSpaceTaken, Field: dateField(i), UUID: value.Text(booking.EventUUID),
					Message: "another event takes place in the same space at the same time: " + booking.Title,
				})
			}
		}
	}
	return warnings, nil
}

// bookingsOf returns what others plan in the spaces of an event's dates, by the space.
func bookingsOf(
	ctx context.Context, tx pgx.Tx, event *catalog.Event, dates []int,
) (map[string][]store.Booking, error) {
	var venues, spaces []string
	from, to := event.Dates[dates[0]].Period().Start, ""
	for _, i := range dates {
		venue, space := event.Place(&event.Dates[i])
		if !slices.Contains(spaces, space) {
			venues, spaces = append(venues, venue), append(spaces, space)
		}
		period := event.Dates[i].Period()
		from, to = min(from, period.Start), max(to, period.End)
	}
	day := func(moment string) string { return moment[:len("2006-01-02")] }
	found, err := store.Bookings(ctx, tx, event.UUID, event.OrgUUID, venues, spaces, day(from), day(to))
	bySpace := map[string][]store.Booking{}
	for _, booking := range found {
		bySpace[booking.SpaceUUID] = append(bySpace[booking.SpaceUUID], booking)
	}
	return bySpace, err
}

func dateField(place int) string { return fmt.Sprintf("dates[%d]", place) }
