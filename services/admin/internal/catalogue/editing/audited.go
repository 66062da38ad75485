package editing

import (
	"reflect"

	"litfass/services/admin/internal/catalogue/rules"
)

// eventAuditDiff returns an event before and after an edit with only the dates, rules, links and
// images that differ: the audit entry of a changed date holds no other date.
func eventAuditDiff(before, after *rules.Event) (was, is *rules.Event) {
	shortBefore, shortAfter := *before, *after
	dateID := func(d rules.Date) string { return d.UUID }
	shortBefore.Dates, shortAfter.Dates = differing(before.Dates, after.Dates, dateID)
	ruleID := func(r rules.DateRule) string { return r.UUID }
	shortBefore.DateRules, shortAfter.DateRules = differing(before.DateRules, after.DateRules, ruleID)
	linkID := func(l rules.EventLink) string { return l.UUID }
	shortBefore.EventLinks, shortAfter.EventLinks = differing(before.EventLinks, after.EventLinks, linkID)
	imageID := func(m rules.Image) string { return m.UUID }
	shortBefore.Images, shortAfter.Images = differing(before.Images, after.Images, imageID)
	return &shortBefore, &shortAfter
}

// differing returns the parts of each list that the other list lacks or has with other values. id
// returns the identity of a part. Neither result is nil.
func differing[T any](before, after []T, id func(T) string) (was, is []T) {
	return without(before, after, id), without(after, before, id)
}

// without returns the parts of a list that have no equal in another list.
func without[T any](list, other []T, id func(T) string) []T {
	known := make(map[string]T, len(other))
	for _, part := range other {
		known[id(part)] = part
	}
	rest := []T{}
	for _, part := range list {
		if same, exists := known[id(part)]; !exists || !reflect.DeepEqual(part, same) {
			rest = append(rest, part)
		}
	}
	return rest
}
