package cache

import (
	"bytes"
	"slices"

	"litfass/pkg/chassis/encoded"
)

// Key identifies a question: a digest of everything that its answer depends on besides the index.
type Key [32]byte

// Answer can be cached, and applies to itself the changes of a batch. Its dynamic type is a pointer
// to a value that is not modified any more.
type Answer interface {
	// Size returns the bytes of memory it takes, approximately.
	Size() int
	// Apply returns the answer after a batch: itself if the batch does not change it, a copy, with the
	// reason Patched if it shows something else, or nil and a reason if it must be loaded again.
	Apply(batch *Batch) (Answer, Reason)
	// compared returns the number of changes that Apply compares the answer with.
	compared(batch *Batch) int
}

// Packable is an Answer that can be reduced to its smallest encoding. It recreates the others on
// demand.
type Packable interface {
	Answer
	Pack()
	// OnResize sets the function to call when the answer takes more memory than before. It is called
	// before the answer is used concurrently.
	OnResize(fn func())
}

// Records identifies records that an answer is made of: one record of an index, or all records of
// several. The zero value is no record.
type Records struct {
	indexes []string
	id      string // "" for all
}

// Record is one record of an index.
func Record(index, id string) Records { return Records{indexes: []string{index}, id: id} }

// AllRecords are the records of some indexes.
func AllRecords(indexes ...string) Records { return Records{indexes: indexes} }

// apply returns an answer of the records after a batch: nil if that wrote one of them. An answer
// without records is static: no batch changes it.
func (r Records) apply(batch *Batch, answer Answer) (Answer, Reason) {
	switch {
	case !r.changedBy(batch):
		return answer, ""
	case batch.all:
		return nil, batch.reason
	default:
		return nil, Written
	}
}

// changedBy reports whether a batch wrote one of the records.
func (r Records) changedBy(batch *Batch) bool {
	return slices.ContainsFunc(r.indexes, func(index string) bool {
		if r.id == "" {
			return batch.touches(index)
		}
		return batch.all || batch.records[index][r.id]
	})
}

// Text is a cached payload or text that is made of records.
type Text struct {
	encoded.Payload
	From Records
	// Shows means that the text is a payload of the view of one record, a venue or an organization.
	Shows bool
}

// Apply exchanges the text if the batch wrote its record, or invalidates it.
func (t *Text) Apply(batch *Batch) (Answer, Reason) {
	answer, reason := t.From.apply(batch, t)
	if answer != nil || batch.all || !t.Shows {
		return answer, reason
	}
	c := batch.changed[t.From.indexes[0]][t.From.id]
	switch {
	case c.after == nil: // gone, or not known
		return nil, Written
	case c.view == "":
		return nil, Unsent
	}
	payload := encoded.NewPayload([]byte(c.view))
	if bytes.Equal(payload.Plain(), t.Plain()) {
		return t, ""
	}
	if t.Packed() {
		payload.Pack()
	}
	return &Text{payload, t.From, t.Shows}, Patched
}

// compared is 0: the records of a batch are looked up.
func (t *Text) compared(*Batch) int { return 0 }

// Bytes is a cached value of another form that is made of records.
type Bytes struct {
	Data []byte
	From Records
}

// Size returns the bytes of the value and of its record's id.
func (b *Bytes) Size() int { return len(b.Data) + len(b.From.id) }

// Apply invalidates the value if the batch wrote one of its records.
func (b *Bytes) Apply(batch *Batch) (Answer, Reason) { return b.From.apply(batch, b) }

func (b *Bytes) compared(*Batch) int { return 0 }
