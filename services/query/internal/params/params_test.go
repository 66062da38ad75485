package params

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/language"
)

const (
	today = Day(20261120)
	idA   = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	idB   = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"
	id4   = "0197a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b"
)

// read returns a query with the defaults of every query.
func read(change func(*Query)) Query {
	q := Query{Limit: 20, Lang: "en", Langs: language.Codes}
	change(&q)
	return q
}

// good are query strings, the equivalent JSON where its form differs, and the resulting query.
var good = []struct {
	url, json string
	want      Query
}{
	{"", `{}`, read(func(*Query) {})},
	{"categories=1,6", `{"categories":[1,6]}`, read(func(q *Query) { q.Categories = []int{1, 6} })},
	{"categories=1&categories=2,3", `{"categories":["1","2",3]}`, read(func(q *Query) { q.Categories = []int{1, 2, 3} })},
	{"event_types=63", `{"event_types":63}`, read(func(q *Query) { q.EventTypes = []int{63} })},
	{"genres=1001", `{"genres":"1001"}`, read(func(q *Query) { q.Genres = []int{1001} })},
	{"accessibility=0,63", `{"accessibility":[0,63]}`, read(func(q *Query) { q.Accessibility = []int{0, 63} })},
	{"visitor_infos=7", `{"visitor_infos":[7]}`, read(func(q *Query) { q.VisitorInfos = []int{7} })},
	{"start=2024-02-29&end=today", `{"start":"2024-02-29","end":"today"}`, read(func(q *Query) { q.Start, q.End = 20240229, today })},
	{"start=today&ongoing=true", `{"start":"today","ongoing":true}`, read(func(q *Query) { q.Start, q.Ongoing = today, true })},
	{"ongoing=false", `{"ongoing":"false"}`, read(func(*Query) {})},
	{"time=8,22", `{"time":"8,22"}`, read(func(q *Query) { q.Time = &TimeRange{480, 1320} })},
	{"time=08-2230", `{"time":["08","2230"]}`, read(func(q *Query) { q.Time = &TimeRange{480, 1350} })},
	{"time=22,4", `{"time":[22,4]}`, read(func(q *Query) { q.Time = &TimeRange{1320, 240} })},
	{"time=0000-2359", `{"time":"0000-2359"}`, read(func(q *Query) { q.Time = &TimeRange{0, 1439} })},
	{"title=Jazz", `{"title":"Jazz"}`, read(func(q *Query) { q.Title = &Pattern{Text: "Jazz"} })},
	{"title=Jazz*", `{"title":"Jazz*"}`, read(func(q *Query) { q.Title = &Pattern{Text: "Jazz", OpenEnd: true} })},
	{"venue=*a*b", `{"venue":"*a*b"}`, read(func(q *Query) { q.Venue = &Pattern{Text: "a*b", OpenStart: true} })},
	{"city=%2Ak%C3%B6ln%2A", `{"city":"*köln*"}`, read(func(q *Query) { q.City = &Pattern{Text: "köln", OpenStart: true, OpenEnd: true} })},
	{"postal_code=*", `{"postal_code":"*"}`, read(func(q *Query) { q.PostalCodes = []Pattern{{OpenStart: true}} })},
	{"postal_code=249*,24103", `{"postal_code":["249*","24103"]}`, read(func(q *Query) {
		q.PostalCodes = []Pattern{{Text: "249", OpenEnd: true}, {Text: "24103"}}
	})},
	{"series_uuids=" + idA + "," + idB, `{"series_uuids":["` + idA + `","` + idB + `"]}`, read(func(q *Query) { q.SeriesUUIDs = []string{idA, idB} })},
	{"group=series", `{"group":"series"}`, read(func(q *Query) { q.BySeries = true })},
	{"space_uuids=" + idA, `{"space_uuids":["` + idA + `"]}`, read(func(q *Query) { q.SpaceUUIDs = []string{idA} })},
	{"price_types=free,tiered_prices", `{"price_types":["free","tiered_prices"]}`, read(func(q *Query) { q.PriceTypes = []string{"free", "tiered_prices"} })},
	{"not_over=true", `{"not_over":"true"}`, read(func(q *Query) { q.NotOver = true })},
	{"not_over=false", `{"not_over":false}`, read(func(*Query) {})},
	{"total=true", `{"total":true}`, read(func(q *Query) { q.Total = true })},
	{"total=false", `{"total":"false"}`, read(func(*Query) {})},
	{"title=%F0%9F%98%80%5Cu", `{"title":"\ud83d\uDE00\\u"}`, read(func(q *Query) { q.Title = &Pattern{Text: `😀\u`} })},
	{"title=***", `{"title":"***"}`, read(func(q *Query) { q.Title = &Pattern{Text: "*", OpenStart: true, OpenEnd: true} })},
	{"availability=sold_out,few_left", `{"availability":["sold_out","few_left"]}`, read(func(q *Query) { q.Availabilities = []string{"sold_out", "few_left"} })},
	{"available=true", `{"available":true}`, read(func(q *Query) { q.Available = true })},
	{"available=false", `{"available":"false"}`, read(func(*Query) {})},
	{"contributor=" + idA, `{"contributor":["` + idA + `"]}`, read(func(q *Query) { q.Contributors = []string{idA} })},
	{"label=tip,kids-2", `{"label":["tip","kids-2"]}`, read(func(q *Query) { q.Labels = []string{"tip", "kids-2"} })},
	{"tags=open+air,*,50%25", `{"tags":["open air","*","50%"]}`, read(func(q *Query) { q.Tags = []string{"open air", "*", "50%"} })},
	{"space_types=theater_hall", `{"space_types":["theater_hall"]}`, read(func(q *Query) { q.SpaceTypes = []string{"theater_hall"} })},
	{"countries=deu,DNK", `{"countries":["deu","DNK"]}`, read(func(q *Query) { q.Countries = []string{"DEU", "DNK"} })},
	{"search=%22free+jazz%22+-rock", `{"search":"\"free jazz\" -rock"}`, read(func(q *Query) { q.Search = "free jazz rock" })},
	{"age=6", `{"age":6}`, read(func(q *Query) { q.Age = &AgeRange{6, 6} })},
	{"age=6,12", `{"age":[6,12]}`, read(func(q *Query) { q.Age = &AgeRange{6, 12} })},
	{"price=free", `{"price":"free"}`, read(func(q *Query) { q.Price = &Price{Type: "free"} })},
	{"price=9.99,eur", `{"price":[9.99,"eur"]}`, read(func(q *Query) { q.Price = &Price{Amount: 9.99, Currency: "EUR"} })},
	{"lon=13.4&lat=-.5&radius=1e3", `{"lon":13.4,"lat":-0.5,"radius":1000}`, read(func(q *Query) { q.Circle = &Circle{13.4, -0.5, 1000} })},
	{"lon=13.4&lat=52", `{"lon":13.4,"lat":52}`, read(func(*Query) {})},
	{"geolist_region=deutschland,nord,bucht", `{"geolist_region":["deutschland","nord","bucht"]}`, read(func(q *Query) {
		q.Region = &Region{"deutschland", "nord", "bucht"}
	})},
	{"list=tipps-2", `{"list":"tipps-2"}`, read(func(q *Query) { q.List = "tipps-2" })},
	{"portal=kiel-2", `{"portal":"kiel-2"}`, read(func(q *Query) { q.Portal = "kiel-2" })},
	{"org_uuids=" + idA, `{"org_uuids":["` + idA + `"]}`, read(func(q *Query) { q.OrgUUIDs = []string{idA} })},
	{"venue_uuids=" + strings.ToUpper(idA) + "," + idB, `{"venue_uuids":["` + idA + `","` + idB + `"]}`, read(func(q *Query) { q.VenueUUIDs = []string{idA, idB} })},
	{"event_uuids=" + idA + "&event_uuids=&event_uuids=" + idB, `{"event_uuids":"` + idA + "," + idB + `"}`, read(func(q *Query) { q.EventUUIDs = []string{idA, idB} })},
	{"limit=200&offset=10000", `{"limit":200,"offset":"10000"}`, read(func(q *Query) { q.Limit, q.Offset = 200, 10000 })},
	{"group=event", `{"group":"event"}`, read(func(q *Query) { q.Grouped = true })},
	{"sort=start&search=jazz", `{"sort":"start","search":"jazz"}`, read(func(q *Query) { q.Sort, q.Search = SortByStart, "jazz" })},
	{"sort=changed", `{"sort":"changed"}`, read(func(q *Query) { q.Sort = SortByChange })},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA, `{"last_event_start_at":"2026-11-20T19:30","last_event_date_uuid":"` + idA + `"}`,
		read(func(q *Query) { q.After = &Cursor{202611201930, idA} })},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA + "&search=a", `{"last_event_start_at":"2026-11-20T19:30","last_event_date_uuid":"` + idA + `","search":"a"}`,
		read(func(q *Query) { q.After, q.Search = &Cursor{202611201930, idA}, "a" })},
	{"title=&genres=&event_types=1&search=&&", `{"title":"","genres":[],"event_types":[1],"search":null}`, read(func(q *Query) { q.EventTypes = []int{1} })},
	{"time=0,24", `{"time":[0,24]}`, read(func(q *Query) { q.Time = &TimeRange{0, 1439} })},
	{"time=1830-2400", `{"time":"1830-2400"}`, read(func(q *Query) { q.Time = &TimeRange{1110, 1439} })},
	{"on=2026-11-21", `{"on":"2026-11-21"}`, read(func(q *Query) { q.On = &Days{20261121, 20261121} })},
	{"on=2026-11-21,2026-12-31", `{"on":["2026-11-21","2026-12-31"]}`, read(func(q *Query) { q.On = &Days{20261121, 20261231} })},
	{"on=today", `{"on":"today"}`, read(func(q *Query) { q.On = &Days{today, today} })},
	{"on=today,tomorrow", `{"on":["today","tomorrow"]}`, read(func(q *Query) { q.On = &Days{today, 20261121} })},
	{"on=weekend", `{"on":"weekend"}`, read(func(q *Query) { q.On = &Days{20261121, 20261122} })},
	{"starts_before=2026-11-30", `{"starts_before":"2026-11-30"}`, read(func(q *Query) { q.StartsBefore = 20261130 })},
	{"starts_before=today", `{"starts_before":"today"}`, read(func(q *Query) { q.StartsBefore = today })},
	{"languages=de,DA", `{"languages":["de","DA"]}`, read(func(q *Query) { q.Languages = []string{"de", "da"} })},
	{"release_statuses=cancelled,released", `{"release_statuses":["cancelled","released"]}`,
		read(func(q *Query) { q.ReleaseStatuses = []string{"cancelled", "released"} })},
	{"limit=5", `{"limit":5.0}`, read(func(q *Query) { q.Limit = 5 })},
	{"offset=100&categories=1", `{"offset":1e2,"categories":[1.0]}`, read(func(q *Query) { q.Offset, q.Categories = 100, []int{1} })},
	{"foo=&bar=", `{"foo":null,"bar":"","baz":[ ]}`, read(func(*Query) {})},
	{"lang=de", `{"lang":"de"}`, read(func(q *Query) { q.Lang, q.TextLang = "de", "de" })},
	{"lang=de-DE", `{"lang":"DE-de"}`, read(func(q *Query) { q.Lang, q.TextLang = "de", "de" })},
	{"title=&title=a", `{"title":"a"}`, read(func(q *Query) { q.Title = &Pattern{Text: "a"} })},
}

func TestGoodParametersAreReadAlikeFromURLAndJSON(t *testing.T) {
	for _, test := range good {
		if got, err := Events.FromURL(test.url, today); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v, want %+v", test.url, got, err, test.want)
		}
		if got, err := Events.FromJSON([]byte(test.json), today); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v, want %+v", test.json, got, err, test.want)
		}
	}
}

// bad are query strings and the fields that the fault must name, in order.
var bad = []struct {
	url    string
	fields []string
}{
	{"categories=0", []string{"categories"}}, {"categories=7", []string{"categories"}}, {"categories=1,x", []string{"categories"}},
	{"price_types=cheap", []string{"price_types"}}, {"space_uuids=1", []string{"space_uuids"}}, {"series_uuids=1", []string{"series_uuids"}}, {"group=venue", []string{"group"}}, {"group=series&list=a", []string{"group"}}, {"total=1", []string{"total"}},
	{"not_over=1", []string{"not_over"}},
	{"postal_code=1,,2", []string{"postal_code"}},
	{"categories=1,,2", []string{"categories"}}, {"categories=%2B1", []string{"categories"}}, {"categories=1.0", []string{"categories"}},
	{"event_types=0", []string{"event_types"}}, {"event_types=99999999999999999999", []string{"event_types"}},
	{"genres=-1", []string{"genres"}}, {"genres=0", []string{"genres"}},
	{"event_types=1&genres=2", []string{"genres"}},
	{"accessibility=64", []string{"accessibility"}}, {"visitor_infos=-1", []string{"visitor_infos"}},
	{"start=2023-02-29", []string{"start"}}, {"end=2024-1-1", []string{"end"}}, {"start=Today", []string{"start"}},
	{"ongoing=1", []string{"ongoing"}},
	{"on=2026-11-31", []string{"on"}}, {"on=2026-11-22,2026-11-21", []string{"on"}}, {"on=weekend,today", []string{"on"}}, {"on=today,", []string{"on"}},
	{"on=today,today,today", []string{"on"}}, {"on=Weekend", []string{"on"}}, {"on=today&on=tomorrow", []string{"on"}},
	{"starts_before=weekend", []string{"starts_before"}}, {"starts_before=tomorrow", []string{"starts_before"}},
	{"languages=german", []string{"languages"}}, {"languages=d,de", []string{"languages"}}, {"languages=d%22", []string{"languages"}},
	{"release_statuses=draft", []string{"release_statuses"}}, {"release_statuses=Released", []string{"release_statuses"}},
	{"lang=de&lang=da", []string{"lang"}},
	{"time=8", []string{"time"}}, {"time=8,9,10", []string{"time"}}, {"time=8-9,10", []string{"time"}}, {"time=24,1", []string{"time"}},
	{"time=830,9", []string{"time"}}, {"time=24,24", []string{"time"}}, {"time=0,2401", []string{"time"}}, {"time=0,25", []string{"time"}}, {"time=0860,9", []string{"time"}}, {"time=8,", []string{"time"}}, {"time=008,9", []string{"time"}},
	{"title=a&title=b", []string{"title"}}, {"title=%00", []string{"title"}}, {"title=a%0Ab", []string{"title"}}, {"title=%ff", []string{"title"}},
	{"title=%zz", []string{"title"}}, {"title=" + strings.Repeat("x", 20_000), []string{"title"}}, {"title=" + strings.Repeat("x", 320) + "*", []string{"title"}},
	{"availability=plenty", []string{"availability"}}, {"availability=sold_out,", []string{"availability"}},
	{"available=1", []string{"available"}}, {"available=yes", []string{"available"}},
	{"contributor=x", []string{"contributor"}}, {"label=a,b%20c", []string{"label"}}, {"label=Tip", []string{"label"}},
	{"tags=a,,b", []string{"tags"}}, {"tags=" + strings.Repeat("x", 3000), []string{"tags"}},
	{"space_types=Hall", []string{"space_types"}}, {"countries=DE", []string{"countries"}}, {"countries=D%C3%9C", []string{"countries"}},
	{"search=-", []string{"search"}}, {"search=%22%22", []string{"search"}}, {"search=a+b+c+d+e+f+g+h+i+j+k", []string{"search"}},
	{"age=18,6", []string{"age"}}, {"age=-1", []string{"age"}}, {"age=1,2,3", []string{"age"}}, {"age=1000", []string{"age"}}, {"age=6-12", []string{"age"}},
	{"price=Free", []string{"price"}}, {"price=10", []string{"price"}}, {"price=-1,EUR", []string{"price"}}, {"price=NaN,EUR", []string{"price"}},
	{"price=10,EURO", []string{"price"}}, {"price=1e400,EUR", []string{"price"}}, {"price=0x10,EUR", []string{"price"}},
	{"lon=181", []string{"lon"}}, {"lat=Inf&radius=-1", []string{"lat", "radius"}}, {"lat=1_0", []string{"lat"}},
	{"list=Tipps", []string{"list"}}, {"list=a,b", []string{"list"}}, {"sort=list", []string{"list"}},
	{"portal=Kiel", []string{"portal"}}, {"portal=a,b", []string{"portal"}},
	{"geolist_region=a,b", []string{"geolist_region"}}, {"geolist_region=a,,c", []string{"geolist_region"}},
	{"org_uuids=" + id4, []string{"org_uuids"}}, {"venue_uuids={" + idA + "}", []string{"venue_uuids"}}, {"event_uuids=" + idA[:35], []string{"event_uuids"}},
	{"event_uuids=" + strings.Repeat(idA+",", 1000) + idA, []string{"event_uuids"}},
	{"limit=0", []string{"limit"}}, {"limit=201", []string{"limit"}}, {"offset=10001", []string{"offset"}}, {"sort=title", []string{"sort"}}, {"group=venue", []string{"group"}},
	{"last_event_start_at=2026-11-20T19:30", []string{"last_event_date_uuid"}}, {"last_event_date_uuid=" + idA, []string{"last_event_start_at"}},
	{"last_event_start_at=2026-11-20&last_event_date_uuid=" + id4, []string{"last_event_start_at", "last_event_date_uuid"}},
	{"last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + idA + "&offset=0", []string{"last_event_start_at"}},
	{"foo=&bar=x", []string{"bar"}}, {"name=x", []string{"name"}}, {"Title=x", []string{"Title"}}, {"a%5B%5D=x&limit=0", []string{"a[]", "limit"}},
	{"limit=x&start=y&titel=z&lon=900", []string{"titel", "limit", "start", "lon"}},
}

func TestBadParametersAreAllNamed(t *testing.T) {
	for _, test := range bad {
		_, err := Events.FromURL(test.url, today)
		if got := fields(t, err); !slices.Equal(got, test.fields) {
			t.Errorf("%.80s: fields %v, want %v", test.url, got, test.fields)
		}
	}
}

// fields returns the fields that an Invalid fault names.
func fields(t *testing.T, err error) (names []string) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) || f.Kind != fault.Invalid || f.Code != "invalid_parameters" {
		t.Fatalf("%v is not a fault about parameters", err)
	}
	for _, v := range f.Violations {
		if v.Reason == "" || len(v.Reason) > 300 {
			t.Errorf("reason of %d bytes for %s", len(v.Reason), v.Field)
		}
		names = append(names, v.Field)
	}
	return names
}

func TestBadBodiesAreNamed(t *testing.T) {
	for body, want := range map[string][]string{
		``: {"body"}, `[]`: {"body"}, `null`: {"body"}, `{`: {"body"}, `{"title":"a"}}`: {"body"}, `{"title":"a"} {}`: {"body"},
		`{title:1}`: {"body"}, "{\"title\":\"\xff\"}": {"body"}, strings.Repeat("[", 20_000): {"body"}, `{"a":` + strings.Repeat("[", 20_000): {"body"},
		`{"title":5}`: {"title"}, `{"title":["a"]}`: {"title"}, `{"title":{"$ne":""}}`: {"title"}, `{"title":true}`: {"title"},
		`{"title":"a","title":"b"}`: {"title"}, `{"title":"\u0000"}`: {"title"}, `{"title":"\ud800"}`: {"title"},
		`{"title":"\\ufffd \ud800"}`: {"title"}, `{"title":"\ude00\ud83d"}`: {"title"}, `{"title":"\ud83d\\ude00"}`: {"title"}, `{"tags":["\uD83D\u0041"]}`: {"tags"},
		`{"limit":"x","offset":{}}`: {"offset", "limit"}, `{"limit":1e3}`: {"limit"}, `{"limit":5.5}`: {"limit"}, `{"limit":1e999}`: {"limit"}, `{"limit":5e-1}`: {"limit"}, `{"limit":[1]}`: {"limit"},
		`{"categories":[1,"x"]}`: {"categories"}, `{"categories":[[1]]}`: {"categories"}, `{"categories":[null]}`: {"categories"}, `{"categories":[1.5]}`: {"categories"},
		`{"categories":{"1":1}}`: {"categories"}, `{"event_uuids":[1]}`: {"event_uuids"}, `{"tags":["a",""]}`: {"tags"}, `{"tags":[true]}`: {"tags"},
		`{"ongoing":1}`: {"ongoing"}, `{"price":[10,"EUR",1]}`: {"price"}, `{"time":{}}`: {"time"}, `{"age":[1,2,3]}`: {"age"},
		`{` + strings.Repeat(`"a":1,`, 200) + `"a":1}`:                                {"body"},
		`{"foo":1,"foo":2,"titel":[0],"bar":{}}`:                                      {"foo", "titel", "bar"},
		`{"event_uuids":[` + strings.Repeat(`"`+idA+`",`, 10_000) + `"` + idA + `"]}`: {"event_uuids"},
	} {
		_, err := Events.FromJSON([]byte(body), today)
		if got := fields(t, err); !slices.Equal(got, want) {
			t.Errorf("%.80s: fields %v, want %v", body, got, want)
		}
	}
}

func TestBodiesTakeMoreThanURLs(t *testing.T) {
	body := `{"event_uuids":[` + strings.Repeat(`"`+idA+`",`, 9_999) + `"` + idA + `"],"tags":["a,b"],"title":"\ufffd"}`
	q, err := Events.FromJSON([]byte(body), today)
	if err != nil || len(q.EventUUIDs) != 10_000 || q.Tags[0] != "a,b" || q.Title.Text != "\uFFFD" {
		t.Errorf("%d ids, tags %q, title %v: %v", len(q.EventUUIDs), q.Tags, q.Title, err)
	}
}

func TestANearNameIsSuggestedForAnUnknownOne(t *testing.T) {
	for name, want := range map[string]string{
		"titel": "title", "categorys": "categories", "Limit": "limit", "event_type": "event_types", "orguuids": "org_uuids", "lati": "lat",
		"venue_uuid": "venue_uuids", "LIMIT": "limit", "offest": "offset", "endd": "end",
	} {
		_, err := Events.FromURL(name+"=1", today)
		if reason := fmt.Sprint(err); !strings.HasSuffix(reason, "is not known; did you mean "+want+"?") {
			t.Errorf("%q: %s, want %s", name, reason, want)
		}
	}
	for _, name := range []string{"", "x", "xy", "longitude", "City_Name", "accessible", "utm_source", strings.Repeat("limit", 100)} {
		_, err := Events.FromURL(name+"=1", today)
		if reason := fmt.Sprint(err); !strings.HasSuffix(reason, "is not known") {
			t.Errorf("%q: %s, want no suggestion", name, reason)
		}
	}
}

func TestManyUnknownParametersAreNotAllReported(t *testing.T) {
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("%s%d=1", strings.Repeat("é", 100), i))
	}
	_, err := Events.FromURL(strings.Join(names, "&"), today)
	if got := fields(t, err); len(got) != maxUnknown+1 {
		t.Errorf("%d are reported", len(got))
	}
}

func TestVenuesTakeTheirOwnParameters(t *testing.T) {
	q, err := Venues.FromURL("name=*theater*&city=Kiel&limit=5", today)
	if err != nil || q.Name == nil || q.City == nil || q.Limit != 5 {
		t.Errorf("%+v, %v", q, err)
	}
	_, err = Venues.FromURL("venue=x&start=today&org_uuids="+strings.Repeat(idA+",", 1000)+idA, today)
	if got := fields(t, err); !slices.Equal(got, []string{"venue", "start", "org_uuids"}) {
		t.Errorf("fields %v", got)
	}
	if strings.Contains(err.Error(), "POST") {
		t.Errorf("%v: there is no POST for venues", err)
	}
}

func TestEveryParameterOfTheTableIsTested(t *testing.T) {
	var all strings.Builder
	for _, test := range good {
		all.WriteString("&" + test.url)
	}
	values, err := url.ParseQuery(all.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Events.Names() {
		if values.Get(name) == "" && !slices.ContainsFunc(values[name], func(v string) bool { return v != "" }) {
			t.Errorf("no test reads %s", name)
		}
	}
}

func TestTheWeekendIsThatOfTheWeek(t *testing.T) {
	for day, want := range map[Day]Days{
		20261116: {20261121, 20261122}, 20261120: {20261121, 20261122}, 20261121: {20261121, 20261122}, 20261122: {20261121, 20261122},
		20261123: {20261128, 20261129}, 20261228: {20270102, 20270103}, 20270103: {20270102, 20270103},
	} {
		q, err := Events.FromURL("on=weekend", day)
		if err != nil || *q.On != want {
			t.Errorf("on %d: %v, %v, want %v", day, q.On, err, want)
		}
	}
}

func TestDayOfIsTheDayInItsZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	if got := DayOf(time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC).In(berlin)); got != 20270101 {
		t.Errorf("day %d", got)
	}
}
