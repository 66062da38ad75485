package cache

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// dateID returns the uuid of the n-th date.
func dateID(n int) string { return fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", n) }

// join encodes rows as their entries, one a line.
func join(_ *Page, rows []Row) (data []byte, members []Span) {
	for _, row := range rows {
		data = append(data, '{')
		from := len(data)
		data = append(data, row.Members...)
		members = append(members, Span{From: uint32(from), To: uint32(len(data))})
		data = append(data, '\n')
	}
	return data, members
}

// pageOf returns a page of the first dates in the order by start with these texts.
func pageOf(p Page, whole bool, texts ...string) *Page {
	rows := make([]Row, len(texts))
	for i, text := range texts {
		rows[i] = Row{Cursor: params.Cursor{StartKey: 202611010000 + int64(i), DateUUID: dateID(i)}, Members: []byte(`"text":"` + text + `"}`)}
	}
	p.Criteria = NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", "")
	p.Encode = join
	return NewPage(p, rows, whole)
}

// rewordedDate returns the change of the text of the n-th date.
func rewordedDate(n int, text string) applied.Date {
	at := applied.Attributes{
		"date_uuid": json.RawMessage(`"` + dateID(n) + `"`), "start_key": json.RawMessage(fmt.Sprint(202611010000 + n)),
	}
	return applied.Date{ID: dateID(n), Before: at, After: at, Shown: true, Entry: []string{`{"text":"`, text, `"}`}}
}

func textOf(a Answer) string {
	page, _ := a.(*Page)
	if page == nil {
		return ""
	}
	text := string(bytes.TrimSuffix(page.Payload.Plain(), []byte{'}'}))
	return strings.NewReplacer(`{"text":"`, "", "\"}\n", ",").Replace(text)
}

// TestAnEntryIsExchanged: a batch leaves the page as it was for the requests that are sending it,
// also when only an encoding of it is left.
func TestAnEntryIsExchanged(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long text ", 200)
	page := pageOf(Page{Limit: 3, ByStart: true}, true, "a", long, "c")
	batch := NewBatch(applied.Batch{Dates: []applied.Date{rewordedDate(1, "b"+long), rewordedDate(2, "d"), rewordedDate(5, "e")}}, "", "")
	for _, packed := range []bool{false, true} {
		if packed {
			page.Pack()
		}
		next, reason := page.Apply(batch)
		if want := "a,b" + long + ",d,"; textOf(next) != want || reason != Patched {
			t.Errorf("packed %v: %.200q, %s; want %.200q", packed, textOf(next), reason, want)
		}
		if next, _ := next.(*Page); next == nil || next.Payload.Packed() != packed || next.Size() > page.Size()+400 {
			t.Errorf("packed %v: then %+v", packed, next)
		}
		again, _ := next.Apply(NewBatch(applied.Batch{Dates: []applied.Date{rewordedDate(0, "A")}}, "", ""))
		if want := "A,b" + long + ",d,"; textOf(again) != want {
			t.Errorf("packed %v: again %q", packed, textOf(again))
		}
		if want := "a," + long + ",c,"; textOf(page) != want {
			t.Errorf("the page itself is changed to %q", textOf(page))
		}
	}
}

// TestAnEntryThatIsNotSentInvalidates: signals of earlier projectors have no entries, nor have
// large ones.
func TestAnEntryThatIsNotSentInvalidates(t *testing.T) {
	t.Parallel()
	page := pageOf(Page{Limit: 2, ByStart: true}, false, "a", "b", "c")
	for what, signalled := range map[string]applied.Batch{
		"shown":          {Dates: []applied.Date{rewordedDate(1, "B")}},
		"after the page": {Dates: []applied.Date{rewordedDate(7, "B")}},
	} {
		next, reason := page.Apply(NewBatch(signalled.WithoutEntries(), "", ""))
		if shown := what == "shown"; (next == nil) != shown || (reason == Unsent) != shown {
			t.Errorf("%s: %v, %q", what, next, reason)
		}
	}
	broken := rewordedDate(1, "")
	broken.Entry = []string{"[]"}
	if next, reason := page.Apply(NewBatch(applied.Batch{Dates: []applied.Date{broken}}, "", "")); next != nil || reason != Unsent {
		t.Errorf("an entry that is none: %v, %q", next, reason)
	}
}

// nowhere is the place of a date that is not there.
const nowhere = -1

// movedDate returns the change of the place of the n-th date; places below nowhere are before a
// page.
func movedDate(n, from, to int) applied.Date {
	at := func(place int) applied.Attributes {
		if place == nowhere {
			return nil
		}
		return applied.Attributes{
			"date_uuid": json.RawMessage(`"` + dateID(n) + `"`), "start_key": json.RawMessage(fmt.Sprint(202611010000 + place)),
		}
	}
	return applied.Date{ID: dateID(n), Before: at(from), After: at(to), Shown: true, Entry: []string{`{"text":"`, fmt.Sprint(n), `"}`}}
}

// TestDatesMoveUpAndOut: a page follows dates that come, go and move, as long as it knows the dates
// that take their place.
func TestDatesMoveUpAndOut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what   string
		skips  bool
		whole  bool
		moves  []applied.Date
		want   string
		reason Reason
	}{
		{what: "one goes", moves: []applied.Date{movedDate(1, 1, nowhere)}, want: "0,2,"},
		{what: "one moves up", moves: []applied.Date{movedDate(2, 2, 0)}, want: "0,2,"},
		{what: "one moves out", moves: []applied.Date{movedDate(0, 0, 9)}, want: "1,2,"},
		{what: "one comes", moves: []applied.Date{movedDate(7, nowhere, 0)}, want: "0,7,"},
		{what: "a spare goes", moves: []applied.Date{movedDate(3, 3, nowhere)}, want: "0,1,"},
		{what: "two go", moves: []applied.Date{movedDate(0, 0, nowhere), movedDate(1, 1, nowhere)}, want: "2,3,"},
		{what: "three go", moves: []applied.Date{movedDate(0, 0, nowhere), movedDate(1, 1, nowhere), movedDate(2, 2, nowhere)}, reason: NoSpares},
		{what: "three go, and no others follow", whole: true, moves: []applied.Date{movedDate(0, 0, nowhere), movedDate(1, 1, nowhere), movedDate(2, 2, nowhere)}, want: "3,"},
		{what: "all go", whole: true, moves: []applied.Date{movedDate(0, 0, nowhere), movedDate(1, 1, nowhere), movedDate(2, 2, nowhere), movedDate(3, 3, nowhere)}, want: ""},
		{what: "one comes at the end", whole: true, moves: []applied.Date{movedDate(0, 0, nowhere), movedDate(1, 1, nowhere), movedDate(7, nowhere, 9), movedDate(2, 2, nowhere)}, want: "3,7,"},
		{what: "more come than are kept, and go", moves: []applied.Date{
			movedDate(11, nowhere, 0), movedDate(12, nowhere, 0), movedDate(13, nowhere, 0), movedDate(14, nowhere, 0), movedDate(15, nowhere, 0),
			movedDate(11, 0, nowhere), movedDate(20, nowhere, 2), movedDate(12, 0, nowhere), movedDate(13, 0, nowhere), movedDate(14, 0, nowhere),
		}, want: "0,15,"},
		{what: "all that had come go", moves: []applied.Date{
			movedDate(11, nowhere, 0), movedDate(12, nowhere, 0), movedDate(13, nowhere, 0), movedDate(14, nowhere, 0), movedDate(15, nowhere, 0),
			movedDate(11, 0, nowhere), movedDate(20, nowhere, 2), movedDate(12, 0, nowhere), movedDate(13, 0, nowhere), movedDate(14, 0, nowhere),
			movedDate(15, 0, nowhere),
		}, reason: NoSpares},
		{what: "one goes from a later page", skips: true, moves: []applied.Date{movedDate(1, 1, nowhere)}, want: "0,2,"},
		{what: "one moves before a later page", skips: true, moves: []applied.Date{movedDate(7, -5, -4)}, want: "0,1,"},
		{what: "one comes before a later page", skips: true, moves: []applied.Date{movedDate(7, nowhere, -5)}, reason: Skipped},
		{what: "one moves from before a later page onto it", skips: true, moves: []applied.Date{movedDate(7, -5, 1)}, reason: Skipped},
	} {
		page := pageOf(Page{Limit: 2, ByStart: true, Skips: test.skips}, test.whole, "0", "1", "2", "3")
		var next Answer = page
		var reason Reason
		for _, move := range test.moves {
			if next != nil {
				next, reason = next.Apply(NewBatch(applied.Batch{Dates: []applied.Date{move}}, "", ""))
			}
		}
		if reason == Patched {
			reason = ""
		}
		if got := textOf(next); got != test.want || reason != test.reason || (next == nil) != (test.reason != "") {
			t.Errorf("%s: %q, %q; want %q, %q", test.what, got, reason, test.want, test.reason)
		}
	}
}

// TestAFeedFollowsTheVersionsOfItsEvents: an edit of what no entry shows is a new version.
func TestAFeedFollowsTheVersionsOfItsEvents(t *testing.T) {
	t.Parallel()
	at := func(time string) applied.Attributes {
		return applied.Attributes{
			"date_uuid": json.RawMessage(`"` + dateID(1) + `"`), "start_key": json.RawMessage("202611010001"), "changed_at": json.RawMessage(`"` + time + `"`),
		}
	}
	retimed := applied.Date{ID: dateID(1), Before: at("old"), After: at("new"), Revision: 7}
	feed := pageOf(Page{Limit: 3, ByStart: true, ShowsChange: true}, true, "a", "b", "c")
	for want, signalled := range map[Reason]applied.Date{Patched: retimed, Unsent: {ID: retimed.ID, Before: retimed.Before, After: retimed.After}} {
		next, reason := feed.Apply(NewBatch(applied.Batch{Dates: []applied.Date{signalled}}, "", ""))
		if reason != want {
			t.Errorf("%v, %q, want %q", next, reason, want)
		}
		if next, ok := next.(*Page); ok {
			rows := next.rows()
			if textOf(next) != "a,b,c," || rows[1].Version != (Version{7, "new"}) || rows[0].Version != (Version{}) {
				t.Errorf("%s: %+v", textOf(next), rows)
			}
			if again, reason := next.Apply(NewBatch(applied.Batch{Dates: []applied.Date{signalled}}, "", "")); again != Answer(next) {
				t.Errorf("a batch that the feed has: %v, %q", again, reason)
			}
		}
	}
}

// TestLargePackedPagesAreLoadedAgain: packing them after each edit takes longer.
func TestLargePackedPagesAreLoadedAgain(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{maxRepacked, maxRepacked + 1} {
		page := pageOf(Page{Limit: rows, ByStart: true}, true, make([]string, rows)...)
		page.Pack()
		next, reason := page.Apply(NewBatch(applied.Batch{Dates: []applied.Date{rewordedDate(1, "b")}}, "", ""))
		if dropped := rows > maxRepacked; dropped != (next == nil) || dropped != (reason == Room) {
			t.Errorf("%d rows: %q", rows, reason)
		}
	}
}
