package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/lane"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/suggest"
)

// records are random venues and organizations that are edited, with two services of their index: of
// which the first caches its answers.
type records struct {
	t             *testing.T
	random        *rand.Rand
	client        *index.Client
	signal        *cache.Signal
	all           *cache.Signal // of which every batch may have changed anything
	answers       *cache.Cache
	cached, plain site

	venues        []change.Venue
	organizations []change.Organization
	gone          map[string]bool
	documents     map[string]index.Document // by index and id
	revision      int64
	batches       uint64
	paths         []string
}

func newRecords(t *testing.T) *records {
	client := indextest.New(t)
	moment, ticks := time.Now(), 0
	var mu sync.Mutex
	slow := func() time.Time { // so that no signal falls silent
		mu.Lock()
		defer mu.Unlock()
		ticks++
		return moment.Add(time.Duration(ticks))
	}
	signal, all := cache.NewSignal(slow), cache.NewSignal(slow)
	e := engine.New(client, patience)
	r := &records{
		t: t, random: rand.New(rand.NewPCG(11, 26)), client: client, signal: signal, all: all, answers: cache.New(signal, 64<<20, patience),
		gone: map[string]bool{}, documents: map[string]index.Document{},
	}
	serve := func(signal *cache.Signal, answers *cache.Cache) site {
		return newSite(t, client, func(d *Deps) {
			d.Signal, d.Cache, d.Lists = signal, answers, lists.NewReader(e, signal, time.Now)
			d.Places = places.NewStore(places.InIndexes(e), signal, time.Now, nil)
			d.Portals = portals.NewStore(portals.InIndex(e), signal, time.Now, nil)
			d.Curated = curated.NewStore(curated.InIndex(e), signal, time.Now)
			d.Search, d.Suggest = search.NewSearcher(e, d.Places, d.Portals, d.Curated, answers), suggest.New(e, answers)
		})
	}
	r.cached, r.plain = serve(signal, r.answers), serve(all, cache.New(all, 0, patience))
	signal.Hear(applied.Signal{Session: "s"})
	for range 5 {
		r.organizations = append(r.organizations, change.Organization{UUID: r.uuid(), Name: r.name()})
		r.write(document.Organizations, r.organizations[len(r.organizations)-1].UUID)
	}
	for range 24 {
		v := change.Venue{VenueOfEvent: change.VenueOfEvent{UUID: r.uuid()}}
		r.furnish(&v)
		r.venues = append(r.venues, v)
		r.write(document.Venues, v.UUID)
	}
	var dates [][]byte
	for i, v := range r.venues[:12] { // so that they are suggested
		dates = append(dates, encode(t, dated{byte('a' + i), "2030-11-25", "", "Fest", func(d *dateDraft) {
			d.VenueUUID, d.OrgUUID, d.doc.VenueUUID, d.doc.OrgUUID = value.Text(v.UUID), v.Organization.UUID, v.UUID, v.Organization.UUID
			d.doc.ReleaseStatus = "released"
		}}.document()))
	}
	put(t, client, document.Dates, dates...)
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Batch: &applied.Batch{All: true}})
	r.batches = 1
	r.ask()
	return r
}

func (*records) uuid() string { return uuid.Must(uuid.NewV7()).String() }

func (r *records) one(of ...string) string { return of[r.random.IntN(len(of))] }

// name returns a name, some of which differ only by case, or have letters whose order is not known.
func (r *records) name() string {
	first := r.one("Alte", "alte", "Ærø", "Åben", "Aben", "Große", "GROSSE", "Halle", "  Halle", "Øst", "Ost", "Ölmühle", "ﬁlm", "<b>Bar</b>", `"Bar"`, "Ωmega", "Кино", "映画", "🎷")
	return first + r.one("", " ", " Bühne", " buhne", " 1", " 10", " 2", "-Haus")
}

// furnish gives a venue other places and an owner.
func (r *records) furnish(v *change.Venue) {
	o := r.organizations[r.random.IntN(len(r.organizations))]
	v.Name, v.Organization = r.name(), change.Organizer{UUID: o.UUID, Name: o.Name}
	v.City, v.PostalCode = value.Text(r.one("Kiel", "KIEL", "Århus", "")), value.Text(r.one("24103", "24105", "8000", ""))
	v.Country = value.Text(r.one("DEU", "DNK"))
	r.locate(v)
}

func (r *records) locate(v *change.Venue) {
	v.Lat, v.Lon, v.AccessibilityFlags = nil, nil, nil
	if r.random.IntN(4) > 0 {
		v.Lat, v.Lon = at(54+r.random.Float64()), at(9+r.random.Float64())
		flags := value.Mask(r.random.Uint64N(4))
		v.AccessibilityFlags = &flags
	}
}

// write projects a record, writes its document and returns its change.
func (r *records) write(name, id string) applied.Record {
	r.t.Helper()
	r.revision++
	kind, snapshot := change.KindVenue, any(nil)
	switch {
	case name == document.Organizations:
		kind = change.KindOrganization
		if !r.gone[id] {
			snapshot = r.organizations[slices.IndexFunc(r.organizations, func(o change.Organization) bool { return o.UUID == id })]
		}
	case !r.gone[id]:
		at := slices.IndexFunc(r.venues, func(v change.Venue) bool { return v.UUID == id })
		if at < 0 { // newRecords is about to add it
			at = len(r.venues) - 1
		}
		snapshot = r.venues[at]
	}
	c, err := change.New(kind, id, r.revision, snapshot)
	if err != nil {
		r.t.Fatal(err)
	}
	projected, err := project.New("http://localhost", "Europe/Berlin").Project(c)
	if err != nil {
		r.t.Fatal(err)
	}
	line := encode(r.t, projected.Record)
	var after index.Document
	if err := json.Unmarshal(line, &after); err != nil {
		r.t.Fatal(err)
	}
	put(r.t, r.client, name, line)
	before := r.documents[name+id]
	r.documents[name+id] = after
	return applied.RecordChange(name, id, before, after)
}

// edit changes a random record, usually a little, and returns the batch of its change.
func (r *records) edit() applied.Batch {
	name := document.Venues
	var id, called string
	if r.random.IntN(4) == 0 {
		o := &r.organizations[r.random.IntN(len(r.organizations))]
		name, id = document.Organizations, o.UUID
		if r.random.IntN(3) == 0 {
			o.Name = r.name()
		} else {
			o.Description = value.Text(r.name())
		}
		called = o.Name
	} else {
		v := &r.venues[r.random.IntN(len(r.venues))]
		id = v.UUID
		switch r.random.IntN(8) {
		case 0:
			r.furnish(v)
		case 1:
			v.Name = r.name()
		case 2:
			r.locate(v)
		case 3:
			v.Spaces = []change.Space{{UUID: r.uuid(), VenueUUID: v.UUID, Name: r.name()}}
		case 4:
			v.City = value.Text(r.one("Kiel", "KIEL", "Århus", ""))
		default:
			v.Description = value.Text(r.name())
		}
		called = v.Name
	}
	r.gone[id] = r.random.IntN(12) == 0
	if r.gone[id] {
		called = ""
	}
	batch := applied.Batch{
		Records: map[string][]string{name: {id}}, Names: map[string]map[string]string{name: {id: called}},
		Changed: map[string][]applied.Record{name: {r.write(name, id)}}, Whole: true,
	}
	switch r.random.IntN(40) {
	case 0:
		batch.Changed = nil // as of an earlier projector
	case 1:
		return batch.WithoutEntries()
	}
	return batch
}

// ask chooses the questions.
func (r *records) ask() {
	add := func(format string, of ...any) { r.paths = append(r.paths, fmt.Sprintf(format, of...)) }
	for _, v := range r.venues[:10] {
		add("/api/venue/%s", v.UUID)
	}
	for _, o := range r.organizations {
		add("/api/organization/%s", o.UUID)
		add("/api/venues?org_uuids=%s", o.UUID)
		add("/api/venues.geojson?org_uuids=%s", o.UUID)
	}
	for range 40 {
		filter := ""
		for _, part := range []string{
			"countries=DEU", "city=Kiel", "name=" + url.QueryEscape(r.one("*a*", "halle*", "*1", "*hne")), "postal_code=241*", "accessibility=1",
			"lon=9.5&lat=54.5&radius=30000", "venue_uuids=" + r.venues[r.random.IntN(len(r.venues))].UUID + "," + r.venues[3].UUID,
		} {
			if r.random.IntN(8) == 0 {
				filter += "&" + part
			}
		}
		page := fmt.Sprintf("limit=%d", 1+r.random.IntN(30))
		if r.random.IntN(3) == 0 {
			page += fmt.Sprintf("&offset=%d", r.random.IntN(20))
		}
		add("/api/venues?%s%s", page, filter)
		add("/api/venues.geojson?%s%s%s", page, filter, r.one("", "", "&bbox=9.2,54.2,9.7,54.9"))
		add("/api/organizations?search=%s&limit=%d&offset=%d", r.one("a", "o", "b", "e"), 1+r.random.IntN(8), r.random.IntN(3)*r.random.IntN(2))
	}
	for _, word := range []string{"alte", "halle", "bar", "kiel", "arhus"} {
		add("/api/suggest?q=%s", word)
	}
	add("/api/choosable-venues")
	add("/api/choosable-organizations")
	slices.Sort(r.paths)
	r.paths = slices.Compact(r.paths)
}

// answer returns the status and the data of an answer.
func (r *records) answer(s site, path string) string {
	r.t.Helper()
	response, body := s.do(r.t, "GET", path, "")
	if response.StatusCode >= 400 {
		if response.StatusCode != http.StatusNotFound {
			r.t.Fatalf("%s: %d %s", path, response.StatusCode, body)
		}
		return "not found"
	}
	var enveloped struct{ Data json.RawMessage }
	if err := json.Unmarshal(body, &enveloped); err == nil && enveloped.Data != nil {
		body = enveloped.Data
	}
	return string(body)
}

// TestWhatIsKeptOfRecordsIsWhatTheIndexSays: random edits of venues and organizations exchange and
// move what cached details, lists and maps show of them, so that they equal the engine's. So do
// edits that an answer had before it heard of their batches. And they do not invalidate too many.
func TestWhatIsKeptOfRecordsIsWhatTheIndexSays(t *testing.T) {
	r := newRecords(t)
	for range lane.Scale(30, 60) {
		var batches []applied.Batch
		for range 1 + r.random.IntN(3) {
			batches = append(batches, r.edit())
			for range 5 {
				r.answer(r.cached, r.paths[r.random.IntN(len(r.paths))]) // before its batch is heard
			}
		}
		for _, batch := range batches {
			r.batches++
			var heard applied.Signal
			if err := json.Unmarshal(encode(t, applied.Signal{Session: "s", Batches: r.batches, Batch: &batch}), &heard); err != nil {
				t.Fatal(err)
			}
			r.signal.Hear(heard)
			r.all.Hear(applied.Signal{Session: "s", Batches: r.batches, Batch: &applied.Batch{All: true}})
		}
		for _, path := range r.paths {
			if got, want := r.answer(r.cached, path), r.answer(r.plain, path); got != want {
				t.Fatalf("%s: cached %s\nafter %s\nwhile the engine says %s", path, got, encode(t, batches), want)
			}
		}
	}
	stats := r.answers.Stats()
	maps.DeleteFunc(stats.Dropped, func(_ cache.Reason, n uint64) bool { return n == 0 })
	t.Logf("%d questions, %v, patched %d, dropped %v", len(r.paths), stats.Kinds, stats.Patched, stats.Dropped)
	for _, kind := range []string{"venue", "organization", "venues", "organizations", "venue-feed"} {
		if l := stats.Kinds[kind]; l.Hits < 3*l.Misses {
			t.Errorf("of the kind %s %d of %d answers were loaded", kind, l.Misses, l.Hits+l.Misses)
		}
	}
	if stats.Patched == 0 {
		t.Error("no answer was patched")
	}
}
