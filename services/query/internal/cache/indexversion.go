package cache

import "sync/atomic"

// IndexVersion is the version of the index of dates that was counted. It is unknown until it is
// confirmed: a batch may have been written meanwhile. It is safe for concurrent use.
type IndexVersion struct {
	text      string
	confirmed atomic.Bool
}

// NewIndexVersion returns the version from before a count.
func NewIndexVersion(before string) *IndexVersion { return &IndexVersion{text: before} }

// Confirm makes the version known if it is also the one from after the count.
func (v *IndexVersion) Confirm(after string) {
	if v.text == after {
		v.confirmed.Store(true)
	}
}

// known returns the version; "" when it is unknown.
func (v *IndexVersion) known() string {
	if v == nil || !v.confirmed.Load() {
		return ""
	}
	return v.text
}

// knownVersion returns a version that is known.
func knownVersion(text string) *IndexVersion {
	v := NewIndexVersion(text)
	v.Confirm(text)
	return v
}
