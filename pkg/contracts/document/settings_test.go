package document

import (
	"strings"
	"testing"
)

// A key that is added to the documents of an index, or to their entries, changes the hash by which
// read nodes rebuild.
func TestShapesOfDocuments(t *testing.T) { //nolint:paralleltest // it replaces a shape
	for _, index := range Indexes {
		if key := "id string"; !strings.Contains(shapes[index.Name], key) && index.Name != Dates {
			t.Errorf("%s: %q is missing in %s", index.Name, key, shapes[index.Name])
		}
	}
	for _, key := range []string{"date_uuid string", "venue_name string", "start_key int64"} {
		if !strings.Contains(shapes[Dates], key) {
			t.Errorf("%q is missing in %s", key, shapes[Dates])
		}
	}
	before := SettingsHash("")
	former := shapes[Dates]
	defer func() { shapes[Dates] = former }()
	shapes[Dates] += "; added string"
	if SettingsHash("") == before {
		t.Error("another key does not change the hash")
	}
}
