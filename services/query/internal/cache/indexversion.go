package cache

import (
	"slices"
	"sync/atomic"
)

// IndexVersion is the version of the index of dates that was counted. It is between the one that
// was signalled before the count and the one that the index had after it, as far as that was read:
// a batch may have been written meanwhile. It is safe for concurrent use.
type IndexVersion struct {
	before string
	after  atomic.Pointer[string] // nil until it was read
}

// NewIndexVersion returns the version of a count; before is the one before it.
func NewIndexVersion(before string) *IndexVersion { return &IndexVersion{before: before} }

// Confirm sets the version that the index had after the count.
func (v *IndexVersion) Confirm(after string) { v.after.Store(&after) }

// known returns the version for which a count is right; "" when it is unknown. passed are the
// versions after the batches since the one before the count, none of which changed it: so the
// number is the same in all of these versions.
func (v *IndexVersion) known(passed []string) string {
	if v == nil {
		return ""
	}
	after := v.after.Load()
	switch {
	case after == nil || *after != v.before && !slices.Contains(passed, *after):
		return ""
	case len(passed) == 0:
		return v.before
	default:
		return passed[len(passed)-1]
	}
}

// knownVersion returns a version that is known.
func knownVersion(text string) *IndexVersion {
	v := NewIndexVersion(text)
	v.Confirm(text)
	return v
}
