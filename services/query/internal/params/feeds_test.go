package params

import (
	"slices"
	"testing"
)

// TestFeedsTakeWhatTheirSearchTakes, except for the default limit, which depends on the format.
func TestFeedsTakeWhatTheirSearchTakes(t *testing.T) {
	if got, want := EventFeeds.Names(), Events.Names(); !slices.Equal(got, want) {
		t.Errorf("a feed of events takes %v, the search %v", got, want)
	}
	if got, want := VenueFeeds.Names(), append(Venues.Names(), "bbox"); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("a feed of venues takes %v, the search %v", got, Venues.Names())
	}
	for query, limit := range map[string]int{"": 0, "limit=1000": 1000, "limit=": 0} {
		for _, operation := range []Operation{EventFeeds, VenueFeeds} {
			if q, err := operation.FromURL(query, today); err != nil || q.Limit != limit {
				t.Errorf("%q: %d, %v", query, q.Limit, err)
			}
		}
	}
	if _, err := EventFeeds.FromURL("limit=1001&bbox=1,2,3,4", today); !slices.Equal(fields(t, err), []string{"bbox", "limit"}) {
		t.Errorf("bad parameters: %v", err)
	}
}

func TestBoxes(t *testing.T) {
	for text, want := range map[string]Box{
		"9.3,54.7,9.6,54.9": {9.3, 54.7, 9.6, 54.9}, "-180,-90,180,90": {-180, -90, 180, 90}, "170,0,-170,0": {170, 0, -170, 0},
	} {
		if q, err := VenueFeeds.FromURL("bbox="+text, today); err != nil || q.Box == nil || *q.Box != want {
			t.Errorf("%s: %+v, %v", text, q.Box, err)
		}
	}
	for _, text := range []string{"1,2,3", "1,2,3,4,5", "1,3,2,2", "181,0,1,1", "0,91,0,91", "a,b,c,d", "1;2;3;4", ",,,", "NaN,0,1,1"} {
		if _, err := VenueFeeds.FromURL("bbox="+text, today); err == nil || !slices.Equal(fields(t, err), []string{"bbox"}) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
