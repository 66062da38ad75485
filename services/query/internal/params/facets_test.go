package params

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDimensionsAreReadOnce(t *testing.T) {
	for _, read := range []func() (Query, error){
		func() (Query, error) {
			return Facets.FromURL("by=city,price_type&by=city&search=jazz&group=event&limit=5", today)
		},
		func() (Query, error) {
			return Facets.FromJSON([]byte(`{"by":["city","price_type","city"],"search":"jazz","group":"event","limit":5}`), today)
		},
	} {
		q, err := read()
		if err != nil || !slices.Equal(q.By, []string{"city", "price_type"}) || q.Search != "jazz" || !q.Grouped || q.Window != (Days{}) {
			t.Errorf("%+v, %v", q, err)
		}
	}
	if q, err := Facets.FromURL("by="+strings.Join(Dimensions, ","), today); err != nil || !slices.Equal(q.By, Dimensions) {
		t.Errorf("%+v, %v", q, err)
	}
}

// TestTheSearchTakesDimensions: under the name facets, and its faults have that name. Without them
// it is the query that others take.
func TestTheSearchTakesDimensions(t *testing.T) {
	for _, read := range []func() (Query, error){
		func() (Query, error) { return EventSearch.FromURL("facets=city,day&facets=city&on=today", today) },
		func() (Query, error) {
			return EventSearch.FromJSON([]byte(`{"facets":["city","day"],"on":"today"}`), today)
		},
	} {
		if q, err := read(); err != nil || !slices.Equal(q.By, []string{"city", "day"}) || q.Window != (Days{today, today}) || q.Limit != defaultLimit {
			t.Errorf("%+v, %v", q, err)
		}
	}
	for _, query := range []string{"facets=colour", "facets=day&on=2026-11-01,2027-01-02", "facets=day&start=2026-11-20&end=2026-11-19"} {
		_, err := EventSearch.FromURL(query, today)
		if err == nil {
			t.Errorf("%s is taken", query)
		} else if got := fields(t, err); !slices.Equal(got, []string{"facets"}) {
			t.Errorf("%s: fields %v", query, got)
		}
	}
	plain, err := EventSearch.FromURL("facets=&city=Kiel", today)
	other, otherErr := Events.FromURL("city=Kiel", today)
	if err != nil || otherErr != nil || !reflect.DeepEqual(plain, other) {
		t.Errorf("%+v, %v, want %+v, %v", plain, err, other, otherErr)
	}
}

func TestTheDaysThatAreCounted(t *testing.T) {
	for query, want := range map[string]Days{
		"":                          {20261120, 20270120},
		"on=2026-11-01,2026-11-30":  {20261101, 20261130},
		"on=today&start=2026-01-01": {20261120, 20261120},
		"start=2026-12-01":          {20261201, 20270131},
		"start=2026-12-01&end=2026-12-24&starts_before=2026-12-31": {20261201, 20261224},
		"start=2026-12-01&ongoing=true&starts_before=2026-12-31":   {20261201, 20261231},
		"end=2026-12-01":                  {20261120, 20261201},
		"end=2026-11-19":                  {20260919, 20261119},
		"starts_before=2020-03-01":        {20191231, 20200301},
		"start=9999-12-31":                {99991231, 99991231},
		"start=9999-12-01":                {99991201, 99991231},
		"end=9999-12-31&start=9999-12-30": {99991230, 99991231},
		"on=2026-11-01,2027-01-01&end=2026-12-01&start=2026-11-30": {20261101, 20270101},
	} {
		if q, err := Facets.FromURL("by=city,day&"+query, today); err != nil || q.Window != want {
			t.Errorf("%s: %v, %v, want %v", query, q.Window, err, want)
		}
	}
	days := Days{20261130, 20261202}.Each()
	if !slices.Equal(days, []Day{20261130, 20261201, 20261202}) || days[0].String() != "2026-11-30" {
		t.Errorf("days %v", days)
	}
}

func TestFacetsNameWhatIsBad(t *testing.T) {
	for query, want := range map[string][]string{
		"":                                       {"by"},
		"by=":                                    {"by"},
		"by=colour":                              {"by"},
		"by=city,":                               {"by"},
		"by=event_uuids":                         {"by"},
		"by=day&on=2026-11-01,2027-01-02":        {"by"},
		"by=day&start=2026-11-20&end=2026-11-19": {"by"},
		"by=day&start=2026-11-20&end=2027-01-21": {"by"},
		"by=colour&genres=x&cty=Kiel":            {"cty", "by", "genres"},
		"by=day&start=2026-11-20&end=2026-11-1":  {"end"},
		"by=city&group=venue&sort=x&limit=0&by=x": {"by", "group", "sort", "limit"},
	} {
		_, err := Facets.FromURL(query, today)
		if err == nil {
			t.Errorf("%s is taken", query)
			continue
		}
		if got := fields(t, err); !slices.Equal(got, want) {
			t.Errorf("%s: fields %v, want %v", query, got, want)
		}
	}
	for operation, query := range map[Operation]string{EventSearch: "by=city", Events: "facets=city", EventFeeds: "facets=city", Facets: "facets=city"} {
		if _, err := operation.FromURL(query, today); err == nil {
			t.Errorf("operation %b takes %s", operation, query)
		}
	}
}
