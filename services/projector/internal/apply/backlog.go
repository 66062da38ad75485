package apply

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"litfass/pkg/chassis/stream"
	"litfass/services/projector/internal/queue"
)

const (
	// maxHeld bounds the bytes of the messages that wait in memory, and maxOpen their number. Large
	// events wait without their data.
	maxHeld = 32 << 20
	maxOpen = 45_000
)

// waiting is a change in the queue, with the sequences of the messages that are applied with it:
// its own and those of older changes that it supersedes.
type waiting struct {
	*pending  // nil for a message that can never be applied
	dead      *deadLetter
	sequences []uint64
}

type queued = queue.Item[*waiting]

// backlog has the messages that are received and not applied. It is safe for concurrent use.
type backlog struct {
	mu       sync.Mutex
	queue    queue.Queue[*waiting]
	open     map[uint64]stream.Delivery // not applied, by sequence, without their data
	received uint64                     // greatest sequence
	arrived  chan struct{}              // signals that something waits
	left     chan struct{}              // signals that there may be room
}

func newBacklog() *backlog {
	return &backlog{open: map[uint64]stream.Delivery{}, arrived: make(chan struct{}, 1), left: make(chan struct{}, 1)}
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is known already
	}
}

// add adds received messages, and returns how many of them it has already.
func (b *backlog) add(a *Applier, deliveries []stream.Delivery) (again int) {
	items := make([]queued, len(deliveries))
	for i, delivery := range deliveries {
		items[i] = a.itemOf(delivery)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, delivery := range deliveries {
		_, known := b.open[delivery.Sequence]
		b.open[delivery.Sequence] = delivery.Reference() // on the newest of which it is acknowledged
		b.received = max(b.received, delivery.Sequence)
		if known {
			again++
			continue
		}
		b.put(items[i])
	}
	notify(b.arrived)
	return again
}

// put adds an item to the queue; the lock must be held.
func (b *backlog) put(item queued) {
	superseded := b.queue.Add(item)
	if superseded == nil {
		return
	}
	newest := b.queue.Waits(item.Key).Payload
	for _, sequence := range superseded.Payload.sequences {
		if !slices.Contains(newest.sequences, sequence) {
			newest.sequences = append(newest.sequences, sequence)
		}
	}
}

// itemOf returns a received message as it waits in the queue.
func (a *Applier) itemOf(delivery stream.Delivery) queued {
	c, err := a.decode(delivery.Message)
	w := &waiting{sequences: []uint64{delivery.Sequence}}
	item := queued{Key: delivery.Subject, Held: len(delivery.Data), Payload: w}
	if err != nil {
		dead := a.dead(delivery.Message, err)
		w.dead, item.Weight = &dead, len(delivery.Data)
		item.Key += fmt.Sprint(" ", delivery.Sequence) // no change of an entity stands for it
		return item
	}
	w.pending = newPending(c, delivery.Message)
	item.Lane, item.Revision = laneOf(c), c.Revision
	item.Weight, item.Urgent, item.Large = w.weight, w.urgent, w.weight > largeWeight
	if item.Large {
		w.message.Data, item.Held = nil, 0
	}
	return item
}

// again puts an item back that was taken.
func (b *backlog) again(item queued) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(item)
	notify(b.arrived)
}

// park keeps an item until a newer change of its entity arrives.
func (b *backlog) park(item queued) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if newer := b.queue.Waits(item.Key); newer != nil {
		newer.Payload.sequences = append(newer.Payload.sequences, item.Payload.sequences...)
		return
	}
	b.queue.Park(item)
}

// small takes the changes of the next batch.
func (b *backlog) small(limits queue.Limits) []queued {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.queue.Small(limits)
	if len(taken) > 0 {
		notify(b.left)
	}
	return taken
}

// large takes the next event to be written in slices.
func (b *backlog) large(urgent bool) (queued, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.Large(urgent)
}

func (b *backlog) waiting() (small, urgent, large int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.Waiting()
}

// opened returns those of the messages that are not applied.
func (b *backlog) opened(sequences []uint64) (found []stream.Delivery) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, sequence := range sequences {
		if delivery, open := b.open[sequence]; open {
			found = append(found, delivery)
		}
	}
	return found
}

// close removes the messages of applied changes, and returns them with the sequence up to which
// everything is applied.
func (b *backlog) close(sequences []uint64) (applied []stream.Delivery, upTo uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, sequence := range sequences {
		if delivery, open := b.open[sequence]; open {
			applied = append(applied, delivery)
			delete(b.open, sequence)
		}
	}
	upTo = b.received
	for sequence := range b.open {
		upTo = min(upTo, sequence-1)
	}
	notify(b.left)
	return applied, upTo
}

// held returns the messages that are not applied.
func (b *backlog) held() []stream.Delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.open))
}

// awaitRoom waits until there is room for further messages.
func (b *backlog) awaitRoom(ctx context.Context) error {
	for {
		b.mu.Lock()
		room := b.queue.Held() < maxHeld && len(b.open) < maxOpen
		b.mu.Unlock()
		if room {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-b.left:
		}
	}
}
