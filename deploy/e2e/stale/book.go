package stale

import (
	"sync"
	"time"

	"litfass/deploy/e2e/reference"
)

// Book is a catalogue with the edits that were made of it. It is safe for concurrent use.
type Book struct {
	now   time.Time
	ref   *reference.Reference
	dates []*reference.Dated // as they were at first, in order of start
	index map[string]int     // the place in dates by date uuid

	mu            sync.Mutex
	events        map[string]*history[reference.Event]
	venues        map[string]*history[reference.Venue]
	organizations map[string]*history[reference.Organization]
	eventsOf      map[string][]string // public events at first, by uuid of organization
	datesOf       map[string][]int    // places in dates by uuid of event and of venue
	edited        []int               // places of the dates whose membership in answers an edit may change
	isEdited      map[int]bool
	recent        []entity // edited last
	drawn         map[variant]*reference.Dated
	shown         map[int]map[string]any // entries of dates of which nothing was edited
}

// entity names an organization, venue or event.
type entity struct{ kind, uuid string }

// The kinds of entities.
const (
	event        = "event"
	venue        = "venue"
	organization = "organization"
)

// recently is the number of edited entities that are remembered for questions.
const recently = 50

// variant names a date in one version of its event and one of its venue.
type variant struct {
	date  int
	event *reference.Event
	venue *reference.Venue
}

// NewBook returns the book of a catalogue before its first edit, as it is public at the moment now
// under an address. The catalogue must not be changed any more.
func NewBook(c *reference.Catalogue, publicURL string, now time.Time) *Book {
	ref := reference.New(c, publicURL, now)
	b := &Book{
		now: now, ref: ref, dates: ref.Dates(), index: map[string]int{},
		events: map[string]*history[reference.Event]{}, venues: map[string]*history[reference.Venue]{},
		organizations: map[string]*history[reference.Organization]{},
		eventsOf:      map[string][]string{}, datesOf: map[string][]int{}, isEdited: map[int]bool{},
		drawn: map[variant]*reference.Dated{}, shown: map[int]map[string]any{},
	}
	for _, e := range c.Events {
		b.events[e.UUID] = of(e)
	}
	for _, v := range c.Venues {
		b.venues[v.UUID] = of(v)
	}
	for _, o := range c.Organizations {
		b.organizations[o.UUID] = of(o)
	}
	for i, d := range b.dates {
		b.index[d.Date.UUID] = i
		if b.datesOf[d.Event.UUID] == nil {
			b.eventsOf[d.Event.OrgUUID] = append(b.eventsOf[d.Event.OrgUUID], d.Event.UUID)
		}
		b.datesOf[d.Event.UUID] = append(b.datesOf[d.Event.UUID], i)
		if d.Place.Venue != nil {
			b.datesOf[d.Place.Venue.UUID] = append(b.datesOf[d.Place.Venue.UUID], i)
		}
	}
	return b
}

// note remembers an entity that is edited, and with members its dates, which may come into answers
// or leave them.
func (b *Book) note(e entity, members bool) {
	b.recent = append(b.recent, e)
	if len(b.recent) > recently {
		b.recent = b.recent[1:]
	}
	if !members {
		return
	}
	for _, i := range b.datesOf[e.uuid] {
		if !b.isEdited[i] {
			b.isEdited[i] = true
			b.edited = append(b.edited, i)
		}
	}
}

// eventsAt returns the versions of a date's event that an answer of a position may show.
func (b *Book) eventsAt(date int, position uint64) []*reference.Event {
	return b.events[b.dates[date].Event.UUID].at(position)
}

// venuesAt returns the versions of a date's venue; nil is the only one of a date without.
func (b *Book) venuesAt(date int, position uint64) []*reference.Venue {
	if v := b.dates[date].Place.Venue; v != nil {
		return b.venues[v.UUID].at(position)
	}
	return []*reference.Venue{nil}
}

func (b *Book) isPublic(e *reference.Event) bool { return reference.IsPublic(e, b.now) }

// draw returns a date in versions of its event and venue.
func (b *Book) draw(of variant) *reference.Dated {
	first := b.dates[of.date]
	if of.event == first.Event && of.venue == first.Place.Venue {
		return first
	}
	if b.drawn[of] == nil {
		place := reference.Place{Venue: of.venue, Space: first.Place.Space}
		b.drawn[of] = reference.At(of.event, first, place)
	}
	return b.drawn[of]
}

// drawOf returns a date in versions of its event, venue and organization.
func (b *Book) drawOf(date int, e *reference.Event, v *reference.Venue, o *reference.Organization) *reference.Dated {
	d := *b.draw(variant{date, e, v})
	d.Org = o
	return &d
}

// Dates returns the public dates as they were at first, in order of start.
func (b *Book) Dates() []*reference.Dated { return b.dates }
