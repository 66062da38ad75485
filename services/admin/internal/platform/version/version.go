// Package version says whether what a client changes is still what it has read: the ETag of a read
// and the If-Match of the write that follows it (RFC 9110, 13.1.1).
package version

import (
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
)

// Tag is the ETag of the version of a resource.
func Tag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// Expected is what an If-Match header expects. The zero Expected accepts every version.
type Expected struct{ tags []string }

// Parse reads an If-Match header; an absent one expects nothing. A tag that a proxy has made weak
// still names the version: versions tell states of the resource apart, not encodings of them.
func Parse(header string) Expected {
	var expected Expected
	if strings.TrimSpace(header) == "" {
		return expected
	}
	for tag := range strings.SplitSeq(header, ",") {
		expected.tags = append(expected.tags, strings.TrimPrefix(strings.TrimSpace(tag), "W/"))
	}
	return expected
}

// Check returns a Stale fault unless the stored version is an expected one. Call it when the row is
// locked. kind is the resource in words, such as "organization".
func (e Expected) Check(kind string, stored int64) error {
	if e.tags == nil {
		return nil
	}
	if slices.Contains(e.tags, "*") || slices.Contains(e.tags, Tag(stored)) {
		return nil
	}
	return stale(kind)
}

// CheckUnversioned is Check for a resource that is not read by itself and has no version: "*" alone
// names it.
func (e Expected) CheckUnversioned(kind string) error {
	if e.tags == nil || slices.Contains(e.tags, "*") {
		return nil
	}
	return stale(kind)
}

func stale(kind string) error {
	code := "stale_" + strings.ReplaceAll(kind, " ", "_")
	return fault.New(fault.Stale, code, "the %s has changed since it was read", kind)
}
