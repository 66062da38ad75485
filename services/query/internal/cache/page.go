package cache

import (
	"bytes"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/params"
)

// EventAttribute names the event of a date. Pages and counts that are grouped by event use it.
const EventAttribute = "uuid"

// Page is a page of a search: the dates in their order, and the payload or feed that shows them.
type Page struct {
	Criteria
	Payload     encoded.Payload // the zero value where only the ids were asked for
	IDs         []byte          // uuids of the dates in order, without separators
	ByStart     bool            // ordered by start; otherwise by change or by relevance
	ByChange    bool            // ordered by the time of change
	ShowsChange bool            // shows the time of change of each date
	Full        bool            // the page has as many dates as fit on it
	First, Last params.Cursor   // zero for an empty page

	// Grouped by event: the uuids of the entries' events without separators, and, ordered by start,
	// the cursor after which the first date of an event has to be.
	Events []byte
	After  *params.Cursor

	// Total are the criteria of the dates on all pages, where the payload has their number.
	Total *Criteria
}

// Size returns the bytes of the payload in all its encodings, the uuids and the criteria.
func (p *Page) Size() int {
	size := cap(p.IDs) + cap(p.Events) + p.size
	if p.Total != nil {
		size += p.Total.size
	}
	if p.Payload.Text != nil {
		size += p.Payload.Size()
	}
	return size
}

// Pack drops all but the smallest encoding of the payload.
func (p *Page) Pack() {
	if p.Payload.Text != nil {
		p.Payload.Pack()
	}
}

// OnResize has fn called after an encoding of the payload was made.
func (p *Page) OnResize(fn func()) {
	if p.Payload.Text != nil {
		p.Payload.OnResize(fn)
	}
}

// Apply invalidates the page if one of the changes may change it.
func (p *Page) Apply(batch *Batch) Answer {
	if batch.all {
		return nil
	}
	changes := batch.changes
	if p.readsTimes() {
		changes = batch.changesAndTimes
	}
	for i := range changes {
		if p.mayChange(&changes[i]) {
			return nil
		}
	}
	return p
}

// readsTimes reports whether the page depends on the times of change of its dates.
func (p *Page) readsTimes() bool { return p.ByChange || p.ShowsChange }

func (p *Page) mayChange(c *Change) bool {
	if p.Total != nil && p.Total.mayCount(c) {
		return true
	}
	before, after := p.mayFind(c.before), p.mayFind(c.after)
	if !before && !after {
		return false
	}
	var from, to params.Cursor
	if before {
		from = startOf(c.before)
	}
	if after {
		to = startOf(c.after)
	}
	stays := before && after && p.keepsRelevance(c)
	switch {
	case stays && from == to && (!p.ByChange || !c.retimed):
		return (c.rendered || p.ShowsChange && c.retimed) && p.Payload.Text != nil && bytes.Contains(p.IDs, []byte(c.id)) // hyphens tell uuids from parts of two
	case !p.ByStart:
		return true // only the engine knows its rank
	case stays && p.follows(from) && p.follows(to):
		return false // the number of dates before the page stays the same
	default:
		return (before && p.includes(from, c.before)) || (after && p.includes(to, c.after))
	}
}

// startOf returns the place of a date in the order by start.
func startOf(d *Document) params.Cursor {
	return params.Cursor{StartKey: int64(d.number("start_key")), DateUUID: d.text("date_uuid")}
}

// includes reports whether the page depends on a date that is found at a place: the date is not
// after the page, or its event is on the page with a count of dates.
func (p *Page) includes(at params.Cursor, d *Document) bool {
	if !p.Full || at.Compare(p.Last) <= 0 {
		return true
	}
	return len(p.Events) > 0 && bytes.Contains(p.Events, []byte(d.text(EventAttribute)))
}

// follows reports whether the page comes after a place. With a cursor of events that place must not
// be after the cursor: an event whose first date is between the two is on the page.
func (p *Page) follows(at params.Cursor) bool {
	if p.After != nil {
		return at.Compare(*p.After) <= 0
	}
	return p.First != params.Cursor{} && at.Compare(p.First) < 0
}
