package document

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDatesOfAnEventAreRelated: each date has the times of the date before it, and all have the
// names of their differences.
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
		{
			"sold out, and another price", []Date{on(1, nil), on(2, func(d *Date) { d.Availability, d.Currency = "sold_out", "EUR" })},
			[]string{"availability", "other"},
		},
		{"another stage", []Date{on(1, nil), on(2, func(d *Date) { d.SeriesPartUUID = "p" })}, []string{"series_part_uuid"}},
	} {
		Relate(test.dates)
		for i, d := range test.dates {
			if !slices.Equal(d.VariesIn, test.varies) {
				t.Errorf("%s: date %d varies in %v, want %v", test.what, i, d.VariesIn, test.varies)
			}
			if alone := i == 0; alone != (d.EarlierStartDay == nil) || alone != (d.EarlierEndDay == nil) || alone != (d.EarlierEndsAt == nil) {
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
	if Relate(related[1:]); related[1].EarlierStartDay != nil {
		t.Error("a date that became the first keeps the relation of before")
	}
}

// TestDifferencesHaveTheirNamesOnly: dates that differ in one named attribute differ in no other.
func TestDifferencesHaveTheirNamesOnly(t *testing.T) {
	attributes := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Date]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		attributes[name] = field
	}
	for _, attribute := range varying {
		dates := []Date{{DateUUID: "a"}, {DateUUID: "b"}}
		value := reflect.ValueOf("x")
		if attributes[attribute.name].Type.Kind() == reflect.Slice {
			value = reflect.ValueOf([]int{1})
		}
		reflect.ValueOf(&dates[1]).Elem().FieldByIndex(attributes[attribute.name].Index).Set(value)
		if Relate(dates); !slices.Equal(dates[0].VariesIn, []string{attribute.name}) {
			t.Errorf("other %s: the dates vary in %v", attribute.name, dates[0].VariesIn)
		}
	}
}
