package api

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// text returns a field of the body that may be cleared: nil leaves it unchanged, "" clears it, as
// null does.
func (p patch[T]) text(name string, given *string) *string {
	if p.cleared(name) {
		return new(string)
	}
	return given
}

// cleared reports whether a key of the body holds null.
func (p patch[T]) cleared(name string) bool { return string(p.keys[name]) == "null" }

// wrong adds a violation for a field, unless it has one.
func (p *patch[T]) wrong(name string, problem *reason.Reason) {
	named := func(v fault.Violation) bool { return v.Field == name }
	if !slices.ContainsFunc(p.bad, named) {
		p.bad.Add(name, problem)
	}
}

// refuse returns an Invalid fault with all violations of the form of the body and all violations of
// the rules by well-formed values; nil when the form is valid: then the use case checks the rules.
func (p patch[T]) refuse(rules func(*fault.Violations)) error {
	if len(p.bad) == 0 {
		return nil
	}
	var broken fault.Violations
	if p.keys != nil { // else there is no object
		rules(&broken)
	}
	bad, named := slices.Clone(p.bad), map[string]bool{}
	for _, violation := range bad {
		named[violation.Field] = true
	}
	for _, violation := range broken {
		if !named[violation.Field] {
			bad, named[violation.Field] = append(bad, violation), true
		}
	}
	return bad.Err("invalid_body", "the body is not what this operation reads")
}
