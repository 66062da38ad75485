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

// NameProblem returns the reason why a name cannot be stored, or "". Any visible text is a name: it
// is escaped where it is displayed.
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

// namedText is a name and the field of the request that contains it.
type namedText struct{ field, text string }

// checkNames adds violations for names that cannot be stored.
func checkNames(violations *fault.Violations, names ...namedText) {
	for _, name := range names {
		if problem := NameProblem(name.text); problem != "" {
			violations.Add(name.field, "%s", problem)
		}
	}
}
