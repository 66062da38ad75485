package apply

import (
	"bytes"
	"encoding/json"
	"fmt"

	"litfass/pkg/change"
	"litfass/pkg/stream"
	"litfass/services/projector/internal/project"
)

// Batch is what a number of deliveries say, ready to be written.
type Batch struct {
	Deliveries []stream.Delivery
	Sequence   uint64 // of the last delivery
	entities   []*entity
	dead       []dead
	superseded int // changes that a newer one of the same batch makes superfluous
}

// Len returns how many messages the batch was made from.
func (b *Batch) Len() int { return len(b.Deliveries) }

// entity is the newest change of one entity in a batch, with its documents encoded.
type entity struct {
	change   change.Change
	message  stream.Message
	index    string // of the entity document
	id       string // of the entity document
	document []byte
	dates    []date
}

type date struct {
	id       string
	document []byte
}

// dead is a change that can never be applied.
type dead struct {
	kind, id string
	data     []byte
	reason   string
}

// Prepare reads deliveries, keeps the newest change of each entity, and makes its documents. It asks nobody, so that it
// may run while an earlier batch is being written.
func (a *Applier) Prepare(deliveries []stream.Delivery) *Batch {
	batch := &Batch{Deliveries: deliveries}
	newest := make(map[string]change.Change, len(deliveries))
	messages := make(map[string]stream.Message, len(deliveries))
	order := make([]string, 0, len(deliveries))
	for _, delivery := range deliveries {
		batch.Sequence = delivery.Sequence
		c, err := a.decode(delivery.Message)
		if err != nil {
			batch.kill(a.prefix, delivery.Message, err)
			continue
		}
		known, seen := newest[delivery.Subject]
		if seen {
			batch.superseded++
		} else {
			order = append(order, delivery.Subject)
		}
		if !seen || c.Revision >= known.Revision {
			newest[delivery.Subject], messages[delivery.Subject] = c, delivery.Message
		}
	}
	for _, subject := range order {
		e, err := a.project(newest[subject], messages[subject])
		if err != nil {
			batch.kill(a.prefix, messages[subject], err)
			continue
		}
		batch.entities = append(batch.entities, e)
	}
	return batch
}

// decode reads the change of a message, which must lie on the subject that the change names.
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

func (a *Applier) project(c change.Change, m stream.Message) (*entity, error) {
	documents, err := a.projector.Project(c)
	if err != nil {
		return nil, err
	}
	return encode(c, m, documents)
}

func encode(c change.Change, m stream.Message, documents project.Documents) (*entity, error) {
	e := &entity{change: c, message: m, index: documents.Index, id: documents.ID, dates: make([]date, len(documents.Dates))}
	var err error
	if e.document, err = line(documents.Entity); err != nil {
		return nil, err
	}
	for i, d := range documents.Dates {
		encoded, err := line(d)
		if err != nil {
			return nil, err
		}
		e.dates[i] = date{id: d.DateUUID, document: encoded}
	}
	return e, nil
}

// line encodes a document in one line.
func line(document any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func (b *Batch) kill(prefix string, m stream.Message, reason error) {
	kind, id, _ := change.ParseSubject(prefix, m.Subject)
	b.dead = append(b.dead, dead{kind: string(kind), id: id, data: m.Data, reason: reason.Error()})
}
