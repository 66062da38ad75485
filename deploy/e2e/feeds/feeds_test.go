package feeds

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestReadersFindTheDates reads what the query service's own tests compare its feeds with.
func TestReadersFindTheDates(t *testing.T) {
	var want []string
	for n := range 9 {
		want = append(want, fmt.Sprintf("01920000-0000-7000-8000-0000000000d%d", n+1))
	}
	reader := NewReader(t)
	for _, format := range All {
		sample, err := os.ReadFile("../../../services/query/internal/feed/testdata/sample." + format)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := IDs(format, sample)
		if err != nil || !slices.Equal(ids, want) {
			t.Errorf("%s: %v, %v", format, ids, err)
		}
		next, err := Next(format, sample)
		paged := format == "atom" || format == "json" || format == "geojson"
		if err != nil || strings.Contains(next, "last_event_date_uuid="+want[5]) != paged {
			t.Errorf("%s: next %q, %v", format, next, err)
		}
		if ids, err := IDs(format, []byte("x\ny\n")); err == nil {
			t.Errorf("%s: read nonsense as %v", format, ids)
		}
		if !slices.Contains(Formats, format) {
			continue
		}
		var second []string
		dates, err := reader.Dates(format, sample)
		for _, date := range dates {
			second = append(second, date.ID)
		}
		if err != nil || !slices.Equal(second, want) {
			t.Errorf("%s, read by JavaScript: %v, %v", format, second, err)
		}
	}
}

// TestZonesWhoseClocksChange reads dates at moments that clock changes skip or repeat, many at
// midnight: each is named by its zone and the moment in UTC, or its day.
func TestZonesWhoseClocksChange(t *testing.T) {
	reader := NewReader(t)
	for _, format := range Formats {
		sample, err := os.ReadFile("../../../services/query/internal/feed/testdata/zones." + format)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := IDs(format, sample)
		if err != nil {
			t.Error(err)
		}
		dates, err := reader.Dates(format, sample)
		if err != nil || len(dates) != len(ids) || len(dates) < 20 {
			t.Errorf("%s: %d and %d dates, %v", format, len(ids), len(dates), err)
		}
		for n, date := range dates {
			if date.ID != ids[n] {
				t.Errorf("%s: the parsers read %s and %s", format, ids[n], date.ID)
			}
			zone, moment, _ := strings.Cut(date.Name, " ")
			if shown := strings.Replace(date.Start, ".000Z", "Z", 1); (format == "ics" || format == "jsonld") && shown != moment {
				t.Errorf("%s: a date in %s at %s starts at %s", format, zone, moment, shown)
			}
		}
	}
}
