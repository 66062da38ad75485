package document

import (
	"slices"
	"testing"
)

// TestDatesOfAnEventAreRelated: dates that differ only in their times have those of the date before
// them, and all others the names of what they differ in.
func TestDatesOfAnEventAreRelated(t *testing.T) {
	on := func(day int, change func(*Date)) Date {
		d := Date{
			DateUUID: string(rune('a' + day)), UUID: "event", StartKey: int64(day) * 10000, StartDay: day, EndDay: day, EndsAt: int64(day) * 86400,
			PostalKey: []string{"^24103$"},
		}
		if change != nil {
			change(&d)
		}
		return d
	}
	minute := 1200
	for _, test := range []struct {
		what   string
		dates  []Date
		varies []string
	}{
		{"one date", []Date{on(1, nil)}, nil},
		{"different days and hours", []Date{on(1, nil), on(2, func(d *Date) { d.StartMinute = &minute }), on(2, nil), on(4, nil)}, nil},
		{"one is cancelled", []Date{on(1, nil), on(2, func(d *Date) { d.ReleaseStatus = "cancelled" })}, []string{"release_status"}},
		{"another postal code", []Date{on(1, nil), on(2, func(d *Date) { d.PostalKey = nil })}, []string{"other"}},
		{"the first one ends last", []Date{on(1, func(d *Date) { d.EndDay = 9 }), on(2, nil)}, []string{"order"}},
		{"an earlier end on the same day", []Date{on(1, nil), on(1, func(d *Date) { d.EndsAt-- })}, []string{"order"}},
		{"two differences", []Date{on(1, func(d *Date) { d.EndDay = 9 }), on(2, func(d *Date) { d.VenueUUID = "v" })}, []string{"venue_uuid", "order"}},
	} {
		Relate(test.dates)
		for i, d := range test.dates {
			if !slices.Equal(d.Varies, test.varies) {
				t.Errorf("%s: date %d varies in %v, want %v", test.what, i, d.Varies, test.varies)
			}
			if alone := i == 0 || test.varies != nil; alone != (d.EarlierStartDay == nil) || alone != (d.EarlierEndDay == nil) || alone != (d.EarlierEndsAt == nil) {
				t.Errorf("%s: date %d has an earlier one on %v until %v, %v", test.what, i, d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt)
			}
			if earlier := d.EarlierStartDay; earlier != nil {
				before := test.dates[i-1]
				if *earlier != before.StartDay || *d.EarlierEndDay != before.EndDay || *d.EarlierEndsAt != before.EndsAt {
					t.Errorf("%s: date %d comes after %d, %d, %d", test.what, i, *earlier, *d.EarlierEndDay, *d.EarlierEndsAt)
				}
			}
		}
	}
	related := []Date{on(1, nil), on(2, nil)}
	Relate(related)
	related[0].VenueUUID = "v"
	if Relate(related); related[1].EarlierStartDay != nil {
		t.Error("dates that vary keep the relation of before")
	}
}
