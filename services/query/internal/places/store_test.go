package places

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// source is an index whose versions and venues a test sets, and that counts its questions.
type source struct {
	mu                sync.Mutex
	venues            []Venue
	version           map[string]string
	fail              error
	versions, readAll atomic.Int32
	slow              chan struct{} // reading venues waits until it is closed
}

func (s *source) Version(_ context.Context, index string) (string, error) {
	s.versions.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version[index], s.fail
}

func (s *source) Venues(ctx context.Context) ([]Venue, error) {
	s.readAll.Add(1)
	if s.slow != nil {
		select {
		case <-s.slow:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.venues, nil
}

func (s *source) Regions(context.Context) (map[params.Region][]byte, error) {
	return map[params.Region][]byte{{Region: "square"}: []byte(square), {Region: "broken"}: []byte(`{}`)}, nil
}

func (s *source) change(venues ...Venue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.venues = venues
	s.version[document.Venues] += "x"
}

func newStore(t *testing.T, alive bool) (*Store, *source, *cache.Signal) {
	t.Helper()
	from := &source{version: map[string]string{document.Venues: "1", document.Regions: "1"}, venues: []Venue{{"a", 1, 1}}}
	signal := cache.NewSignal(time.Now)
	if alive {
		signal.Hear(applied.Signal{Sequence: 1})
	}
	return NewStore(from, signal, time.Now, slog.New(slog.DiscardHandler)), from, signal
}

func venuesIn(t *testing.T, s *Store) int {
	t.Helper()
	m, err := s.Map(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(m.Allowed(nil, &params.Region{Region: "square"}).Venues)
}

func TestStoreReadsAgainWhenTheSignalSaysThatVenuesChanged(t *testing.T) {
	store, from, heard := newStore(t, true)
	for range 3 {
		if n := venuesIn(t, store); n != 1 {
			t.Fatalf("%d venues, want 1", n)
		}
	}
	if from.readAll.Load() != 1 || from.versions.Load() != 2 {
		t.Errorf("read %d times after %d questions, want once after 2", from.readAll.Load(), from.versions.Load())
	}
	from.change(Venue{"a", 1, 1}, Venue{"b", 2, 2})
	heard.Hear(applied.Signal{Sequence: 2})
	if n := venuesIn(t, store); n != 2 {
		t.Errorf("%d venues after the change, want 2", n)
	}
	heard.Hear(applied.Signal{Sequence: 3}) // of something else
	if n := venuesIn(t, store); n != 2 || from.readAll.Load() != 2 {
		t.Errorf("%d venues, read %d times, want 2 and twice", n, from.readAll.Load())
	}
}

func TestStoreAsksEverySecondWithoutASignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, from, _ := newStore(t, false)
		venuesIn(t, store)
		from.change()
		if n := venuesIn(t, store); n != 1 {
			t.Errorf("%d venues at once, want the known one", n)
		}
		time.Sleep(time.Second)
		if n := venuesIn(t, store); n != 0 {
			t.Errorf("%d venues a second later, want none", n)
		}
	})
}

func TestStoreAnswersWhenTheSignalFallsSilentMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, from, _ := newStore(t, true)
		from.slow = make(chan struct{})
		done := make(chan error, 1)
		go func() { _, err := store.Map(t.Context()); done <- err }()
		synctest.Wait()
		time.Sleep(5 * time.Second) // nothing is heard for so long
		close(from.slow)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestStoreIsReadOnceForAllAndOutlivesTheFirstToAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, from, _ := newStore(t, true)
		from.slow = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { _, err := store.Map(ctx); gone <- err }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the first to ask: %v", err)
		}
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() { venuesIn(t, store) })
		}
		synctest.Wait()
		close(from.slow)
		wait.Wait()
		if n := from.readAll.Load(); n != 1 {
			t.Errorf("read %d times, want once", n)
		}
	})
}

func TestStoreReportsFailuresAndTriesAgain(t *testing.T) {
	store, from, _ := newStore(t, true)
	from.fail = errors.New("down")
	if _, err := store.Map(t.Context()); !errors.Is(err, from.fail) {
		t.Errorf("error %v", err)
	}
	from.mu.Lock()
	from.fail = nil
	from.mu.Unlock()
	if n := venuesIn(t, store); n != 1 {
		t.Errorf("%d venues, want 1", n)
	}
}
