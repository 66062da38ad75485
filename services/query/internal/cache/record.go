package cache

import (
	"maps"
	"slices"

	"litfass/pkg/contracts/applied"
)

// recordChange is a venue or an organization before and after a batch; nil where it is not public.
type recordChange struct {
	id            string
	before, after *Document
	view          string // its public JSON after the batch; "" when it is not known
}

// recordChanges are the changes that a batch made to the records of an index, by id.
type recordChanges map[string]recordChange

// recordChanges decodes the changes of records by index. An index is left out if the change of one
// of its written records is missing.
func (d decoder) recordChanges(changed map[string][]applied.Record, written map[string]map[string]bool) map[string]recordChanges {
	all := map[string]recordChanges{}
	for index, records := range changed {
		of := make(recordChanges, len(records))
		for _, r := range records {
			of[r.ID] = recordChange{id: r.ID, before: d.document(r.Before), after: d.document(r.After), view: r.View}
		}
		if of.cover(written[index]) {
			all[index] = of
		}
	}
	return all
}

// cover reports whether there is a change of each record that was written.
func (r recordChanges) cover(written map[string]bool) bool {
	for id := range written {
		if _, changed := r[id]; !changed {
			return false
		}
	}
	return true
}

// keeps reports whether a record has the same values of some attributes before and after the batch,
// or is public neither before nor after it.
func (c recordChange) keeps(attributes ...string) bool {
	if c.before == nil || c.after == nil {
		return c.before == c.after
	}
	return !slices.ContainsFunc(attributes, func(name string) bool { return !c.before.sameValues(c.after, name) })
}

// rewrites reports whether a batch may have changed one of some attributes of the records of an
// index, or which records there are.
func (b *Batch) rewrites(index string, attributes ...string) bool {
	changes, known := b.changed[index]
	if b.all || !known {
		return b.touches(index)
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(changes)), func(c recordChange) bool { return !c.keeps(attributes...) })
}
