// Package change is the contract from the admin service to the projectors: the messages on the
// catalogue stream.
//
// A change is the whole current public state of one entity (a snapshot), or a tombstone once the
// entity is gone or no longer public. The stream keeps the last change of every subject, so a new
// read node builds its index from the stream. A change is never a request and never a diff;
// anything may be delivered twice.
package change

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"litfass/pkg/contracts/value"
)

// MaxBytes is the most bytes of a change: in base64, as the leader of a stream answers with a
// message, they fit into the 8 MB that the servers take.
const MaxBytes = 6_000_000

// Kind is the sort of entity that a change speaks of.
type Kind string

// The kinds, in the order in which their snapshots may refer to one another.
const (
	KindLookup       Kind = "lookup"       // ID is the lookup's name, e.g. "event-types"
	KindRegion       Kind = "region"       // ID is country_slug.state_slug.region_slug
	KindOrganization Kind = "organization" // ID is a uuid
	KindVenue        Kind = "venue"        // ID is a uuid
	KindEvent        Kind = "event"        // ID is a uuid
	KindPortal       Kind = "portal"       // ID is a uuid
	KindList         Kind = "list"         // ID is a uuid
	KindSeries       Kind = "series"       // ID is a uuid
	KindContributor  Kind = "contributor"  // ID is a uuid
)

// Kinds lists every kind.
var Kinds = []Kind{KindLookup, KindRegion, KindOrganization, KindVenue, KindContributor, KindEvent, KindPortal, KindList, KindSeries}

// Change is one message of the stream.
type Change struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
	// Revision only grows: of two changes of one entity, the one with the greater revision is the
	// newer. A consumer drops a change whose revision is smaller than the one it holds.
	Revision int64 `json:"revision"`
	// Snapshot is the JSON of Event, Venue, Organization, Contributor, Region, Portal, List,
	// Series or Lookup, by Kind; absent in a tombstone.
	Snapshot json.RawMessage `json:"snapshot,omitempty"`
	// Trace is the traceparent of the edit (W3C Trace Context), "" outside of a trace. It travels
	// in the message's header and is no part of the change.
	Trace string `json:"-"`
}

// Gone reports whether the change is a tombstone.
func (c Change) Gone() bool { return len(c.Snapshot) == 0 }

// Subject returns the change's subject below a stream's prefix: prefix.kind.id, e.g.
// "catalog.event.<uuid>".
func (c Change) Subject(prefix string) string { return prefix + "." + string(c.Kind) + "." + c.ID }

// MessageID identifies this state of this entity, for the stream's duplicate window.
func (c Change) MessageID() string { return fmt.Sprintf("%s.%s.%d", c.Kind, c.ID, c.Revision) }

// ParseSubject splits prefix.kind.id; ok is false when the subject is of another shape.
func ParseSubject(prefix, subject string) (kind Kind, id string, ok bool) {
	rest, found := strings.CutPrefix(subject, prefix+".")
	if !found {
		return "", "", false
	}
	name, id, found := strings.Cut(rest, ".")
	return Kind(name), id, found && id != ""
}

// New returns the change that announces the current public state of the entity. A nil snapshot
// makes a tombstone.
func New(kind Kind, id string, revision int64, snapshot any) (Change, error) {
	c := Change{Kind: kind, ID: id, Revision: revision}
	if snapshot == nil {
		return c, nil
	}
	raw, err := json.Marshal(snapshot)
	if err != nil {
		return c, fmt.Errorf("encode %s %s: %w", kind, id, err)
	}
	c.Snapshot = raw
	return c, nil
}

// Encode returns the change's bytes on the stream.
func (c Change) Encode() ([]byte, error) { return json.Marshal(c) }

var (
	slugs  = regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+\.[a-z0-9-]+$`)
	lookup = regexp.MustCompile(`^[a-z0-9-]+$`)
)

// Decode reads a change and checks its kind, id and revision. The snapshot is checked when it is
// read with Read.
func Decode(data []byte) (Change, error) {
	var c Change
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("change is not valid JSON: %w", err)
	}
	if c.Revision <= 0 {
		return c, fmt.Errorf("change of %s %q has revision %d", c.Kind, c.ID, c.Revision)
	}
	if string(c.Snapshot) == "null" {
		c.Snapshot = nil
	}
	return c, c.checkID()
}

// ValidID reports whether id is one that an entity of the kind may have.
func ValidID(kind Kind, id string) bool { return Change{Kind: kind, ID: id}.checkID() == nil }

func (c Change) checkID() error {
	var valid bool
	switch c.Kind {
	case KindEvent, KindVenue, KindOrganization, KindPortal, KindList, KindSeries, KindContributor:
		id, isUUID := value.UUIDv7(c.ID)
		valid = isUUID && id == c.ID
	case KindRegion:
		valid = slugs.MatchString(c.ID)
	case KindLookup:
		valid = lookup.MatchString(c.ID)
	default:
		return fmt.Errorf("change has unknown kind %q", c.Kind)
	}
	if !valid {
		return fmt.Errorf("change of kind %s has invalid id %q", c.Kind, c.ID)
	}
	return nil
}

// Read decodes the snapshot of c into T, which must be the type that belongs to c.Kind.
func Read[T any](c Change) (T, error) {
	var snapshot T
	if err := json.Unmarshal(c.Snapshot, &snapshot); err != nil {
		return snapshot, fmt.Errorf("snapshot of %s %s: %w", c.Kind, c.ID, err)
	}
	return snapshot, nil
}
