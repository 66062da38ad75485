package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/lane"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/places"
)

// world is an index of random events that are edited, with answers that were cached before.
type world struct {
	t       *testing.T
	random  *rand.Rand
	client  *index.Client
	search  *Searcher
	events  []change.Event
	venues  []change.VenueOfEvent
	version string
	changes int
	signal  *cache.Signal
	batches uint64
	ends    *cache.Ends
	now     time.Time
}

func newWorld(t *testing.T) *world {
	client := indextest.New(t)
	w := &world{
		t: t, random: rand.New(rand.NewPCG(20, 26)), client: client,
		search: NewSearcher(engine.New(client, time.Minute), places.NewStore(nil, cache.NewSignal(time.Now), time.Now, nil), nil, nil, nil),
		signal: cache.NewSignal(time.Now), now: time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC),
	}
	w.ends = cache.NewEnds(w.signal, func() time.Time { return w.now }, w.search.Lull)
	w.search.versions.heard, w.search.versions.pause = w.signal.Version, 0
	w.signal.Hear(applied.Signal{Session: "s"})
	for i := range 5 {
		w.venues = append(w.venues, change.VenueOfEvent{
			UUID: uuid.Must(uuid.NewV7()).String(), Name: w.text(2), City: value.Text([]string{"Kiel", "Århus", "Münster", "KIEL", "kiel"}[i]),
			Country: []value.Text{"DEU", "DNK"}[i%2], PostalCode: value.Text(fmt.Sprint(24100 + i)),
		})
	}
	for range 60 {
		w.events = append(w.events, w.event(uuid.Must(uuid.NewV7()).String()))
	}
	w.exchange(nil, w.events)
	return w
}

// vocabulary has words that differ by a typo, begin alike, or are made of two others.
var vocabulary = strings.Fields(`jazz jatz konzert konzerte konzertsaal saal lesung lesungen hafen hafenfest fest festival
	café cafe straße strasse größe übung uebung børn kino kinder kindertheater theater theatre 2026 abend abendmusik musik`)

func (w *world) word() string { return vocabulary[w.random.IntN(len(vocabulary))] }

// prefix returns the beginning of a word.
func (w *world) prefix(letters int) string { return string([]rune(w.word())[:letters]) }

// misspelled are words in which the engine finds none of the vocabulary.
var misspelled = []string{"jzaz", "safl", "konrzret", "theetar", "hfaen"}

func (w *world) text(words int) string {
	var text []string
	for range words {
		text = append(text, w.word())
	}
	return strings.Join(text, " ")
}

func (w *world) event(id string) change.Event {
	r := w.random
	e := change.Event{
		UUID: id, Organization: change.Organizer{UUID: w.venues[r.IntN(2)].UUID, Name: "Haus"}, Title: w.text(1 + r.IntN(3)),
		Subtitle: value.Text(w.text(r.IntN(2))), Description: value.Text(w.text(r.IntN(8))), Tags: strings.Fields(w.text(r.IntN(3))),
		Categories: []int{1 + r.IntN(6)}, EventTypes: []change.EventType{{TypeID: 1 + r.IntN(4), GenreID: r.IntN(3)}},
		Languages: []string{"de", "da"}[:r.IntN(3)], PriceType: []string{"free", "donation", "regular_price"}[r.IntN(3)],
		ReleaseStatus: "released", ChangedAt: w.changedAt(),
	}
	if venue := w.venues[r.IntN(len(w.venues))]; r.IntN(5) > 0 {
		e.VenueUUID, e.Venues = value.Text(venue.UUID), []change.VenueOfEvent{venue}
	}
	if r.IntN(2) == 0 {
		low, price, mask := r.IntN(18), float64(r.IntN(40)), value.Mask(r.Uint64N(16))
		e.MinAge, e.MinPrice, e.Currency, e.VisitorInfoFlags = &low, &price, "EUR", &mask
	}
	for range r.IntN(4) {
		e.Dates = append(e.Dates, w.date())
	}
	for i := range e.Dates {
		if venue := w.venues[r.IntN(len(w.venues))]; r.IntN(6) == 0 {
			e.Dates[i].VenueUUID, e.Venues = value.Text(venue.UUID), append(e.Venues, venue)
		}
		if r.IntN(6) == 0 {
			e.Dates[i].ReleaseStatus = "cancelled"
		}
	}
	return e
}

func (w *world) date() change.Date {
	d := change.Date{UUID: uuid.Must(uuid.NewV7()).String(), ReleaseStatus: "inherited", StartDate: fmt.Sprintf("2026-11-%02d", 1+w.random.IntN(28))}
	if d.AllDay = w.random.IntN(4) == 0; !d.AllDay {
		hour := 8 + w.random.IntN(14)
		d.StartTime = value.Text(fmt.Sprintf("%02d:00", hour))
		if w.random.IntN(2) == 0 {
			d.EndTime = value.Text(fmt.Sprintf("%02d:%02d", min(hour+1, 23), w.random.IntN(60)))
		}
	}
	if d.AllDay && w.random.IntN(2) == 0 {
		d.EndDate, d.Hours = value.Text(fmt.Sprintf("2026-12-%02d", 1+w.random.IntN(28))), w.hours()
	}
	return d
}

// hours returns opening hours, some with weeks that are closed.
func (w *world) hours() (h hours.Hours) {
	r := w.random
	for range r.IntN(4) {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: hours.Weekdays[r.IntN(7)], From: fmt.Sprintf("%02d:00", 8+r.IntN(4)), To: "17:30"})
	}
	if r.IntN(2) == 0 {
		from := 1 + r.IntN(15)
		h.Closed = append(h.Closed, hours.Closed{From: fmt.Sprintf("2026-11-%02d", from), To: fmt.Sprintf("2026-11-%02d", from+r.IntN(14))})
	}
	if len(h.Weekly) == 0 || r.IntN(2) == 0 {
		h.Special = append(h.Special, hours.Special{Date: fmt.Sprintf("2026-11-%02d", 1+r.IntN(28)), From: "20:00", To: "02:00"})
	}
	h.Normalize()
	return h
}

// changedAt returns the time of the next change; some have the same one.
func (w *world) changedAt() value.Text {
	w.changes++
	return value.Text(time.Unix(int64(w.changes/4), 0).UTC().Format(time.RFC3339))
}

// edit changes one of the events, usually a little.
func (w *world) edit(e *change.Event) {
	e.ChangedAt = w.changedAt()
	switch w.random.IntN(17) {
	case 15, 16: // opening hours
		for i := range e.Dates {
			if !e.Dates[i].Hours.Empty() {
				e.Dates[i].Hours = w.hours()
			}
		}
	case 13: // words that few searches have
		e.Description += " heute ab neun mit garten"
	case 14:
		e.Subtitle = value.Text(strings.TrimPrefix("am ufer "+string(e.Subtitle), "am ufer am ufer "))
	case 10, 11: // words that end alike
		pair := w.random.IntN(len(endings))
		e.Title = []string{endings[pair], compounds[pair], "lesung"}[w.random.IntN(3)]
	case 9: // something that entries show, and no search reads
		e.OnlineLink = value.Text("https://live.example/" + w.word())
	case 12: // something that only the page of the event shows
	case 0:
		e.Title = w.text(1 + w.random.IntN(3))
	case 1:
		e.Description = value.Text(w.text(w.random.IntN(8)))
	case 2:
		e.Tags = strings.Fields(w.text(w.random.IntN(3)))
	case 3:
		e.ReleaseStatus = []string{"released", "cancelled"}[w.random.IntN(2)]
	case 4:
		e.Dates = append(e.Dates, w.date())
	case 5:
		if len(e.Dates) > 0 {
			e.Dates = e.Dates[1:]
		}
	case 6:
		if len(e.Dates) > 0 {
			e.Dates[0].StartDate, e.Dates[0].EndTime = w.date().StartDate, ""
		}
	case 7:
		e.EventTypes = []change.EventType{{TypeID: 1 + w.random.IntN(4), GenreID: w.random.IntN(3)}}
	default:
		*e = w.event(e.UUID)
	}
}

// exchange replaces events by others and returns the changes, as a projector would signal them.
func (w *world) exchange(before, after []change.Event) *cache.Batch {
	w.t.Helper()
	old, next := w.documents(before), w.documents(after)
	batch := applied.Batch{Dates: applied.Changes(old, next), Whole: true}
	var lines [][]byte
	var gone []string
	for _, d := range next {
		line, err := json.Marshal(d)
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, line)
	}
	for id := range old {
		if next[id] == nil {
			gone = append(gone, id)
		}
	}
	w.write(lines, gone)
	known := w.version
	var err error
	if w.version, err = w.search.versions.read(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	if w.random.IntN(3) == 0 {
		w.rename(&batch)
	}
	w.batches++
	w.signal.Hear(applied.Signal{Session: "s", Batches: w.batches, Version: w.version, Batch: new(w.sent(batch))})
	return cache.NewBatch(w.sent(batch), known, w.version)
}

// rename gives a venue, and the organization of its uuid, another name in a batch.
func (w *world) rename(batch *applied.Batch) {
	venue := &w.venues[1+w.random.IntN(len(w.venues)-1)]
	venue.Name = w.text(2)
	batch.Records, batch.Names = map[string][]string{}, map[string]map[string]string{}
	for _, index := range []string{document.Venues, document.Organizations} {
		batch.Records[index], batch.Names[index] = []string{venue.UUID}, map[string]string{venue.UUID: venue.Name}
	}
}

// lull returns the ends of dates around the present moment.
func (w *world) lull() cache.Lull {
	w.t.Helper()
	w.signal.Hear(applied.Signal{Session: "s", Batches: w.batches, Version: w.version}) // it is not silent
	lull, err := w.ends.Now(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return lull
}

// sent returns a batch as a query service receives it.
func (w *world) sent(batch applied.Batch) (heard applied.Batch) {
	data, err := json.Marshal(batch)
	if err == nil {
		err = json.Unmarshal(data, &heard)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return heard
}

func (w *world) write(lines [][]byte, gone []string) {
	w.t.Helper()
	tasks, err := w.client.Add(w.t.Context(), document.Dates, lines)
	if err != nil {
		w.t.Fatal(err)
	}
	more, err := w.client.Delete(w.t.Context(), document.Dates, gone)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.client.Wait(w.t.Context(), append(tasks, more...)...); err != nil {
		w.t.Fatal(err)
	}
}

// revisionOf returns a revision that grows with the time of change.
func revisionOf(e change.Event) int64 {
	at, err := time.Parse(time.RFC3339, string(e.ChangedAt))
	if err != nil {
		return 1
	}
	return 1 + at.Unix()
}

// documents returns the documents of events' dates by uuid.
func (w *world) documents(events []change.Event) map[string]index.Document {
	w.t.Helper()
	byID := map[string]index.Document{}
	for _, e := range events {
		c, err := change.New(change.KindEvent, e.UUID, revisionOf(e), e)
		if err != nil {
			w.t.Fatal(err)
		}
		projected, err := project.New("http://localhost", "Europe/Berlin").Project(c)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, date := range projected.Dates {
			data, err := json.Marshal(date)
			if err != nil {
				w.t.Fatal(err)
			}
			var d index.Document
			if err := json.Unmarshal(data, &d); err != nil {
				w.t.Fatal(err)
			}
			byID[date.DateUUID] = d
		}
	}
	return byID
}

// TestWhatIsKeptIsWhatTheIndexSays: random edits invalidate random cached answers, or leave or
// patch them so that they equal the engine's, at a moment that moves on from edit to edit. So do
// edits that an answer had before it heard of their batches. And they do not invalidate too many.
func TestWhatIsKeptIsWhatTheIndexSays(t *testing.T) {
	w := newWorld(t)
	var answers []question
	for range 80 {
		answers = append(answers, w.ask(w.query())...)
	}
	for range 150 {
		answers = append(answers, w.short())
	}
	for range 60 {
		answers = append(answers, w.ranked())
	}
	for _, word := range misspelled {
		answers = append(answers, w.hints("search="+word), w.hints(w.query()), w.hints(w.query()))
	}
	edits := lane.Scale(14, 30)
	invalidated, checked, spelled, ended, lasted := 0, 0, 0, 0, 0
	patched, reasons := map[string]int{}, map[string]int{}
	var recent []*cache.Batch
	replayed := 0
	for range edits {
		at := w.random.IntN(len(w.events))
		before := w.events[at]
		edited := before
		edited.Dates = slices.Clone(before.Dates)
		w.edit(&edited)
		batch := w.exchange([]change.Event{before}, []change.Event{edited})
		w.events[at] = edited
		recent = append(recent[max(0, len(recent)-2):], batch)
		w.now = w.now.Add(time.Duration(w.random.IntN(12*60)) * time.Minute)
		lull := w.lull()
		for i := range answers {
			a := &answers[i]
			next, reason := a.answer.Apply(batch)
			now := w.again(*a, w.now.Unix())
			if a.notOver && a.endsAfter != lull.Last { // a new question
				ended++
				w.renew(a)
				next = a.answer
			} else if a.notOver && next != nil {
				lasted++
			}
			if late := after(now, recent); late != nil {
				replayed++
				if got, want := w.payload(late), w.payload(now); !bytes.Equal(got, want) {
					t.Fatalf("%s: loaded %s\nafter the last edits, of which the last was of\n%+v\nto\n%+v\nand with their batches %s",
						a.query, want, before, edited, got)
				}
			}
			if _, helps := now.(*cache.Hints); helps && !bytes.Contains(w.payload(now), []byte(`"search":null`)) {
				spelled++
			}
			switch {
			case next == nil:
				invalidated++
				reasons[kindOf(a.answer)+" "+string(reason)]++
				w.renew(a)
				continue
			case next != a.answer && !bytes.Equal(w.payload(next), w.payload(a.answer)):
				patched[kindOf(a.answer)]++
			}
			checked++
			if got, want := w.payload(next), w.payload(now); !bytes.Equal(got, want) {
				t.Fatalf("%s: cached %s\nafter an edit of\n%+v\nto\n%+v\nwhile the engine says %s", a.query, got, before, edited, want)
			}
			a.answer = next
		}
	}
	t.Logf("%d checked, %d loaded before their batches, patched %v; %d invalidated: %v; of those without what is over %d ended, %d lasted",
		checked, replayed, patched, invalidated, reasons, ended, lasted)
	if share := float64(invalidated) / float64(invalidated+checked); share > 0.25 {
		t.Errorf("%.0f%% of the answers were invalidated by an edit of one event of %d", 100*share, len(w.events))
	}
	if ended == 0 || lasted == 0 {
		t.Errorf("%d answers ended, %d lasted", ended, lasted)
	}
	for _, kind := range []string{"page", "feed", "tally", "hints"} {
		if patched[kind] == 0 {
			t.Errorf("no answer of the kind %s was patched", kind)
		}
	}
	if replayed < checked/2 {
		t.Errorf("%d answers outlived the batches that they had already", replayed)
	}
	if spelled == 0 {
		t.Error("no words were spelled")
	}
}

// after returns an answer after batches; nil if one of them invalidates it.
func after(answer cache.Answer, batches []*cache.Batch) cache.Answer {
	for _, batch := range batches {
		if answer, _ = answer.Apply(batch); answer == nil {
			return nil
		}
	}
	return answer
}

// TestALeftOutAttributeIsNoticed: the test above is one that can fail.
func TestALeftOutAttributeIsNoticed(t *testing.T) {
	w := newWorld(t)
	event := w.events[0]
	event.Categories, event.Dates = []int{1}, []change.Date{w.date()}
	w.exchange(w.events[:1], []change.Event{event})
	answers := w.ask("categories=2&limit=200")
	edited := event
	edited.Categories = []int{2}
	batch := w.exchange([]change.Event{event}, []change.Event{edited})
	for _, a := range answers {
		if next, _ := a.answer.Apply(batch); next == a.answer {
			t.Errorf("%T is not changed", a.answer)
		}
	}
	without := applied.Batch{Dates: []applied.Date{{
		ID:     event.Dates[0].UUID,
		Before: applied.Attributes{"start_day": json.RawMessage("20261101")}, After: applied.Attributes{"start_day": json.RawMessage("20261101")},
	}}}
	for _, a := range answers {
		next, _ := a.answer.Apply(cache.NewBatch(without, "", ""))
		if next == nil || bytes.Equal(w.payload(next), w.payload(w.again(a, 0))) {
			t.Errorf("%T: a signal without the categories makes no difference", a.answer)
		}
	}
}
