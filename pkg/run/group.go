package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Group runs the parts of a service together and stops them in the reverse of the order in which they were added: what
// was added first may be used by all that came later until they have stopped.
type Group struct {
	log   *slog.Logger
	stop  time.Duration
	parts []*part
}

type part struct {
	name   string
	run    func(ctx context.Context) error
	cancel context.CancelFunc
	done   chan struct{} // closed once run has returned
	err    error         // of run; read after done
}

// NewGroup returns an empty group whose parts have the time stop, all together, to return after their contexts end.
func NewGroup(log *slog.Logger, stop time.Duration) *Group { return &Group{log: log, stop: stop} }

// Add appends a part. run must return soon after its context ends. Returning nil earlier means that its work is done;
// returning an error stops the whole group.
func (g *Group) Add(name string, run func(ctx context.Context) error) {
	g.parts = append(g.parts, &part{name: name, run: run, done: make(chan struct{})})
}

// Run starts every part and waits until ctx ends, a part fails or all parts are done; then it stops the rest in reverse
// order. It returns the first failure, wrapped with the part's name, and what failed or took too long while stopping.
// A part's error that is only its ended context's is not a failure.
func (g *Group) Run(ctx context.Context) error {
	ended := make(chan *part, len(g.parts))
	for _, p := range g.parts {
		p.start(ctx, ended)
	}
	first := g.wait(ctx, ended)
	return errors.Join(first, g.stopAll(first))
}

// start runs the part with a context of its own: the group's end must not reach all parts at once.
func (p *part) start(ctx context.Context, ended chan<- *part) {
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		p.err = p.run(ctx)
		if ctx.Err() != nil && errors.Is(p.err, context.Canceled) {
			p.err = nil
		}
		if p.err != nil {
			p.err = fmt.Errorf("%s: %w", p.name, p.err)
		}
		close(p.done)
		ended <- p
	}()
}

func (g *Group) wait(ctx context.Context, ended <-chan *part) error {
	for range g.parts {
		select {
		case <-ctx.Done():
			return nil
		case p := <-ended:
			if p.err != nil {
				return p.err
			}
		}
	}
	return nil
}

func (g *Group) stopAll(first error) error {
	deadline := time.NewTimer(g.stop)
	defer deadline.Stop()
	var failures []error
	for i := len(g.parts) - 1; i >= 0; i-- {
		p := g.parts[i]
		g.log.Debug("stopping", "part", p.name)
		p.cancel()
		select {
		case <-p.done:
			if p.err != nil && !errors.Is(first, p.err) {
				failures = append(failures, p.err)
			}
		case <-deadline.C:
			g.cancelFrom(i)
			return errors.Join(append(failures, fmt.Errorf("%s did not stop within %s", p.name, g.stop))...)
		}
	}
	return errors.Join(failures...)
}

// cancelFrom ends the contexts of the parts that never got their turn.
func (g *Group) cancelFrom(i int) {
	for ; i >= 0; i-- {
		g.parts[i].cancel()
	}
}
