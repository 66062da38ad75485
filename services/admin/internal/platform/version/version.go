// Package version implements optimistic locking: the ETag of a read and the If-Match of the write
// that follows it (RFC 9110, 13.1.1).
package version

import (
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
)

// Tag is the ETag of the version of a resource.
func Tag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// Expected are the versions in an If-Match header. The zero Expected accepts every version.
type Expected struct{ tags []string }

// Parse parses an If-Match header, which may be absent. A tag that a proxy has weakened is
// accepted: versions distinguish states of the resource, not its encodings.
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

// CheckUnversioned is Check for a resource without a version: only "*" matches it.
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
