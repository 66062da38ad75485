package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/version"
)

// other is another Litfass, of a house, with its public API.
type other struct {
	*house
	*served
	titles map[string]string // of a program, by the ids of its gigs
}

func newOther(t *testing.T) other {
	t.Helper()
	h := newHouse(t)
	s := serve(t, h.db)
	h.service.PublicURL = s.URL
	return other{h, s, nil}
}

// source is a source that is another Litfass: hourly, released, with the hall for all venues.
func (h *house) source(of other, missing string) adminapi.SourceBody {
	b := h.body("")
	b.Name, b.Address, b.Missing = "Litfass", value.Text(of.URL+"/api/changes?city=Kiel"), value.Text(missing)
	b.Defaults.VenueUUID = ""
	b.Venues = []adminapi.ImportPlace{{Name: "Großer Saal", VenueUUID: value.Text(h.hall)}}
	return b
}

// event reads an event by its title.
func (h *house) event(title string) *rules.Event {
	h.Helper()
	var id string
	h.one(&id, "SELECT uuid::text FROM event WHERE title = $1", title)
	var found *rules.Event
	err := h.db.ReadTx(h.Context(), func(tx pgx.Tx) error {
		all, err := store.Events.Read(h.Context(), tx, []string{id})
		found = all[id].Entity
		return err
	})
	if err != nil || found == nil {
		h.Fatal(title, err)
	}
	return found
}

// TestAnotherLitfassIsRead as a whole at first, and then by what has changed.
func TestAnotherLitfassIsRead(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	for i := range 9 {
		theirs.add(theirs.org, fmt.Sprintf("Jazz %d", i), theirs.hall, fmt.Sprintf("2027-03-1%d", i), "20:00", rules.StatusReleased)
	}
	theirs.add(theirs.org, "Entwurf", theirs.hall, "2027-03-19", "20:00", rules.StatusDraft)
	id := h.create(h.source(theirs, adminapi.MissingCancel))
	h.due()
	h.wantCounts("first", id, adminapi.ImportCounts{Rows: 9, Create: 9})
	if asked := theirs.requests(); count(asked, "/api/event/") != 9 {
		t.Errorf("first: asked %v", asked)
	}
	h.after(time.Hour)
	if asked := theirs.requests(); len(asked) != 1 || asked[0] != changesPath {
		t.Errorf("nothing has changed: asked %v", asked)
	}
	theirs.edit("Jazz 1", func(e *rules.Event) { e.Title = "Jazz eins" })
	theirs.edit("Jazz 2", func(e *rules.Event) { e.Dates[0].StartTime = "21:00" })
	theirs.edit("Jazz 3", func(e *rules.Event) { e.ReleaseStatus = rules.StatusDraft })
	theirs.edit("Jazz 4", func(e *rules.Event) { e.Subtitle = "mit Pause" })
	theirs.edit("Jazz 5", func(e *rules.Event) { e.ReleaseStatus = rules.StatusCancelled })
	h.edit("Jazz 4", func(e *rules.Event) { e.Title = "Hier: Jazz" })
	theirs.add(theirs.org, "Chor", theirs.hall, "2027-03-21", "20:00", rules.StatusReleased)
	h.after(time.Hour)
	h.wantCounts("changed", id, adminapi.ImportCounts{Rows: 5, Create: 1, Update: 4, Edited: 1, Missing: 1})
	if asked := theirs.requests(); count(asked, "/api/event/") != 5 {
		t.Errorf("changed: asked %v", asked)
	}
	h.wantStored("changed", "Chor released 03-21T20:00", "Hier: Jazz released 03-14T20:00", "Jazz 0 released 03-10T20:00",
		"Jazz 2 released 03-12T21:00", "Jazz 3 cancelled 03-13T20:00", "Jazz 5 released 03-15T20:00 cancelled", "Jazz 6 released 03-16T20:00",
		"Jazz 7 released 03-17T20:00", "Jazz 8 released 03-18T20:00", "Jazz eins released 03-11T20:00")
	if got := h.event("Hier: Jazz").Subtitle; got != "mit Pause" {
		t.Errorf("an edited event has the subtitle %q", got)
	}
	theirs.edit("Jazz 3", func(e *rules.Event) { e.ReleaseStatus = rules.StatusReleased })
	theirs.lock(func() { theirs.stream++ }) // the journal is another one
	h.after(time.Hour)
	if got := h.event("Jazz 3").ReleaseStatus; got != rules.StatusReleased {
		t.Errorf("it is back, and %s", got)
	}
	h.wantCounts("begun again", id, adminapi.ImportCounts{Rows: 10, Update: 1, Unchanged: 9, Edited: 1})
}

// TestWhatVanishesBetweenPositions: a source that has to begin again knows what has gone meanwhile,
// and so many at once only when a member says so.
func TestWhatVanishesBetweenPositions(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	for i := range 4 {
		theirs.add(theirs.org, fmt.Sprintf("Jazz %d", i), theirs.hall, fmt.Sprintf("2027-03-1%d", i), "20:00", rules.StatusReleased)
	}
	id := h.create(h.source(theirs, adminapi.MissingDraft))
	h.due()
	theirs.edit("Jazz 0", func(e *rules.Event) { e.ReleaseStatus = rules.StatusDraft })
	theirs.lock(func() { theirs.stream++ })
	h.after(time.Hour)
	if got := h.event("Jazz 0").ReleaseStatus; got != rules.StatusDraft {
		t.Errorf("it has gone, and is %s", got)
	}
	for i := 1; i < 4; i++ {
		theirs.edit(fmt.Sprintf("Jazz %d", i), func(e *rules.Event) { e.ReleaseStatus = rules.StatusDraft })
	}
	h.after(time.Hour)
	if shown := h.show(id); !shown.Report.HeldBack || h.event("Jazz 1").ReleaseStatus != rules.StatusReleased {
		t.Errorf("all have gone: %+v", shown.Report)
	}
	if _, err := h.service.Read(h.owner, h.org, id, adminapi.SourceReading{Missing: true}); err != nil {
		t.Fatal(err)
	}
	h.wantStored("confirmed", "Jazz 0 draft 03-10T20:00", "Jazz 1 draft 03-11T20:00", "Jazz 2 draft 03-12T20:00", "Jazz 3 draft 03-13T20:00")
}

// TestEverythingPublicIsTaken: an event with a value in every field has them at the other Litfass,
// but for its places, which are those here, and its images, which are files of their own.
func TestEverythingPublicIsTaken(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	made := rulestest.Event(theirs.org, theirs.hall, "")
	made.UUID, made.Images, made.DateRules, made.ReleaseDate, made.StatusNote = "", nil, nil, nil, ""
	made.DropTextsOfImages()
	made.MoveTextsOfDates(nil)
	made.DropStatusNotes()
	for i := range made.Dates {
		d := &made.Dates[i]
		d.UUID, d.VenueUUID, d.SpaceUUID, d.RuleUUID, d.RecurrenceID = "", "", "", "", ""
		d.AvailabilityVersion = value.Count{}
	}
	for i := range made.EventLinks {
		made.EventLinks[i].UUID = ""
	}
	trio := rulestest.Contributor(theirs.org)
	trio.UUID, trio.FormerUUIDs = "", nil
	if _, err := theirs.editor.CreateContributor(theirs.owner, trio); err != nil {
		t.Fatal(err)
	}
	made.Contributors = []rules.EventContributor{{UUID: trio.UUID, Role: "ensemble"}, {UUID: trio.UUID, Role: "composer"}}
	if _, err := theirs.editor.CreateEvent(theirs.owner, made); err != nil {
		t.Fatal(err)
	}
	id := h.create(h.source(theirs, adminapi.MissingKeep))
	h.due()
	h.wantCounts("first", id, adminapi.ImportCounts{Rows: 1, Create: 1})
	named, err := h.editor.Contributor(h.owner, trio.UUID)
	trio.OrgUUID, trio.Description = value.Text(h.org), "" // events have no descriptions of contributors
	if err != nil || text(named.Answer) != text(trio) {
		t.Errorf("the contributor is %s, want %s: %v", text(named.Answer), text(trio), err)
	}
	want, got := theirs.event(made.Title), h.event(made.Title)
	for _, e := range []*rules.Event{want, got} {
		e.UUID, e.OrgUUID, e.VenueUUID, e.StatusChangedAt = "", "", "", ""
		for i := range e.Dates { // what changed before the event came here did not change here
			e.Dates[i].UUID, e.Dates[i].PreviousStart, e.Dates[i].StatusChangedAt = "", "", ""
		}
		for i := range e.EventLinks {
			e.EventLinks[i].UUID = ""
		}
	}
	if text(got) != text(want) {
		t.Errorf("got  %s\nwant %s", text(got), text(want))
	}
}

// TestAlternativeTextsAreTaken in all languages, with the mark of an image that a model has made,
// and again when only a translation has changed. Those of a language that the image lost go.
func TestAlternativeTextsAreTaken(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	theirs.add(theirs.org, "Jazz", theirs.hall, "2027-03-15", "20:00", rules.StatusReleased)
	image := rules.Image{UUID: rulestest.NewID(), Identifier: "main", MimeType: "image/jpeg", Width: 60, Height: 40, AltText: "Ein Chor", AIGenerated: true}
	describe := func(texts map[string]adminapi.ImageText) {
		theirs.edit("Jazz", func(e *rules.Event) {
			e.TextLanguage, e.Images = "de", []rules.Image{image}
			e.TranslateImage(image.UUID, texts)
		})
	}
	describe(map[string]adminapi.ImageText{"da": {AltText: "Et kor", Description: "Prøve"}, "en": {AltText: "A choir"}})
	id := h.create(h.source(theirs, adminapi.MissingKeep))
	h.due()
	wantTexts := func(what string, want map[string]string) {
		t.Helper()
		e := h.event("Jazz")
		if len(e.Images) != 1 || e.Images[0].AltText != "Ein Chor" || !e.Images[0].AIGenerated {
			t.Fatalf("%s: the images are %+v", what, e.Images)
		}
		got := map[string]string{}
		for language, text := range e.Texts {
			for uuid, of := range text.Images {
				if uuid != e.Images[0].UUID || of.Description != "" {
					t.Errorf("%s: %s has the text %+v", what, uuid, of)
				}
				got[language] = string(of.AltText)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	wantTexts("first", map[string]string{"da": "Et kor", "en": "A choir"})
	describe(map[string]adminapi.ImageText{"da": {AltText: "Et stort kor"}})
	h.after(time.Hour)
	h.wantCounts("another text", id, adminapi.ImportCounts{Rows: 1, Update: 1})
	wantTexts("another text", map[string]string{"da": "Et stort kor"})
}

// TestABusyLitfass: it is asked again when it wants, and what was read before is kept.
func TestABusyLitfass(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	theirs.add(theirs.org, "Jazz", theirs.hall, "2027-03-15", "20:00", rules.StatusReleased)
	id := h.create(h.source(theirs, adminapi.MissingKeep))
	theirs.lock(func() { theirs.busy["/api/"] = "10800" })
	h.due()
	shown := h.show(id)
	if wait := shown.NextReadAt.Sub(h.clock.Now()); shown.Failures != 1 || wait != 3*time.Hour {
		t.Errorf("busy: %d failures, next in %s", shown.Failures, wait)
	}
	theirs.lock(func() { theirs.busy = map[string]string{"/api/event/": "7200"} })
	h.after(3 * time.Hour)
	if wait := h.show(id).NextReadAt.Sub(h.clock.Now()); wait != 2*time.Hour {
		t.Errorf("busy with events: next in %s", wait)
	}
	theirs.lock(func() { theirs.busy = map[string]string{} })
	h.after(2 * time.Hour)
	h.wantCounts("at leisure", id, adminapi.ImportCounts{Rows: 1, Create: 1})
}

// TestHeldEventsOfALitfassStayHeld: although the feed does not have them again.
func TestHeldEventsOfALitfassStayHeld(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	h.add(h.org, "Jazz am Freitag", h.hall, "2027-03-15", "20:00", rules.StatusReleased)
	theirs.add(theirs.org, "Jazz", theirs.hall, "2027-03-15", "20:00", rules.StatusReleased)
	theirs.add(theirs.org, "Chor", theirs.hall, "2027-03-16", "20:00", rules.StatusReleased)
	id := h.create(h.source(theirs, adminapi.MissingKeep))
	h.due()
	theirs.edit("Chor", func(e *rules.Event) { e.Title = "Chöre" })
	h.after(time.Hour)
	shown := h.wantCounts("the next reading", id, adminapi.ImportCounts{Rows: 2, Update: 1, Held: 1})
	if len(shown.Duplicates) != 1 {
		t.Fatalf("the duplicate is forgotten: %+v", shown.Duplicates)
	}
	_, err := h.service.Decide(h.owner, h.org, id, adminapi.SourceDecision{ExternalID: shown.Duplicates[0].ExternalID, Decision: adminapi.SourceDifferent})
	if err != nil {
		t.Fatal(err)
	}
	h.due()
	h.wantCounts("decided", id, adminapi.ImportCounts{Rows: 1, Create: 1})
}

// TestLitfassesFeedEachOther in rings of two and three, by one schedule: each event is at every
// place once, and after the last edit nothing is written any more.
func TestLitfassesFeedEachOther(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, 3} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			ring := make([]other, size)
			for i := range ring {
				ring[i] = newOther(t)
			}
			for i, one := range ring {
				for n := range 3 {
					title := fmt.Sprintf("Jazz %d.%d", i, n)
					one.add(one.org, title, one.hall, fmt.Sprintf("2027-03-1%d", i), fmt.Sprintf("1%d:00", n), rules.StatusReleased)
					if n == 0 {
						one.edit(title, func(e *rules.Event) { e.SourceLink = "https://example.org/programm" })
					}
				}
				one.create(one.source(ring[(i+1)%size], adminapi.MissingCancel))
				if size > 2 { // each reads all others
					one.create(one.source(ring[(i+2)%size], adminapi.MissingCancel))
				}
			}
			round := func() (written string) {
				t.Helper()
				for _, one := range ring {
					one.after(time.Hour)
					if lines := strings.Count(one.stored(), "\n") + 1; lines > 3*size {
						t.Fatalf("%d events of %d: some are doubled", lines, 3*size)
					}
					var count int
					one.one(&count, "SELECT (SELECT count(*) FROM audit_entry) + (SELECT count(*) FROM outbox) + (SELECT sum(version) FROM event)")
					written += fmt.Sprint(count, " ")
				}
				return written
			}
			rest(t, round)
			wantRing := func(what string, lines ...string) {
				t.Helper()
				for _, one := range ring {
					one.wantStored(what, lines...)
				}
			}
			var all []string
			for i := range ring {
				for n := range 3 {
					all = append(all, fmt.Sprintf("Jazz %d.%d released 03-1%dT1%d:00", i, n, i, n))
				}
			}
			wantRing("at first", all...)
			ring[0].edit("Jazz 0.1", func(e *rules.Event) { e.Title, e.SourceLink = "Jazz null", "" })
			ring[1].edit("Jazz 0.2", func(e *rules.Event) { e.SourceLink = "https://example.org/anderswo" }) // of a copy
			rest(t, round)
			all[1] = strings.Replace(all[1], "0.1", "null", 1)
			wantRing("edited", all...)
			ring[0].exec("DELETE FROM event WHERE title = 'Jazz 0.0'")
			rest(t, round)
			all[0] = strings.Replace(all[0], "released", "cancelled", 1)
			ring[0].wantStored("deleted", slices.Clone(all[1:])...)
			for _, one := range ring[1:] {
				one.wantStored("deleted elsewhere", slices.Clone(all)...)
			}
		})
	}
}

// rest runs rounds until one writes nothing, and then three more, which must not either.
func rest(t *testing.T, round func() string) {
	t.Helper()
	last := round()
	for n := range 12 {
		if now := round(); now != last {
			last = now
			continue
		}
		for range 3 {
			if now := round(); now != last {
				t.Fatalf("written again after %d rounds: %s, %s", n, last, now)
			}
		}
		return
	}
	t.Fatal("there is no rest")
}

// TestAddressesOfALitfass become those of its feed.
func TestAddressesOfALitfass(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for address, want := range map[string]string{
		"https://a.example":                            "https://a.example/api/changes",
		"https://a.example/?city=Kiel":                 "https://a.example/api/changes?city=Kiel",
		"https://a.example/api/events/?city=Flensburg": "https://a.example/api/changes?city=Flensburg",
		"https://b.example/litfass/api/changes":        "https://b.example/litfass/api/changes",
	} {
		body := h.body("")
		body.Address, body.Format = value.Text(address), adminapi.ImportLitfass
		made, _, err := h.service.Create(h.owner, h.org, body, nil)
		if err != nil || string(made.Address) != want {
			t.Errorf("%s: %s, %v", address, made.Address, err)
		}
	}
	body := h.body("")
	body.Address = "https://c.example/api/changes"
	if made, _, err := h.service.Create(h.owner, h.org, body, nil); err != nil || made.Format != adminapi.ImportLitfass {
		t.Errorf("guessed: %s, %v", made.Format, err)
	}
	h.web.put("/api/changes", page{text: "<html></html>"})
	body.Address = value.Text(h.web.URL + "/api/changes")
	id := h.create(body)
	h.clock.Move(time.Second)
	if _, err := h.service.Read(h.owner, h.org, id, adminapi.SourceReading{}); err != nil {
		t.Fatal(err)
	}
	if shown := h.show(id); shown.Failure == nil || shown.Failure.Code != "not_litfass" {
		t.Errorf("a page: %+v", shown.Failure)
	}
	_, _, err := h.service.Update(h.owner, h.org, id, version.Expected{}, func(b *adminapi.SourceBody) error { b.Paused = true; return nil })
	if err != nil {
		t.Error(err)
	}
}

// TestNewVenuesHaveTheirIDs: a venue that a source adds has the ids in registers of the one of the
// other Litfass.
func TestNewVenuesHaveTheirIDs(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	edited, err := theirs.editor.UpdateVenue(theirs.owner, editing.Target{Key: theirs.hall}, func(v *rules.Venue) error {
		v.Name, v.WikidataID, v.OSMID = "Alte Mühle", "Q64", "way/123"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	theirs.add(theirs.org, "Jazz", theirs.hall, "2027-03-10", "20:00", rules.StatusReleased)
	body := h.source(theirs, adminapi.MissingKeep)
	body.Venues = []adminapi.ImportPlace{{Name: edited.Answer.Name, PostalCode: edited.Answer.PostalCode, City: edited.Answer.City, Create: true}}
	h.create(body)
	h.due()
	var ids string
	if h.one(&ids, "SELECT concat_ws(' ', wikidata_id, osm_id) FROM venue WHERE name = 'Alte Mühle' AND org_uuid = '"+h.org+"'"); ids != "Q64 way/123" {
		t.Errorf("the ids are %q", ids)
	}
}

// TestTranslationsOfDatesAreTaken: translations follow the other Litfass, unless a member has
// edited the translation; after the edit, the date and the event's translations stay up to date.
func TestTranslationsOfDatesAreTaken(t *testing.T) {
	t.Parallel()
	theirs, h := newOther(t), newHouse(t)
	theirs.add(theirs.org, "Jazz", theirs.hall, "2027-03-10", "20:00", rules.StatusReleased)
	translate := func(at *house, title string, texts map[string]adminapi.DateText) {
		at.edit(title, func(e *rules.Event) {
			e.TextLanguage, e.Dates[0].AccessibilityInfo = "de", "Rampe"
			e.TranslateDate(e.Dates[0].UUID, texts)
		})
	}
	english := func(note string) map[string]adminapi.DateText {
		return map[string]adminapi.DateText{"en": {AccessibilityInfo: value.Text(note)}}
	}
	want := func(step string, want map[string]adminapi.DateText) {
		t.Helper()
		e := h.event("Jazz")
		if got := e.TextsOfDate(e.Dates[0].UUID); text(got) != text(want) {
			t.Errorf("%s: %s, want %s", step, text(got), text(want))
		}
	}
	translate(theirs.house, "Jazz", english("Late"))
	h.create(h.source(theirs, adminapi.MissingKeep))
	h.due()
	want("first", english("Late"))
	translate(theirs.house, "Jazz", english("Later"))
	h.after(time.Hour)
	want("changed there", english("Later"))
	translate(h, "Jazz", english("Here"))
	theirs.edit("Jazz", func(e *rules.Event) { e.Dates[0].StartTime = "21:00" })
	translate(theirs.house, "Jazz", english("Latest"))
	h.after(time.Hour)
	want("edited here", english("Here"))
	theirs.edit("Jazz", func(e *rules.Event) {
		texts := adminapi.EventTexts{}
		for language, text := range e.Texts {
			text.Subtitle = "Trio"
			texts[language] = text
		}
		e.Subtitle, e.Texts = "Trio", texts
	})
	h.after(time.Hour)
	if got := h.event("Jazz").Texts["en"].Subtitle; got != "Trio" {
		t.Errorf("the translation is %q", got)
	}
	want("an edit of another translation", english("Here"))
	if got := h.event("Jazz").Dates[0].StartTime; got != "21:00" {
		t.Errorf("the date is at %s", got)
	}
}
