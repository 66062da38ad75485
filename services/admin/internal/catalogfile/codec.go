// Package catalogfile reads and writes the catalogue as JSON Lines (decisions.md, Catalog file):
// one object on each line with its kind, referenced objects first.
package catalogfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/fault"
	"litfass/pkg/strictjson"
	"litfass/services/admin/internal/catalog"
)

// kindKey is the key of a line's kind.
const kindKey = "kind"

// decode reads one line. Unknown kinds and keys, repeated keys and values of another type are
// violations. The rules of the catalogue are checked later.
func decode(line []byte) (catalog.Entity, fault.Violations) {
	kind, bad := strictjson.Key(line, kindKey)
	if len(bad) > 0 {
		return nil, bad
	}
	entity := newEntity(catalog.Kind(kind))
	if entity == nil {
		bad.Add(kindKey, "must be one of %s", kinds())
		return nil, bad
	}
	return entity, strictjson.Decode(line, entity, kindKey)
}

func newEntity(kind catalog.Kind) catalog.Entity {
	switch kind {
	case catalog.KindRegion:
		return &catalog.Region{}
	case catalog.KindOrganization:
		return &catalog.Organization{}
	case catalog.KindVenue:
		return &catalog.Venue{}
	case catalog.KindSpace:
		return &catalog.Space{}
	case catalog.KindEvent:
		return &catalog.Event{}
	default:
		return nil
	}
}

func kinds() string {
	names := make([]string, len(catalog.Kinds))
	for i, kind := range catalog.Kinds {
		names[i] = string(kind)
	}
	return strings.Join(names, ", ")
}

// encode returns the line of an entity, including the line break.
func encode(entity catalog.Entity) ([]byte, error) {
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"%s":"%s",`, kindKey, entity.Kind())
	start := line.Len()
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(entity); err != nil {
		return nil, fmt.Errorf("encode %s %s: %w", entity.Kind(), entity.Key(), err)
	}
	return slices.Delete(line.Bytes(), start, start+1), nil // the object's own opening brace
}
