package changes

import (
	"context"
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

// tired is a journal that answers only so many questions of one request.
type tired struct {
	*entries
	left int
}

func (j *tired) JournalEntry(ctx context.Context, at uint64) (entry stream.JournalEntry, ok bool, err error) {
	if j.left--; j.left < 0 {
		return entry, false, context.DeadlineExceeded
	}
	return j.entries.JournalEntry(ctx, at)
}

// TestTiesStayKnown: a request that ends before it has read all edits since its position leaves
// what it has read to the next one, and one from before the journal reads none.
func TestTiesStayKnown(t *testing.T) {
	t.Parallel()
	const each, all = 100, 4 * tiesPart
	journal := &tired{entries: &entries{}}
	one := stream.JournalChange{After: state(t, eventA, "Jazz", dateA)}
	for after := range all / each {
		e := entry(uint64(10 + after*each))
		for range each {
			e.Changes = append(e.Changes, one)
		}
		journal.all = append(journal.all, e)
	}
	log, _ := newLog(t, journal, 10+all)
	f := filtered(t, "")
	f.ties = []entityKey{{change.KindPortal, orgA}}
	const most = 3 * all / each / 4
	journal.left = most
	if _, err := log.Page(t.Context(), f, at(9), 1); !errors.Is(err, ErrBeginAgain) || journal.left < most/2 {
		t.Errorf("before the journal: %v, with %d of %d questions", err, most-journal.left, most)
	}
	tries := 1
	for ; ; tries++ {
		journal.left = most
		page, err := log.Page(t.Context(), f, at(10), 1)
		if err == nil {
			if got := written(page); got != "entered d1 @11" {
				t.Errorf("found %s", got)
			}
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) || tries == 20 {
			t.Fatalf("try %d: %v", tries, err)
		}
	}
	if tries == 1 {
		t.Error("one request reads everything, which tests nothing")
	}
}
