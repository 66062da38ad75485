package dates

import (
	"slices"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// The scopes of a change of a date that a rule made, as the admin service has them.
const (
	scopeThis      = "this"
	scopeFollowing = "following"
	scopeAll       = "all"
)

// readScope returns the scope that a form names.
func readScope(f page.Form) string {
	if scope := f.Text(fieldScope); slices.Contains([]string{scopeFollowing, scopeAll}, scope) {
		return scope
	}
	return scopeThis
}

// affected returns the dates that a change of one applies to.
func (l parent) affected(d adminapi.Date, scope string) (dates []adminapi.Date) {
	for _, other := range l.event.Dates {
		sameRule := d.RuleUUID != "" && other.RuleUUID == d.RuleUUID
		if other.UUID == d.UUID || sameRule && (scope == scopeAll || scope == scopeFollowing && other.RecurrenceID >= d.RecurrenceID) {
			dates = append(dates, other)
		}
	}
	return dates
}

// scopeOptions are the scopes to choose from; none for the only date of a rule.
func scopeOptions(t *text.Texts, l parent, d adminapi.Date, chosen string) []view.Option {
	all := l.affected(d, scopeAll)
	if len(all) < 2 {
		return nil
	}
	options := []view.Option{{Value: scopeThis, Label: t.T("dates.scope.this"), Chosen: chosen == scopeThis}}
	for _, scope := range []string{scopeFollowing, scopeAll} {
		if concerned := len(l.affected(d, scope)); scope == scopeFollowing && (concerned == 1 || concerned == len(all)) {
			continue // "following" would equal "this" or "all"
		}
		options = append(options, view.Option{
			Value: scope, Label: t.T("dates.scope." + scope), Chosen: chosen == scope,
			Hint: t.Count("dates.scope.hint", len(l.affected(d, scope))),
		})
	}
	return options
}
