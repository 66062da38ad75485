package search

import (
	"slices"
	"testing"

	"litfass/services/query/internal/params"
)

func TestFormsLeaveOutLetters(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"jzaz": {"zaz", "jaz", "jzz", "jza", "jz"}, "ab": nil, "abc": {"bc", "ac", "ab"}, "": nil, "übä": {"bä", "üä", "üb"},
	} {
		if got := forms(word); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := forms("donaudampfschifffahrtsgesellschaft"); len(got) != maxForms {
		t.Errorf("%d forms of a long word", len(got))
	}
}

// TestEveryFilterCanBeLeftOut: each parameter of the search that is a filter is one of the
// conditions, and leaving all out leaves none.
func TestEveryFilterCanBeLeftOut(t *testing.T) {
	t.Parallel()
	const id = "01930000-0000-7000-8000-0000000001aa"
	known := map[string]bool{}
	for name, value := range map[string]string{
		"categories": "1", "event_types": "1", "accessibility": "1", "visitor_infos": "1", "tags": "x", "label": "tip", "availability": "sold_out", "available": "true", "contributor": "01920000-0000-7000-8000-0000000000c1", "languages": "de",
		"release_statuses": "released", "space_types": "x", "countries": "DEU", "org_uuids": id, "venue_uuids": id, "event_uuids": id,
		"title": "x", "venue": "x", "city": "x", "postal_code": "x", "on": "today", "time": "1,2", "age": "3", "price": "free",
		"geolist_region": "a,b,c", "lon": "1&lat=2&radius=3", "end": "today", "starts_before": "today", "start": "today", "search": "x",
		"genres": "1", "space_uuids": id, "series_uuids": id, "price_types": "free", "not_over": "true",
	} {
		q, err := params.Events.FromURL(name+"="+value, today)
		if err != nil {
			t.Fatal(err)
		}
		less, given := without(q, name)
		if nothing, err := params.Events.FromURL("", today); err != nil || !given || !sameConditions(less, nothing) {
			t.Errorf("%s: %t, %+v", name, given, less)
		}
		known[name] = true
	}
	known["lat"], known["radius"], known["ongoing"] = true, true, true
	for _, name := range []string{"limit", "offset", "sort", "group", "total", "last_event_start_at", "last_event_date_uuid", "lang", "portal", "list"} {
		known[name] = true // no filters, or where the search takes place
	}
	for _, name := range params.Events.Names() {
		if !known[name] {
			t.Errorf("%s is no condition", name)
		}
	}
	q, err := params.Events.FromURL("start=today&ongoing=true", today)
	if err != nil {
		t.Fatal(err)
	}
	if _, given := without(q, "start"); !given {
		t.Error("an ongoing start cannot be left out")
	}
}

func TestEveryDimensionIsCounted(t *testing.T) {
	t.Parallel()
	if len(dimensions) != len(params.Dimensions) {
		t.Errorf("%d dimensions, taken are %d", len(dimensions), len(params.Dimensions))
	}
	for _, name := range params.Dimensions {
		d := dimensions[name]
		if len(d.attributes) == 0 {
			t.Errorf("%s has no attribute", name)
		}
		if d.own != "" && !slices.ContainsFunc(conditions, func(c condition) bool { return c.parameters[0] == d.own }) {
			t.Errorf("%s leaves out %s, which is no condition", name, d.own)
		}
	}
}

func sameConditions(a, b params.Query) bool {
	for _, c := range conditions {
		if c.given(a) != c.given(b) {
			return false
		}
	}
	return true
}
