package version

import (
	"maps"
	"slices"
	"strings"
)

// Seen are the digests of the values that a form was filled with, by key.
type Seen map[string]string

// ParseSeen reads the digests that a form sends back. A key that it does not name counts as changed
// by everybody.
func ParseSeen(base string) Seen {
	digests := Seen{}
	for field := range strings.SplitSeq(base, ".") {
		if key, digest, valid := strings.Cut(field, "~"); valid {
			digests[key] = digest
		}
	}
	return digests
}

// String writes the digests as a form sends them.
func (d Seen) String() string {
	var fields []string
	for _, key := range slices.Sorted(maps.Keys(d)) {
		fields = append(fields, key+"~"+d[key])
	}
	return strings.Join(fields, ".")
}

// changed returns the keys of values that differ from the seen ones, in order.
func (d Seen) changed(values Values) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if digest(values[key]) != d[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// Change is the change of one person to a version that others may have replaced since.
type Change struct {
	Keys      []string // of all fields that the form has
	Dependent []string // of fields that have a meaning only together: a change of one changes all
	Seen      Seen     // the version that the person changed
	Typed     Values   // the fields as the form has them
	Stored    Values   // the fields as they are now
}

// WithDependent returns keys, and with one dependent key all of them.
func (c Change) WithDependent(keys []string) []string {
	dependent := func(key string) bool { return slices.Contains(c.Dependent, key) }
	if !slices.ContainsFunc(keys, dependent) {
		return keys
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(keys, c.Dependent))))
}

// Mine returns the keys of the fields that the person changed.
func (c Change) Mine() []string {
	keys := c.WithDependent(c.Seen.changed(c.Typed))
	return slices.DeleteFunc(keys, func(key string) bool { return c.Typed[key] == nil })
}

// Writes returns the keys of those fields that are stored differently.
func (c Change) Writes() []string {
	return slices.DeleteFunc(c.Mine(), func(key string) bool { return Same(c.Stored[key], c.Typed[key]) })
}

// Disputed returns the keys of the fields that others have changed, too, to another value.
func (c Change) Disputed() []string {
	stored := Values{}
	for _, key := range c.Keys {
		stored[key] = c.Stored[key]
	}
	theirs := c.WithDependent(c.Seen.changed(stored))
	return slices.DeleteFunc(c.Writes(), func(key string) bool { return !slices.Contains(theirs, key) })
}

// Overwritten returns the digests of the stored values of some fields, which the person has seen
// once the conflict is shown.
func (c Change) Overwritten(keys []string) Seen {
	digests := Seen{}
	for _, key := range c.WithDependent(keys) {
		digests[key] = digest(c.Stored[key])
	}
	return digests
}

// Merged returns the fields to write: body where the person changed them, else as they are stored.
func (c Change) Merged(body map[string]any) map[string]any {
	merged := map[string]any{}
	for key := range body {
		merged[key] = c.Stored.Decoded(key)
	}
	for _, key := range c.Mine() {
		merged[key] = body[key]
	}
	return merged
}

// Base returns the digests for a form that shows values: of the stored fields where it shows them,
// else of the version that the person has seen.
func (c Change) Base(values Values) string {
	digests := maps.Clone(c.Seen)
	for _, key := range c.Keys {
		if Same(values[key], c.Stored[key]) {
			digests[key] = digest(c.Stored[key])
		}
	}
	return digests.String()
}
