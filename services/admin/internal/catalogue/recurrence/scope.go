package recurrence

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// Scope selects the dates of a rule to which a change of one of them applies.
type Scope string

// The scopes of a change.
const (
	This      Scope = "this"      // only the date
	Following Scope = "following" // the date and the dates of its rule whose original start is later
	All       Scope = "all"       // every date of its rule
)

// Date is the part of a stored date that scopes depend on.
type Date struct {
	UUID     string
	RuleID   string // "" for a date that no rule made
	Original string // the ID of the Occurrence that it was made from; it stays when the date is moved
}

// ReadScope reads the scope of a change of the chosen date; "" means This. The error is a
// fault.Invalid naming scope: no scope, or one of a rule although no rule made the date.
func ReadScope(text string, chosen Date) (Scope, error) {
	var bad fault.Violations
	scope := Scope(text)
	switch scope {
	case "":
		return This, nil
	case This:
	case Following, All:
		if chosen.RuleID == "" {
			bad.Add("scope", reason.ScopeWithoutRule)
		}
	default:
		bad.Add("scope", reason.NotOneOf([]string{"this", "following", "all"}))
	}
	return scope, bad.Err("invalid_parameters", "some parameters are not right")
}

// Affected returns the dates to which a change of the chosen one with this scope applies, in their
// order. The chosen date is one of dates. Dates that were changed individually are included: the
// change replaces the fields that it sets, and leaves the others.
func Affected(dates []Date, chosen Date, scope Scope) []Date {
	var affected []Date
	for _, date := range dates {
		if date.UUID == chosen.UUID || follows(date, chosen, scope) {
			affected = append(affected, date)
		}
	}
	return affected
}

// follows compares original starts as text: in one rule they have one form, which sorts as time
// does.
func follows(date, chosen Date, scope Scope) bool {
	if chosen.RuleID == "" || date.RuleID != chosen.RuleID {
		return false
	}
	return scope == All || scope == Following && date.Original >= chosen.Original
}
