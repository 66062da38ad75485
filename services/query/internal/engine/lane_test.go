package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
)

// TestMoreThanMayWaitIsRefusedAtOnce, and waiting questions take their turns in order.
func TestMoreThanMayWaitIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane("test", 2, func(time.Duration) {})
		for range 2 {
			if _, err := l.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		turns := make(chan int64, l.maxWaiting)
		for i := range l.maxWaiting {
			go func() {
				if _, err := l.enter(t.Context()); err != nil {
					t.Error(err)
				}
				turns <- i
			}()
			synctest.Wait() // until this one waits
		}
		if _, err := l.enter(t.Context()); !fault.IsOverloaded(err) {
			t.Errorf("one too many: %v", err)
		}
		if running, waiting, full := l.running.Load(), l.waiting.Load(), l.refusedFull.Load(); running != 2 || waiting != l.maxWaiting || full != 1 {
			t.Errorf("%d with the engine, %d wait, %d refused", running, waiting, full)
		}
		for i := range l.maxWaiting {
			l.leave()
			if next := <-turns; next != i {
				t.Errorf("turn of %d, want %d", next, i)
			}
		}
		l.leave()
		l.leave()
		synctest.Wait()
		if running, waiting := l.running.Load(), l.waiting.Load(); running != 0 || waiting != 0 {
			t.Errorf("in the end %d with the engine, %d wait", running, waiting)
		}
	})
}

// TestNoQuestionWaitsLongerThanItMay, however slow the engine is, nor beyond its own deadline; and
// one that gave up takes no turn.
func TestNoQuestionWaitsLongerThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waited time.Duration
		l := newLane("test", 1, func(wait time.Duration) { waited = wait })
		leave, err := l.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.enter(t.Context()); !fault.IsOverloaded(err) || waited != patience {
			t.Errorf("after %s: %v", waited, err)
		}
		hurried, cancel := context.WithTimeout(t.Context(), patience/2)
		defer cancel()
		if _, err := l.enter(hurried); !fault.IsOverloaded(err) || waited != patience/2 {
			t.Errorf("after %s: %v", waited, err)
		}
		gone, giveUp := context.WithCancel(t.Context())
		given := make(chan error, 1)
		go func() { _, err := l.enter(gone); given <- err }()
		synctest.Wait()
		giveUp()
		if err := <-given; !errors.Is(err, context.Canceled) || fault.IsOverloaded(err) {
			t.Errorf("a question that was given up: %v", err)
		}
		leave()
		if leave, err = l.enter(t.Context()); err != nil {
			t.Fatalf("the slot is lost: %v", err)
		}
		leave()
		if late := l.refusedLate.Load(); late != 2 {
			t.Errorf("%d refused late, want 2", late)
		}
	})
}

// stuck is an engine that answers no page of 20 until it is released.
type stuck struct {
	*Engine
	asked   atomic.Int32 // pages
	release func()
}

func newStuck(t *testing.T, concurrency int) *stuck {
	t.Helper()
	released := make(chan struct{})
	s := &stuck{release: sync.OnceFunc(func() { close(released) })}
	e := engineAt(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"limit":20`)) {
			s.asked.Add(1)
			<-released
		}
		_, _ = w.Write([]byte(emptyAnswer))
	})
	t.Cleanup(s.release) // before the server closes, which waits for its requests
	var err error
	if s.Engine, err = e.Limited(concurrency); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stuck) page(ctx context.Context) error {
	_, err := s.Search(ctx, document.Dates, Question{Limit: 20})
	return err
}

// ask asks for this many pages at once, and returns when they are in flight or wait.
func (s *stuck) ask(t *testing.T, pages int) *errgroup.Group {
	t.Helper()
	var group errgroup.Group
	for range pages {
		group.Go(func() error { return s.page(t.Context()) })
	}
	searches := s.lanes.searches
	for searches.running.Load()+searches.waiting.Load() < int64(pages) || int64(s.asked.Load()) < searches.running.Load() {
		time.Sleep(time.Millisecond)
	}
	return &group
}

func TestTheEngineIsAskedNoMoreAtOnceThanItMay(t *testing.T) {
	s := newStuck(t, 2)
	pages := s.ask(t, 7)
	if asked := s.asked.Load(); asked != 2 {
		t.Errorf("asked %d at once, want 2", asked)
	}
	s.release()
	if err := pages.Wait(); err != nil || s.asked.Load() != 7 {
		t.Errorf("%d asked in the end, %v", s.asked.Load(), err)
	}
}

// TestWhatIsShortOrSharedIsAnsweredWhileSearchesAreRefused: documents by id, readiness, and the
// service's own values.
func TestWhatIsShortOrSharedIsAnsweredWhileSearchesAreRefused(t *testing.T) {
	s := newStuck(t, 1)
	pages := s.ask(t, 1+queued)
	if err := s.page(t.Context()); !fault.IsOverloaded(err) || fault.Of(err).Kind != fault.Unavailable || fault.Of(err).RetryAfter <= 0 {
		t.Errorf("one too many: %v", err)
	}
	var view struct{}
	if found, err := s.Document(t.Context(), document.Events, "one", nil, &view); !found || err != nil {
		t.Errorf("a document: %v, %v", found, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
	shared := Upkeep(func(ctx context.Context) ([]byte, error) {
		return s.Search(ctx, document.Venues, Question{Limit: 1000})
	})
	if _, err := shared(t.Context()); err != nil {
		t.Errorf("a shared load: %v", err)
	}
	s.release()
	if err := pages.Wait(); err != nil {
		t.Error(err)
	}
	if err := s.page(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAllWhoCheckShareOneSearch(t *testing.T) {
	var asked atomic.Int32
	answer := make(chan struct{})
	e := engineAt(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		<-answer
		_, _ = w.Write([]byte(emptyAnswer))
	})
	gone, giveUp := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { first <- e.Check(gone) }()
	for asked.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	giveUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first, which gave up: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := e.Check(short); !errors.Is(err, context.DeadlineExceeded) || asked.Load() != 1 {
		t.Errorf("the second, which shares a search without an answer: %v, asked %d times", err, asked.Load())
	}
	close(answer)
	if err := e.Check(t.Context()); err != nil {
		t.Errorf("an engine that answers: %v", err)
	}
}

func TestLimitsAreChecked(t *testing.T) {
	for _, concurrency := range []int{-1, 0, maxConcurrency + 1} {
		if _, err := (&Engine{}).Limited(concurrency); err == nil {
			t.Errorf("%d is taken", concurrency)
		}
	}
}
