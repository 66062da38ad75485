package changes

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
)

// many is a journal of renamed events with one entry for so many changes, after sequence 7.
func many(t *testing.T, count, each int) *entries {
	t.Helper()
	journal := &entries{}
	var of []stream.JournalChange
	for n := range count {
		id, date := fmt.Sprintf("01920000-0000-7000-8000-%012x", n), fmt.Sprintf("01920000-0000-7000-9000-%012x", n)
		of = append(of, stream.JournalChange{Before: state(t, id, "Jazz", date), After: state(t, id, "Rock", date)})
		if len(of) == each {
			journal.all = append(journal.all, entry(uint64(8+n-each), of...))
			of = nil
		}
	}
	return journal
}

// pages reads to the end, and returns the pages with changes, all pages, and the work of all.
func pages(t *testing.T, log *Log, f Filter, from, to uint64) (found, all, work int) {
	t.Helper()
	for at := at(from); at.Sequence < to; {
		page, err := log.Page(t.Context(), f, at, 100)
		if err != nil || page.at.Sequence <= at.Sequence || page.More != (page.at.Sequence < to) {
			t.Fatalf("%s after %d: %v", written(page), at.Sequence, err)
		}
		if most := pageWork + pageWork/2; page.work > most {
			t.Fatalf("a page makes and reads %d, more than %d", page.work, most)
		}
		if at = page.at; len(page.Changes) > 0 {
			found++
		}
		all, work = all+1, work+page.work
	}
	return found, all, work
}

// TestPagesAreBounded: a page that finds nothing ends once it has made many documents, or read much
// of the journal, and what was made for one filter is not made again for others.
func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	const count = 1_200
	for _, each := range []int{1, 300} {
		journal := many(t, count, each)
		log, _ := newLog(t, journal, 7+count)
		found, all, work := pages(t, log, filtered(t, "title=folk"), 7, 7+count)
		if least := 2 * count; found != 0 || work < least || all < least/(pageWork+pageWork/2) {
			t.Errorf("entries of %d changes: %d pages, %d with changes, with work %d", each, all, found, work)
		}
		for _, query := range []string{"title=folk", "title=nothing", "kind=events&title=folk"} {
			if _, all, work = pages(t, log, filtered(t, query), 7, 7+count); work != 0 || all > 1 {
				t.Errorf("%s, entries of %d changes: %d pages with work %d for what was read before", query, each, all, work)
			}
		}
		log, _ = newLog(t, journal, 7+count)
		if _, all, work = pages(t, log, filtered(t, "kind=venues"), 7, 7+count); work > 2*count {
			t.Errorf("entries of %d changes: %d pages with work %d of what the filter does not follow", each, all, work)
		}
	}
}

// TestMemoryIsBounded: with what was made of the changes.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	const count = 200
	log, _ := newLog(t, many(t, count, 1), 7+count)
	log.memory.limit = 300_000
	pages(t, log, filtered(t, ""), 7, 7+count)
	sum := 0
	for element := log.memory.order.Front(); element != nil; element = element.Next() {
		sum += element.Value.(*held).change.size()
	}
	if m := &log.memory; m.bytes != sum || sum > m.limit || sum < m.limit/2 || m.order.Len() != len(m.at) {
		t.Errorf("%d changes with %d bytes, counted as %d of %d", m.order.Len(), sum, m.bytes, m.limit)
	}
	if _, _, work := pages(t, log, filtered(t, ""), 7+count-10, 7+count); work != 0 {
		t.Errorf("the newest changes are read again, with work %d", work)
	}
}

// TestStreamsTakeTurns: one reads at a time, in their order, and requests do not wait for streams.
func TestStreamsTakeTurns(t *testing.T) {
	t.Parallel()
	log, _ := newLog(t, many(t, 150, 1), 157)
	began := time.Now()
	hub := NewHub(log, Bounds{All: 10}, func() time.Time { return began }) // no position comes between
	leave, err := log.streams.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if page, err := log.Page(t.Context(), filtered(t, ""), at(7), 10); err != nil || len(page.Changes) != 10 {
		t.Errorf("a request during the turn of a stream: %s, %v", written(page), err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := log.page(over, log.streams, filtered(t, ""), at(7), 10); !fault.IsOverloaded(err) {
		t.Errorf("a stream that is gone before its turn: %v", err)
	}
	var ends []chan string
	for range 3 {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		end := make(chan string, 1)
		ends = append(ends, end)
		go hub.Serve(t.Context(), here, []byte("head\n"), filtered(t, "title=folk"), at(7), func() {})
		go func() {
			lines := bufio.NewScanner(there)
			for lines.Scan() {
				if id, is := strings.CutPrefix(lines.Text(), "id: "); is {
					end <- id
				}
			}
		}()
	}
	leave(1)
	for _, end := range ends {
		if id, want := <-end, at(157).String(); id != want {
			t.Errorf("a stream has caught up to %s, want %s", id, want)
		}
	}
}

// TestStreamsThatFindNothingGoOn: a stream that catches up without finding anything says how far it
// is, and ends with the service while it waits for its turn.
func TestStreamsThatFindNothingGoOn(t *testing.T) {
	t.Parallel()
	log, _ := newLog(t, many(t, 150, 1), 157)
	now := time.Now()
	hub := NewHub(log, Bounds{All: 10}, func() time.Time { now = now.Add(quiet); return now })
	here, there := net.Pipe()
	t.Cleanup(func() { _ = there.Close() })
	closed := make(chan struct{})
	go hub.Serve(t.Context(), here, []byte("head\n"), filtered(t, "title=folk"), at(7), func() { close(closed) })
	lines := bufio.NewScanner(there)
	var ids []string
	for len(ids) < 1 && lines.Scan() {
		if id, is := strings.CutPrefix(lines.Text(), "id: "); is {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 || ids[0] == at(157).String() {
		t.Fatalf("positions on the way: %s", ids)
	}
	hub.endAll()
	for lines.Scan() {
		continue // to the end
	}
	<-closed
}

// TestStreamsCountByNetwork: the addresses of one subscriber count together.
func TestStreamsCountByNetwork(t *testing.T) {
	t.Parallel()
	log, _ := newLog(t, &entries{}, 8)
	hub := NewHub(log, Bounds{All: 9, PerAddress: 1}, time.Now)
	if _, err := hub.Enter(netip.MustParseAddr("2001:db8:1:2::1")); err != nil {
		t.Fatal(err)
	}
	if _, err := hub.Enter(netip.MustParseAddr("2001:db8:1:2:3::4")); !fault.Is(err, fault.TooMany) {
		t.Errorf("another address of a network: %v", err)
	}
	if _, err := hub.Enter(netip.MustParseAddr("2001:db8:1:3::1")); err != nil {
		t.Errorf("another network: %v", err)
	}
}
