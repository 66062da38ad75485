package value

import (
	"strings"
	"testing"
)

func TestUUIDv7(t *testing.T) {
	const seven = "01920000-0000-7000-8000-00000000000a"
	for _, text := range []string{seven, strings.ToUpper(seven)} {
		if got, ok := UUIDv7(text); !ok || got != seven {
			t.Errorf("%q: got %q %t", text, got, ok)
		}
	}
	for _, bad := range []string{
		"", "x", "urn:uuid:" + seven, "{" + seven + "}", strings.ReplaceAll(seven, "-", ""),
		"f47ac10b-58cc-4372-a567-0e02b2c3d479", "01920000-0000-7000-0000-00000000000a",
		seven + " OR 1=1", seven[:35],
	} {
		if _, ok := UUIDv7(bad); ok {
			t.Errorf("%q passes for a UUIDv7", bad)
		}
	}
}
