package feed

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"litfass/pkg/contracts/value"
)

// localTimes are local times that clock changes skip or repeat, with the moments that they mean.
var localTimes = []struct{ zone, start, end, want, wantEnd string }{
	{"America/New_York", "2027-03-14 02:30", "", "2027-03-14T03:30:00-04:00", ""}, // the example of RFC 5545
	{"America/New_York", "2027-11-07 01:30", "03:00", "2027-11-07T01:30:00-04:00", "2027-11-07T03:00:00-05:00"},
	{"Europe/Berlin", "2026-03-29 02:30", "04:00", "2026-03-29T03:30:00+02:00", "2026-03-29T04:00:00+02:00"},
	{"Europe/Berlin", "2026-10-25 01:30", "02:30", "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00"},
	{"Europe/Berlin", "2026-03-29 02:30", "03:15", "2026-03-29T03:30:00+02:00", ""}, // the clock shows the end before
	{"Atlantic/Azores", "2026-03-29 00:30", "01:30", "2026-03-29T01:30:00Z", ""},
	{"Atlantic/Azores", "2026-10-25 00:30", "", "2026-10-25T00:30:00Z", ""},
	{"America/Havana", "2026-03-08 00:00", "02:00", "2026-03-08T01:00:00-04:00", "2026-03-08T02:00:00-04:00"},
	{"America/Havana", "2026-11-01 00:30", "", "2026-11-01T00:30:00-04:00", ""},
	{"Africa/Cairo", "2026-04-24 00:15", "", "2026-04-24T01:15:00+03:00", ""},
	{"Asia/Beirut", "2026-03-29 00:00", "", "2026-03-29T01:00:00+03:00", ""},
	{"America/Asuncion", "2022-10-02 00:30", "", "2022-10-02T01:30:00-03:00", ""},
	{"Australia/Lord_Howe", "2026-10-04 02:15", "", "2026-10-04T02:45:00+11:00", ""}, // half an hour
	{"Australia/Lord_Howe", "2026-04-05 01:45", "", "2026-04-05T01:45:00+11:00", ""},
	{"Pacific/Apia", "2011-12-30 12:00", "", "2011-12-31T12:00:00+14:00", ""}, // a whole day
	{"Europe/Dublin", "2026-03-29 01:30", "", "2026-03-29T02:30:00+01:00", ""},
	{"Africa/Casablanca", "2026-02-15 02:30", "", "2026-02-15T02:30:00+01:00", ""},
	{"UTC", "2026-03-29 02:30", "", "2026-03-29T02:30:00Z", ""},
}

// TestLocalTimesOfEveryZone: a skipped local time and the first of two, in each format.
func TestLocalTimesOfEveryZone(t *testing.T) {
	for _, test := range localTimes {
		item := changed("1", func(i *Item) {
			i.VenueTimezone, i.StartDate, i.StartTime = test.zone, test.start[:10], test.start[11:]
			i.EndDate, i.EndTime = "", value.Text(test.end)
		})
		name := test.zone + " " + test.start
		linked := described(t, item)[0]
		if end, _ := linked["endDate"].(string); linked["startDate"] != test.want || end != test.wantEnd {
			t.Errorf("%s: JSON-LD from %v to %q", name, linked["startDate"], end)
		}
		data, calendar := calendarOf(t, item)
		want, err := time.Parse(time.RFC3339, test.want)
		if err != nil {
			t.Fatal(err)
		}
		start, err := calendar.Events()[0].DateTimeStart(nil)
		if err != nil || !start.Equal(want) {
			t.Errorf("%s: calendar from %s, %v", name, start, err)
		}
		if prop := calendar.Events()[0].Props.Get("DTEND"); (prop == nil) != (test.wantEnd == "") {
			t.Errorf("%s: the end is %v in %s", name, prop, data)
		}
		shown := test.want[:10] + " " + test.want[11:16]
		for format, write := range map[string]func(Feed) ([]byte, error){"rss": RSS, "atom": Atom, "json": JSON} {
			data, err := write(feedOf(t, item))
			if err != nil {
				t.Fatal(err)
			}
			if parsed, err := gofeed.NewParser().Parse(bytes.NewReader(data)); err != nil || !bytes.Contains([]byte(parsed.Items[0].Title), []byte(shown)) {
				t.Errorf("%s: %s shows no %s, %v", name, format, shown, err)
			}
		}
		map_, err := GeoJSON(feedOf(t, item))
		if want := fmt.Sprintf(`"start_date":%q,"start_time":%q`, shown[:10], shown[11:]); err != nil || !bytes.Contains(map_, []byte(want)) {
			t.Errorf("%s: GeoJSON has no %s, %v", name, want, err)
		}
	}
}

// allDays are days that have no midnight in a zone, or do not exist there.
var allDays = map[string]string{
	"Atlantic/Azores": "2026-03-29", "America/Havana": "2026-03-08", "Africa/Cairo": "2026-04-24", "Asia/Beirut": "2026-03-29",
	"Pacific/Apia": "2011-12-30", "America/Sao_Paulo": "2018-11-04", "Europe/Berlin": "2026-03-29",
}

// TestAllDayDatesHaveNoZone: also where a day does not begin at 00:00.
func TestAllDayDatesHaveNoZone(t *testing.T) {
	for zone, day := range allDays {
		item := changed("1", func(i *Item) {
			i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime, i.VenueTimezone = true, day, "00:00", "", "", zone
		})
		if linked := described(t, item)[0]; linked["startDate"] != day || linked["endDate"] != day {
			t.Errorf("%s: JSON-LD from %v to %v", zone, linked["startDate"], linked["endDate"])
		}
		_, calendar := calendarOf(t, item)
		next, err := dayAfter(day)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := time.Parse(dayLayout, day)
		props := calendar.Events()[0].Props
		if start, end := moment(props.Get("DTSTART")), moment(props.Get("DTEND")); start != "VALUE=DATE:"+first.Format(icsDay) || end != "VALUE=DATE:"+next.Format(icsDay) {
			t.Errorf("%s: calendar from %s to %s", zone, start, end)
		}
	}
}

// TestADateThatEndsWithADay: also where the next midnight is skipped.
func TestADateThatEndsWithADay(t *testing.T) {
	item := changed("1", func(i *Item) {
		i.VenueTimezone, i.StartDate, i.StartTime, i.EndDate, i.EndTime = "America/Havana", "2026-03-06", "20:00", "2026-03-07", ""
	})
	_, calendar := calendarOf(t, item)
	if end := moment(calendar.Events()[0].Props.Get("DTEND")); end != "TZID=America/Havana:20260308T010000" {
		t.Errorf("it ends at %s", end)
	}
}

// zoneSample returns the dates of localTimes and allDays, each with the zone and the moment or the
// day as its title, for readers that know nothing else.
func zoneSample(t *testing.T) (items []Item) {
	t.Helper()
	add := func(title string, change func(*Item)) {
		items = append(items, changed("1", func(i *Item) {
			i.DateUUID, i.Title = fmt.Sprintf("01920000-0000-7000-8000-00000000%04d", len(items)), title
			i.EndDate, i.EndTime = "", ""
			change(i)
		}))
	}
	for _, test := range localTimes {
		at, err := time.Parse(time.RFC3339, test.want)
		if err != nil {
			t.Fatal(err)
		}
		add(test.zone+" "+at.UTC().Format(time.RFC3339), func(i *Item) {
			i.VenueTimezone, i.StartDate, i.StartTime = test.zone, test.start[:10], test.start[11:]
		})
	}
	for _, zone := range slices.Sorted(maps.Keys(allDays)) {
		add(zone+" "+allDays[zone], func(i *Item) {
			i.AllDay, i.StartDate, i.StartTime, i.VenueTimezone = true, allDays[zone], "00:00", zone
		})
	}
	return items
}
