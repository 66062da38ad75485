package editing

import (
	"reflect"

	"litfass/services/admin/internal/catalogue/rules"
)

// auditedEvents returns an event before and after a change with only those of its dates, rules,
// links and images that differ: the audit of a changed date holds that date alone.
func auditedEvents(before, after *rules.Event) (was, is *rules.Event) {
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

// differing returns the parts of two lists that are not in the other one as they are there. id
// returns what a part keeps when it changes. Neither list is nil.
func differing[T any](before, after []T, id func(T) string) (was, is []T) {
	return without(before, after, id), without(after, before, id)
}

// without returns the parts of a list that another list does not hold as they are.
func without[T any](list, other []T, id func(T) string) []T {
	known := make(map[string]T, len(other))
	for _, part := range other {
		known[id(part)] = part
	}
	kept := []T{}
	for _, part := range list {
		if same, exists := known[id(part)]; !exists || !reflect.DeepEqual(part, same) {
			kept = append(kept, part)
		}
	}
	return kept
}
