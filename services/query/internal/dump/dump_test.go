package dump

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/lists"
)

// shelf is a catalogue of so many events, each with one date.
type shelf struct {
	events int
	asked  atomic.Int32
	most   int // events of one question
	fails  error
}

func (s *shelf) ValueSets(context.Context) (lists.ValueSets, error) { return nil, nil }

func (s *shelf) EventsAfter(_ context.Context, after string, limit int) (events []lists.EventRecord, err error) {
	s.asked.Add(1)
	s.most = max(s.most, limit)
	for n := range s.events {
		uuid := fmt.Sprintf("01920000-0000-7000-8000-%012d", n)
		if uuid <= after || len(events) == limit {
			continue
		}
		lat, lon := 50+float64(n%5), 9-float64(n%3)
		events = append(events, lists.EventRecord{Event: publicapi.Event{
			UUID: uuid, Title: fmt.Sprint("Event ", n),
			Dates: []publicapi.Date{{UUID: uuid, StartDate: fmt.Sprintf("2026-11-%02d", 1+n%28), StartTime: "20:00", Place: publicapi.Place{VenueLat: &lat, VenueLon: &lon}}},
		}})
	}
	return events, s.fails
}

// clock is a movable clock.
type clock struct{ at atomic.Int64 }

func (c *clock) Now() time.Time        { return time.Unix(c.at.Load(), 0).UTC() }
func (c *clock) move(by time.Duration) { c.at.Add(int64(by.Seconds())) }

func newDumper(t *testing.T, folder string, from Source) (*Dumper, *clock) {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{}
	c.at.Store(time.Date(2026, time.November, 19, 12, 0, 0, 0, zone).Unix())
	return New(Options{
		Folder: folder, Source: from, Check: func(context.Context) error { return nil }, Site: feed.Site{Name: "Litfass", URL: "https://litfass.example"},
		Language: "en", At: 3*60 + 30, Zone: zone, Now: c.Now, Log: slog.New(slog.DiscardHandler),
	}), c
}

func inFolder(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// TestOneDumpADay: by the clock of the zone, also where its clocks change; the last two stay.
func TestOneDumpADay(t *testing.T) {
	folder, from := t.TempDir(), &shelf{events: 3}
	d, clock := newDumper(t, folder, from)
	write := func(asked int32, want ...string) {
		t.Helper()
		if err := d.WriteDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := inFolder(t, folder); !slices.Equal(got, want) || from.asked.Load() != asked {
			t.Errorf("there are %v, want %v; asked %d times", got, want, from.asked.Load())
		}
	}
	write(1, "20261119T023000Z")
	clock.move(15 * time.Hour) // 03:00
	write(1, "20261119T023000Z")
	clock.move(30 * time.Minute)
	write(2, "20261119T023000Z", "20261120T023000Z")
	clock.move(24 * time.Hour)
	write(3, "20261120T023000Z", "20261121T023000Z")
	clock.at.Store(time.Date(2027, time.March, 28, 12, 0, 0, 0, time.UTC).Unix()) // summer time began
	write(4, "20261121T023000Z", "20270328T013000Z")
	if next := d.Next().UTC().Format(time.RFC3339); next != "2027-03-29T01:30:00Z" {
		t.Errorf("the next dump is due at %s", next)
	}
}

// TestAllEventsInParts: each event once, of a catalogue of several parts.
func TestAllEventsInParts(t *testing.T) {
	for _, events := range []int{1, perQuestion, 2*perQuestion + 1} {
		from := &shelf{events: events}
		d, _ := newDumper(t, t.TempDir(), from)
		if err := d.WriteDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		m, ok, err := d.Latest()
		if err != nil || !ok || m.Events != events || m.Dates != events || from.most != perQuestion || len(m.Files) != 3 {
			t.Errorf("%d events: %+v %v %v", events, m, ok, err)
		}
		table, err := os.ReadFile(filepath.Join(m.folder, FileCSV))
		if rows := strings.Count(string(table), "\r\n"); err != nil || rows != events+1 {
			t.Errorf("%d events: %d rows, %v", events, rows, err)
		}
		if events > perQuestion && (m.FirstDay != "2026-11-01" || m.LastDay != "2026-11-28" || *m.Box != Box{7, 50, 9, 54}) {
			t.Errorf("%+v", m)
		}
	}
}

// TestOneServiceWrites: of several that share a folder, and that ask at the same time.
func TestOneServiceWrites(t *testing.T) {
	folder, from := t.TempDir(), &shelf{events: 1}
	var group sync.WaitGroup
	var taken atomic.Int32
	for range 8 {
		d, _ := newDumper(t, folder, from)
		group.Go(func() {
			if err := d.WriteDue(t.Context()); errors.Is(err, errTaken) {
				taken.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if from.asked.Load() != 1 || len(inFolder(t, folder)) != 1 || taken.Load() == 8 {
		t.Errorf("asked %d times, taken %d times; there are %v", from.asked.Load(), taken.Load(), inFolder(t, folder))
	}
}

// TestABrokenDumpIsNotSeen: neither of one that fails, nor of a service that died.
func TestABrokenDumpIsNotSeen(t *testing.T) {
	folder, from := t.TempDir(), &shelf{events: 1, fails: errors.New("the engine is down")}
	d, _ := newDumper(t, folder, from)
	if err := d.WriteDue(t.Context()); !errors.Is(err, from.fails) {
		t.Errorf("%v", err)
	}
	if _, ok, err := d.Latest(); ok || err != nil || len(inFolder(t, folder)) > 0 {
		t.Errorf("%v %v", ok, err)
	}
	d.Check, from.fails = func(context.Context) error { return errors.New("the index is being filled") }, nil
	if err := d.WriteDue(t.Context()); err == nil || from.asked.Load() != 1 {
		t.Errorf("an index that is being filled was dumped: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "20261119T023000Z"+unfinished, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.Check = func(context.Context) error { return nil }
	if _, ok, err := d.Latest(); ok || err != nil {
		t.Errorf("what a dead service left is a dump: %v", err)
	}
	if err := d.WriteDue(t.Context()); err != nil || !slices.Equal(inFolder(t, folder), []string{"20261119T023000Z"}) {
		t.Errorf("%v; there are %v", err, inFolder(t, folder))
	}
}

// TestAnEmptyCatalogueIsNotDumped: a new installation gets its first dump with its first event.
func TestAnEmptyCatalogueIsNotDumped(t *testing.T) {
	folder, from := t.TempDir(), &shelf{}
	d, _ := newDumper(t, folder, from)
	if err := d.WriteDue(t.Context()); !errors.Is(err, errEmpty) || len(inFolder(t, folder)) > 0 {
		t.Errorf("%v; there are %v", err, inFolder(t, folder))
	}
	from.events = 1
	if err := d.WriteDue(t.Context()); err != nil || len(inFolder(t, folder)) != 1 {
		t.Errorf("%v; there are %v", err, inFolder(t, folder))
	}
}

func TestTimesOfDay(t *testing.T) {
	var at TimeOfDay
	if err := at.UnmarshalText([]byte("03:30")); err != nil || at != 3*60+30 {
		t.Errorf("%d %v", at, err)
	}
	for _, bad := range []string{"", "24:00", "3", "3 am"} {
		if err := at.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is %d", bad, at)
		}
	}
}

// TestNoDumper: without a folder there are no dumps, and that is no error.
func TestNoDumper(t *testing.T) {
	var none *Dumper
	if _, ok, err := none.Latest(); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
	if err := none.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
