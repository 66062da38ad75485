package changes

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/portals"
)

const portalA, portalB = "01920000-0000-7000-8000-0000000000e1", "01920000-0000-7000-8000-0000000000e2"

// portalStore holds the portals jazz, which also has the event B, and far, which has what happens
// around a place where nothing does, and the event A.
func portalStore(t *testing.T) *portals.Store {
	t.Helper()
	var all []document.Portal
	for _, p := range []change.Portal{
		{UUID: portalA, Slug: "jazz", Filter: json.RawMessage(`{"title":"Jazz"}`), Include: change.PortalSelection{EventUUIDs: []string{eventB}}},
		{UUID: portalB, Slug: "far", Filter: json.RawMessage(`{"lon":0,"lat":0,"radius":1}`), Include: change.PortalSelection{EventUUIDs: []string{eventA}},
			Exclude: change.PortalSelection{EventUUIDs: []string{eventB}}},
	} {
		d := document.Portal{Selects: document.Encoded[document.PortalSelects]{Value: document.PortalSelects{
			Filter: p.Filter, Include: p.Include, Exclude: p.Exclude,
		}}}
		d.ID = p.UUID
		d.View = &document.Encoded[publicapi.Portal]{Value: publicapi.Portal{UUID: p.UUID, Slug: p.Slug}}
		all = append(all, d)
	}
	source := func(context.Context, ...string) ([]document.Portal, error) { return all, nil }
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Session: "s", Stream: identity, Complete: 1})
	return portals.NewStore(source, signal, time.Now, slog.New(slog.DiscardHandler))
}

// TestChangesInAPortal: dates enter a portal and leave it as they do a search.
func TestChangesInAPortal(t *testing.T) {
	t.Parallel()
	jazz, rock := state(t, eventA, "Jazz", dateA), state(t, eventA, "Rock", dateA)
	other, gone := state(t, eventB, "Rock", dateB), state(t, eventB, "")
	journal := &entries{all: []stream.JournalEntry{
		entry(1, stream.JournalChange{Before: rock, After: jazz}, stream.JournalChange{Before: gone, After: other}),
		entry(3, stream.JournalChange{Before: jazz, After: rock}, stream.JournalChange{Before: other, After: gone}),
	}}
	for _, test := range []struct {
		query      string
		from, upTo uint64
		want       string
	}{
		{"portal=jazz", 1, 3, "entered d1 entered d2 @3"},
		{"portal=jazz", 3, 5, "left d1 left d2 @5"},
		{"portal=jazz&title=Jazz", 1, 3, "entered d1 @3"},
		{"portal=jazz&title=none", 1, 3, "@3"},
		{"portal=far", 1, 3, "changed d1 @3"},
		{"portal=far", 3, 5, "changed d1 @5"},
	} {
		log, _ := newLog(t, journal, test.upTo)
		page, err := log.Page(t.Context(), filtered(t, test.query), at(test.from), 100)
		if err != nil || written(page) != test.want {
			t.Errorf("%s after %d: %s (%v), want %s", test.query, test.from, written(page), err, test.want)
		}
	}
}

// TestAnEditedPortalBeginsAgain, and no other: which dates entered and left it, only the index
// knows.
func TestAnEditedPortalBeginsAgain(t *testing.T) {
	t.Parallel()
	c, err := change.New(change.KindPortal, portalA, 2, change.Portal{UUID: portalA, Slug: "jazz", Filter: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	journal := &entries{all: []stream.JournalEntry{entry(7, stream.JournalChange{After: edited})}}
	for query, want := range map[string]error{"portal=jazz": ErrBeginAgain, "portal=jazz&kind=events": ErrBeginAgain, "portal=far": nil, "": nil} {
		log, _ := newLog(t, journal, 8)
		if _, err := log.Page(t.Context(), filtered(t, query), at(7), 100); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", query, err, want)
		}
	}
	const raw = "portal=unknown"
	q, err := params.ChangesIn(raw).FromURL(raw, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewFilter(t.Context(), q, nil, portalStore(t)); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown portal: %v", err)
	}
}
