// Package catalogfile reads and writes the catalogue as JSON Lines (RULES.md, Catalogue file): one
// object on each line with its kind, referenced objects first.
package catalogfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/strictjson"
	"litfass/services/admin/internal/catalogue/rules"
)

// kindKey is the key of a line's kind.
const kindKey = "kind"

// decode reads one line. Unknown kinds and keys, repeated keys and values of another type are
// violations. The rules of the catalogue are checked later.
func decode(line []byte) (rules.Entity, fault.Violations) {
	kind, bad := strictjson.Key(line, kindKey)
	if len(bad) > 0 {
		return nil, bad
	}
	entity := newEntity(rules.Kind(kind))
	if entity == nil {
		bad.Add(kindKey, reason.NotOneOf(kinds()))
		return nil, bad
	}
	return entity, strictjson.Decode(line, entity, kindKey)
}

func newEntity(kind rules.Kind) rules.Entity {
	switch kind {
	case rules.KindRegion:
		return &rules.Region{}
	case rules.KindOrganization:
		return &rules.Organization{}
	case rules.KindVenue:
		return &rules.Venue{}
	case rules.KindSpace:
		return &rules.Space{}
	case rules.KindLabel:
		return &rules.Label{}
	case rules.KindContributor:
		return &rules.Contributor{}
	case rules.KindEvent:
		return &rules.Event{}
	case rules.KindPortal:
		return &rules.Portal{}
	case rules.KindSeries:
		return &rules.Series{}
	case rules.KindList:
		return &rules.List{}
	default:
		return nil
	}
}

func kinds() []string {
	names := make([]string, len(rules.Kinds))
	for i, kind := range rules.Kinds {
		names[i] = string(kind)
	}
	return names
}

// encode returns the line of an entity, including the line break.
func encode(entity rules.Entity) ([]byte, error) {
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
