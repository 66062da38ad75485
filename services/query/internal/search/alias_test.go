package search

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

const today = params.Day(20261120)

// twoVenues is a source of two venues in Flensburg, whose version may change.
type twoVenues struct{ version string }

func (v *twoVenues) Version(context.Context, string) (string, error) { return v.version, nil }

func (*twoVenues) Venues(context.Context) ([]places.Venue, error) {
	return []places.Venue{
		{UUID: "01930000-0000-7000-8000-0000000001aa", Lat: 54.79, Lon: 9.43}, {UUID: "01930000-0000-7000-8000-0000000001bb", Lat: 54.8, Lon: 9.44},
	}, nil
}

func (*twoVenues) Regions(context.Context) (map[params.Region][]byte, error) {
	return map[params.Region][]byte{
		{Country: "deu", State: "sh", Region: "fl"}: []byte(`{"type":"Polygon","coordinates":[[[9,54],[10,54],[10,55],[9,55],[9,54]]]}`),
	}, nil
}

// fixture is a searcher in front of an engine that finds many dates by any query.
type fixture struct {
	*Searcher
	engine *ranked
	venues *twoVenues
	signal *cache.Signal
	batch  uint64
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	moment, ticks := time.Now(), 0
	now := func() time.Time { ticks++; return moment.Add(time.Duration(ticks)) } // slow, so that the signal never falls silent
	f := &fixture{engine: &ranked{dates: 500}, venues: &twoVenues{version: "1"}, signal: cache.NewSignal(now)}
	server := httptest.NewServer(f.engine)
	t.Cleanup(server.Close)
	e, err := engine.Connect(index.Config{URL: server.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := places.NewStore(f.venues, f.signal, now, slog.New(slog.DiscardHandler))
	f.Searcher = NewSearcher(e, store, nil, nil, cache.New(f.signal, 50<<20, time.Minute))
	f.change()
	return f
}

// change signals that anything may have changed.
func (f *fixture) change() {
	f.batch += 2
	f.signal.Hear(applied.Signal{Session: "s", Batches: f.batch, Sequence: f.batch})
}

// ask requests both operations as the API does and returns the number of questions to the engine.
func (f *fixture) ask(t *testing.T, raw string) int {
	t.Helper()
	before, from := f.engine.questions, QueryString{Raw: raw, Today: today}
	_, events := f.CachedEvents(t.Context(), from)
	_, summary := f.CachedSummary(t.Context(), from)
	if events && summary {
		return 0
	}
	q, err := params.Events.FromURL(raw, today)
	if err == nil {
		_, err = f.Events(t.Context(), q, from)
	}
	if err == nil {
		_, err = f.Summary(t.Context(), q, from)
	}
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return f.engine.questions - before
}

// known reports whether a query string need not be parsed.
func (f *fixture) known(t *testing.T, from QueryString) bool {
	t.Helper()
	_, events := f.CachedEvents(t.Context(), from)
	_, summary := f.CachedSummary(t.Context(), from)
	if events != summary {
		t.Errorf("%+v: events %t, summary %t", from, events, summary)
	}
	return events
}

func TestASpellingIsKnownWhileItsAnswerIsKept(t *testing.T) {
	f := newFixture(t)
	for _, raw := range []string{"", "title=jazz&start=today", "lon=9.43&lat=54.79&radius=5000", "geolist_region=deu,sh,fl&limit=5"} {
		from := QueryString{Raw: raw, Today: today}
		for _, step := range []struct {
			what  string
			do    func()
			known bool
		}{
			{"never asked", func() {}, false},
			{"asked", func() { f.ask(t, raw) }, true},
			{"again", func() {}, true},
			{"its answer dropped", f.change, false},
			{"asked since", func() { f.ask(t, raw) }, true},
		} {
			if step.do(); f.known(t, from) != step.known {
				t.Errorf("%q, %s: known is %t", raw, step.what, !step.known)
			}
		}
		if f.known(t, QueryString{Raw: raw, Today: today + 1}) {
			t.Errorf("%q is known on the next day", raw)
		}
		f.venues.version += "1"
		f.signal.Hear(applied.Signal{
			Session: "s", Batches: f.batch + 1, Sequence: f.batch + 1, Batch: &applied.Batch{Records: map[string][]string{"venues": {"x"}}},
		})
		f.batch++
		if byPlace := strings.Contains(raw, "lon=") || strings.Contains(raw, "geolist"); f.known(t, from) == byPlace {
			t.Errorf("%q, venues changed: known is %t", raw, !byPlace)
		}
	}
}

func TestWhatIsNotRemembered(t *testing.T) {
	f := newFixture(t)
	for _, raw := range []string{
		"tags=" + strings.Repeat("x", maxAliasLength),
		"search=jazz&last_event_start_at=2026-11-20T19:30&last_event_date_uuid=" + rankedID(3),
		"geolist_region=no,such,region",
	} {
		q, err := params.Events.FromURL(raw, today)
		if err == nil {
			_, err = f.Events(t.Context(), q, QueryString{Raw: raw, Today: today})
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, known := f.CachedEvents(t.Context(), QueryString{Raw: raw, Today: today}); known {
			t.Errorf("%.80s is remembered", raw)
		}
	}
}

// TestOtherSpellingsDriveOutNone: an endless stream of query strings that are used once.
func TestOtherSpellingsDriveOutNone(t *testing.T) {
	s := newAliases()
	hot := QueryString{Raw: "hot", Today: today}
	s.remember("events", hot, selection{}, cache.Key{1}, "")
	for i := range 4 * maxAliases {
		s.remember("events", QueryString{Raw: fmt.Sprint(i), Today: today}, selection{}, cache.Key{2}, "")
		if i%1000 != 0 {
			continue
		}
		if _, known := s.known.Get(alias{"events", "hot"}); !known {
			t.Fatalf("driven out after %d", i)
		}
	}
	if s.known.Len() > maxAliases {
		t.Errorf("%d spellings", s.known.Len())
	}
}

// TestEqualQuestionsHaveOneAnswer, in all their spellings.
func TestEqualQuestionsHaveOneAnswer(t *testing.T) {
	const a, b = "01930000-0000-7000-8000-0000000000aa", "01930000-0000-7000-8000-0000000000bb"
	for _, spellings := range [][]string{
		{"", "limit=20", "offset=0", "ongoing=false", "ongoing=true", "sort=start", "lang=de", "title=", "&&", "lon=9&lat=54"},
		{"title=*Jazz*&city=Flensburg", "city=flensburg&title=*jazz*", "city=FLENSBURG&title=%2AJAZZ*", "title=*jazz*&city=flensburg&limit=20"},
		{"title=*", "title=**"},
		{"tags=Jazz,open+air", "tags=OPEN%20AIR&tags=jazz", "tags=jazz,jazz,Open air,open air"},
		{"countries=deu,DNK", "countries=DNK,DEU", "countries=dnk&countries=deu,deu"},
		{"languages=de,DA", "languages=da,de"},
		{"categories=1,5", "categories=5,1,1", "categories=05&categories=01"},
		{"event_types=3,12", "event_types=12&event_types=3"},
		{"accessibility=3,10", "accessibility=10,3,3"},
		{"org_uuids=" + a + "," + b, "org_uuids=" + strings.ToUpper(b) + "&org_uuids=" + a},
		{"start=2026-11-20", "start=today"},
		{"on=2026-11-21", "on=tomorrow", "on=2026-11-21,2026-11-21", "on=tomorrow,2026-11-21"},
		{"on=weekend", "on=2026-11-21,2026-11-22"},
		{"time=8,10", "time=08-10", "time=0800,1000", "time=8-1000"},
		{"time=20,24", "time=2000-2400", "time=20,2359"},
		{"age=6", "age=6,6", "age=06"},
		{"price=20,EUR", "price=20.0,eur", "price=2e1,EUR", "price=%2B20,Eur"},
		{"price=0,EUR", "price=-0,EUR"},
		{"lon=9.43&lat=54.79&radius=5000", "radius=5e3&lat=54.790&lon=9.43"},
		{"geolist_region=deu,sh,fl"},
		{"search=Jazz+Open", "search=jazz%20%20open", "search=jazz,open!", "search=JAZZ-open"},
		{"search=jazz&sort=start", "sort=start&search=Jazz"},
		{"release_statuses=cancelled,released", "release_statuses=released&release_statuses=cancelled"},
	} {
		f := newFixture(t)
		for i, raw := range spellings {
			if got := f.ask(t, raw); (i == 0) != (got > 0) {
				t.Errorf("%q, as %q before: %d questions to the engine", raw, spellings[0], got)
			}
			q, err := params.Events.FromJSON(asBody(t, raw), today)
			if err != nil {
				t.Fatalf("%q as JSON: %v", raw, err)
			}
			before := f.engine.questions
			if _, err := f.Events(t.Context(), q, QueryString{}); err != nil || f.engine.questions != before {
				t.Errorf("%q as JSON: %d questions to the engine, %v", raw, f.engine.questions-before, err)
			}
		}
	}
}

// asBody writes a query string as the body of a POST.
func asBody(t *testing.T, raw string) []byte {
	t.Helper()
	values, err := url.ParseQuery(raw)
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{}
	for name, given := range values {
		body[name] = strings.Join(given, ",")
		if slices.Contains([]string{
			"tags", "countries", "languages", "categories", "event_types", "accessibility", "org_uuids", "release_statuses", "venue_uuids",
		}, name) {
			body[name] = strings.Split(strings.Join(given, ","), ",")
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRandomSpellings: queries of random parameters, each in several random spellings.
func TestRandomSpellings(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	lists := map[string][]string{
		"tags": {"jazz", "open air", "50%", "straße"}, "countries": {"deu", "dnk", "swe"}, "languages": {"de", "da", "en"},
		"categories": {"1", "2", "6"}, "genres": {"1001", "20", "3"}, "visitor_infos": {"0", "7", "63"},
		"venue_uuids": {"01930000-0000-7000-8000-0000000001aa", "01930000-0000-7000-8000-0000000001bb"},
	}
	single := map[string]string{
		"title": "*jazz", "city": "flensburg*", "start": "2026-11-20", "time": "8,10", "age": "3,12", "price": "free", "ongoing": "true",
		"search": "jazz open air", "limit": "20", "offset": "0", "lon": "9.4", "lat": "54.8", "radius": "100000",
	}
	f := newFixture(t)
	for range 150 {
		query := map[string][]string{}
		for name, items := range lists {
			if random.IntN(3) == 0 {
				query[name] = items[:1+random.IntN(len(items))]
			}
		}
		for name, value := range single {
			if random.IntN(3) == 0 {
				query[name] = []string{value}
			}
		}
		f.ask(t, respell(random, query, lists))
		for range 3 {
			raw := respell(random, query, lists)
			if got := f.ask(t, raw); got > 0 {
				t.Errorf("%s: %d questions to the engine", raw, got)
			}
		}
	}
}

// respell writes a query in one of its ways.
func respell(random *rand.Rand, query, lists map[string][]string) string {
	var pairs []string
	pair := func(name, value string) {
		if !slices.Contains([]string{"ongoing", "start", "price", "tags"}, name) && random.IntN(2) == 0 {
			value = strings.ToUpper(value)
		}
		pairs = append(pairs, name+"="+url.QueryEscape(value))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		items := query[name]
		if _, list := lists[name]; !list {
			pair(name, items[0])
			continue
		}
		items = slices.Concat(items, items[:random.IntN(len(items)+1)])
		random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		cut := random.IntN(len(items))
		if cut > 0 {
			pair(name, strings.Join(items[:cut], ","))
		}
		pair(name, strings.Join(items[cut:], ","))
	}
	for _, usual := range []string{"lang=da", "title=", "&"} {
		if random.IntN(3) == 0 {
			pairs = append(pairs, usual)
		}
	}
	random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return strings.Join(pairs, "&")
}

// TestAnswersBySpellingAreThoseOfTheQuery: the same payload, also for a spelling that is known.
func TestAnswersBySpellingAreThoseOfTheQuery(t *testing.T) {
	f := newFixture(t)
	from := QueryString{Raw: "limit=3", Today: today}
	q, err := params.Events.FromURL(from.Raw, from.Today)
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Events(t.Context(), q, from)
	if err != nil {
		t.Fatal(err)
	}
	again, ok := f.CachedEvents(t.Context(), from)
	if !ok || again.Tag() != first.Tag() || string(read(t, again)) != string(read(t, first)) {
		t.Errorf("known %t: %s, first %s", ok, read(t, again), read(t, first))
	}
	if body := again.Body(encoded.Gzip, nil); body.Len() == 0 {
		t.Error("no body")
	}
}
