package faults

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// TestNothingIsLost kills one process after the other while changes run, and starts each again. In
// the end PostgreSQL, stream and index agree, and the answers match the committed catalogue.
func TestNothingIsLost(t *testing.T) {
	seed := harness.Seed(t)
	// The projector must not repair what is planted before it is looked for.
	s := harness.Ready(t, harness.RunRaced(t, stack.Options{Env: []string{"SELF_CHECK_PER_SECOND=0"}}))
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(seed, 800, now)
	s.ImportCatalogue(t, catalogue)

	load := startLoad(s, t, generate.NewEditor(seed+1, catalogue, now))
	for _, victim := range []string{stack.Admin, stack.Projector, stack.Meili, stack.NATS, stack.Projector, stack.Admin} {
		load.awaitCommits(t, 1) // a batch is on its way now
		process := s.Process(victim)
		if err := process.Kill(); err != nil {
			t.Fatal(err)
		}
		load.awaitCommits(t, 2) // writes continue without it
		if err := process.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	load.awaitCommits(t, 1)
	load.stop(t)
	t.Logf("%d batches of changes were committed meanwhile", load.commits.Load())

	s.AwaitReady(t)
	s.Verify(t)
	s.Compare(t, catalogue, seed, 200)
	t.Run("killed with queued work", func(t *testing.T) { testKilledWithQueuedWork(s, t, catalogue) })
	t.Run("planted in the stream", func(t *testing.T) { testPlantedInStream(s, t, catalogue) })
	t.Run("planted in the index", func(t *testing.T) { testPlantedInIndex(s, t, catalogue) })
	t.Run("the stream is lost", func(t *testing.T) { testLostStream(s, t, catalogue) })
	t.Run("freshness", func(t *testing.T) { testFreshness(s, t, catalogue) })
	t.Run("backed up and restored", func(t *testing.T) { testBackup(s, t, catalogue) })
}

// load imports batches of edits until it is stopped. Every batch that it started is committed in
// the end, so the edited catalogue is the expected one.
type load struct {
	commits atomic.Int64
	enough  chan struct{}
	ended   chan error
}

func startLoad(s *harness.System, t *testing.T, editor *generate.Editor) *load {
	l := &load{enough: make(chan struct{}), ended: make(chan error, 1)}
	path := filepath.Join(t.TempDir(), "edits.jsonl")
	go func() { l.ended <- l.run(t.Context(), s, path, editor) }()
	return l
}

func (l *load) run(ctx context.Context, s *harness.System, path string, editor *generate.Editor) error {
	for {
		select {
		case <-l.enough:
			return nil
		default:
		}
		if err := commit(ctx, s, path, editor.Edit(40)); err != nil {
			return err
		}
		l.commits.Add(1)
	}
}

// commit imports a batch and repeats a failed import, which changes nothing twice.
func commit(ctx context.Context, s *harness.System, path string, batch *reference.Catalogue) error {
	if err := harness.WriteFile(path, batch); err != nil {
		return err
	}
	deadline := time.Now().Add(harness.Patience)
	for {
		output, exit, err := s.RunCommand(ctx, stack.Admin, "import", path)
		if err == nil && exit == 0 {
			return nil
		}
		if ctx.Err() != nil || time.Now().After(deadline) {
			return fmt.Errorf("import of a batch: exit code %d, %w\n%s", exit, err, harness.Tail(output))
		}
	}
}

// awaitCommits waits for n more commits.
func (l *load) awaitCommits(t *testing.T, more int64) {
	t.Helper()
	from := l.commits.Load()
	harness.Await(t, "commits", func() error {
		select {
		case err := <-l.ended:
			t.Fatalf("the load ended early: %v", err)
		default:
		}
		if now := l.commits.Load(); now < from+more {
			return fmt.Errorf("%d of %d", now-from, more)
		}
		return nil
	})
}

func (l *load) stop(t *testing.T) {
	t.Helper()
	close(l.enough)
	if err := <-l.ended; err != nil {
		t.Fatal(err)
	}
}
