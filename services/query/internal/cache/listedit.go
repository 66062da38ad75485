package cache

import (
	"bytes"
	"cmp"
	"slices"
)

// listEdit applies the changes of a batch to a list. A list that was loaded while batches came may
// have some of their changes already, so each change sets where its record is.
type listEdit struct {
	list      *List
	rows      []listed
	entries   map[string][]byte // new ones by id
	moved     bool              // rows came, went or moved
	unordered bool              // places were compared whose order is not known
}

// record applies the change of a record. It returns the reason for which only the engine knows the
// next list, or "".
func (e *listEdit) record(c recordChange) Reason {
	l := e.list
	was, is := l.finds(c.before), l.finds(c.after)
	at := slices.IndexFunc(e.rows, func(r listed) bool { return r.id == c.id })
	switch {
	case was && is && c.keeps(nameAttribute):
		return e.exchange(c, at)
	case !was && !is:
		e.remove(at)
		return ""
	}
	var from, to place
	if was {
		from = placeOf(c.before)
	}
	if is {
		to = placeOf(c.after)
	}
	reason := e.move(c, at, from, to)
	if reason == "" && e.unordered {
		return Rank
	}
	return reason
}

// move puts a record where it is after its change, or removes it. The zero place is none.
func (e *listEdit) move(c recordChange, at int, from, to place) Reason {
	l, none := e.list, place{}
	if l.Offset > 0 {
		if len(l.rows) == 0 {
			return Skipped
		}
		early, earlier := from != none && e.isBefore(from, l.first), to != none && e.isBefore(to, l.first)
		switch {
		case early != earlier:
			return Skipped
		case early:
			return "" // the number of records before the page stays the same
		}
	}
	switch {
	case (from == none) != (to == none) && !l.whole:
		return Counted
	case to == none, !l.whole && e.isBefore(l.last, to):
		e.remove(at)
		return ""
	default:
		return e.put(c, at, to)
	}
}

// isBefore reports whether a place is before another one.
func (e *listEdit) isBefore(a, b place) bool {
	e.unordered = e.unordered || a.name == "" || b.name == ""
	return a.compare(b) < 0
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.name, other.name), cmp.Compare(p.id, other.id))
}

// put puts a record at its place. at is the index of its row, or -1.
func (e *listEdit) put(c recordChange, at int, to place) Reason {
	if reason := e.show(c); reason != "" {
		return reason
	}
	e.remove(at)
	next, _ := slices.BinarySearchFunc(e.rows, to, func(r listed, to place) int {
		e.unordered = e.unordered || r.name == "" || to.name == ""
		return r.compare(to)
	})
	e.rows, e.moved = slices.Insert(e.rows, next, listed{place: to}), true
	return ""
}

// exchange exchanges the entry of a record that stays where it is.
func (e *listEdit) exchange(c recordChange, at int) Reason {
	if at < 0 {
		return ""
	}
	return e.show(c)
}

// show makes the entry of a record after its change.
func (e *listEdit) show(c recordChange) Reason {
	if c.view == "" {
		return Unsent
	}
	entry, err := e.list.Show([]byte(c.view))
	if err != nil {
		return Form
	}
	e.entries[c.id] = entry
	return ""
}

// remove removes a row; -1 is none.
func (e *listEdit) remove(at int) {
	if at >= 0 {
		e.rows, e.moved = slices.Delete(e.rows, at, at+1), true
	}
}

// result returns the list after all changes.
func (e *listEdit) result() (Answer, Reason) {
	l := e.list
	if len(e.entries) == 0 && !e.moved {
		return l, ""
	}
	next := *l
	switch {
	case l.whole:
		next.Total = l.Offset + len(e.rows)
	case len(e.rows) < l.Limit:
		return nil, NoSpares
	}
	if len(e.rows) > l.Limit {
		e.rows = e.rows[:l.Limit]
		next.last, next.whole = e.rows[l.Limit-1].place, false
	}
	packed := l.Packed()
	if packed && len(e.rows) > maxRepacked {
		return nil, Room
	}
	text := l.Plain()
	entries := make([][]byte, len(e.rows))
	for i, row := range e.rows {
		if entries[i] = e.entries[row.id]; entries[i] == nil {
			entries[i] = text[row.span.From:row.span.To]
		}
	}
	next.rows = e.rows
	next.encode(entries)
	switch {
	case bytes.Equal(next.Plain(), text):
		next.Payload = l.Payload
		return &next, ""
	case packed:
		next.Pack()
	}
	return &next, Patched
}
