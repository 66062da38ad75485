package rotation

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"litfass/pkg/chassis/stream"
)

// repeat is how often a query service announces how far it has got.
const repeat = time.Second

// Connection connects query services; see stream.Stream.
type Connection interface {
	Await(ctx context.Context) error
	SignalServing(what stream.Serving) error
	OnServing(fn func(stream.Serving)) (unsubscribe func(), err error)
}

// Run announces the position of this service, and hears the others, until ctx ends. able reports
// whether it could answer requests. It waits for NATS indefinitely. The error is that of
// subscribing.
func (r *Rotation) Run(ctx context.Context, over Connection, able func(ctx context.Context) bool, log *slog.Logger) error {
	if err := over.Await(ctx); err != nil {
		return err
	}
	unsubscribe, err := over.OnServing(r.Hear)
	if err != nil {
		return fmt.Errorf("hear the other query services: %w", err)
	}
	defer unsubscribe()
	ticker := time.NewTicker(repeat)
	defer ticker.Stop()
	for {
		serving := stream.Serving{Node: r.node, Position: r.position(), Ready: r.Check(ctx) == nil && able(ctx)}
		if err := over.SignalServing(serving); err != nil {
			log.Debug("not announced to the other query services", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
