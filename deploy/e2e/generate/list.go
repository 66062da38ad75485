package generate

import (
	"fmt"
	"slices"

	"litfass/deploy/e2e/reference"
)

// Lists draws lists of events and dates that the reference holds. The first is empty, and the last
// is not public.
func (q *Queries) Lists(n int) []*reference.List {
	lists := []*reference.List{{UUID: q.uuid(), Slug: "list-0", Name: "Nothing", Public: true, Entries: []reference.ListEntry{}}}
	for i := range n {
		lists = append(lists, q.curated(i+1))
	}
	return append(lists, &reference.List{UUID: q.uuid(), Slug: "secret-list", Name: "Secret", Entries: q.entries(5)})
}

// RedrawLists replaces the entries of every third public list, puts those of every other third in
// another order, and returns both.
func (q *Queries) RedrawLists(lists []*reference.List) (changed []*reference.List) {
	for i, list := range lists {
		switch {
		case !list.Public || i%3 == 0:
			continue
		case i%3 == 1:
			list.Entries = q.entries(q.between(1, 150))
		default:
			q.Shuffle(len(list.Entries), func(i, j int) { list.Entries[i], list.Entries[j] = list.Entries[j], list.Entries[i] })
		}
		changed = append(changed, list)
	}
	return changed
}

func (q *Queries) curated(n int) *reference.List {
	l := &reference.List{UUID: q.uuid(), Slug: fmt.Sprintf("list-%d", n), Name: fmt.Sprintf("List %d", n), Public: true}
	if q.chance(50) {
		l.OrgUUID = reference.Text(pick(q.random, q.dates).Event.OrgUUID)
	}
	l.Entries = q.entries(pick(q.random, []int{1, 3, 20, 150, 200}))
	return l
}

// entries draws distinct entries: events, single dates, and now and then both, or what there is
// not.
func (q *Queries) entries(n int) []reference.ListEntry {
	entries := []reference.ListEntry{}
	add := func(entry reference.ListEntry) {
		known := slices.ContainsFunc(entries, func(e reference.ListEntry) bool {
			return e.EventUUID == entry.EventUUID && e.DateUUID == entry.DateUUID
		})
		if !known && len(entries) < n {
			entries = append(entries, entry)
		}
	}
	for range n {
		d := pick(q.random, q.dates)
		entry := reference.ListEntry{EventUUID: d.Event.UUID}
		if q.chance(10) {
			entry.EventUUID = q.uuid()
		}
		if q.chance(40) {
			dated := entry
			dated.EventUUID, dated.DateUUID, dated.Note = d.Event.UUID, reference.Text(d.Date.UUID), "Our tip"
			add(dated)
		}
		if q.chance(70) {
			add(entry)
		}
	}
	return entries
}

// inList returns the slug of a list that has the date, or now and then of any; "" without one.
func (q *Queries) inList(d *reference.Dated) string {
	var having, public []*reference.List
	for _, list := range q.lists {
		if list.Public {
			public = append(public, list)
		}
		if list.Public && list.Has(d) {
			having = append(having, list)
		}
	}
	switch {
	case len(having) > 0:
		return pick(q.random, having).Slug
	case len(public) > 0 && q.chance(20):
		return pick(q.random, public).Slug
	default:
		return ""
	}
}
