package applied

import (
	"bytes"
	"slices"

	"litfass/pkg/contracts/document"
)

// read are the attributes that filters, order and words read of a date.
var read = func() map[string]bool {
	names := map[string]bool{}
	for _, settings := range document.Indexes {
		if settings.Name == document.Dates {
			for _, name := range slices.Concat(settings.Searchable, settings.Equal, settings.Compare, settings.Sortable) {
				names[name] = true
			}
		}
	}
	return names
}()

// Compare returns the change of a date as a search notices it when one document replaces another;
// nil is no document. differs is false if it notices none.
func Compare(id string, before, after Attributes) (date Date, differs bool) {
	date = Date{ID: id, Before: reduced(before), After: reduced(after)}
	for _, documents := range [][2]Attributes{{before, after}, {after, before}} {
		for name, value := range documents[0] {
			if other, exists := documents[1][name]; name == "revision" || (exists && bytes.Equal(value, other)) {
				continue
			}
			differs = true
			date.Shown = date.Shown || !read[name]
		}
	}
	return date, differs
}

// reduced returns the attributes of a document that a search reads; nil of none.
func reduced(document Attributes) Attributes {
	if document == nil {
		return nil
	}
	attributes := Attributes{}
	for name, value := range document {
		if read[name] {
			attributes[name] = value
		}
	}
	return attributes
}
