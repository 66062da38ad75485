package user

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/invisible"
)

// NameProblem returns the reason why a name cannot be stored, or nil. Any visible text is a name:
// it is escaped where it is displayed.
func NameProblem(name string) *reason.Reason {
	hidden, found := invisible.InName(name)
	switch {
	case utf8.RuneCountInString(name) > adminapi.MaxName:
		return reason.TooLong(adminapi.MaxName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return reason.ControlCharacters
	case found:
		return reason.InvisibleCharacter(reason.Rune(hidden))
	default:
		return nil
	}
}

// namedText is a name and the field of the request that contains it.
type namedText struct{ field, text string }

// checkNames adds violations for names that cannot be stored.
func checkNames(violations *fault.Violations, names ...namedText) {
	for _, name := range names {
		if problem := NameProblem(name.text); problem != nil {
			violations.Add(name.field, problem)
		}
	}
}
