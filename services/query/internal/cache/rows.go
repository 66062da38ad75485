package cache

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/params"
)

// Row is a row of a page: a date, or an event with its first date.
type Row struct {
	params.Cursor        // the place of the date
	Event         string // grouped by event: its uuid
	Dates         int    // grouped by event: the number of its dates that are found
	Version              // of a page that shows it
	Members       []byte // the JSON of the entry without its opening brace; nil where none is shown
}

// Version is a version of an event.
type Version struct {
	Revision  int64
	ChangedAt string // "" when it is not known
}

// Span is a part of a text.
type Span struct{ From, To uint32 }

// keptRows are the rows of a page, in little memory: the members of the rows that are shown are in
// the payload.
type keptRows struct {
	starts   []int64
	events   string // uuids without separators
	dates    []int32
	versions []Version
	members  []Span        // in the payload; nil where it does not have them
	spares   *encoded.Text // the members of spares, one after another; nil of none
	ends     []uint32      // of these in spares
}

const (
	// Spares is the number of rows that a page is loaded with besides those that it shows: they move
	// up when dates leave the page.
	Spares = 2
	// maxSpares is the number of rows that are kept when dates enter a page.
	maxSpares = 4
	// maxRepacked is the number of rows of a packed page that is unpacked for every edit: the largest
	// pages take some 10 ms.
	maxRepacked = 250
)

// uuidBytes is the length of a uuid.
const uuidBytes = 36

func (k keptRows) size() int {
	const spanBytes, versionBytes = 8, 24
	size := 8*cap(k.starts) + len(k.events) + 4*cap(k.dates) + spanBytes*cap(k.members)
	for _, version := range k.versions {
		size += versionBytes + len(version.ChangedAt)
	}
	if k.spares != nil {
		size += 4*cap(k.ends) + k.spares.Size()
	}
	return size
}

// NewPage completes a page with its rows, in order. There are more of them than the page shows, or
// whole is true: no others follow.
func NewPage(p Page, rows []Row, whole bool) *Page {
	p.whole = whole
	if len(rows) > 0 {
		p.first, p.last = rows[0].Cursor, rows[len(rows)-1].Cursor
	}
	p.keep(rows)
	if p.Encode != nil {
		p.encode(rows)
	}
	return &p
}

// keep keeps rows, but for the members of those that are shown.
func (p *Page) keep(rows []Row) {
	var ids, events strings.Builder
	ids.Grow(len(rows) * uuidBytes)
	p.kept = keptRows{starts: make([]int64, len(rows))}
	if p.Grouped {
		p.kept.dates = make([]int32, len(rows))
		events.Grow(len(rows) * uuidBytes)
	}
	for i, row := range rows {
		ids.WriteString(row.DateUUID)
		p.kept.starts[i] = row.StartKey
		if p.Grouped {
			events.WriteString(row.Event)
			p.kept.dates[i] = int32(row.Dates) //nolint:gosec // fewer than the index has documents
		}
		if p.ShowsChange {
			p.kept.versions = append(p.kept.versions, row.Version)
		}
	}
	p.IDs, p.kept.events = ids.String(), events.String()
	if len(rows) <= p.Limit || p.Encode == nil {
		return
	}
	var spares []byte
	for _, row := range rows[p.Limit:] {
		spares = append(spares, row.Members...)
		p.kept.ends = append(p.kept.ends, uint32(len(spares))) //nolint:gosec // a few entries
	}
	p.kept.spares = encoded.New(slices.Clip(spares))
}

// encode writes the payload of rows that were kept.
func (p *Page) encode(rows []Row) {
	data, members := p.Encode(p, p.shown(rows))
	p.kept.members, p.Payload = members, encoded.NewPayload(data)
	p.findLanguages(p.shown(rows))
}

// shown returns those of the rows that are shown.
func (p *Page) shown(rows []Row) []Row { return rows[:min(p.Limit, len(rows))] }

// rows returns the rows of the page.
func (p *Page) rows() []Row {
	var text, spares []byte
	if p.kept.members != nil {
		text = p.Payload.Plain()
	}
	if p.kept.spares != nil {
		spares = p.kept.spares.Plain()
	}
	from := uint32(0)
	rows := make([]Row, len(p.kept.starts))
	for i := range rows {
		rows[i].StartKey, rows[i].DateUUID = p.kept.starts[i], p.IDs[i*uuidBytes:(i+1)*uuidBytes]
		if p.Grouped {
			rows[i].Event, rows[i].Dates = p.kept.events[i*uuidBytes:(i+1)*uuidBytes], int(p.kept.dates[i])
		}
		if p.ShowsChange {
			rows[i].Version = p.kept.versions[i]
		}
		switch {
		case i < len(p.kept.members):
			rows[i].Members = text[p.kept.members[i].From:p.kept.members[i].To]
		case i >= p.Limit && spares != nil:
			to := p.kept.ends[i-p.Limit]
			rows[i].Members = spares[from:to:to]
			from = to
		}
	}
	return rows
}
