package eventfile

import (
	"slices"
	"strings"
)

// Yes is a value of a column for which ReadYes returns true.
const Yes = "yes"

// ReadYes reports whether a value means that something holds.
func ReadYes(text string) bool {
	return slices.Contains([]string{Yes, "y", "true", "1", "x", "ja", "j", "wahr", "sand"}, strings.ToLower(strings.TrimSpace(text)))
}
