package suggest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

const today = 20261122

// world is an index with a suggester that caches nothing.
type world struct {
	t       *testing.T
	client  *index.Client
	suggest *Suggester
}

// everywhere leaves all dates.
func everywhere(match filter.Expr) filter.Expr { return match }

func newWorld(t *testing.T) *world {
	t.Helper()
	client := indextest.New(t)
	return &world{t, client, New(engine.New(client, time.Minute), cache.New(cache.NewSignal(time.Now), 0, time.Minute))}
}

// put writes the documents of a change, as a projector does.
func (w *world) put(kind change.Kind, id string, snapshot any) map[string]index.Document {
	w.t.Helper()
	c, err := change.New(kind, id, 1, snapshot)
	if err != nil {
		w.t.Fatal(err)
	}
	projected, err := project.New("http://localhost", "Europe/Berlin").Project(c)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(projected.Index, projected.Record)
	dates := map[string]index.Document{}
	for _, date := range projected.Dates {
		line := w.write(document.Dates, date)
		var d index.Document
		if err := json.Unmarshal(line, &d); err != nil {
			w.t.Fatal(err)
		}
		dates[date.DateUUID] = d
	}
	return dates
}

func (w *world) write(name string, one any) []byte {
	w.t.Helper()
	line, err := json.Marshal(one)
	if err != nil {
		w.t.Fatal(err)
	}
	tasks, err := w.client.Add(w.t.Context(), name, [][]byte{line})
	if err == nil {
		err = w.client.Wait(w.t.Context(), tasks...)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return line
}

func id() string { return uuid.Must(uuid.NewV7()).String() }

func (w *world) organization(name string) change.Organizer {
	o := change.Organization{UUID: id(), Name: name, City: "Kiel"}
	w.put(change.KindOrganization, o.UUID, o)
	return change.Organizer{UUID: o.UUID, Name: o.Name}
}

func (w *world) venue(name, city string) change.VenueOfEvent {
	v := change.VenueOfEvent{UUID: id(), Name: name, City: value.Text(city)}
	w.put(change.KindVenue, v.UUID, change.Venue{VenueOfEvent: v})
	return v
}

func event(by change.Organizer, at change.VenueOfEvent, title, day string, tags ...string) change.Event {
	return change.Event{
		UUID: id(), Title: title, Organization: by, VenueUUID: value.Text(at.UUID), Venues: []change.VenueOfEvent{at}, Tags: tags,
		ReleaseStatus: "released", PriceType: "free",
		Dates: []change.Date{{UUID: id(), StartDate: day, AllDay: true, ReleaseStatus: "inherited"}},
	}
}

func (w *world) event(e change.Event) { w.put(change.KindEvent, e.UUID, e) }

// ask returns the suggestions for a typed text, and each as "kind text".
func (w *world) ask(typed string) (all []publicapi.Suggestion, brief []string) {
	w.t.Helper()
	q, err := params.Suggest.FromURL("q="+strings.ReplaceAll(typed, " ", "+"), 0)
	if err != nil {
		w.t.Fatalf("%s: %v", typed, err)
	}
	payload, err := w.suggest.Suggest(w.t.Context(), q, today, everywhere)
	if err != nil {
		w.t.Fatalf("%s: %v", typed, err)
	}
	return decoded(w.t, payload)
}

func decoded(t *testing.T, payload encoded.Payload) (all []publicapi.Suggestion, brief []string) {
	t.Helper()
	data, err := io.ReadAll(payload.Body(encoded.Identity, nil))
	if err != nil {
		t.Fatal(err)
	}
	var found publicapi.Suggestions
	if err := json.Unmarshal(data[:len(data)-1], &found); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	for _, one := range found.Suggestions {
		brief = append(brief, one.Kind+" "+one.Text)
	}
	return found.Suggestions, brief
}

func (w *world) contributor(name, note string, former ...string) change.Participant {
	c := change.Contributor{UUID: id(), Type: "group", Name: name, Note: value.Text(note), FormerUUIDs: former}
	w.put(change.KindContributor, c.UUID, c)
	return change.Participant{UUID: c.UUID, Role: "ensemble", Type: c.Type, Name: name, FormerUUIDs: former}
}

// Contributors are suggested with their notes, which tell namesakes apart, if they have dates to
// come.
func TestContributorsAreSuggested(t *testing.T) {
	w := newWorld(t)
	by, at := w.organization("Verein"), w.venue("Halle", "Kiel")
	kiel, husum, idle := w.contributor("Trio Nord", "Kiel", id()), w.contributor("Trio Nord", "Husum"), w.contributor("Trio Süd", "")
	both, one, past := event(by, at, "Konzert", "2026-12-01"), event(by, at, "Fest", "2026-12-02"), event(by, at, "Gestern", "2026-11-21")
	both.Contributors, one.Contributors, past.Contributors = []change.Participant{kiel, husum}, []change.Participant{kiel}, []change.Participant{idle}
	for _, e := range []change.Event{both, one, past} {
		w.event(e)
	}
	all, _ := w.ask("trio no")
	if len(all) != 2 {
		t.Fatalf("suggested are %+v", all)
	}
	for i, want := range []change.Participant{kiel, husum} {
		got := all[i]
		if got.Kind != "contributor" || got.Text != "Trio Nord" || got.Detail != []string{"Kiel", "Husum"}[i] || got.Count != 2-i ||
			string(got.UUID) != want.UUID || got.Filter["contributor"] != want.UUID || len(got.Filter) != 1 {
			t.Errorf("suggested is %+v", got)
		}
	}
	if none, _ := w.ask("trio süd"); len(none) != 0 {
		t.Errorf("nothing with them is to come: %+v", none)
	}
}

func TestSuggestions(t *testing.T) {
	w := newWorld(t)
	theatre, choir, idle := w.organization("Förderverein Musikhaus"), w.organization("Chor Århus"), w.organization("Musikarchiv")
	hall, harbour := w.venue("Musikhalle", "Münster"), w.venue("Børsen", "Århus")
	closed, gone := w.venue("Musikkeller", "Musikdorf"), w.venue("Musikruine", "Kiel")
	w.event(event(theatre, hall, "Musik im Park", "2026-12-01", "Straßenmusik", "musik"))
	w.event(event(choir, harbour, "Jazzkonzert", "2026-11-22", "Jazz, laut", "Übung"))
	w.event(event(theatre, closed, "Musik von gestern", "2026-11-21", "Musikgeschichte"))
	cancelled := event(idle, gone, "Musik fällt aus", "2026-12-01", "Musikausfall")
	cancelled.ReleaseStatus = "cancelled"
	w.event(cancelled)
	over := event(choir, hall, "Musiktage", "2026-11-20")
	over.Dates[0].EndDate = "2026-11-22"
	w.event(over)
	for typed, want := range map[string][]string{
		"musik": {
			"tag musik", "venue Musikhalle", "event Musiktage", "event Musik im Park", "organization Förderverein Musikhaus",
		},
		"mu":           nil, // see below
		"muenster":     {"city Münster"},
		"munst":        {"city Münster"},
		"mnüster":      {"city Münster"},
		"aarhus":       {"city Århus", "organization Chor Århus"},
		"arhus":        {"city Århus", "organization Chor Århus"},
		"boersen":      {"venue Børsen"},
		"børsn":        {"venue Børsen"},
		"strassenmus":  {"tag Straßenmusik"},
		"uebung":       {"tag Übung"},
		"jazzkonzrt":   {"event Jazzkonzert"},
		"park musik":   {"event Musik im Park"},
		"foerder":      {"organization Förderverein Musikhaus"},
		"musikkeller":  nil, // was used yesterday
		"musikdorf":    nil,
		"musikarchiv":  nil,
		"musikausfall": nil,
		"laut":         nil, // no filter finds a tag with a comma
		"zzzzz":        nil,
	} {
		all, brief := w.ask(typed)
		if typed == "mu" {
			if len(brief) < 5 || all[0].Kind != publicapi.SuggestedCity {
				t.Errorf("mu: %v", brief)
			}
			continue
		}
		got, wanted := slices.Clone(brief), slices.Clone(want)
		if typed == "musik" && (len(got) == 0 || got[0] != want[0]) {
			t.Errorf("what was typed does not come first: %v", got)
		}
		slices.Sort(got)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: got %v, want %v", typed, brief, want)
		}
	}
	w.findsWhatItStandsFor("musik", "aarhus", "muenster", "boersen", "uebung", "jazz")
}

// findsWhatItStandsFor: the filter of each suggestion is one that the event search takes, and finds
// dates to come.
func (w *world) findsWhatItStandsFor(typed ...string) {
	w.t.Helper()
	for _, typed := range typed {
		all, _ := w.ask(typed)
		for _, one := range all {
			body, err := json.Marshal(one.Filter)
			if err != nil {
				w.t.Fatal(err)
			}
			q, err := params.Events.FromJSON(body, today)
			if err != nil {
				w.t.Errorf("%s: %+v: %v", typed, one, err)
				continue
			}
			compiled, found := filter.Compile(filter.Dates(q, filter.Places{}))
			count, err := w.suggest.engine.Count(w.t.Context(), document.Dates, engine.Counting{Filter: compiled})
			if err != nil || !found || count[0].Total == 0 {
				w.t.Errorf("%s: %+v finds %v, %v", typed, one, count, err)
			}
		}
	}
}

// TestOneSuggestionForAllEventsOfAName: also for more than a list of suggestions has room for, and
// at several venues.
func TestOneSuggestionForAllEventsOfAName(t *testing.T) {
	w := newWorld(t)
	by, hall, yard := w.organization("Verein"), w.venue("Halle", "Kiel"), w.venue("Hof", "Kiel")
	for n := range 12 {
		w.event(event(by, hall, []string{"Orgelkonzert", "orgelkonzert"}[n%2], fmt.Sprintf("2026-12-%02d", n+1)))
	}
	w.event(event(by, hall, "Flohmarkt", "2026-12-01"))
	w.event(event(by, yard, "Flohmarkt", "2026-12-01"))
	w.event(event(by, hall, "Flohmarkt für Kinder", "2026-12-01"))
	w.event(event(by, hall, "Hofmusik*", "2026-12-02"))
	w.event(event(by, hall, "Hofmusik*", "2026-12-03"))
	type brief struct {
		detail, uuid string
		filter       map[string]string
		events       int
	}
	for typed, want := range map[string][]brief{
		"orgel":  {{"Halle, Kiel", "", map[string]string{"title": "Orgelkonzert"}, 12}},
		"floh":   {{"", "", map[string]string{"title": "Flohmarkt"}, 2}, {"Halle, Kiel", "own", nil, 1}},
		"hofmus": {{"Halle, Kiel", "", nil, 2}},
	} {
		all, _ := w.ask(typed)
		if len(all) != len(want) {
			t.Errorf("%s: %+v", typed, all)
			continue
		}
		for n, one := range all {
			if (one.UUID == "") != (want[n].uuid == "") || one.Detail != want[n].detail || want[n].filter != nil && !strings.EqualFold(one.Filter["title"], want[n].filter["title"]) {
				t.Errorf("%s: %+v, want %+v", typed, one, want[n])
			}
			body, _ := json.Marshal(one.Filter)
			q, err := params.Events.FromJSON(body, today)
			if err != nil {
				t.Fatal(err)
			}
			compiled, _ := filter.Compile(filter.Dates(q, filter.Places{}))
			count, err := w.suggest.engine.Count(t.Context(), document.Dates, engine.Counting{Filter: compiled, Distinct: "uuid"})
			if err != nil || count[0].Total != want[n].events || one.Count != want[n].events {
				t.Errorf("%s: %+v finds %v, %v", typed, one, count, err)
			}
		}
	}
}

// TestHostileTexts: names and typed texts are text, not part of a question.
func TestHostileTexts(t *testing.T) {
	w := newWorld(t)
	by, at := w.organization(`Verein" OR gone = true OR "`), w.venue(`Haus "\' OR 1=1`, `Ort" OR venue_uuid EXISTS`)
	w.event(event(by, at, `<script>alert("x")</script>`, "2026-12-01", `tag"] OR uuid EXISTS`))
	hidden := w.venue("Geheimhaus", "Geheimort")
	w.event(event(by, hidden, "Geheimnis", "2026-01-01", "geheim"))
	for typed, want := range map[string]int{
		"script": 1, "verein": 1, "haus": 1, "ort": 1, "tag": 1, `-geheim`: 0, `%22geheim%22`: 0, "geheim* OR gone = true": 0, "geheim": 0,
		`x%22 OR end_day > 0 OR uuid = %22`: 0,
	} {
		if _, brief := w.ask(typed); len(brief) != want {
			t.Errorf("%s: %v, want %d", typed, brief, want)
		}
	}
	w.findsWhatItStandsFor("script", "verein", "haus", "ort", "tag")
}

// TestSuggestionsAreKeptWhileTheyAreTrue: each of many edits either invalidates the cached answer
// or does not change what the engine answers. And one does not invalidate it.
func TestSuggestionsAreKeptWhileTheyAreTrue(t *testing.T) {
	w := newWorld(t)
	by, other := w.organization("Musikverein"), w.organization("Chor")
	hall, bar := w.venue("Musikhalle", "Musikstadt"), w.venue("Bar", "Kiel")
	first := event(by, hall, "Musik", "2026-12-01", "Musik")
	kept := 0
	edit := func(name string, before, after *change.Event) {
		t.Helper()
		read := func() (*cache.Suggestions, []string) {
			q := question{words: "musik", limit: 8, upcoming: filter.Upcoming(today), counted: params.Query{Start: today, Ongoing: true}, narrow: everywhere}
			a, err := w.suggest.load(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			_, brief := decoded(t, a.Payload)
			return a, brief
		}
		var was map[string]index.Document
		if before != nil {
			was = w.put(change.KindEvent, before.UUID, *before)
		}
		a, brief := read()
		is := w.put(change.KindEvent, after.UUID, *after)
		batch := applied.Batch{Dates: applied.Changes(was, is), Whole: true}
		_, now := read()
		if next, _ := a.Apply(cache.NewBatch(batch, "", "")); next == nil {
			return
		}
		kept++
		if !slices.Equal(brief, now) {
			t.Errorf("%s: kept %v, now %v", name, brief, now)
		}
	}
	edit("the first event", nil, &first)
	for name, change := range map[string]func(*change.Event){
		"title":     func(e *change.Event) { e.Title = "Tanz" },
		"tag":       func(e *change.Event) { e.Tags = []string{"Tanz"} },
		"cancelled": func(e *change.Event) { e.ReleaseStatus = "cancelled" },
		"day":       func(e *change.Event) { e.Dates[0].StartDate = "2026-11-01" },
		"organizer": func(e *change.Event) { e.Organization = other },
		"place": func(e *change.Event) {
			e.VenueUUID, e.Venues = value.Text(bar.UUID), append(e.Venues, bar)
		},
	} {
		changed := first
		changed.Dates = slices.Clone(first.Dates)
		change(&changed)
		edit(name, &first, &changed)
		edit(name+" and back", &changed, &first)
	}
	quiet, louder := event(other, bar, "Lesung", "2026-12-01"), event(by, bar, "Lesung", "2026-12-02")
	edit("another event", nil, &quiet)
	edit("of the same organization", nil, &louder)
	edit("at the same venue", nil, func() *change.Event { e := event(other, hall, "Lesung", "2026-12-03"); return &e }())
	if kept != 1 {
		t.Errorf("%d edits left the answer, want that of another event alone", kept)
	}
	for _, index := range []string{document.Venues, document.Organizations} {
		a, err := w.suggest.load(t.Context(), question{words: "musik", limit: 8, upcoming: filter.Upcoming(today), counted: params.Query{Start: today, Ongoing: true}, narrow: everywhere})
		if err != nil {
			t.Fatal(err)
		}
		if next, _ := a.Apply(cache.NewBatch(applied.Batch{Records: map[string][]string{index: {id()}}}, "", "")); next != nil {
			t.Errorf("a new name in %s leaves the answer", index)
		}
	}
}

func TestMixedKinds(t *testing.T) {
	var all []candidate
	for i := range 10 {
		all = append(all, candidate{Suggestion: publicapi.Suggestion{Kind: publicapi.SuggestedEvent, Text: fmt.Sprint(i)}, dates: 1})
	}
	all = append(all,
		candidate{Suggestion: publicapi.Suggestion{Kind: publicapi.SuggestedTag, Text: "t"}, fit: similar, dates: 1},
		candidate{Suggestion: publicapi.Suggestion{Kind: publicapi.SuggestedVenue, Text: "few"}, fit: inWords, dates: 1},
		candidate{Suggestion: publicapi.Suggestion{Kind: publicapi.SuggestedVenue, Text: "many"}, fit: inWords, dates: 9},
	)
	for limit, want := range map[int]string{1: "0", 2: "0 many", 5: "0 1 2 many few", 8: "0 1 2 3 4 many few t", 20: "0 1 2 3 4 5 6 7 8 9 many few t"} {
		var got []string
		for _, one := range mix(all, limit) {
			got = append(got, one.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", limit, got, want)
		}
	}
}
