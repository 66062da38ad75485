package cache

import (
	"maps"
	"slices"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/params"
)

// EventAttribute names the event of a date. Pages and counts that are grouped by event use it.
const EventAttribute = "uuid"

// SeriesAttribute names the series by which a date is grouped; a date of none does not have it.
const SeriesAttribute = "series_uuid"

// Page is a page of a search: the dates in their order, and the payload or feed that shows them.
// Pages with rows are made by NewPage.
type Page struct {
	Criteria
	Payload     encoded.Payload // the zero value where only the ids were asked for
	IDs         string          // uuids of the dates in order, of spares last, without separators
	ByStart     bool            // ordered by start; otherwise by change or by relevance
	ByChange    bool            // ordered by the time of change
	ShowsChange bool            // shows the time of change of each date
	Limit       int             // of the rows that are shown; further ones are spares
	Skips       bool            // rows before the first one are left out by their number

	// Grouped by event, and ordered by start: the cursor after which the first date of an event has
	// to be.
	Grouped bool
	After   *params.Cursor
	// BySeries: the rows are series, and dates of none. Only the engine knows the page after a date of
	// it changes.
	BySeries bool

	// Total counts the rows of all pages, where the payload has their number.
	Total *Tally

	// Encode returns the text of the payload of some rows, and where it has their members; nil for a
	// page that is not patched.
	Encode func(*Page, []Row) (data []byte, members []Span)

	kept keptRows
	// languages are those into which a row that is shown is translated.
	languages []string
	inOthers  *inOthers // of the payload; nil where no row is translated
	// first and last are the first row and the last one, spares included, when the page was loaded. No
	// row of the search between them is missing; with whole, none after first.
	first, last params.Cursor
	whole       bool
}

// Size returns the bytes of the payload in all its encodings, the rows and the criteria.
func (p *Page) Size() int {
	size := len(p.IDs) + p.kept.size() + p.size
	if p.Total != nil {
		size += p.Total.Size()
	}
	if p.Payload.Text != nil {
		size += p.Payload.Size()
	}
	return size + p.inOthers.size()
}

// Pack drops all but the smallest encoding of the payload.
func (p *Page) Pack() {
	if p.Payload.Text != nil {
		p.Payload.Pack()
	}
	if p.kept.spares != nil {
		p.kept.spares.Pack()
	}
	p.inOthers.drop()
}

// OnResize has fn called after an encoding of the payload was made.
func (p *Page) OnResize(fn func()) {
	if p.Payload.Text != nil {
		p.Payload.OnResize(fn)
	}
	p.inOthers.onResize(fn)
}

// Empty reports whether the page shows no dates.
func (p *Page) Empty() bool { return p.IDs == "" }

// Apply patches the page, or invalidates it where only the engine knows the next one.
func (p *Page) Apply(batch *Batch) (Answer, Reason) {
	if batch.all {
		return nil, batch.reason
	}
	if p.BySeries {
		return p.applyBySeries(batch)
	}
	e := edit{page: p, total: p.Total}
	if p.Total != nil {
		total, reason := p.Total.Apply(batch)
		if total == nil {
			return nil, reason
		}
		e.total, _ = total.(*Tally)
	}
	if reason := e.apply(batch); reason != "" {
		return nil, reason
	}
	return e.result()
}

// applyBySeries is Apply for a page of series.
func (p *Page) applyBySeries(batch *Batch) (Answer, Reason) {
	found := func(c Change) bool { return p.mayFind(c.before) || p.mayFind(c.after) }
	shows := func(id string) bool { return strings.Contains(p.IDs, id) }
	if slices.ContainsFunc(p.changes(batch), found) || slices.ContainsFunc(slices.Collect(maps.Keys(batch.shown)), shows) {
		return nil, Altered
	}
	return p, ""
}

// compared counts the changes that Apply looks at one by one.
func (p *Page) compared(batch *Batch) (count int) {
	if p.Total != nil {
		count = p.Total.compared(batch)
	}
	switch {
	case p.skips(batch):
		return count
	case p.groups(batch) && !p.ShowsChange:
		return count + batch.changedDates
	default:
		return count + len(p.changes(batch))
	}
}

// skips reports whether a batch at most exchanges entries of the page.
func (p *Page) skips(batch *Batch) bool {
	return !p.readsTimes() && !p.reads(batch) && !batch.alters(orderAttributes...)
}

// groups reports whether the page is compared with the events of a batch.
func (p *Page) groups(batch *Batch) bool {
	return p.Grouped && p.ByStart && batch.whole && len(p.words) == 0
}

// changes returns the changes of a batch that the page may notice, but for rendered entries.
func (p *Page) changes(batch *Batch) []Change {
	if p.readsTimes() {
		return batch.changesAndTimes
	}
	return batch.found
}

// readsTimes reports whether the page depends on the times of change of its dates.
func (p *Page) readsTimes() bool { return p.ByChange || p.ShowsChange }

// startOf returns the place of a date in the order by start.
func startOf(d *Document) params.Cursor {
	return params.Cursor{StartKey: int64(d.number("start_key")), DateUUID: d.text("date_uuid")}
}

// reaches reports whether a place is not after the known rows.
func (p *Page) reaches(at params.Cursor) bool { return p.whole || at.Compare(p.last) <= 0 }

// includes reports whether the page depends on a date that is found at a place: the date is not
// after the page, or its event is on the page with a count of dates.
func (p *Page) includes(at params.Cursor, d *Document) bool {
	return p.reaches(at) || p.Grouped && strings.Contains(p.kept.events, d.text(EventAttribute))
}

// follows reports whether the page comes after a place. With a cursor of events that place must not
// be after the cursor: an event whose first date is between the two is on the page.
func (p *Page) follows(at params.Cursor) bool {
	if p.After != nil {
		return at.Compare(*p.After) <= 0
	}
	return p.first != params.Cursor{} && at.Compare(p.first) < 0
}
