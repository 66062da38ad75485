package cache

import (
	"bytes"
	"slices"
	"strings"

	"litfass/services/query/internal/params"
)

// edit applies the changes of a batch to a page. A page that was loaded while batches came may have
// some of their changes already, so each change sets where its date is, without regard to its place
// before.
type edit struct {
	page    *Page
	before  []Row // of the page, once they were read
	rows    []Row // nil while they are those of the page
	changed bool
	total   *Tally // after the batch
}

// apply applies a batch. It returns the reason for which only the engine knows the next page, or
// "".
func (e *edit) apply(batch *Batch) Reason {
	p := e.page
	if p.skips(batch) {
		return e.exchangeAll(batch.shown)
	}
	if p.groups(batch) {
		for i := range batch.events {
			if reason := e.group(&batch.events[i]); reason != "" {
				return reason
			}
		}
		return e.exchangeRendered(batch)
	}
	changes := p.changes(batch)
	for i := range changes {
		if reason := e.date(&changes[i]); reason != "" {
			return reason
		}
	}
	return e.exchangeRendered(batch)
}

// exchangeRendered exchanges the entries of dates of which nothing else changed. They stay where
// they are.
func (e *edit) exchangeRendered(batch *Batch) Reason {
	if e.page.readsTimes() { // these have been looked at
		return ""
	}
	return e.exchangeAll(batch.rendered)
}

// orderAttributes are the attributes that the order by start reads.
var orderAttributes = []string{"start_key", "date_uuid"}

// exchangeAll exchanges the entries of dates that stay where they are.
func (e *edit) exchangeAll(changes map[string]*Change) Reason {
	if len(changes) == 0 {
		return ""
	}
	for at := range e.len() {
		if c := changes[e.idOf(at)]; c != nil {
			if reason := e.exchange(c); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// date applies the change of a date.
func (e *edit) date(c *Change) Reason {
	p := e.page
	before, after := p.mayFind(c.before), p.mayFind(c.after)
	if !before && !after {
		return ""
	}
	if p.ByStart && !p.Grouped {
		return e.place(c, before, after)
	}
	stays := before && after && (p.keepsRelevance(c) || p.ByStart && p.keepsFinding(c))
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
	stays := before && after && p.keepsFinding(c)
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
	switch {
	case !after, p.finds(c.after):
	case stays && (e.index(c.id) >= 0 || p.reaches(from)):
		after = e.index(c.id) >= 0 // the words find it as before
	case p.reaches(to):
		return Words
	}
	if after && p.reaches(to) {
		return e.put(e.index(c.id), Row{Cursor: to}, c)
	}
	return e.remove(e.index(c.id))
}

// group puts an event where its first date is after its changes, or removes it.
func (e *edit) group(of *event) Reason {
	p := e.page
	if !of.changed && !p.ShowsChange {
		return ""
	}
	was, is, row := e.first(of)
	if was == nil && is == nil {
		return ""
	}
	if p.Skips {
		earlier, early := was != nil && p.follows(startOf(was.before)), is != nil && p.follows(row.Cursor)
		switch {
		case p.Empty(), earlier != early:
			return Skipped
		case early:
			return "" // the number of events before the page stays the same
		}
	}
	at := -1
	if e.rows != nil {
		at = slices.IndexFunc(e.rows, func(r Row) bool { return r.Event == of.uuid })
	} else if i := strings.Index(p.kept.events, of.uuid); i >= 0 {
		at = i / uuidBytes
	}
	if is == nil || !p.reaches(row.Cursor) || p.After != nil && p.follows(row.Cursor) {
		return e.remove(at)
	}
	return e.put(at, row, is)
}

// first returns the first dates of an event that are found before and after its changes, and the
// row of the latter.
func (e *edit) first(of *event) (was, is *Change, row Row) {
	row.Event = of.uuid
	for _, c := range of.dates {
		if e.page.mayFind(c.before) && (was == nil || startOf(c.before).Compare(startOf(was.before)) < 0) {
			was = c
		}
		if !e.page.mayFind(c.after) {
			continue
		}
		row.Dates++
		if at := startOf(c.after); is == nil || at.Compare(row.Cursor) < 0 {
			is, row.Cursor = c, at
		}
	}
	return was, is, row
}

// put puts a row at its place, which shows a date after its change. at is the index that it has, or
// -1.
func (e *edit) put(at int, row Row, c *Change) Reason {
	stays := at >= 0 && e.cursorOf(at) == row.Cursor
	if stays && row.Dates == e.datesOf(at) {
		return e.exchange(c)
	}
	former := -1
	if stays {
		former = at
	}
	row, reason := e.shown(row, former, c)
	if reason != "" {
		return reason
	}
	if at >= 0 {
		e.rows = slices.Delete(e.rows, at, at+1)
	}
	next, _ := slices.BinarySearchFunc(e.rows, row.Cursor, func(r Row, to params.Cursor) int { return r.Compare(to) })
	e.rows, e.changed = slices.Insert(e.rows, next, row), true
	return ""
}

// shown returns a row with the entry of a date after its change. former is the index of the row
// that showed the date before, or -1.
func (e *edit) shown(row Row, former int, c *Change) (Row, Reason) {
	row.Members = c.members()
	switch {
	case e.page.Encode == nil:
		return row, Form
	case row.Members == nil && (former < 0 || c.rendered), e.page.ShowsChange && c.revision == 0:
		return row, Unsent
	}
	e.own()
	if row.Members == nil {
		row.Members = e.rows[former].Members
	}
	if e.page.ShowsChange {
		row.Version = Version{c.revision, c.after.text(changedAt)}
	}
	return row, ""
}

// remove removes a row; -1 is none.
func (e *edit) remove(at int) Reason {
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
	if !c.rendered && !e.page.ShowsChange || e.page.Payload.Text == nil {
		return ""
	}
	at := e.index(c.id)
	if at < 0 || !c.rendered && e.page.kept.versions != nil && e.versionOf(at) == (Version{c.revision, c.after.text(changedAt)}) {
		return ""
	}
	row := Row{Cursor: e.cursorOf(at), Dates: e.datesOf(at)}
	if e.page.Grouped {
		row.Event = c.after.text(EventAttribute)
	}
	row, reason := e.shown(row, at, c)
	if reason == "" {
		e.rows[at], e.changed = row, true
	}
	return reason
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

// len returns the number of rows.
func (e *edit) len() int {
	if e.rows == nil {
		return len(e.page.IDs) / uuidBytes
	}
	return len(e.rows)
}

// idOf returns the date of a row.
func (e *edit) idOf(at int) string {
	if e.rows == nil {
		return e.page.IDs[at*uuidBytes : (at+1)*uuidBytes]
	}
	return e.rows[at].DateUUID
}

// cursorOf returns the place of a row.
func (e *edit) cursorOf(at int) params.Cursor {
	if e.rows == nil {
		return params.Cursor{StartKey: e.page.kept.starts[at], DateUUID: e.idOf(at)}
	}
	return e.rows[at].Cursor
}

// datesOf returns the number of dates of a row.
func (e *edit) datesOf(at int) int {
	switch {
	case e.rows != nil:
		return e.rows[at].Dates
	case e.page.Grouped:
		return int(e.page.kept.dates[at])
	default:
		return 0
	}
}

// versionOf returns the version that a row shows.
func (e *edit) versionOf(at int) Version {
	if e.rows == nil {
		return e.page.kept.versions[at]
	}
	return e.rows[at].Version
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
	if !e.changed && e.total == e.page.Total {
		return e.page, ""
	}
	next := *e.page
	next.Total = e.total
	recounted := e.total != nil && e.total.Total != e.page.Total.Total
	if !e.changed && !recounted {
		return &next, ""
	}
	e.own()
	if len(e.rows) < next.Limit && !next.whole {
		return nil, NoSpares
	}
	if most := next.Limit + maxSpares; len(e.rows) > most {
		e.rows = e.rows[:most]
		next.last, next.whole = e.rows[most-1].Cursor, false
	}
	members := next.kept.members
	next.keep(e.rows)
	if !recounted && slices.EqualFunc(next.shown(e.before), next.shown(e.rows), Row.same) {
		next.kept.members = members
		return &next, ""
	}
	packed := e.page.Payload.Packed()
	if packed && len(e.rows) > maxRepacked {
		return nil, Room
	}
	next.encode(e.rows)
	if packed {
		next.Pack()
	}
	return &next, Patched
}

// same reports whether two rows are shown alike.
func (r Row) same(other Row) bool {
	return r.Cursor == other.Cursor && r.Dates == other.Dates && r.Version == other.Version && bytes.Equal(r.Members, other.Members)
}
