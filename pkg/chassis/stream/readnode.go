package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const durablePrefix = "projector-"

// Durable returns the durable name of the consumer of a read node's projector. The node's lease is
// named as the node.
func Durable(node string) string { return durablePrefix + node }

// ReadNode is a read node as the stream knows it.
type ReadNode struct {
	Name    string
	Applied uint64    // everything up to this sequence is applied
	Pending uint64    // messages that are not
	Oldest  time.Time // when the oldest pending message was published; zero without any
	Leased  bool      // a projector is at work
	Heard   time.Time // when a projector last renewed its lease or acknowledged; zero: unknown
	Dead    int       // dead letters
}

// ReadNodes returns the read nodes that a projector was ever started for, by name. It asks the
// server several times for each. The error is a connection's or the server's.
func (s *Stream) ReadNodes(ctx context.Context) ([]ReadNode, error) {
	nodes := map[string]*ReadNode{}
	if err := s.findConsumers(ctx, nodes); err != nil {
		return nil, fmt.Errorf("list the consumers: %w", err)
	}
	if err := s.findLeases(ctx, nodes); err != nil {
		return nil, fmt.Errorf("list the leases: %w", err)
	}
	var found []ReadNode
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		node := nodes[name]
		if err := s.measure(ctx, node); err != nil {
			return nil, fmt.Errorf("read node %s: %w", name, err)
		}
		found = append(found, *node)
	}
	return found, nil
}

// findConsumers adds the nodes that have a consumer.
func (s *Stream) findConsumers(ctx context.Context, nodes map[string]*ReadNode) error {
	catalogue, err := s.stream(ctx)
	if err != nil {
		return err
	}
	lister := catalogue.ListConsumers(ctx)
	for info := range lister.Info() {
		name, projector := strings.CutPrefix(info.Name, durablePrefix)
		if !projector {
			continue
		}
		node := &ReadNode{Name: name}
		if info.AckFloor.Last != nil {
			node.Heard = *info.AckFloor.Last
		}
		nodes[name] = node
	}
	return lister.Err()
}

// findLeases takes in which nodes a projector holds the lease of.
func (s *Stream) findLeases(ctx context.Context, nodes map[string]*ReadNode) error {
	leases, err := s.js.KeyValue(ctx, s.leasesName())
	if errors.Is(err, jetstream.ErrBucketNotFound) { // no projector was ever started
		return nil
	}
	if err != nil {
		return err
	}
	watcher, err := leases.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }() // fails only when the connection is closed
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case entry, open := <-watcher.Updates():
			if !open {
				return errors.New("the server stopped sending")
			}
			if entry == nil { // that was all
				return nil
			}
			if strings.HasPrefix(entry.Key(), OtherLease) {
				continue
			}
			if nodes[entry.Key()] == nil {
				nodes[entry.Key()] = &ReadNode{Name: entry.Key()}
			}
			node := nodes[entry.Key()]
			node.Leased, node.Heard = true, entry.Created()
		}
	}
}

// measure takes in how far a node has got.
func (s *Stream) measure(ctx context.Context, node *ReadNode) error {
	dead, err := s.DeadLetters(node.Name).Count(ctx)
	if err != nil {
		return err
	}
	node.Dead = dead
	progress, found, err := s.Progress(ctx, Durable(node.Name))
	if err != nil {
		return err
	}
	node.Applied, node.Pending = progress.Applied, progress.Pending
	if !found { // it has applied nothing yet
		state, err := s.State(ctx)
		if err != nil {
			return err
		}
		node.Pending = state.Messages
	}
	if node.Pending == 0 {
		return nil
	}
	oldest, found, err := s.Next(ctx, node.Applied+1)
	if found {
		node.Oldest = oldest.Published
	}
	return err
}
