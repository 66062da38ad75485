package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Group runs the parts of a service together and stops them in reverse order of Add: a part may use
// the parts added before it until it has stopped.
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

// NewGroup returns an empty group. After the end of its context all parts together have the time
// stop to return.
func NewGroup(log *slog.Logger, stop time.Duration) *Group { return &Group{log: log, stop: stop} }

// Add appends a part. run must return soon after its context ends. Returning nil earlier means that
// its work is done; returning an error stops the whole group.
func (g *Group) Add(name string, run func(ctx context.Context) error) {
	g.parts = append(g.parts, &part{name: name, run: run, done: make(chan struct{})})
}

// Run starts every part and waits until ctx ends, a part fails or all parts are done; then it stops
// the rest in reverse order. It returns the first failure, wrapped with the part's name, joined
// with the failures and time-outs of stopping. context.Canceled is no failure of a part whose
// context has ended.
func (g *Group) Run(ctx context.Context) error {
	ended := make(chan *part, len(g.parts))
	for _, p := range g.parts {
		p.start(ctx, ended)
	}
	first := g.wait(ctx, ended)
	return errors.Join(first, g.stopAll(first))
}

// start runs the part with its own context: the end of ctx must not reach all parts at the same
// time.
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

// cancelFrom ends the contexts of the parts that were not stopped yet.
func (g *Group) cancelFrom(i int) {
	for ; i >= 0; i-- {
		g.parts[i].cancel()
	}
}
