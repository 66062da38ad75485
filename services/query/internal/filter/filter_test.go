package filter

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/params"
)

const (
	today = params.Day(20261120)
	idA   = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2a"
	idB   = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	idC   = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"
)

var someWhere = Places{Limited: true, Venues: []string{idA, idB}}

// Goldens are the filters of queries. Text becomes keys of package document, in which only a–z and
// 0–9 are unchanged; "none" means that nothing can be found.
var goldens = []struct {
	in     string
	places Places
	want   string
}{
	{in: "", want: ``},
	{in: "limit=5&offset=10&search=jazz&sort=start", want: ``},
	{in: "categories=1", want: `categories = 1`},
	{in: "categories=6,1,6", want: `categories IN [1,6]`},
	{in: "event_types=10,9", want: `type_ids IN [10,9]`},
	{in: "genres=1001", want: `genre_ids = 1001`},
	{in: "accessibility=3,0,3", want: `accessibility_bits = 0 AND accessibility_bits = 3`},
	{in: "visitor_infos=63", want: `visitor_bits = 63`},
	{in: "start=2024-02-29", want: `start_day >= 20240229`},
	{in: "start=today&ongoing=true", want: `end_day >= 20261120`},
	{in: "ongoing=true", want: ``},
	{in: "start=2024-01-01&end=2024-01-31", want: `start_day >= 20240101 AND end_day <= 20240131`},
	{in: "starts_before=2026-11-20", want: `start_day <= 20261120`},
	{in: "on=tomorrow", want: `start_day <= 20261121 AND end_day >= 20261121 AND (first_open NOT EXISTS OR (first_open EXISTS AND (first_open 20261121 TO 20261121 OR last_open 20261121 TO 20261121 OR (first_open < 20261121 AND last_open > 20261121 AND (open_from 41494775808 TO 41494777247 OR (open_from 12288 TO 13727 AND off_days NOT IN [1,1204,1233561,150,154195,18,19274,2,2409,2467122,301,308390,37,38548,4,4818,4934244,602,616780,75,77097,9,9637]))))))`},
	{in: "on=2026-11-20,2026-11-25&start=2026-11-01", want: `start_day >= 20261101 AND start_day <= 20261125 AND end_day >= 20261120 AND (first_open NOT EXISTS OR (first_open EXISTS AND (first_open 20261120 TO 20261125 OR last_open 20261120 TO 20261125 OR (first_open < 20261120 AND last_open > 20261125 AND (open_from 41494773760 TO 41494785439 OR (open_from 10240 TO 11679 AND off_days NOT IN [1,1204,1233560,150,154195,18,19274,2,2409,2467121,301,308390,37,38548,4,4818,4934243,602,616780,75,77097,9,9637]) OR (open_from 12288 TO 13727 AND off_days NOT IN [1,1204,1233561,150,154195,18,19274,2,2409,2467122,301,308390,37,38548,4,4818,4934244,602,616780,75,77097,9,9637]) OR (open_from 14336 TO 15775 AND off_days NOT IN [1,1204,1233561,150,154195,18,19274,2,2409,2467122,301,308390,37,38548,4,4818,4934245,602,616780,75,77097,9,9637]) OR (open_from 2048 TO 3487 AND off_days NOT IN [1,1204,1233561,150,154195,18,19274,2,2409,2467123,301,308390,37,38548,4,4818,4934246,602,616780,75,77097,9,9637]) OR (open_from 4096 TO 5535 AND off_days NOT IN [1,1204,1233561,150,154195,18,19274,2,2409,2467123,301,308390,37,38548,4,4818,4934247,602,616780,75,77097,9,9637]) OR (open_from 6144 TO 7583 AND off_days NOT IN [1,1204,1233562,150,154195,18,19274,2,2409,2467124,301,308390,37,38548,4,4818,4934248,602,616781,75,77097,9,9637]))))))`},
	{in: "languages=DE,da", want: `languages IN ["da","de"]`},
	{in: "release_statuses=cancelled", want: `release_status = "cancelled"`},
	{in: "time=20,24", want: `start_minute 1200 TO 1439 OR (first_open EXISTS AND (open_times IN [1,101,12,1624,203,25,3,3248,406,50,6,812] OR open_from 1201 TO 1439))`},
	{in: "time=8,22", want: `start_minute 480 TO 1320 OR (first_open EXISTS AND (open_times IN [1,1264,158,19,2,2528,316,39,4,632,79,9] OR open_from 481 TO 1320))`},
	{in: "time=2200-0430", want: `start_minute >= 1320 OR start_minute <= 270 OR (first_open EXISTS AND (open_times IN [1,105,13,1684,210,26,3,3368,421,52,6,842] OR open_from 1321 TO 1439 OR open_times IN [1,1024,128,16,2,2048,256,32,4,512,64,8] OR open_from 1 TO 270))`},
	{in: "time=22-4&end=today", want: `end_day <= 20261120 AND (start_minute >= 1320 OR start_minute <= 240 OR (first_open EXISTS AND (open_times IN [1,105,13,1684,210,26,3,3368,421,52,6,842] OR open_from 1321 TO 1439 OR open_times IN [1,1024,128,16,2,2048,256,32,4,512,64,8] OR open_from 1 TO 240)))`},
	{in: "title=Jazz", want: `title_key = "^jazz$"`},
	{in: "title=JAZZ*", want: `title_key STARTS WITH "^jazz"`},
	{in: "title=*Jazz", want: `title_end STARTS WITH "$zzaj"`},
	{in: "title=*Jazz*", want: `title_key CONTAINS "jazz"`},
	{in: "title=*", want: `title_key EXISTS`},
	{in: "title=**", want: `title_key EXISTS`},
	{in: "title=a%22b", want: `title_key = "^a` + "\U000F0022" + `b$"`},
	{in: "title=" + strings.Repeat("x", 500), want: `title_key = "` + document.ExactKey(strings.Repeat("x", 500)) + `"`},
	{in: "venue=x%5C", want: `venue_key = "^x` + "\U000F005C" + `$"`},
	{in: "city=stra%C3%9Fe", want: `city_key = "^strasse$"`},
	{in: "postal_code=*1", want: `postal_end STARTS WITH "$1"`},
	{in: "tags=b,A", want: `tag_keys IN ["^a$","^b$"]`},
	{in: "availability=sold_out,few_left", want: `availability IN ["few_left","sold_out"]`},
	{in: "available=true", want: `availability IN ["available","few_left","free_entry"] AND release_status IN ["released","rescheduled"]`},
	{in: "available=false", want: ""},
	{in: "contributor=01920000-0000-7000-8000-0000000000c1", want: `contributor_uuids = "01920000-0000-7000-8000-0000000000c1"`},
	{in: "label=tip,kids", want: `labels IN ["kids","tip"]`},
	{in: "tags=%22+OR+uuid+EXISTS", want: `tag_keys = "^` + "\U000F0022\U000F0020or\U000F0020uuid\U000F0020exists" + `$"`},
	{in: "space_types=hall,tent", want: `space_type IN ["hall","tent"]`},
	{in: "countries=dnk,deu", want: `venue_country IN ["DEU","DNK"]`},
	{in: "age=6", want: `age_from <= 6 AND age_to >= 6`},
	{in: "age=6,12", want: `age_from <= 6 AND age_to >= 12`},
	{in: "price=free", want: `price_type = "free"`},
	{in: "price=donation", want: `price_type = "donation"`},
	{in: "price=9.99,eur", want: `price_type = "free" OR (currency = "EUR" AND min_price <= 9.99)`},
	{in: "price=1e3,EUR&age=1", want: `age_from <= 1 AND age_to >= 1 AND (price_type = "free" OR (currency = "EUR" AND min_price <= 1000))`},
	{in: "org_uuids=" + idA, want: `org_uuid = "` + idA + `"`},
	{in: "event_uuids=" + idB + "," + idA, want: `uuid IN ["` + idA + `","` + idB + `"]`},
	{in: "venue_uuids=" + idC, want: `venue_uuid = "` + idC + `"`},
	{in: "", places: someWhere, want: `venue_uuid IN ["` + idA + `","` + idB + `"]`},
	{in: "venue_uuids=" + idB + "," + idC, places: someWhere, want: `venue_uuid = "` + idB + `"`},
	{in: "venue_uuids=" + idC, places: someWhere, want: `none`},
	{in: "title=a", places: Places{Limited: true}, want: `none`},
	{in: "last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA,
		want: `start_key > 202611201930 OR (start_key = 202611201930 AND date_uuid > "` + idA + `")`},
	{in: "search=jazz&last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA + "&sort=start",
		want: `start_key > 202611201930 OR (start_key = 202611201930 AND date_uuid > "` + idA + `")`},
	{in: "search=jazz&last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA, want: ``},
	{in: "categories=2&last_event_start_at=0001-01-01T00:00&last_event_date_uuid=" + idA,
		want: `categories = 2 AND (start_key > 101010000 OR (start_key = 101010000 AND date_uuid > "` + idA + `"))`},
}

func compile(t testing.TB, raw string, places Places) (string, bool) {
	t.Helper()
	q, err := params.Events.FromURL(raw, today)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return Compile(Dates(q, places))
}

func TestQueriesCompile(t *testing.T) {
	for _, test := range goldens {
		got, found := compile(t, test.in, test.places)
		if !found {
			got = "none"
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

// TestBoundsIncludeTheDayItself: the first and the last day of a query belong to the range, and a
// date of one day is found by bounds on either side.
func TestBoundsIncludeTheDayItself(t *testing.T) {
	const day = 20261120
	date := attributes{"start_day": float64(day), "end_day": float64(day)}
	for name, bound := range map[string]struct {
		query func(params.Day) params.Query
		later bool // the date is found by bounds after its day, too; else by those before it
	}{
		"start":         {func(d params.Day) params.Query { return params.Query{Start: d} }, false},
		"ongoing":       {func(d params.Day) params.Query { return params.Query{Start: d, Ongoing: true} }, false},
		"ends on":       {func(d params.Day) params.Query { return params.Query{EndsOn: d} }, false},
		"end":           {func(d params.Day) params.Query { return params.Query{End: d} }, true},
		"starts before": {func(d params.Day) params.Query { return params.Query{StartsBefore: d} }, true},
	} {
		for days, want := range map[params.Day]bool{-1: !bound.later, 0: true, 1: bound.later} {
			query := Dates(bound.query(day+days), Places{})
			if filter, _ := Compile(query); query.Matches(date) != want {
				t.Errorf("%s: %s finds a date on %d: %t", name, filter, day, !want)
			}
		}
	}
}

func TestOneNarrowsAFilter(t *testing.T) {
	for filter, want := range map[string]string{
		"":               `date_uuid = "` + idA + `"`,
		"a = 1 OR b = 2": `(a = 1 OR b = 2) AND date_uuid = "` + idA + `"`,
	} {
		if got := One(filter, idA); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

var update = flag.Bool("update", false, "write the list of filters again")

// TestFiltersAreListed: testdata/filters.txt has every filter that the tests expect. A test of
// package search gives the list to the real engine.
func TestFiltersAreListed(t *testing.T) {
	const file = "testdata/filters.txt"
	var filters []string
	for _, test := range goldens {
		filters = append(filters, test.want)
	}
	for _, test := range portalGoldens {
		filters = append(filters, test.want)
	}
	filters = slices.DeleteFunc(filters, func(filter string) bool { return filter == "" || filter == "none" })
	slices.Sort(filters)
	want := strings.Join(slices.Compact(filters), "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not the list of the expected filters (%v): make golden writes it", file, err)
	}
}

func TestSimplify(t *testing.T) {
	x, y := compare{"x", "<", number(1)}, exists{"y"}
	for _, test := range []struct {
		in   Expr
		want string
	}{
		{all{}, ""}, {none{}, "none"}, {and{}, ""}, {or{}, "none"}, {and{x}, "x < 1"}, {or{y}, "y EXISTS"},
		{and{x, all{}, y}, "x < 1 AND y EXISTS"}, {and{x, none{}, y}, "none"},
		{or{x, none{}, y}, "x < 1 OR y EXISTS"}, {or{x, all{}}, ""},
		{and{and{x}, and{y, and{}}}, "x < 1 AND y EXISTS"}, {or{or{x, y}, or{}}, "x < 1 OR y EXISTS"},
		{and{or{x, y}, or{y, or{x}}}, "(x < 1 OR y EXISTS) AND (y EXISTS OR x < 1)"},
		{or{and{x, y}, in{"z", nil}}, "x < 1 AND y EXISTS"},
		{in{"z", []literal{"2", "1", "2"}}, "z IN [1,2]"}, {in{"z", nil}, "none"},
		{notIn{"z", []literal{"2", "1", "2"}}, "z NOT IN [1,2]"}, {or{x, notIn{"z", nil}}, ""}, {and{x, notIn{"z", nil}}, "x < 1"},
		{and{in{"z", nil}, x}, "none"}, {or{and{none{}}, and{none{}}}, "none"},
	} {
		got, found := Compile(test.in)
		if !found {
			got = "none"
		}
		if got != test.want {
			t.Errorf("%#v: %s, want %s", test.in, got, test.want)
		}
	}
}
