package node

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"litfass/services/projector/internal/dead"
)

// Letters returns the read node's dead letters.
func (n *Node) Letters() dead.Letters {
	return dead.Letters{Dead: n.dead, Stream: n.Stream, Index: n.Index}
}

// Replay asks the projector that runs for this read node to apply dead letters again, or applies
// them itself without one. It calls report with each outcome.
func (n *Node) Replay(ctx context.Context, which dead.Selection, report func(dead.Replayed)) error {
	request, err := json.Marshal(which)
	if err != nil {
		return fmt.Errorf("ask for a replay: %w", err)
	}
	return n.ask(ctx, n.replayName(), request, func(line Line) bool {
		if line.Replayed != nil {
			report(*line.Replayed)
		}
		return line.Done
	}, func(ctx context.Context) error {
		if _, err := n.prepare(ctx); err != nil {
			return err
		}
		return n.replay(ctx, which, report)
	})
}

func (n *Node) answerReplay(ctx context.Context, request []byte, say func(Line)) {
	var which dead.Selection
	if err := json.Unmarshal(request, &which); err != nil {
		say(Line{Error: "the request cannot be read: " + err.Error()})
		return
	}
	stop := everyHeartbeat(ctx, func() { say(Line{}) })
	err := n.replay(ctx, which, func(r dead.Replayed) { say(Line{Replayed: &r}) })
	stop()
	if err != nil {
		say(Line{Error: err.Error()})
		return
	}
	say(Line{Done: true})
}

// replay applies dead letters again; the caller must hold the lease. Its writes belong to no
// signalled batch, so query services drop all cached answers.
func (n *Node) replay(ctx context.Context, which dead.Selection, report func(dead.Replayed)) error {
	with := dead.Writer{Applier: n.applierWith, Writing: &n.writing, Written: n.signals.all}
	return n.Letters().Replay(ctx, which, with, report)
}

const countEvery = 10 * time.Second

// countDead updates the metric of dead letters until ctx ends.
func (n *Node) countDead(ctx context.Context) error {
	ticker := time.NewTicker(countEvery)
	defer ticker.Stop()
	for {
		if count, err := n.dead.Count(ctx); err == nil { // else the stream is down, which others report
			n.metrics.dead.Set(float64(count))
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}
