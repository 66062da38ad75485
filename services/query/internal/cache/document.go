package cache

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
)

// Document holds the attributes of a date that filters, order and words read.
type Document struct{ attributes map[string]*attribute }

// NewDocument returns the document with these attributes.
func NewDocument(attributes applied.Attributes) *Document { return decoder{}.document(attributes) }

// Documents makes documents of which equal attributes are held once.
type Documents struct {
	decoded decoder
	raw     map[string]json.RawMessage
}

// NewDocuments returns a maker of documents.
func NewDocuments() *Documents { return &Documents{decoder{}, map[string]json.RawMessage{}} }

// freshSize is the memory of an attribute without its values.
const freshSize = 128

// Document returns the document with these attributes, and the memory, approximately, of those that
// no document had before.
func (d *Documents) Document(attributes applied.Attributes) (made *Document, fresh int) {
	for name, raw := range attributes {
		earlier, known := d.raw[string(raw)]
		if !known {
			earlier, fresh = raw, fresh+freshSize+2*len(raw)
			d.raw[string(raw)] = raw
		}
		attributes[name] = earlier
	}
	return d.decoded.document(attributes), fresh
}

// Values returns the texts and numbers of an attribute; exists is false when the document lacks it.
// It implements filter.Document.
func (d *Document) Values(name string) (texts []string, numbers []float64, exists bool) {
	a := d.attributes[name]
	if a == nil {
		return nil, nil, false
	}
	return a.texts, a.numbers, true
}

// number returns the first number of an attribute, or 0.
func (d *Document) number(name string) float64 {
	if _, numbers, _ := d.Values(name); len(numbers) > 0 {
		return numbers[0]
	}
	return 0
}

// text returns the first text of an attribute, or "".
func (d *Document) text(name string) string {
	if texts, _, _ := d.Values(name); len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// sameValues reports whether another document has the same values of an attribute.
func (d *Document) sameValues(other *Document, name string) bool {
	texts, numbers, exists := d.Values(name)
	otherTexts, otherNumbers, otherExists := other.Values(name)
	return exists == otherExists && slices.Equal(texts, otherTexts) && slices.Equal(numbers, otherNumbers)
}

// varies reports whether the dates of the event may be counted under different values.
func (d *Document) varies() bool { return d.attributes[variesIn] != nil }

const variesIn = "varies_in"

// attribute holds the values of an attribute, none for null, and its words once they were needed.
type attribute struct {
	texts   []string
	numbers []float64

	once    sync.Once
	letters form            // of all words, joined
	words   map[string]bool // by word: whether the engine certainly knows it

	mu       sync.Mutex
	contains map[form]bool // results of former comparisons
}

// decoder decodes documents. Attributes that share their bytes share their values.
type decoder map[*byte]*attribute

func (d decoder) document(attributes applied.Attributes) *Document {
	if attributes == nil {
		return nil
	}
	decoded := make(map[string]*attribute, len(attributes))
	for name, raw := range attributes {
		decoded[name] = d.attribute(raw)
	}
	return &Document{decoded}
}

func (d decoder) attribute(raw json.RawMessage) *attribute {
	if len(raw) == 0 {
		return &attribute{}
	}
	if shared := d[&raw[0]]; shared != nil {
		return shared
	}
	a := &attribute{}
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err == nil { // the signal was valid JSON
		a.add(decoded)
	}
	d[&raw[0]] = a
	return a
}

func (a *attribute) add(decoded any) {
	switch value := decoded.(type) {
	case string:
		a.texts = append(a.texts, value)
	case float64:
		a.numbers = append(a.numbers, value)
	case bool:
		a.texts = append(a.texts, strconv.FormatBool(value))
	case []any:
		for _, item := range value {
			a.add(item)
		}
	}
}

// wordAttributes are the attributes that a search by words looks at.
var wordAttributes = func() []string {
	for _, settings := range document.Indexes {
		if settings.Name == document.Dates {
			return settings.Searchable
		}
	}
	return nil
}()

// sameWords reports whether every search by words ranks both documents the same.
func sameWords(a, b *Document) bool {
	for _, name := range wordAttributes {
		if a.text(name) != b.text(name) {
			return false
		}
	}
	return true
}
