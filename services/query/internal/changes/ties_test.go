package changes

import (
	"errors"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
)

// TestPagesBeforeAnEditBeginAgain: also on a page that ends before the edit, since the filter is
// the portal's as it is now; in any order of positions.
func TestPagesBeforeAnEditBeginAgain(t *testing.T) {
	t.Parallel()
	edit := func(kind change.Kind, id string) stream.JournalChange {
		c, err := change.New(kind, id, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return stream.JournalChange{After: data}
	}
	journal := &entries{all: []stream.JournalEntry{
		entry(7, stream.JournalChange{After: state(t, eventA, "Jazz", dateA)}),
		entry(8, edit(change.KindPortal, orgA)),
		entry(9, stream.JournalChange{After: state(t, eventB, "Rock", dateB)}),
		entry(10, edit(change.KindRegion, "de.sh.foerde")),
		entry(11, stream.JournalChange{Before: state(t, eventB, "Rock", dateB), After: state(t, eventB, "Pop", dateB)}),
	}}
	tied := func(key entityKey) Filter {
		f := filtered(t, "")
		f.ties = []entityKey{key}
		return f
	}
	log, signal := newLog(t, journal, 10)
	ask := func(f Filter, after uint64, want string) {
		t.Helper()
		page, err := log.Page(t.Context(), f, at(after), 1)
		if want == "" && !errors.Is(err, ErrBeginAgain) || want != "" && (err != nil || written(page) != want) {
			t.Errorf("after %d: %s, %v, want %q", after, written(page), err, want)
		}
	}
	portal, other, region := tied(entityKey{change.KindPortal, orgA}), tied(entityKey{change.KindPortal, eventA}), tied(tieOf(change.KindRegion, "DE.SH.Foerde"))
	ask(portal, 9, "entered d2 @10")
	ask(portal, 8, "")
	ask(portal, 7, "")
	ask(other, 7, "entered d1 @8")
	ask(region, 8, "entered d2 @10")
	signal.Hear(applied.Signal{Session: "s", Stream: identity, Complete: 12, Batches: 1})
	ask(region, 8, "")
	ask(region, 11, "changed d2 @12")
	ask(portal, 9, "entered d2 @10")
	ask(portal, 7, "")
	ask(other, 6, "")
}
