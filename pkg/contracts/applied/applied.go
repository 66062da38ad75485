// Package applied is the contract from a projector to the query services of its read node: the
// freshness signal, which says what the index holds and what each batch of changes has altered in
// it. So a query service knows which of the answers that it keeps are still true.
package applied

import (
	"encoding/json"
)

// Signal is sent after every batch, and repeated every second without what the batch altered.
type Signal struct {
	// Session names a run of a projector. Batches are counted anew in each.
	Session string `json:"session,omitempty"`
	// Batches is how many batches the session has applied, including the one of this signal. A
	// receiver that misses a number does not know what changed.
	Batches uint64 `json:"batches,omitempty"`
	// Sequence is that of the stream up to which every change is applied; 0 when the indexes were
	// exchanged for rebuilt ones.
	Sequence uint64 `json:"sequence"`
	// Position is the number of the database's transaction up to which the index is complete; 0
	// while that is not known.
	Position uint64 `json:"position,omitempty"`
	// Version is the one of the index "dates" after the last batch, as the engine has it; "" when
	// it is not known.
	Version string `json:"version,omitempty"`
	// Batch is what the batch has altered; nil in a repetition.
	Batch *Batch `json:"batch,omitempty"`
}

// Batch is what a batch of changes has altered in the index.
type Batch struct {
	// All says that anything may have changed: it was too much to be listed, it is not known, or
	// the indexes were exchanged.
	All bool
	// Records are the ids of the records written, by index; not those of the index "dates".
	Records map[string][]string
	// Dates are the dates of which something changed that a search reads or shows.
	Dates []Date
}

// Date is a date before and after a batch.
type Date struct {
	ID string
	// Before and After are what filters, order and words read; nil when the date was not or is no
	// longer in the index.
	Before, After Attributes
	// Shown says that the entry in an answer is another one.
	Shown bool
}

// Attributes are the values of a document's attributes by name.
type Attributes = map[string]json.RawMessage

// wire is a Batch as it is sent. The dates of an event share most of their values, which are
// therefore written once.
type wire struct {
	All     bool                `json:"all,omitempty"`
	Records map[string][]string `json:"records,omitempty"`
	Values  []json.RawMessage   `json:"values,omitempty"`
	Dates   []wireDate          `json:"dates,omitempty"`
}

type wireDate struct {
	ID     string         `json:"id"`
	Shown  bool           `json:"shown,omitempty"`
	Before map[string]int `json:"before,omitempty"` // attribute: place of its value in wire.Values
	After  map[string]int `json:"after,omitempty"`
}

// MarshalJSON writes each distinct value once.
func (b Batch) MarshalJSON() ([]byte, error) {
	w := wire{All: b.All, Records: b.Records, Dates: make([]wireDate, len(b.Dates))}
	places := map[string]int{}
	place := func(attributes Attributes) map[string]int {
		if attributes == nil {
			return nil
		}
		placed := make(map[string]int, len(attributes))
		for name, value := range attributes {
			at, known := places[string(value)]
			if !known {
				at = len(w.Values)
				places[string(value)] = at
				w.Values = append(w.Values, value)
			}
			placed[name] = at
		}
		return placed
	}
	for i, date := range b.Dates {
		w.Dates[i] = wireDate{ID: date.ID, Shown: date.Shown, Before: place(date.Before), After: place(date.After)}
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes. Equal values share their bytes.
func (b *Batch) UnmarshalJSON(data []byte) error {
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*b = Batch{All: w.All, Records: w.Records}
	for _, date := range w.Dates {
		before, known := w.attributes(date.Before)
		after, alsoKnown := w.attributes(date.After)
		if !known || !alsoKnown {
			*b = Batch{All: true}
			return nil
		}
		b.Dates = append(b.Dates, Date{ID: date.ID, Shown: date.Shown, Before: before, After: after})
	}
	return nil
}

// attributes returns the values at places; known is false when one is not there.
func (w wire) attributes(places map[string]int) (found Attributes, known bool) {
	if places == nil {
		return nil, true
	}
	found = make(Attributes, len(places))
	for name, at := range places {
		if at < 0 || at >= len(w.Values) {
			return nil, false
		}
		found[name] = w.Values[at]
	}
	return found, true
}
