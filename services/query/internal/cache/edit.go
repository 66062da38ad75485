package cache

import (
	"bytes"
	"slices"
	"strings"

	"litfass/services/query/internal/params"
)

// edit applies the changes of a batch to a page. A page that was loaded while batches came may have
// some of their changes already, so each change sets where its date is, whatever it was before.
type edit struct {
	page    *Page
	before  []Row // of the page, once they were read
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
	if p.ByStart && !p.Grouped {
		return e.place(c, before, after)
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

// place puts a date where it is in the order by start after its change, or removes it.
func (e *edit) place(c *Change, before, after bool) Reason {
	p := e.page
	stays := before && after && p.keepsRelevance(c)
	var from, to params.Cursor
	if before {
		from = startOf(c.before)
	}
	if after {
		to = startOf(c.after)
	}
	if p.Skips {
		was, is := before && p.follows(from), after && p.follows(to)
		switch {
		case p.Empty(), was != is, was && !stays:
			return Skipped
		case was:
			return "" // the number of dates before the page stays the same
		}
	}
	if stays && len(p.words) > 0 && (e.index(c.id) >= 0 || p.reaches(from)) {
		after = e.index(c.id) >= 0 // the words find it as before
	} else if after && len(p.words) > 0 && p.reaches(to) {
		return Words
	}
	if after && p.reaches(to) {
		return e.put(c, to)
	}
	return e.remove(c)
}

// put puts a date at a place.
func (e *edit) put(c *Change, to params.Cursor) Reason {
	at := e.index(c.id)
	if at >= 0 && e.at(at) == to {
		return e.exchange(c)
	}
	members := c.members()
	switch {
	case e.page.Encode == nil:
		return Form
	case members == nil:
		return Unsent
	}
	e.own()
	if at >= 0 {
		e.rows = slices.Delete(e.rows, at, at+1)
	}
	next, _ := slices.BinarySearchFunc(e.rows, to, func(r Row, to params.Cursor) int { return r.Compare(to) })
	e.rows, e.changed = slices.Insert(e.rows, next, Row{Cursor: to, Members: members}), true
	return ""
}

// remove removes a date, if it is among the rows.
func (e *edit) remove(c *Change) Reason {
	at := e.index(c.id)
	if at < 0 {
		return ""
	}
	if e.page.Encode == nil {
		return Form
	}
	e.own()
	e.rows, e.changed = slices.Delete(e.rows, at, at+1), true
	return ""
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

// at returns the place of a row.
func (e *edit) at(row int) params.Cursor {
	if e.rows == nil {
		return params.Cursor{StartKey: e.page.kept.starts[row], DateUUID: e.page.IDs[row*uuidBytes : (row+1)*uuidBytes]}
	}
	return e.rows[row].Cursor
}

// own makes the rows those of the edit.
func (e *edit) own() {
	if e.rows == nil {
		e.before = e.page.rows()
		e.rows = slices.Clone(e.before)
	}
}

// result returns the page after all changes.
func (e *edit) result() (Answer, Reason) {
	if !e.changed {
		return e.page, ""
	}
	next := *e.page
	if len(e.rows) < next.Limit && !next.whole {
		return nil, NoSpares
	}
	if most := next.Limit + maxSpares; len(e.rows) > most {
		e.rows = e.rows[:most]
		next.last, next.whole = e.rows[most-1].Cursor, false
	}
	members := next.kept.members
	next.keep(e.rows)
	if slices.EqualFunc(next.shown(e.before), next.shown(e.rows), Row.same) {
		next.kept.members = members
		return &next, ""
	}
	next.encode(e.rows)
	if e.page.Payload.Packed() {
		next.Payload.Pack()
	}
	return &next, ""
}

// same reports whether two rows are shown alike.
func (r Row) same(other Row) bool {
	return r.Cursor == other.Cursor && r.Dates == other.Dates && bytes.Equal(r.Members, other.Members)
}
