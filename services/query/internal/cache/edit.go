package cache

import (
	"slices"
	"strings"
)

// edit applies the changes of a batch to a page. A page that was loaded while batches came may have
// some of their changes already, so each change sets where its date is, whatever it was before.
type edit struct {
	page    *Page
	rows    []Row // nil while they are those of the page
	changed bool
}

// apply applies the change of a date. It returns the reason for which only the engine knows the
// next page, or "".
func (e *edit) apply(c *Change) Reason {
	p := e.page
	if p.Total != nil && p.Total.mayCount(c) {
		return Counted
	}
	before, after := p.mayFind(c.before), p.mayFind(c.after)
	if !before && !after {
		return ""
	}
	stays := before && after && p.keepsRelevance(c)
	if stays && startOf(c.before) == startOf(c.after) && (!p.ByChange || !c.retimed) {
		return e.exchange(c)
	}
	switch {
	case !p.ByStart:
		return Rank
	case stays && p.follows(startOf(c.before)) && p.follows(startOf(c.after)):
		return "" // the number of dates before the page stays the same
	case before && p.includes(startOf(c.before), c.before), after && p.includes(startOf(c.after), c.after):
		return Altered
	default:
		return ""
	}
}

// exchange exchanges the entry of a date that stays where it is, if the page shows it.
func (e *edit) exchange(c *Change) Reason {
	shown := c.rendered || e.page.ShowsChange && c.retimed
	if !shown || e.page.Payload.Text == nil {
		return ""
	}
	at := e.index(c.id)
	if at < 0 {
		return ""
	}
	return e.show(at, c)
}

// show sets the entry of a row to that of a date after its change.
func (e *edit) show(at int, c *Change) Reason {
	members := c.members()
	switch {
	case e.page.Encode == nil:
		return Form
	case members == nil:
		return Unsent
	}
	e.own()
	e.rows[at].Members, e.changed = members, true
	return ""
}

// index returns the index of the row that shows a date, or -1.
func (e *edit) index(id string) int {
	if e.rows == nil {
		// A uuid cannot match across two others: the hyphens would be in the wrong places.
		if at := strings.Index(e.page.IDs, id); at >= 0 {
			return at / uuidBytes
		}
		return -1
	}
	return slices.IndexFunc(e.rows, func(r Row) bool { return r.DateUUID == id })
}

// own makes the rows those of the edit.
func (e *edit) own() {
	if e.rows == nil {
		e.rows = e.page.rows()
	}
}

// result returns the page after all changes.
func (e *edit) result() (Answer, Reason) {
	if !e.changed {
		return e.page, ""
	}
	next := *e.page
	next.keep(e.rows)
	next.encode(e.rows)
	if e.page.Payload.Packed() {
		next.Payload.Pack()
	}
	return &next, ""
}
