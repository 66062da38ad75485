package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream"
	"litfass/services/projector/internal/dead"
)

// deadCommand has the commands for the dead letters of the read node.
type deadCommand struct {
	List   listDeadCommand   `cmd:"" help:"List the changes that could not be applied, the oldest first."`
	Replay replayDeadCommand `cmd:"" help:"Apply what the stream holds of them again; those that cannot be applied stay."`
	Drop   dropDeadCommand   `cmd:"" help:"Remove them without applying them."`
}

type listDeadCommand struct {
	JSON bool          `name:"json" help:"Write one JSON object on each line."`
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run writes a line for each dead letter.
func (c listDeadCommand) Run(ctx context.Context) error {
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		letters := env.node(catalogue, prometheus.NewRegistry()).Letters()
		if c.JSON {
			encoder := json.NewEncoder(os.Stdout)
			return letters.Each(ctx, func(l dead.Letter) error { return encoder.Encode(l) })
		}
		return listDead(ctx, letters, os.Stdout)
	})
}

func listDead(ctx context.Context, letters dead.Letters, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SEQUENCE\tTIME\tKIND\tID\tSUPERSEDED\tREASON")
	err := letters.Each(ctx, func(l dead.Letter) error {
		superseded := "no"
		if l.Superseded {
			superseded = "yes"
		}
		_, err := fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\n",
			l.Sequence, l.Time.Format(time.RFC3339), plain(l.Kind), plain(l.ID), superseded, plain(l.Reason))
		return err
	})
	return errors.Join(err, table.Flush())
}

// plain returns a text without control characters, which a terminal would interpret: names and
// reasons come from the stream.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// selectDead are the arguments that select dead letters.
type selectDead struct {
	All       bool          `help:"All of them."`
	Sequences []uint64      `arg:"" optional:"" name:"sequence" help:"The sequences that the list shows."`
	Wait      time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

func (s selectDead) selection() (dead.Selection, error) {
	if s.All == (len(s.Sequences) > 0) {
		return dead.Selection{}, errors.New("name either the sequences of dead letters or --all")
	}
	return dead.Selection{All: s.All, Sequences: s.Sequences}, nil
}

type replayDeadCommand struct{ selectDead }

// Run asks the running projector to apply them, or applies them itself without one. It fails when
// one still cannot be applied.
func (c replayDeadCommand) Run(ctx context.Context) error {
	which, err := c.selection()
	if err != nil {
		return err
	}
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		still := 0
		err := env.node(catalogue, prometheus.NewRegistry()).Replay(ctx, which, func(r dead.Replayed) {
			line := fmt.Sprintf("%d %s %s: %s", r.Sequence, r.Kind, r.ID, r.Outcome)
			if r.Outcome == dead.Dead {
				line += ": " + r.Reason
				still++
			}
			fmt.Fprintln(os.Stdout, plain(line))
		})
		if err == nil && still > 0 {
			err = fmt.Errorf("%d changes still cannot be applied", still)
		}
		return err
	})
}

type dropDeadCommand struct{ selectDead }

// Run removes them and prints their number.
func (c dropDeadCommand) Run(ctx context.Context) error {
	which, err := c.selection()
	if err != nil {
		return err
	}
	return withStream(ctx, c.Wait, func(env environment, catalogue *stream.Stream) error {
		dropped, err := env.node(catalogue, prometheus.NewRegistry()).Letters().Drop(ctx, which)
		fmt.Fprintf(os.Stdout, "dropped %d dead letters\n", dropped)
		return err
	})
}
