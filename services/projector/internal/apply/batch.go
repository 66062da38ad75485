package apply

import (
	"fmt"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
)

// Batch is a number of decoded deliveries, ready to be written.
type Batch struct {
	Deliveries []stream.Delivery
	Sequence   uint64 // of the last delivery
	changes    []*pending
	dead       []deadLetter
	superseded int        // changes that a newer one of the same batch makes superfluous
	postponed  []*pending // that replace so much that they are written in slices

	// Altered are the changes of the batch, and Version the version of the index of dates after it, ""
	// when it is not known; both once the batch is applied.
	Altered applied.Batch
	Version string
}

// merge adds the outcome for a number of the batch's changes. If the engine refused a part of the
// batch, the changes are not known.
func (b *Batch) merge(done outcome, changes int) {
	b.Altered, b.Version = done.altered, done.version
	b.postponed = append(b.postponed, done.postponed...)
	if changes < len(b.changes) {
		b.Altered = applied.Batch{All: true}
	}
}

// Len returns the number of messages that the batch was made from.
func (b *Batch) Len() int { return len(b.Deliveries) }

// pending is the newest change of one entity in a batch. Its snapshot is decoded, and its
// documents, several times as large, are made when they are written.
type pending struct {
	change  change.Change // without its snapshot
	message stream.Message
	index   string // of the record
	id      string // of the record
	estimate
}

// deadLetter is a change that can never be applied.
type deadLetter struct {
	kind, id string
	data     []byte
	reason   string
}

// Prepare decodes deliveries and selects the newest change of each entity. It uses no engine, so
// that it may run while an earlier batch is written.
func (a *Applier) Prepare(deliveries []stream.Delivery) *Batch {
	batch := &Batch{Deliveries: deliveries}
	newest := make(map[string]*pending, len(deliveries))
	for _, delivery := range deliveries {
		batch.Sequence = delivery.Sequence
		c, err := a.decode(delivery.Message)
		if err != nil {
			batch.dead = append(batch.dead, a.dead(delivery.Message, err))
			continue
		}
		known, seen := newest[delivery.Subject]
		switch {
		case !seen:
			e := newPending(c, delivery.Message)
			newest[delivery.Subject] = e
			batch.changes = append(batch.changes, e)
			continue
		case c.Revision >= known.change.Revision:
			*known = *newPending(c, delivery.Message)
		}
		batch.superseded++
	}
	return batch
}

func newPending(c change.Change, m stream.Message) *pending {
	e := &pending{message: m, estimate: estimateOf(c, m.Data)}
	c.Snapshot = nil // a copy of a part of the message
	e.change = c
	e.index, e.id = project.Home(c.Kind, c.ID)
	return e
}

// decode reads the change of a message, whose subject must be that of the change.
func (a *Applier) decode(m stream.Message) (change.Change, error) {
	c, err := change.Decode(m.Data)
	if err != nil {
		return c, err
	}
	if want := c.Subject(a.prefix); want != m.Subject {
		return c, fmt.Errorf("change of %s lies on %s", want, m.Subject)
	}
	return c, nil
}

// dead returns the message as one that can never be applied.
func (a *Applier) dead(m stream.Message, reason error) deadLetter {
	kind, id, _ := change.ParseSubject(a.prefix, m.Subject)
	return deadLetter{kind: string(kind), id: id, data: m.Data, reason: reason.Error()}
}

// batchOf returns a batch of changes from the queue.
func batchOf(items []queued) *Batch {
	batch := &Batch{}
	for _, item := range items {
		if w := item.Payload; w.dead != nil {
			batch.dead = append(batch.dead, *w.dead)
		} else {
			batch.changes = append(batch.changes, w.pending)
		}
		batch.superseded += len(item.Payload.sequences) - 1
	}
	return batch
}

// because returns the entity's change as one that can never be applied.
func (e *pending) because(reason error) deadLetter {
	return deadLetter{kind: string(e.change.Kind), id: e.change.ID, data: e.message.Data, reason: reason.Error()}
}
