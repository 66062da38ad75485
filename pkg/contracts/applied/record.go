package applied

import (
	"encoding/json"
	"slices"

	"litfass/pkg/contracts/document"
)

// Record is a venue or an organization before and after a batch.
type Record struct {
	ID string
	// Before and After are the attributes by which it is found, ordered and named; nil where it is not
	// public.
	Before, After Attributes
	// View is its public JSON after the batch; "" when it is not public, or the signal does not carry
	// it.
	View string
}

// listed are the attributes of Record by index.
var listed = func() map[string][]string {
	attributes := map[string][]string{}
	for _, settings := range document.Indexes {
		if settings.Name == document.Venues || settings.Name == document.Organizations {
			attributes[settings.Name] = slices.Concat([]string{"name", "city"},
				settings.Searchable, settings.Equal, settings.Compare, settings.Sortable)
		}
	}
	return attributes
}()

// Listed returns the attributes of Record in an index; nil for an index whose records a signal does
// not describe.
func Listed(index string) []string { return listed[index] }

// RecordChange returns the change of a record of an index when one document replaces another; nil
// is no document.
func RecordChange(index, id string, before, after Attributes) Record {
	record := Record{ID: id, Before: public(index, before), After: public(index, after)}
	if record.After == nil || json.Unmarshal(after["view"], &record.View) != nil {
		record.View = ""
	}
	return record
}

// public returns the attributes of Record of a document; nil when the entity is gone.
func public(index string, d Attributes) Attributes {
	if d == nil || string(d["gone"]) != "false" {
		return nil
	}
	attributes := Attributes{}
	for _, name := range listed[index] {
		if value, exists := d[name]; exists {
			attributes[name] = value
		}
	}
	return attributes
}
