package reference

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
)

func marshalGeometry(kind string, coordinates any) ([]byte, error) {
	return json.Marshal(map[string]any{"type": kind, "coordinates": coordinates})
}

// public statuses are those under which an event is shown (RULES.md, What is public).
var public = []string{"released", "cancelled", "deferred", "rescheduled"}

// Place is where a date happens; both may be nil.
type Place struct {
	Venue *Venue
	Space *Space
}

// Dated is one date that the public may find, with everything it is found by.
type Dated struct {
	Event  *Event
	Date   *Date
	Org    *Organization
	Place  Place
	Status string // the effective one
	texts

	openTimes func() minutes // those at which it is open on any day
}

// texts are the texts by which a date is found.
type texts struct {
	titles              []string // folded, in all languages
	venue, city, postal string   // folded
	tags                []string // folded
	words               string   // spelled: everything that search looks at
	contributors        string   // their names, one a line
}

// Reference answers questions about one catalogue. It holds references to the catalogue: after a
// change make a new one.
type Reference struct {
	PublicURL    string
	Now          func() time.Time // the clock, by which dates are over
	catalogue    *Catalogue
	orgs         map[string]*Organization
	venues       map[string]*Venue
	contributors map[string]*Contributor
	spaces       map[string]*Space
	series       map[string]*Series
	events       []*Event // public ones
	dates        []*Dated // ordered by start, then uuid
}

// New returns the reference of a catalogue as it is seen at the moment now.
func New(c *Catalogue, publicURL string, now time.Time) *Reference {
	r := &Reference{
		PublicURL:    publicURL,
		Now:          time.Now,
		catalogue:    c,
		orgs:         map[string]*Organization{},
		venues:       map[string]*Venue{},
		contributors: map[string]*Contributor{},
		spaces:       map[string]*Space{},
		series:       map[string]*Series{},
	}
	for _, o := range c.Organizations {
		r.orgs[o.UUID] = o
	}
	for _, v := range c.Venues {
		r.venues[v.UUID] = v
	}
	for _, p := range c.Contributors {
		r.contributors[p.UUID] = p
	}
	for _, s := range c.Spaces {
		r.spaces[s.UUID] = s
	}
	for _, s := range c.Series {
		r.series[s.UUID] = s
	}
	for _, event := range c.Events {
		if IsPublic(event, now) {
			r.events = append(r.events, event)
			r.dates = append(r.dates, r.dated(event)...)
		}
	}
	slices.SortFunc(r.dates, func(a, b *Dated) int { return strings.Compare(a.order(), b.order()) })
	return r
}

// IsPublic reports whether an event is shown: drafts and reviews are not, nor any event before its
// release date, which stays when a released event is cancelled before it was ever shown.
func IsPublic(event *Event, now time.Time) bool {
	if !slices.Contains(public, event.ReleaseStatus) {
		return false
	}
	if event.ReleaseDate == "" {
		return true
	}
	from, err := time.Parse(time.RFC3339, string(event.ReleaseDate))
	if err != nil {
		panic("release_date of event " + event.UUID + ": " + err.Error())
	}
	return !from.After(now)
}

// dated returns the dates of an event. Those at one venue share their texts.
func (r *Reference) dated(event *Event) []*Dated {
	dates := make([]*Dated, len(event.Dates))
	read := map[*Venue]texts{}
	for i, date := range event.Dates {
		place := r.place(event, date)
		shared, known := read[place.Venue]
		if !known {
			shared = textsOf(event, place.Venue, r.namesOf(event))
			read[place.Venue] = shared
		}
		dates[i] = at(event, date, r.orgs[event.OrgUUID], place, shared)
	}
	return dates
}

// At returns a date of an event with the organization and the contributors of another date of it,
// at a place.
func At(event *Event, of *Dated, place Place) *Dated {
	return at(event, of.Date, of.Org, place, textsOf(event, place.Venue, of.contributors))
}

func at(event *Event, date *Date, org *Organization, place Place, read texts) *Dated {
	d := &Dated{Event: event, Date: date, Org: org, Place: place, Status: date.ReleaseStatus, texts: read}
	if d.Status == "inherited" {
		d.Status = event.ReleaseStatus
	}
	d.openTimes = sync.OnceValue(d.everyOpenTime)
	return d
}

// textsOf returns the texts of an event's dates at a venue, nil for none, with the names of its
// contributors.
func textsOf(event *Event, venue *Venue, contributors string) texts {
	t, all := texts{titles: []string{Fold(event.Title)}, contributors: contributors}, []string{}
	for _, text := range event.Texts {
		if text.Title != "" {
			t.titles = append(t.titles, Fold(string(text.Title)))
		}
		all = append(all, string(text.Title), string(text.Subtitle), string(text.Summary), string(text.Description))
	}
	for _, tag := range event.Tags {
		t.tags = append(t.tags, Fold(tag))
	}
	venueName := ""
	if venue != nil {
		venueName = venue.Name
		t.venue, t.city, t.postal = Fold(venue.Name), Fold(string(venue.City)), Fold(string(venue.PostalCode))
	}
	t.words = Spell(strings.Join([]string{
		event.Title, string(event.Subtitle), string(event.Summary), string(event.Description),
		strings.Join(event.Tags, "\n"), venueName, strings.Join(all, "\n"), contributors,
	}, "\n"))
	return t
}

// namesOf returns the names of the contributors of an event, one a line.
func (r *Reference) namesOf(event *Event) string {
	var names []string
	for _, p := range event.Contributors {
		if c := r.contributors[p.UUID]; c != nil {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, "\n")
}

// place returns the effective place: a date without its own venue takes the event's venue and
// space; one with its own venue uses its own space or none.
func (r *Reference) place(event *Event, date *Date) Place {
	if date.VenueUUID != "" {
		return Place{r.venues[string(date.VenueUUID)], r.spaces[string(date.SpaceUUID)]}
	}
	return Place{r.venues[string(event.VenueUUID)], r.spaces[string(event.SpaceUUID)]}
}

// StartAt returns the date's start as a cursor names it: "YYYY-MM-DDTHH:MM", 00:00 when all-day.
func (d *Dated) StartAt() string { return d.Date.StartDate + "T" + d.startTime() }

func (d *Dated) startTime() string {
	if d.Date.AllDay {
		return "00:00"
	}
	return string(d.Date.StartTime)
}

// endDay returns the last day: the end date, or the start date without one. With opening hours and
// without an end date, there is no last day.
func (d *Dated) endDay() string {
	switch {
	case d.Date.EndDate != "":
		return string(d.Date.EndDate)
	case d.Date.Hours != nil:
		return never
	}
	return d.Date.StartDate
}

// Words returns everything that a search by words looks at, with every umlaut as its digraph.
func (d *Dated) Words() string { return d.words }

// order sorts as the search does without words: start date, start time, date uuid.
func (d *Dated) order() string { return d.StartAt() + d.Date.UUID }

// Dates returns every public date in the order of the search without words.
func (r *Reference) Dates() []*Dated { return r.dates }
