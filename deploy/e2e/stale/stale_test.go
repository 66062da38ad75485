package stale

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// newBook returns the book of a catalogue at random, and searches of it.
func newBook(t *testing.T, seed uint64) (*Book, *reference.Catalogue, []*question) {
	t.Helper()
	c := generate.Catalogue(seed, 300, now)
	b := NewBook(c, "https://example.org", now)
	var questions []*question
	queries := generate.NewQueries(seed, b.ref, c, now)
	for range 80 {
		if q := queries.Next(); canJudge(q.Parameters) && q.Parameters["geolist_region"] == "" {
			questions = append(questions, b.newQuestion(q.Parameters))
		}
	}
	for _, p := range []reference.Parameters{{}, {"limit": "200"}, {"title": "*a*"}, {"venue": "*e*"}, {"release_statuses": "cancelled"}} {
		questions = append(questions, b.newQuestion(p))
	}
	return b, c, questions
}

// state is the reference after all edits of a book, which change neither series nor contributors.
func state(b *Book, begun *reference.Catalogue) *reference.Reference {
	c := &reference.Catalogue{Series: begun.Series, Contributors: begun.Contributors}
	for _, h := range b.organizations {
		c.Organizations = append(c.Organizations, h.last())
	}
	for _, h := range b.venues {
		c.Venues = append(c.Venues, h.last())
	}
	seen := map[string]bool{}
	for _, d := range b.dates {
		if d.Place.Space != nil && !seen[d.Place.Space.UUID] {
			seen[d.Place.Space.UUID] = true
			c.Spaces = append(c.Spaces, d.Place.Space)
		}
	}
	for _, h := range b.events {
		c.Events = append(c.Events, h.last())
	}
	return reference.New(c, "https://example.org", now)
}

// page returns the public answer in a state.
func (q *question) page(r *reference.Reference) []client.Entry {
	page := []client.Entry{}
	for _, d := range r.Events(q.asked, "").Page {
		page = append(page, reference.SortedFields(r.Entry(d)))
	}
	return page
}

func (q *question) answer(t *testing.T, r *reference.Reference) (page []client.Entry, summary client.Summary) {
	t.Helper()
	is := r.Events(q.asked, "").Summary()
	return q.page(r), client.Summary{Types: is.Types, Genres: is.Genres, Total: &is.Total}
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryOldAnswerIsFound: of answers from before some edits, exactly those are stale that differ
// from the ones after them, once they name a position of those edits.
func TestEveryOldAnswerIsFound(t *testing.T) {
	t.Parallel()
	differing := 0
	for seed := range uint64(2) {
		b, begun, questions := newBook(t, seed)
		e := NewEditor(b, seed, []string{"Abend", "Nacht", "Konzert"}, 40)
		position := uint64(100)
		before := state(b, begun)
		for range 3 {
			for range 5 {
				position += 3
				e.Next().Done(position)
			}
			after := state(b, begun)
			for _, q := range questions {
				differing += q.compare(t, before, after, position)
			}
			before = after
		}
	}
	if differing < 20 {
		t.Errorf("only %d answers differ: the edits are too few", differing)
	}
}

// compare checks the answers of two states at the position of the later one.
func (q *question) compare(t *testing.T, before, after *reference.Reference, position uint64) (differing int) {
	t.Helper()
	oldPage, oldSummary := q.answer(t, before)
	page, summary := q.answer(t, after)
	if err := q.checkPage(page, position); err != nil {
		t.Errorf("%s: a true page: %v", q.query, err)
	}
	if err := q.checkSummary(summary, position); err != nil {
		t.Errorf("%s: a true summary: %v", q.query, err)
	}
	if encoded(t, page) != encoded(t, oldPage) {
		differing++
		if q.checkPage(oldPage, position) == nil {
			t.Errorf("%s: an old page is not found", q.query)
		}
	}
	if encoded(t, summary) != encoded(t, oldSummary) && q.checkSummary(oldSummary, position) == nil {
		t.Errorf("%s: an old summary is not found", q.query)
	}
	if err := q.compareEvents(after, position); err != nil {
		t.Errorf("%s: true events: %v", q.query, err)
	}
	if err := q.compareEvents(before, position-15); err != nil {
		t.Errorf("%s: events of the time before the edits: %v", q.query, err)
	}
	if q.canCompareEvents() && encoded(t, q.events(before)) != encoded(t, q.events(after)) && q.compareEvents(before, position) == nil {
		t.Errorf("%s: old events are not found", q.query)
	}
	if err := q.checkPage(oldPage, position-15); err != nil {
		t.Errorf("%s: a page of the time before the edits: %v", q.query, err)
	}
	return differing
}

// canCompareEvents reports whether pages of the events and facets of a question are compared.
func (q *question) canCompareEvents() bool { return len(q.words) == 0 && q.asked["group"] == "" }

// events returns the public answers about events in a state: a page, and facets if these are
// compared.
func (q *question) events(r *reference.Reference) (answers struct {
	Page   client.Page
	Feed   jsonFeed
	Facets facets
}) {
	p := maps.Clone(q.asked)
	p["group"] = "event"
	groups := reference.Grouped(r.Events(p, "").Found)
	answers.Page.Total = new(len(groups))
	for _, g := range groups[:min(q.limit, len(groups))] {
		entry := client.Entry(reference.SortedFields(r.Entry(g.First)))
		entry["date_count"] = float64(g.Dates)
		answers.Page.Events = append(answers.Page.Events, entry)
	}
	for _, d := range r.Events(q.asked, "").Page {
		answers.Feed.Items = append(answers.Feed.Items, struct{ ID, Title string }{"urn:uuid:" + d.Date.UUID, d.Event.Title})
	}
	if !q.canCount() {
		return answers
	}
	answers.Facets = facets{Total: len(groups), Facets: map[string][]facet{}}
	const dimension = "release_statuses"
	for _, f := range r.Facets(p, "")[dimension] {
		answers.Facets.Facets[dimension] = append(answers.Facets.Facets[dimension], facet{Value: f.Value, Count: f.Count})
	}
	return answers
}

func (q *question) compareEvents(r *reference.Reference, position uint64) error {
	if !q.canCompareEvents() {
		return nil
	}
	answers := q.events(r)
	err := q.checkGroups(answers.Page, position)
	if err == nil {
		err = q.checkFeed(answers.Feed, position)
	}
	if err == nil && q.canCount() {
		err = q.checkFacets(answers.Facets, true, position)
	}
	return err
}

// TestAnEditUnderWayMayBeSeenOrNot: until the position of an edit is known, both states are true.
func TestAnEditUnderWayMayBeSeenOrNot(t *testing.T) {
	t.Parallel()
	b, begun, questions := newBook(t, 1)
	e := NewEditor(b, 1, []string{"Abend"}, 20)
	before := state(b, begun)
	var edits []Edit
	for range 10 {
		edits = append(edits, e.Next())
	}
	after := state(b, begun)
	check := func(r *reference.Reference) (stale int) {
		for _, q := range questions {
			page, summary := q.answer(t, r)
			if q.checkPage(page, 50) != nil || q.checkSummary(summary, 50) != nil {
				stale++
			}
		}
		return stale
	}
	if old, fresh := check(before), check(after); old+fresh > 0 {
		t.Errorf("%d of the answers before and %d of those after are taken for stale", old, fresh)
	}
	for _, edit := range edits {
		edit.Done(50)
	}
	if old, fresh := check(before), check(after); old == 0 || fresh > 0 {
		t.Errorf("%d of the answers before and %d of those after are taken for stale", old, fresh)
	}
}

func TestDetailsAndListsOfThePastAreFound(t *testing.T) {
	t.Parallel()
	org := &reference.Organization{UUID: "o", Name: "Verein"}
	hall := &reference.Venue{UUID: "v", OrgUUID: "o", Name: "Saal"}
	fest := &reference.Event{
		UUID: "e", OrgUUID: "o", VenueUUID: "v", Title: "Fest", ReleaseStatus: "released",
		Dates: []*reference.Date{{UUID: "d", StartDate: "2027-01-01", StartTime: "20:00", ReleaseStatus: "inherited"}},
	}
	b := NewBook(&reference.Catalogue{
		Organizations: []*reference.Organization{org}, Venues: []*reference.Venue{hall}, Events: []*reference.Event{fest},
	}, "", now)
	e := NewEditor(b, 1, []string{"neu"}, 0)
	e.editOrganization("o").Done(10)
	e.editVenue("v").Done(20)
	e.editStatus("e").Done(30)
	e.editStatus("e").Done(40) // withdrawn
	shown := func(wanted []map[string]any) map[string]any { return wanted[0] }
	for _, c := range []struct {
		what     string
		of       entity
		got      map[string]any
		position uint64
		fresh    bool
	}{
		{"the first organization", entity{organization, "o"}, reference.Fields(org.Shown()), 9, true},
		{"the first organization, too late", entity{organization, "o"}, reference.Fields(org.Shown()), 10, false},
		{"the second organization, early", entity{organization, "o"}, reference.Fields(b.organizations["o"].last().Shown()), 1, true},
		{"the first venue", entity{venue, "v"}, reference.Fields(hall.Shown(org)), 9, true},
		{"the first venue, too late", entity{venue, "v"}, reference.Fields(hall.Shown(org)), 20, false},
		{"the event", entity{event, "e"}, shown(b.fieldsOfEvent(fest, 29)), 29, true},
		{"the event with the former status", entity{event, "e"}, shown(b.fieldsOfEvent(fest, 30)), 30, false},
		{"no event too early", entity{event, "e"}, nil, 39, true},
		{"no event", entity{event, "e"}, nil, 40, true},
		{"a withdrawn event", entity{event, "e"}, shown(b.fieldsOfEvent(fest, 40)), 40, false},
	} {
		if err := b.checkEntity(c.of, c.got, c.position); (err == nil) != c.fresh {
			t.Errorf("%s at %d: %v", c.what, c.position, err)
		}
	}
	if b.checkVenues("o", []client.Entry{reference.Fields(hall.Shown(org))}, 25) == nil || b.checkVenues("o", nil, 9) == nil {
		t.Error("an old or a missing venue in a list is not found")
	}
	if b.checkOrganizations("verein", []client.Entry{reference.Fields(org.Shown())}, 12) == nil {
		t.Error("an old organization in a list is not found")
	}
}

func TestEditsOfOneEntityFollowOneAnother(t *testing.T) {
	t.Parallel()
	b, _, _ := newBook(t, 2)
	e := NewEditor(b, 2, []string{"Abend"}, 60)
	under := map[string]Edit{}
	for range 300 {
		edit := e.Next()
		uuid := edit.Path[len("/api/admin/"):]
		if _, twice := under[uuid]; twice {
			t.Fatalf("%s is edited twice at once", edit.Path)
		}
		under[uuid] = edit
		if len(under) == 12 {
			for _, edit := range under {
				edit.Done(1)
			}
			clear(under)
		}
	}
}

func TestWordsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"abend": true, "ein abend, spaet": true, "abendmusik": false, "feierabend": false, "abendabend abend": true, "": false,
		"feierabend abendmusik": false, "abend2": false,
	} {
		if got := hasWord(text, "abend"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for token, want := range map[string]bool{"abend": true, "abende": true, "abendmusik": true, "abnd": true, "aben": true, "nacht": false, "konzert": false} {
		if got := resembles(token, "abend"); got != want {
			t.Errorf("%q resembles: %t", token, got)
		}
	}
	if got := split("ein abend, 3x"); !slices.Equal(got, []string{"ein", "abend", "3x"}) {
		t.Errorf("words %q", got)
	}
}
