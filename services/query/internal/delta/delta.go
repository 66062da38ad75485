// Package delta is what a batch of changes has altered in the index, in the form in which kept
// answers are held against it.
package delta

import (
	"encoding/json"
	"maps"
	"slices"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
)

// Batch is what one batch has altered.
type Batch struct {
	// All says that anything may have changed, and Reason why.
	All     bool
	Reason  Reason
	Dates   []Date
	records map[string]map[string]bool // ids by index
	// Before and After are the versions of the index of dates before and after the batch; "" when
	// one is not known.
	Before, After string
}

// Date is a date before and after a batch; nil when it was not or is no longer in the index.
type Date struct {
	ID            string
	Before, After *Document
	Shown         bool // whether the entry in an answer is another one
	// Reworded says whether words of the date have changed.
	Reworded bool
}

// New returns a batch as a signal says it.
func New(signalled applied.Batch, before, after string) *Batch {
	b := &Batch{All: signalled.All, Reason: Large, Before: before, After: after, records: map[string]map[string]bool{}}
	for index, ids := range signalled.Records {
		b.records[index] = make(map[string]bool, len(ids))
		for _, id := range ids {
			b.records[index][id] = true
		}
	}
	reader := reader{values: map[*byte]*Value{}}
	for _, date := range signalled.Dates {
		d := Date{ID: date.ID, Before: reader.document(date.Before), After: reader.document(date.After), Shown: date.Shown}
		d.Reworded = d.Before == nil || d.After == nil || !sameWords(d.Before, d.After)
		b.Dates = append(b.Dates, d)
	}
	return b
}

// Everything returns a batch that may have altered anything.
func Everything(reason Reason) *Batch { return &Batch{All: true, Reason: reason} }

// Indexes are those of which the batch has written records.
func (b *Batch) Indexes() []string { return slices.Collect(maps.Keys(b.records)) }

// Touches reports whether the batch has written a record of an index.
func (b *Batch) Touches(index string) bool { return b.All || len(b.records[index]) > 0 }

// Wrote reports whether the batch has written this record of an index.
func (b *Batch) Wrote(index, id string) bool { return b.All || b.records[index][id] }

// Document is what filters, order and words read of a date.
type Document struct {
	values map[string]*Value
}

// Value returns the values of an attribute; nil when the document lacks it.
func (d *Document) Value(attribute string) *Value { return d.values[attribute] }

// Value is an attribute's values: texts or numbers. The values of null are none.
type Value struct {
	Texts   []string
	Numbers []float64
	text    text
}

// reader reads documents. Attributes that share their bytes share their value.
type reader struct{ values map[*byte]*Value }

func (r reader) document(attributes applied.Attributes) *Document {
	if attributes == nil {
		return nil
	}
	d := &Document{values: make(map[string]*Value, len(attributes))}
	for name, raw := range attributes {
		d.values[name] = r.value(raw)
	}
	return d
}

func (r reader) value(raw json.RawMessage) *Value {
	if len(raw) == 0 {
		return &Value{}
	}
	if known := r.values[&raw[0]]; known != nil {
		return known
	}
	v := &Value{}
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err == nil { // it was read as JSON before
		v.take(decoded)
	}
	r.values[&raw[0]] = v
	return v
}

func (v *Value) take(decoded any) {
	switch value := decoded.(type) {
	case string:
		v.Texts = append(v.Texts, value)
	case float64:
		v.Numbers = append(v.Numbers, value)
	case []any:
		for _, item := range value {
			v.take(item)
		}
	}
}

// wordAttributes are what a search by words looks at.
var wordAttributes = func() []string {
	for _, settings := range document.Indexes {
		if settings.Name == document.Dates {
			return settings.Searchable
		}
	}
	return nil
}()

// sameWords reports whether a search by words finds both documents alike.
func sameWords(a, b *Document) bool {
	for _, attribute := range wordAttributes {
		if wordsOf(a.values[attribute]) != wordsOf(b.values[attribute]) {
			return false
		}
	}
	return true
}

func wordsOf(v *Value) string {
	if v == nil || len(v.Texts) == 0 {
		return ""
	}
	return v.Texts[0]
}
