// Package curated finds the lists of a read node, with their entries, by their slugs.
package curated

import (
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/slugs"
)

// List is a selection of events in the order of its editor.
type List struct {
	View      publicapi.List
	ChangedAt string // RFC 3339
	Entries   []change.ListEntry
	// Order is another text for each other order of other entries.
	Order string
	// Events and Dates are what the entries name.
	Events, Dates []string
	places        map[string]int // of the entries, by the uuids of their date or event
}

// Place returns the place of a date of an event in the list: the first of those that its own entry
// and that of its event have. ok is false if it has none.
func (l *List) Place(date, event string) (place int, ok bool) {
	own, isOwn := l.places[date]
	whole, isWhole := l.places[event]
	switch {
	case isOwn && isWhole:
		return min(own, whole), true
	case isOwn:
		return own, true
	default:
		return whole, isWhole
	}
}

// Store knows the current lists.
type Store = slugs.Store[document.List, List]

var kind = slugs.Kind[document.List, List]{
	Index: document.Lists, Attributes: []string{"id", "revision", "changed_at", "view", "entries"}, Parameter: "list", Word: reason.WordList,
	Identify: func(d document.List) (id string, revision int64, row *document.Row) {
		if d.Row != nil {
			row = &d.Row.Value
		} else if d.View != nil {
			made := document.RowOfList(d.View.Value)
			row = &made
		}
		return d.ID, d.Revision, row
	},
	Read: func(d document.List) (*List, int) {
		list := New(d)
		return list, list.size()
	},
}

// Source reads the documents of lists that exist.
type Source = slugs.Source[document.List]

// InIndex returns the lists in an engine's index.
func InIndex(e *engine.Engine) Source { return kind.InIndex(e) }

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time) *Store {
	return slugs.NewStore(kind, source, signal, now)
}

// size returns the memory of the list in bytes, approximately.
func (l *List) size() int {
	const perEntry = 200 // with its uuids and its place
	bytes := 500 + len(l.View.Description) + perEntry*len(l.Entries) + len(l.Order)
	for _, text := range l.View.Descriptions {
		bytes += len(text)
	}
	for _, entry := range l.Entries {
		bytes += len(entry.Note)
	}
	return bytes
}

// New returns the list of a document that exists.
func New(d document.List) *List {
	l := &List{View: d.View.Value, ChangedAt: d.ChangedAt, Entries: d.Entries.Value, places: map[string]int{}}
	var order strings.Builder
	for place, entry := range l.Entries {
		uuid := entry.EventUUID
		if entry.DateUUID != "" {
			uuid = string(entry.DateUUID)
			l.Dates = append(l.Dates, uuid)
		} else {
			l.Events = append(l.Events, uuid)
		}
		if _, known := l.places[uuid]; !known {
			l.places[uuid] = place
		}
		order.WriteString(uuid)
	}
	l.Order = order.String()
	return l
}
