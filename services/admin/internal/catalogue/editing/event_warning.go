package editing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// maxWarnings is the maximum number of warnings of one code in an answer.
const maxWarnings = 20

// warnOfEvent warns of the dates of a written event, and of venues that visitors do not see.
func warnOfEvent(ctx context.Context, tx pgx.Tx, e *Editor, before, after *rules.Event) ([]adminapi.Warning, error) {
	warnings, err := warnOfDates(ctx, tx, e, before, after)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{} // by the venue, the first that names it
	var venues []string
	for _, r := range rules.References(after) {
		if r.Kind == rules.KindVenue && fields[r.Key] == "" {
			venues, fields[r.Key] = append(venues, r.Key), strings.TrimSuffix(r.Field(), ".venue_uuid")
		}
	}
	if len(venues) == 0 {
		return warnings, nil
	}
	hidden, err := store.HiddenVenues(ctx, tx, after.OrgUUID, venues)
	for _, venue := range hidden[:min(len(hidden), maxWarnings)] {
		warnings = append(warnings, adminapi.Warning{
			Code: adminapi.WarnVenueNotApproved, Field: fields[venue.UUID], UUID: value.Text(venue.UUID),
			Message: notShown(venue.Name),
		})
	}
	return warnings, err
}

// notShown is the message about a venue of an organization that is not approved.
func notShown(venue string) string {
	return "is not shown to visitors until its organization is approved: " + venue
}

// warnOfDates warns of dates that a write adds, or moves to another time or place, if they lie in
// the past or in a place that another event uses at the same time.
func warnOfDates(ctx context.Context, tx pgx.Tx, e *Editor, before, after *rules.Event) ([]adminapi.Warning, error) {
	now := e.Now().In(e.Zone).Format("2006-01-02T15:04")
	warnings := []adminapi.Warning{}
	var coming []int // places of those dates that are not over
	for _, i := range movedDates(before, after) {
		switch date := &after.Dates[i]; {
		case date.Period().End >= now:
			coming = append(coming, i)
		case len(warnings) < maxWarnings:
			warnings = append(warnings, adminapi.Warning{
				Code: adminapi.WarnDatePast, Field: dateField(i), Message: "the date lies in the past",
			})
		}
	}
	taken, err := warnOfTakenPlaces(ctx, tx, after, coming)
	return append(warnings, taken...), err
}

// movedDates returns the positions of the dates that are new, or have another time or place.
func movedDates(before, after *rules.Event) []int {
	type moment struct {
		period       rules.Period
		venue, space string
		takesPlace   bool
	}
	momentOf := func(e *rules.Event, d *rules.Date) moment {
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

// warnOfTakenPlaces warns of the dates at these positions during which another event takes place in
// the same space, or in the same venue if one of the two takes place in the venue as a whole.
func warnOfTakenPlaces(ctx context.Context, tx pgx.Tx, event *rules.Event, dates []int) ([]adminapi.Warning, error) {
	dates = slices.DeleteFunc(dates, func(i int) bool {
		return placeOf(event, i).venue == "" || !event.TakesPlace(&event.Dates[i])
	})
	if len(dates) == 0 {
		return nil, nil
	}
	bookings, err := bookingsOf(ctx, tx, event, dates)
	if err != nil {
		return nil, err
	}
	var warnings []adminapi.Warning
	for _, i := range dates {
		period := event.Dates[i].Period()
		for _, booking := range bookings[placeOf(event, i)] {
			if len(warnings) < maxWarnings && period.Overlaps(booking.Date.Period()) {
				warnings = append(warnings, warningOf(booking, dateField(i)))
			}
		}
	}
	return warnings, nil
}

func warningOf(booking store.Booking, field string) adminapi.Warning {
	w := adminapi.Warning{
		Code: adminapi.WarnSpaceTaken, Field: field, UUID: value.Text(booking.EventUUID),
		Message: "another event takes place in the same space at the same time: " + booking.Title,
	}
	if booking.Whole {
		w.Code = adminapi.WarnVenueTaken
		w.Message = "another event takes place in the same venue at the same time: " + booking.Title
	}
	return w
}

// place is a space of a venue, or with space "" the venue as a whole.
type place struct{ venue, space string }

func placeOf(event *rules.Event, date int) place {
	venue, space := event.Place(&event.Dates[date])
	return place{venue, space}
}

// bookingsOf returns the bookings of other events in the places of an event's dates, by place.
func bookingsOf(
	ctx context.Context, tx pgx.Tx, event *rules.Event, dates []int,
) (map[place][]store.Booking, error) {
	var venues, spaces []string
	asked := map[place]bool{}
	from, to := event.Dates[dates[0]].Period().Start, ""
	for _, i := range dates {
		if at := placeOf(event, i); !asked[at] {
			asked[at], venues, spaces = true, append(venues, at.venue), append(spaces, at.space)
		}
		period := event.Dates[i].Period()
		from, to = min(from, period.Start), max(to, period.End)
	}
	day := func(moment string) string { return moment[:len("2006-01-02")] }
	found, err := store.Bookings(ctx, tx, event.UUID, event.OrgUUID, venues, spaces, day(from), day(to))
	byPlace := map[place][]store.Booking{}
	for _, booking := range found {
		at := place{booking.VenueUUID, booking.SpaceUUID}
		byPlace[at] = append(byPlace[at], booking)
	}
	return byPlace, err
}

func dateField(place int) string { return fmt.Sprintf("dates[%d]", place) }
