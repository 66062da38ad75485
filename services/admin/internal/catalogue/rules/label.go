package rules

import (
	"maps"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
)

// Normalize brings every value into its stored form. A blank name is left out.
func (l *Label) Normalize() {
	cleanLower(&l.ID)
	names := make(map[string]string, len(l.Names))
	for code, name := range l.Names {
		cleanLines(&name)
		if name != "" {
			names[code] = name
		}
	}
	l.Names = names
}

// Validate returns every value that breaks a rule. In a language without a name, a label has the
// name of the default language.
func (l *Label) Validate() fault.Violations {
	c := newChecker()
	c.slug("key", l.ID)
	if l.Names[language.Default] == "" {
		c.bad("names."+language.Default, reason.Required)
	}
	for _, code := range slices.Sorted(maps.Keys(l.Names)) {
		field := "names." + code
		if !slices.Contains(language.Codes, code) {
			c.bad("names", reason.NotOneOf(language.Codes))
			continue
		}
		c.text(field, l.Names[code], adminapi.MaxTag)
		c.visible(field, l.Names[code])
	}
	return *c.violations
}
