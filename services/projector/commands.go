package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/verify"
)

// withStream runs fn with a connection to the stream, which must answer within wait.
func withStream(ctx context.Context, wait time.Duration, fn func(environment, *stream.Stream) error) error {
	env, err := open()
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	catalogue, err := stream.Connect(waiting, env.config.Stream, env.log)
	if err != nil {
		return err
	}
	defer catalogue.Close()
	return fn(env, catalogue)
}

type rebuildCommand struct {
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run asks the running projector to rebuild the index, or rebuilds it itself without one.
func (c rebuildCommand) Run(ctx context.Context) error {
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		show := progressOn(os.Stderr)
		result, err := env.node(catalogue, prometheus.NewRegistry()).Rebuild(ctx, show)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stdout, "rebuilt %d dates from %d changes in %s (%.0f dates/s), %d changes could not be applied\n",
			result.Dates, result.Messages, result.Duration.Round(100*time.Millisecond),
			float64(result.Dates)/result.Duration.Seconds(), result.Dead)
		return nil
	})
}

// progressOn returns a function that writes changed progress, at most one line a second.
func progressOn(w io.Writer) func(rebuild.Progress) {
	var last rebuild.Progress
	var written time.Time
	return func(p rebuild.Progress) {
		if p == last || p.Phase == last.Phase && time.Since(written) < time.Second {
			return
		}
		last, written = p, time.Now()
		_, _ = fmt.Fprintf(w, "%s: %d of %d changes, %d dates\n", p.Phase, p.Done, p.Total, p.Dates) // only for the eye
	}
}

type pruneCommand struct {
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run deletes the former indexes, and refuses while a rebuild fills new ones.
func (c pruneCommand) Run(ctx context.Context) error {
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		dropped, err := env.node(catalogue, prometheus.NewRegistry()).Prune(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stdout, "deleted %d indexes\n", dropped)
		return nil
	})
}

type readKeyCommand struct{}

// Run prints the read key, and creates it first if there is none.
func (readKeyCommand) Run(ctx context.Context) error {
	env, err := open()
	if err != nil {
		return err
	}
	key, err := env.index.ReadKey(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, key)
	return nil
}

type verifyCommand struct {
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer, and the projector to catch up and to rebuild an outdated index."`
	Most int           `default:"1000" help:"Stop after so many differences."`
}

// Run compares index and stream, prints every difference, and fails when there is one.
func (c verifyCommand) Run(ctx context.Context) error {
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		if err := env.awaitCaughtUp(ctx, catalogue, c.Wait); err != nil {
			return err
		}
		different := 0
		counts, err := env.verifier(catalogue).Run(ctx, func(d verify.Difference) bool {
			fmt.Fprintln(os.Stdout, d)
			different++
			return different < c.Most
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d changes compared\n", counts.Messages)
		for _, settings := range document.Indexes {
			fmt.Fprintf(os.Stderr, "%s: %d documents compared\n", settings.Name, counts.Documents[settings.Name])
		}
		if different > 0 {
			return fmt.Errorf("the index differs from the stream in %d places", different)
		}
		return nil
	})
}

func (e environment) verifier(catalogue *stream.Stream) verify.Verifier {
	return verify.Verifier{
		Stream: catalogue, Index: e.index, Projector: project.New(e.config.PublicURL, e.config.TimeZone),
		Applied: func(ctx context.Context) (uint64, error) {
			p, _, err := catalogue.Progress(ctx, stream.Durable(e.config.ReadNode))
			return p.Applied, err
		},
	}
}

// awaitCaughtUp waits until the index has everything that is in the stream at the call, and until
// the projector has rebuilt an index of another version: both differ from the stream before.
func (e environment) awaitCaughtUp(ctx context.Context, catalogue *stream.Stream, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, errors.New("waited long enough"))
	defer cancel()
	last, err := catalogue.LastSequence(ctx)
	if err != nil {
		return err
	}
	projector := e.node(catalogue, prometheus.NewRegistry())
	for {
		p, _, err := catalogue.Progress(ctx, stream.Durable(e.config.ReadNode))
		if err != nil {
			return err
		}
		waiting := fmt.Errorf("the index is %d changes behind the stream", p.Pending)
		if p.Applied >= last {
			waiting = projector.Current(ctx)
		}
		if waiting == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", waiting, context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}
