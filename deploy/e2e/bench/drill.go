package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
)

const (
	drillQuestions = 60
	drillEdits     = 10 // a second
	drillReaders   = 4
	drillRest      = 20 * time.Millisecond // of a reader between two reads
	drillChecks    = 30                    // a second
	settled        = time.Second           // before a fault
)

// drill lets one thing after the other go wrong while visitors read and organizers write.
type drill struct {
	*bench
	writes    *writes
	checker   *stale.Checker
	public    *client.Client // the gateway
	questions []string
	cutter    *cutter
	rows      []drillRow
}

// drillRow is what a fault has done.
type drillRow struct {
	fault
	reads, failed int
	gap           time.Duration // the longest time without a read that succeeded
	edits         int
	repeated      int // writes that were sent again
	checked       int
	stale         int
	lost          int // differences that both verifications find after recovery, and edits not shown
	recovery      time.Duration
	untried       error
}

// runDrill runs all faults whose names hold one of the parts given by the flag.
func (b *bench) runDrill(ctx context.Context) error {
	d, err := b.newDrill(ctx)
	if err != nil {
		return err
	}
	defer d.cutter.close()
	var failures []error
	for _, f := range d.faults() {
		if !strings.Contains(f.name, b.only) {
			continue
		}
		row, err := d.try(ctx, f)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", f.name, err))
		}
		d.rows = append(d.rows, row)
		b.console.Line("  %s", row)
		if ctx.Err() != nil {
			break
		}
	}
	d.report()
	d.print(os.Stdout)
	return errors.Join(failures...)
}

// newDrill prepares the questions, the edits, and the line between projector and NATS.
func (b *bench) newDrill(ctx context.Context) (*drill, error) {
	d := &drill{bench: b, public: client.New(b.stack.URL(), 32)}
	d.public.HTTP.Timeout = 10 * time.Second
	var searches []reference.Parameters
	for i := range int64(drillQuestions) {
		q := b.question(400_000 + 7*i)
		p := reference.Parameters{}
		for name := range q.parameters {
			p[name] = q.parameters.Get(name)
		}
		searches, d.questions = append(searches, p), append(d.questions, "/api/events?"+q.parameters.Encode())
	}
	var err error
	if d.writes, d.checker, err = b.newWrites(ctx, "drill@example.org", 100, searches); err != nil {
		return nil, err
	}
	d.writes.probe = b.stack.ServiceURL(stack.Query) + "/api/events?start=1999-01-01&end=1999-01-01"
	return d, d.insertCutter(ctx)
}

// insertCutter starts the projector again with a line to NATS that can be cut.
func (d *drill) insertCutter(ctx context.Context) error {
	address, err := url.Parse(d.stack.NATSURL())
	if err != nil {
		return err
	}
	if d.cutter, err = newCutter(address.Host); err != nil {
		return err
	}
	address.Host, address.User = d.cutter.address(), nil // the projector has its own user
	projector := d.stack.Process(stack.Projector)
	if err := projector.Stop(ctx); err != nil {
		return err
	}
	projector.Env = append(projector.Env, "NATS_URL="+address.String())
	if err := projector.Start(ctx); err != nil {
		return err
	}
	return d.stack.AwaitReady(ctx)
}

// try lets one fault happen under load.
func (d *drill) try(ctx context.Context, f fault) (drillRow, error) {
	row := drillRow{fault: f}
	before, sent, repeated := d.checker.Counts(), d.writes.sent.Load(), d.writes.retries.Load()
	readers := d.startReaders(ctx)
	_, err := d.writes.during(ctx, drillEdits, func() error { return d.happen(ctx, f, &row) })
	readers.stop()
	row.reads, row.failed, row.gap = readers.reads, readers.failed, readers.gap
	row.edits, row.repeated = int(d.writes.sent.Load()-sent), int(d.writes.retries.Load()-repeated)
	d.writes.taken()
	if errors.Is(err, errNotHere) {
		row.untried = err
		return row, nil
	}
	if err != nil {
		return row, err
	}
	row.lost, err = d.verify(ctx)
	after := d.checker.Counts()
	row.checked, row.stale = after.All()-before.All(), after.Stale-before.Stale
	if err == nil && row.stale > 0 {
		err = fmt.Errorf("stale answers: %w", after.First)
	}
	return row, err
}

// happen begins a fault, ends it, and measures how long it takes from then until an edit is public
// again.
func (d *drill) happen(ctx context.Context, f fault, row *drillRow) error {
	if err := pause(ctx, settled); err != nil {
		return err
	}
	if err := f.begin(ctx); err != nil {
		return err
	}
	if err := pause(ctx, f.lasting); err != nil {
		return err
	}
	ended := time.Now()
	if err := f.end(ctx); err != nil {
		return err
	}
	edit := d.writes.editor.Next()
	position, err := d.writes.send(ctx, edit)
	if err != nil {
		return err
	}
	edit.Done(position)
	err = d.awaitPosition(ctx, position)
	row.recovery = time.Since(ended)
	return errors.Join(err, pause(ctx, settled))
}

// awaitPosition waits until a public answer names a position.
func (d *drill) awaitPosition(ctx context.Context, position uint64) error {
	for {
		answer, err := d.public.Get(ctx, "/api/events?limit=1&start=1999-01-01&end=1999-01-01")
		if err == nil && answer.Status == 200 && client.Position(answer.Header) >= position {
			return nil
		}
		if waited := pause(ctx, 10*time.Millisecond); waited != nil {
			return fmt.Errorf("position %d is not public: %w", position, waited)
		}
	}
}

// verify counts what is lost once everything has settled: the differences between PostgreSQL and
// stream, and stream and index, and the edits that public answers do not show.
func (d *drill) verify(ctx context.Context) (lost int, err error) {
	if err := d.stack.AwaitReady(ctx); err != nil {
		return 0, err
	}
	var failures []error
	for _, service := range []string{stack.Admin, stack.Projector} {
		output, err := d.stack.Command(ctx, service, "verify").Output()
		if err != nil {
			lost += max(1, strings.Count(string(output), "\n"))
			failures = append(failures, fmt.Errorf("%s verify: %w\n%.2000s", service, err, output))
		}
	}
	wrong, err := d.checker.AskAboutAll(ctx)
	return lost + wrong, errors.Join(append(failures, err)...)
}

// drillReading are visitors who read all the time.
type drillReading struct {
	over  atomic.Bool
	group sync.WaitGroup

	mu            sync.Mutex
	reads, failed int
	last          time.Time // of the last success
	gap           time.Duration
}

func (d *drill) startReaders(ctx context.Context) *drillReading {
	r := &drillReading{last: time.Now()}
	for n := range drillReaders {
		r.group.Go(func() {
			for i := n; !r.over.Load(); i += drillReaders {
				answer, err := d.public.Get(ctx, d.questions[i%len(d.questions)])
				r.note(err == nil && answer.Status == 200)
				_ = pause(ctx, drillRest) // the loop ends with the drill
			}
		})
	}
	r.group.Go(func() {
		for !r.over.Load() {
			d.checker.Ask(ctx)
			_ = pause(ctx, time.Second/drillChecks) // the loop ends with the drill
		}
	})
	return r
}

func (r *drillReading) note(succeeded bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.gap = max(r.gap, now.Sub(r.last))
	if r.reads++; succeeded {
		r.last = now
	} else {
		r.failed++
	}
}

func (r *drillReading) stop() {
	r.over.Store(true)
	r.group.Wait()
}
