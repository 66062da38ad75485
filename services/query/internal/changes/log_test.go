package changes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

const (
	identity = "CATALOG@2026-11-20T00:00:00Z"
	patience = 30 * time.Second

	eventA, eventB = "01920000-0000-7000-8000-0000000000c1", "01920000-0000-7000-8000-0000000000c2"
	orgA           = "01920000-0000-7000-8000-0000000000a1"
	dateA, dateB   = "01920000-0000-7000-8000-0000000000d1", "01920000-0000-7000-8000-0000000000d2"
)

// entries is a journal whose first entry is at 1 + dropped.
type entries struct {
	all     []stream.JournalEntry
	dropped uint64
	// published is how far the changes of the last entry are published as it has them; 0: all are.
	published uint64
	// replacing is the entry of the change that replaces the last one while that is looked up.
	replacing *stream.JournalEntry
}

func (e *entries) Published(_ context.Context, entry stream.JournalEntry, upTo uint64) (bool, error) {
	if e.replacing != nil {
		e.all, e.replacing = append(e.all, *e.replacing), nil
		return false, nil
	}
	return e.published == 0 || upTo <= e.published, nil
}

func (e *entries) JournalBounds(context.Context) (first, last uint64, ok bool, err error) {
	return 1 + e.dropped, uint64(len(e.all)), true, nil
}

func (e *entries) JournalEntry(_ context.Context, at uint64) (entry stream.JournalEntry, ok bool, err error) {
	if at <= e.dropped || at > uint64(len(e.all)) {
		return entry, false, nil
	}
	return e.all[at-1], true, nil
}

// state returns the message of an event with a title and these dates; none is a tombstone.
func state(t *testing.T, id, title string, dates ...string) json.RawMessage {
	t.Helper()
	var snapshot any
	if len(dates) > 0 {
		e := change.Event{UUID: id, Title: title, PriceType: "free", ReleaseStatus: "released", Organization: change.Organizer{UUID: orgA, Name: "A"}}
		for _, date := range dates {
			e.Dates = append(e.Dates, change.Date{UUID: date, StartDate: "2026-11-20", StartTime: "19:30", ReleaseStatus: "inherited"})
		}
		snapshot = e
	}
	c, err := change.New(change.KindEvent, id, 1, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func entry(after uint64, changes ...stream.JournalChange) stream.JournalEntry {
	return stream.JournalEntry{Stream: identity, After: after, Changes: changes}
}

func newLog(t *testing.T, journal Journal, complete uint64) (*Log, *cache.Signal) {
	t.Helper()
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Session: "s", Stream: identity, Complete: complete})
	return NewLog(journal, signal, project.New("http://litfass.example", "Europe/Berlin"), slog.New(slog.DiscardHandler)), signal
}

func at(sequence uint64) params.Position {
	return params.Position{Stream: params.Mark(identity), Sequence: sequence}
}

// filtered returns the filter of a query string.
func filtered(t *testing.T, query string) Filter {
	t.Helper()
	q, err := params.ChangesIn(query).FromURL(query, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFilter(t.Context(), q, nil, portalStore(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// written returns a page as text: "entered d1 left d2 @9".
func written(p Page) string {
	var b strings.Builder
	for _, item := range p.Changes {
		fmt.Fprintf(&b, "%s %s ", item.Change, item.UUID[34:])
	}
	return fmt.Sprintf("%s@%d", b.String(), p.at.Sequence)
}

// history is an event that comes, gains a date and loses one, is renamed, and goes, at 8 to 11.
func history(t *testing.T) *entries {
	t.Helper()
	one, two := state(t, eventA, "Jazz", dateA), state(t, eventA, "Jazz", dateA, dateB)
	renamed, gone := state(t, eventA, "Rock", dateB), state(t, eventA, "")
	return &entries{all: []stream.JournalEntry{
		entry(7, stream.JournalChange{After: one}, stream.JournalChange{Before: one, After: two}),
		entry(9, stream.JournalChange{Before: two, After: renamed}),
		entry(10, stream.JournalChange{Before: renamed, After: gone}),
	}}
}

// TestAPageSaysWhatBecame: of every date once, between the states before the first and after the
// last change. What came and went between the two has left: readers may have seen it meanwhile.
func TestAPageSaysWhatBecame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query    string
		from     uint64
		complete uint64
		limit    int
		want     string
	}{
		{"", 7, 8, 100, "entered d1 @8"},
		{"", 7, 9, 100, "entered d1 entered d2 @9"},
		{"", 7, 9, 1, "entered d1 @8"},
		{"", 8, 9, 100, "entered d2 @9"},
		{"", 7, 10, 100, "entered d2 left d1 @10"},
		{"", 9, 10, 100, "changed d2 left d1 @10"},
		{"title=jazz", 9, 10, 100, "left d1 left d2 @10"},
		{"title=rock", 7, 10, 100, "entered d2 @10"},
		{"title=rock", 7, 11, 100, "left d2 @11"},
		{"", 10, 11, 100, "left d2 @11"},
		{"", 7, 11, 100, "left d1 left d2 @11"},
		{"", 11, 11, 100, "@11"},
		{"", 12, 11, 100, "@12"}, // from a read node that is ahead
		{"kind=events", 8, 10, 100, "changed c1 @10"},
		{"kind=events&title=jazz", 9, 10, 100, "left c1 @10"},
		{"kind=venues", 7, 11, 100, "@11"},
	} {
		log, _ := newLog(t, history(t), test.complete)
		for range 2 { // from the journal, and from memory
			page, err := log.Page(t.Context(), filtered(t, test.query), at(test.from), test.limit)
			if err != nil || written(page) != test.want || page.More != (page.at.Sequence < test.complete) {
				t.Errorf("%s from %d to %d: %s (more %t), %v, want %s", test.query, test.from, test.complete, written(page), page.More, err, test.want)
			}
		}
	}
}

// TestChangesOfNamedEntities: a contributor, or a series, comes when it becomes public, is renamed,
// and leaves when it no longer is.
func TestChangesOfNamedEntities(t *testing.T) {
	t.Parallel()
	const id = "01920000-0000-7000-8000-0000000000e1"
	for _, test := range []struct {
		kind  change.Kind
		query string
		named func(name string) any
		key   string // of the name in the entry
	}{
		{change.KindContributor, "kind=contributors", func(name string) any { return change.Contributor{UUID: id, Type: "group", Name: name} }, "name"},
		{change.KindSeries, "kind=series", func(name string) any { return change.Series{UUID: id, Slug: "fest", Title: name} }, "title"},
	} {
		encoded := func(snapshot any) json.RawMessage {
			c, err := change.New(test.kind, id, 1, snapshot)
			if err != nil {
				t.Fatal(err)
			}
			data, err := c.Encode()
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		made, renamed, event := encoded(test.named("Trio")), encoded(test.named("Duo")), state(t, eventA, "Jazz", dateA)
		log, _ := newLog(t, &entries{all: []stream.JournalEntry{
			entry(7, stream.JournalChange{After: made}, stream.JournalChange{After: event}),
			entry(9, stream.JournalChange{Before: made, After: renamed}), entry(10, stream.JournalChange{Before: renamed, After: encoded(nil)}),
		}}, 11)
		for from := uint64(7); from <= 10; from++ {
			page, err := log.Page(t.Context(), filtered(t, test.query), at(from), 100)
			if err != nil || written(page) != "left e1 @11" {
				t.Errorf("%s from %d: %s, %v", test.query, from, written(page), err)
			}
		}
		page, err := log.Page(t.Context(), filtered(t, test.query), at(7), 1)
		if err != nil || written(page) != "entered e1 @8" || !strings.Contains(string(page.Changes[0].Entry), `"`+test.key+`":"Trio"`) {
			t.Errorf("%s, first: %s %+v, %v", test.query, written(page), page.Changes, err)
		}
		if page, err = log.Page(t.Context(), filtered(t, "kind=organizations"), at(7), 100); err != nil || written(page) != "@11" {
			t.Errorf("organizations: %s, %v", written(page), err)
		}
	}
}

// TestWhatIsAsBeforeHasChanged: a full read may have come between two changes of which the second
// takes the first one back.
func TestWhatIsAsBeforeHasChanged(t *testing.T) {
	t.Parallel()
	jazz, rock := state(t, eventA, "Jazz", dateA), state(t, eventA, "Rock", dateA)
	journal := &entries{all: []stream.JournalEntry{
		entry(7, stream.JournalChange{Before: jazz, After: rock}), entry(8, stream.JournalChange{Before: rock, After: jazz}),
	}}
	log, _ := newLog(t, journal, 9)
	for query, want := range map[string]string{
		"": "changed d1 @9", "title=jazz": "changed d1 @9", "title=rock": "left d1 @9", "title=folk": "@9", "kind=events": "changed c1 @9",
	} {
		if page, err := log.Page(t.Context(), filtered(t, query), at(7), 100); err != nil || written(page) != want {
			t.Errorf("%q: %s, %v, want %s", query, written(page), err, want)
		}
	}
}

// TestHolesAreNoAnswers: when anything is missing after a position, the client begins again.
func TestHolesAreNoAnswers(t *testing.T) {
	t.Parallel()
	one := state(t, eventA, "Jazz", dateA)
	other := entry(9, stream.JournalChange{After: one})
	other.Stream = "CATALOG@2025-01-01T00:00:00Z"
	unreadable := stream.JournalChange{After: json.RawMessage(`{"kind":"event"}`)}
	for name, test := range map[string]struct {
		journal *entries
		from    params.Position
		gone    bool
	}{
		"before the first entry":     {history(t), at(6), true},
		"its first entry":            {history(t), at(7), false},
		"dropped meanwhile":          {&entries{all: history(t).all, dropped: 1}, at(8), true},
		"after what was dropped":     {&entries{all: history(t).all, dropped: 1}, at(9), false},
		"another stream":             {history(t), params.Position{Stream: "00000000", Sequence: 8}, true},
		"an empty journal":           {&entries{}, at(8), true},
		"nothing after it":           {&entries{}, at(11), false},
		"published past the journal": {&entries{all: slices.Delete(history(t).all, 1, 2)}, at(8), true},
		"after that":                 {&entries{all: slices.Delete(history(t).all, 1, 2)}, at(10), false},
		"not all is in the journal":  {&entries{all: history(t).all[:2]}, at(8), true},
		"void":                       {&entries{all: append(history(t).all[:1], stream.JournalEntry{Stream: identity, After: 9, Void: 11})}, at(8), true},
		"an entry of another stream": {&entries{all: append(history(t).all[:1], other)}, at(8), true},
		"a change that is none":      {&entries{all: append(history(t).all[:2], entry(10, unreadable))}, at(8), true},
		"an entry published in part": {&entries{all: append(history(t).all[:1], entry(8, stream.JournalChange{After: one}, stream.JournalChange{After: one}, stream.JournalChange{After: one}))}, at(7), false},
	} {
		log, _ := newLog(t, test.journal, 11)
		_, err := log.Page(t.Context(), filtered(t, ""), test.from, 100)
		if errors.Is(err, ErrBeginAgain) != test.gone || err != nil && !test.gone {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f := fault.Of(ErrBeginAgain); f.Kind != fault.Gone || f.StableCode() != "begin_again" {
		t.Errorf("%+v", f)
	}
}

// TestAnEntryPublishedInPart: what the next entry publishes in its place counts.
func TestAnEntryPublishedInPart(t *testing.T) {
	t.Parallel()
	one, b := state(t, eventA, "Jazz", dateA), state(t, eventB, "Rock", dateB)
	journal := &entries{all: []stream.JournalEntry{
		entry(7, stream.JournalChange{After: one}, stream.JournalChange{Before: one, After: state(t, eventA, "")}),
		entry(8, stream.JournalChange{After: b}),
	}}
	log, _ := newLog(t, journal, 9)
	if page, err := log.Page(t.Context(), filtered(t, ""), at(7), 100); err != nil || written(page) != "entered d1 entered d2 @9" {
		t.Errorf("%s, %v", written(page), err)
	}
}

// TestTheLastEntryIsConfirmed: a change that its publisher may be about to void is not shown, those
// before it are, and so is one that was replaced meanwhile.
func TestTheLastEntryIsConfirmed(t *testing.T) {
	t.Parallel()
	one, b := state(t, eventA, "Jazz", dateA), state(t, eventB, "Rock", dateB)
	for name, test := range map[string]struct {
		journal  entries
		complete uint64
		want     string // "": begin again
	}{
		"all is published":      {entries{}, 9, "entered d1 entered d2 @9"},
		"the first is, so far":  {entries{published: 8}, 8, "entered d1 @8"},
		"the second is another": {entries{published: 8}, 9, ""},
		"replaced meanwhile": {
			entries{replacing: &stream.JournalEntry{Stream: identity, After: 9, Changes: []stream.JournalChange{{Before: b, After: b}}}},
			9, "entered d1 entered d2 @9",
		},
		"voided meanwhile": {entries{replacing: &stream.JournalEntry{Stream: identity, After: 7, Void: 9}}, 9, ""},
	} {
		test.journal.all = []stream.JournalEntry{entry(7, stream.JournalChange{After: one}, stream.JournalChange{After: b})}
		log, _ := newLog(t, &test.journal, test.complete)
		page, err := log.Page(t.Context(), filtered(t, ""), at(7), 100)
		if errors.Is(err, ErrBeginAgain) != (test.want == "") || err == nil && written(page) != test.want {
			t.Errorf("%s: %s, %v", name, written(page), err)
		}
	}
}

// TestOnlyMatchingChangesWake: a request waits over changes that its filter does not find.
func TestOnlyMatchingChangesWake(t *testing.T) {
	t.Parallel()
	log, signal := newLog(t, history(t), 8)
	hub := NewHub(log, Bounds{All: 1}, time.Now)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- hub.Run(ctx) }()
	type answer struct {
		page Page
		err  error
	}
	answers := make(chan answer, 2)
	sent := make(chan Page, 4)
	w := &waiter{filter: filtered(t, ""), at: at(8), send: func(p Page) bool { sent <- p; return true }, end: func(error) { close(sent) }}
	if !hub.add(w) {
		t.Fatal("the hub has ended")
	}
	go func() {
		page, err := hub.Wait(ctx, filtered(t, "title=rock"), at(8), 100, patience)
		answers <- answer{page, err}
	}()
	for len(hub.all()) < 2 {
		time.Sleep(time.Millisecond)
	}
	signal.Hear(applied.Signal{Session: "s", Batches: 1, Stream: identity, Complete: 9})
	if page := <-sent; written(page) != "entered d2 @9" {
		t.Fatalf("the stream got %s", written(page))
	}
	select {
	case got := <-answers:
		t.Fatalf("woken by what it does not find: %s, %v", written(got.page), got.err)
	default:
	}
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Stream: identity, Complete: 10})
	if got := <-answers; got.err != nil || written(got.page) != "entered d2 @10" {
		t.Errorf("%s, %v", written(got.page), got.err)
	}
	if page := <-sent; written(page) != "changed d2 left d1 @10" {
		t.Errorf("the stream got %s", written(page))
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, open := <-sent; open || hub.add(w) {
		t.Error("a hub that has ended keeps streams")
	}
}

// TestPlacesAreBounded: for all, and for each address that has limits.
func TestPlacesAreBounded(t *testing.T) {
	t.Parallel()
	log, _ := newLog(t, &entries{}, 8)
	hub := NewHub(log, Bounds{All: 3, PerAddress: 1}, time.Now)
	a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	leave, err := hub.Enter(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hub.Enter(a); !fault.Is(err, fault.TooMany) {
		t.Errorf("a second one of an address: %v", err)
	}
	for _, address := range []netip.Addr{b, {}} {
		if _, err := hub.Enter(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := hub.Enter(netip.Addr{}); !fault.IsOverloaded(err) {
		t.Errorf("more than all: %v", err)
	}
	leave()
	leave() // counts once
	if _, err := hub.Enter(a); err != nil || hub.Open() != 3 {
		t.Errorf("after one has left: %v, %d open", err, hub.Open())
	}
}
