package search

import (
	"bytes"
	"cmp"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
)

// found is what a search finds: the dates that match an expression and words.
type found struct {
	expr  filter.Expr
	words delta.Words
	bytes int // of memory that both take, about
}

// find reports whether the search finds a document. It is certain only without words: with them it
// may be true of what the engine does not find.
func (f found) find(d *delta.Document) bool {
	return d != nil && f.expr.Matches(d) && f.words.MayFind(d)
}

// unmoved reports whether a date that is found before and after a batch is found alike: by the same
// words, so that it stands where it stood as far as they decide.
func (f found) unmoved(d *delta.Date) bool { return len(f.words) == 0 || !d.Reworded }

// listing is a page of dates as it is kept: their uuids, and the payload of the event search where
// it was asked for.
type listing struct {
	found
	payload encoded.Payload
	ids     []byte // of the dates in their order, without anything between them
	entries bool   // whether there is a payload
	byStart bool
	full    bool  // as many dates as the page has room for
	first   place // of the dates on the page; zero for an empty one
	last    place

	events []byte // grouped: the uuids of the entries' events, without anything between them
	after  *place // grouped: the events whose first date is behind it
}

// place is where a date stands in the order by start.
type place struct {
	startKey int64
	dateUUID string
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.startKey, other.startKey), cmp.Compare(p.dateUUID, other.dateUUID))
}

func placeOf(d *delta.Document) (p place) {
	if key := d.Value("start_key"); key != nil && len(key.Numbers) > 0 {
		p.startKey = int64(key.Numbers[0])
	}
	if id := d.Value("date_uuid"); id != nil && len(id.Texts) > 0 {
		p.dateUUID = id.Texts[0]
	}
	return p
}

// Size counts the payload in all its forms, the uuids and the expression.
func (l *listing) Size() int {
	size := cap(l.ids) + cap(l.events) + l.bytes
	if l.entries {
		size += l.payload.Size()
	}
	return size
}

// Pack keeps the smallest form of the payload alone.
func (l *listing) Pack() {
	if l.entries {
		l.payload.Pack()
	}
}

// OnResize has fn called when a form of the payload was made.
func (l *listing) OnResize(fn func()) {
	if l.entries {
		l.payload.OnResize(fn)
	}
}

// isEmpty reports whether the page has no entries.
func (l *listing) isEmpty() bool { return len(l.ids) == 0 }

// After returns the page itself, or nil when the batch can alter it.
func (l *listing) After(batch *delta.Batch) fresh.Kept {
	if batch.All {
		return nil
	}
	for i := range batch.Dates {
		if l.alters(&batch.Dates[i]) {
			return nil
		}
	}
	return l
}

// alters reports whether the change of a date can alter the page.
func (l *listing) alters(d *delta.Date) bool {
	was, is := l.find(d.Before), l.find(d.After)
	switch {
	case !was && !is:
		return false
	case was && is && l.unmoved(d) && placeOf(d.Before) == placeOf(d.After):
		return l.entries && d.Shown && l.names(d.ID)
	case !l.byStart:
		return true // where it stands, only the engine knows
	case was && is && l.unmoved(d) && l.precedes(placeOf(d.Before)) && l.precedes(placeOf(d.After)):
		return false // as many dates as before stand before the page
	default:
		return (was && l.shows(d.Before)) || (is && l.shows(d.After))
	}
}

// shows reports whether the page may be another one without a date that is found: it does not stand
// behind the page, or it is counted there among the dates of its event.
func (l *listing) shows(d *delta.Document) bool {
	if !l.follows(placeOf(d)) {
		return true
	}
	event := d.Value(eventAttribute)
	return len(l.events) > 0 && (event == nil || len(event.Texts) == 0 || bytes.Contains(l.events, []byte(event.Texts[0])))
}

// names reports whether a date is on the page. A uuid begins at no place inside of two others:
// their hyphens would not fit.
func (l *listing) names(dateUUID string) bool { return bytes.Contains(l.ids, []byte(dateUUID)) }

// precedes reports whether a place is before the page; behind a cursor of events, whether it is not
// behind the cursor, for an event whose first date lies between the two would be on the page.
func (l *listing) precedes(p place) bool {
	if l.after != nil {
		return p.compare(*l.after) <= 0
	}
	return l.first != place{} && p.compare(l.first) < 0
}

// follows reports whether a place is behind the page, where nothing alters it.
func (l *listing) follows(p place) bool { return l.full && p.compare(l.last) > 0 }
