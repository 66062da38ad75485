package reference

import (
	"cmp"
	"slices"
)

// List is a line of kind "list".
type List struct {
	UUID    string      `json:"uuid"`
	OrgUUID Text        `json:"org_uuid"`
	Slug    string      `json:"slug"`
	Name    string      `json:"name"`
	Public  bool        `json:"public"`
	Entries []ListEntry `json:"entries"`
}

// ListEntry is an event, or one date of it.
type ListEntry struct {
	EventUUID string `json:"event_uuid"`
	DateUUID  Text   `json:"date_uuid"`
	Note      Text   `json:"note"`
}

// has reports whether an entry names a date.
func (e ListEntry) has(d *Dated) bool {
	if e.DateUUID != "" {
		return string(e.DateUUID) == d.Date.UUID
	}
	return e.EventUUID == d.Event.UUID
}

// place returns the index of the first entry that names a date, -1 if none does.
func (l *List) place(d *Dated) int {
	return slices.IndexFunc(l.Entries, func(e ListEntry) bool { return e.has(d) })
}

// Has reports whether the list names a date.
func (l *List) Has(d *Dated) bool { return l.place(d) >= 0 }

// list returns the public list of a slug.
func (r *Reference) list(slug string) *List {
	for _, list := range r.catalogue.Lists {
		if list.Slug == slug && list.Public {
			return list
		}
	}
	panic("list " + slug)
}

// inListOrder puts dates that are in start order in that of the list, if a query asks for it.
func (r *Reference) inListOrder(found []*Dated, p Parameters) {
	if p["list"] == "" || p["sort"] != "" && p["sort"] != "list" {
		return
	}
	list := r.list(p["list"])
	slices.SortStableFunc(found, func(a, b *Dated) int { return cmp.Compare(list.place(a), list.place(b)) })
}
