package cache

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"litfass/pkg/chassis/encoded"
)

// List is a page of venues or organizations in the order of their names, as an answer shows it. It
// is made by NewList.
type List struct {
	encoded.Payload
	Criteria
	Index         string
	Offset, Limit int
	Total         int // on all pages
	// Show returns the entry that shows the view of a record.
	Show func(view []byte) ([]byte, error)
	// Frame returns what is before the entries, which commas part, and after them, for a total.
	Frame func(total int) (head, tail []byte)

	rows []listed
	// first and last are the places of the first row and the last one when the list was loaded. No row
	// between them is missing; with whole, none after first.
	first, last place
	whole       bool
}

// ListRow is a row of a list: a record with its folded name and its entry.
type ListRow struct {
	ID, Name string
	Entry    []byte
}

// place is a place in the order of names. The name is one that the engine compares as it is; ""
// when that is not known.
type place struct{ name, id string }

// listed is a row that was kept: its entry is in the payload.
type listed struct {
	place
	span Span
}

// NewList completes a list with its rows, in order.
func NewList(l List, rows []ListRow) *List {
	l.rows = make([]listed, len(rows))
	entries := make([][]byte, len(rows))
	for i, row := range rows {
		l.rows[i].place, entries[i] = place{sortName(row.Name), row.ID}, row.Entry
	}
	if len(rows) > 0 {
		l.first, l.last = l.rows[0].place, l.rows[len(rows)-1].place
	}
	l.whole = l.Offset+len(rows) >= l.Total && (len(rows) > 0 || l.Offset == 0)
	l.encode(entries)
	return &l
}

// encode writes the payload of entries, one for each row.
func (l *List) encode(entries [][]byte) {
	head, tail := l.Frame(l.Total)
	size := len(head) + len(entries) + len(tail)
	for _, entry := range entries {
		size += len(entry)
	}
	data := append(make([]byte, 0, size), head...)
	for i, entry := range entries {
		if i > 0 {
			data = append(data, ',')
		}
		from := len(data)
		data = append(data, entry...)
		l.rows[i].span = Span{uint32(from), uint32(len(data))} //nolint:gosec // an answer has far less than 4 GB
	}
	l.Payload = encoded.Payload{Text: encoded.New(append(data, tail...))}
}

// Size returns the bytes of the payload in all its encodings, the rows and the criteria.
func (l *List) Size() int {
	const rowBytes = 40
	size := l.Payload.Size() + l.size + rowBytes*cap(l.rows)
	for _, row := range l.rows {
		size += len(row.name) + len(row.id)
	}
	return size
}

func (l *List) compared(batch *Batch) int { return len(batch.changed[l.Index]) }

// Apply exchanges the entries of records that stay where they are, and moves others. It invalidates
// the list where only the engine knows the next one: its total, or the row that follows.
func (l *List) Apply(batch *Batch) (Answer, Reason) {
	changes, known := batch.changed[l.Index]
	switch {
	case batch.all:
		return nil, batch.reason
	case !batch.touches(l.Index):
		return l, ""
	case !known:
		return nil, Written
	}
	e := listEdit{list: l, rows: slices.Clone(l.rows), entries: map[string][]byte{}}
	for _, c := range changes {
		if reason := e.record(c); reason != "" {
			return nil, reason
		}
	}
	return e.result()
}

// finds reports whether the list finds a record.
func (l *List) finds(d *Document) bool { return d != nil && l.expr.Matches(d) }

// nameAttribute orders the records of a list.
const nameAttribute = "name_sort"

// placeOf returns the place of a record.
func placeOf(d *Document) place { return place{sortName(d.text(nameAttribute)), d.text("id")} }

const (
	// longestName is a length in bytes that the engine does not cut.
	longestName = 400
	// lastOrdered is the last of the letters, mostly Latin, Greek and Cyrillic, whose order is known
	// to be that of their numbers once they are decomposed.
	lastOrdered = 0x52f
)

// sortName returns a folded name as the engine compares it: trimmed, decomposed and in lower case;
// "" if it may compare it otherwise.
func sortName(folded string) string {
	name := norm.NFKD.String(strings.TrimSpace(folded))
	if len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return r > lastOrdered || unicode.ToLower(r) != r }) {
		return ""
	}
	return name
}
