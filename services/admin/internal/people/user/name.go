package user

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/platform/invisible"
)

// nameMaxLength is that of the schema's columns.
const nameMaxLength = 500

// NameProblem says why a name cannot be stored, or returns "". Any text that is seen is a name: it
// is escaped where it is shown.
func NameProblem(name string) string {
	hidden, found := invisible.InName(name)
	switch {
	case utf8.RuneCountInString(name) > nameMaxLength:
		return "must have at most " + strconv.Itoa(nameMaxLength) + " characters"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "must be text without control characters"
	case found:
		return fmt.Sprintf("holds the invisible character %U", hidden)
	default:
		return ""
	}
}

// namedText is a name with the field that it was given in.
type namedText struct{ field, text string }

// checkNames records what is wrong with the names.
func checkNames(violations *fault.Violations, names ...namedText) {
	for _, name := range names {
		if problem := NameProblem(name.text); problem != "" {
			violations.Add(name.field, "%s", problem)
		}
	}
}
