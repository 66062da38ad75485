// Package applied is the contract from a projector to the query services of its read node: the
// freshness signal, with the position of the index and the changes of each batch, by which query
// services invalidate and patch their cached answers.
package applied

import (
	"encoding/json"
)

// Signal is sent after every batch, and repeated every second without the batch.
type Signal struct {
	// Session names a run of a projector. Each counts its batches from the start.
	Session string `json:"session,omitempty"`
	// Batches is the number of batches that the session applied, including the one of this signal. A
	// receiver that misses a number does not know the changes.
	Batches uint64 `json:"batches,omitempty"`
	// Sequence is the position in the stream up to which every change is applied; 0 after the indexes
	// were swapped for rebuilt ones.
	Sequence uint64 `json:"sequence"`
	// Position is the number of the database's transaction up to which the index is complete; 0
	// while that is not known.
	Position uint64 `json:"position,omitempty"`
	// Complete is the sequence up to which the index has every change for certain, on the stream with
	// the identity Stream; the index is complete up to Position with them. 0 while that is not known.
	Complete uint64 `json:"complete,omitempty"`
	Stream   string `json:"stream,omitempty"`
	// Version is the engine's version of the index "dates" after the last batch; "" when unknown.
	Version string `json:"version,omitempty"`
	// Batch is the last batch; nil in a repetition.
	Batch *Batch `json:"batch,omitempty"`
}

// Batch lists the changes of a batch in the index.
type Batch struct {
	// All means that anything may have changed: the list would be too long, the changes are unknown,
	// or the indexes were swapped.
	All bool
	// Records are the ids of the records written, by index, except in the index "dates".
	Records map[string][]string
	// Names are the names of the venues, organizations and contributors among Records, by index and
	// id, "" of one that is gone; nil when the signal does not carry them.
	Names map[string]map[string]string
	// Changed are the venues and organizations among Records, by index, before and after the
	// batch; nil when the signal does not carry them.
	Changed map[string][]Record
	// Dates are the dates of which something changed that a search reads or shows.
	Dates []Date
	// Whole means that Dates has all dates of its events, also those that stayed as they were.
	Whole bool
}

// Date is a date before and after a batch.
type Date struct {
	ID string
	// Before and After are the attributes that filters, order and words read; nil when the index does
	// not contain the date.
	Before, After Attributes
	// Shown means that the rendered entry changed.
	Shown bool
	// Entry are the parts of the rendered entry after the batch; nil when the signal
	// does not carry it: a projector of an earlier version, or one with too many of them.
	Entry []string
	// Revision is that of the event after the batch; 0 when the signal does not carry it.
	Revision int64
}

// Attributes are the values of a document's attributes by name.
type Attributes = map[string]json.RawMessage

// wire is the encoding of a Batch. The dates of an event share most of their values, which are
// therefore written once.
type wire struct {
	All     bool                         `json:"all,omitempty"`
	Records map[string][]string          `json:"records,omitempty"`
	Names   map[string]map[string]string `json:"names,omitempty"`
	Changed map[string][]wireRecord      `json:"changed,omitempty"`
	Whole   bool                         `json:"whole,omitempty"`
	Values  []json.RawMessage            `json:"values,omitempty"`
	Parts   []string                     `json:"parts,omitempty"` // of entries
	Dates   []wireDate                   `json:"dates,omitempty"`
}

type wireDate struct {
	ID       string         `json:"id"`
	Shown    bool           `json:"shown,omitempty"`
	Before   map[string]int `json:"before,omitempty"` // attribute: place of its value in wire.Values
	After    map[string]int `json:"after,omitempty"`
	Entry    []int          `json:"entry,omitempty"` // places of its parts in wire.Parts
	Revision int64          `json:"revision,omitempty"`
}

type wireRecord struct {
	ID     string         `json:"id"`
	Before map[string]int `json:"before,omitempty"` // as those of dates
	After  map[string]int `json:"after,omitempty"`
	View   string         `json:"view,omitempty"`
}

// MarshalJSON writes each distinct value and part once.
func (b Batch) MarshalJSON() ([]byte, error) {
	w := wire{All: b.All, Records: b.Records, Names: b.Names, Whole: b.Whole, Dates: make([]wireDate, len(b.Dates))}
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
	parts := map[string]int{}
	for i, date := range b.Dates {
		w.Dates[i] = wireDate{ID: date.ID, Shown: date.Shown, Before: place(date.Before), After: place(date.After), Revision: date.Revision}
		for _, part := range date.Entry {
			at, known := parts[part]
			if !known {
				at = len(w.Parts)
				parts[part] = at
				w.Parts = append(w.Parts, part)
			}
			w.Dates[i].Entry = append(w.Dates[i].Entry, at)
		}
	}
	for index, records := range b.Changed {
		if w.Changed == nil {
			w.Changed = map[string][]wireRecord{}
		}
		for _, r := range records {
			w.Changed[index] = append(w.Changed[index], wireRecord{ID: r.ID, Before: place(r.Before), After: place(r.After), View: r.View})
		}
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the encoding of MarshalJSON. Equal values share their bytes.
func (b *Batch) UnmarshalJSON(data []byte) error {
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*b = Batch{All: w.All, Records: w.Records, Names: w.Names, Whole: w.Whole}
	for _, date := range w.Dates {
		before, known := w.attributes(date.Before)
		after, alsoKnown := w.attributes(date.After)
		entry, partsKnown := w.entry(date.Entry)
		if !known || !alsoKnown || !partsKnown {
			*b = Batch{All: true}
			return nil
		}
		b.Dates = append(b.Dates, Date{ID: date.ID, Shown: date.Shown, Before: before, After: after, Entry: entry, Revision: date.Revision})
	}
	for index, records := range w.Changed {
		for _, r := range records {
			before, known := w.attributes(r.Before)
			after, alsoKnown := w.attributes(r.After)
			if !known || !alsoKnown {
				*b = Batch{All: true}
				return nil
			}
			b.add(index, Record{ID: r.ID, Before: before, After: after, View: r.View})
		}
	}
	return nil
}

func (b *Batch) add(index string, r Record) {
	if b.Changed == nil {
		b.Changed = map[string][]Record{}
	}
	b.Changed[index] = append(b.Changed[index], r)
}

// attributes returns the values at places; known is false if one is missing.
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

// entry returns the parts at places; known is false if one is missing.
func (w wire) entry(places []int) (parts []string, known bool) {
	for _, at := range places {
		if at < 0 || at >= len(w.Parts) {
			return nil, false
		}
		parts = append(parts, w.Parts[at])
	}
	return parts, true
}
