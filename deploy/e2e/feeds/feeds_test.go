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
	for n := range 6 {
		want = append(want, fmt.Sprintf("01920000-0000-7000-8000-0000000000d%d", n+1))
	}
	for _, format := range Formats {
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
		if ids, err := IDs(format, []byte("x")); err == nil {
			t.Errorf("%s: read nonsense as %v", format, ids)
		}
	}
}
