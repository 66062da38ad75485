package rules

import (
	"litfass/pkg/chassis/fault"
)

// Kind is the kind of an entity, as named in the catalog file.
type Kind string

// The kinds, in the order in which entities may refer to one another: a referenced kind comes
// before the kinds that refer to it.
const (
	KindRegion       Kind = "region"
	KindOrganization Kind = "organization"
	KindVenue        Kind = "venue"
	KindSpace        Kind = "space"
	KindLabel        Kind = "label"
	KindSeries       Kind = "series"
	KindContributor  Kind = "contributor"
	KindEvent        Kind = "event"
	KindPortal       Kind = "portal"
	KindList         Kind = "list"
)

// Kinds lists every kind, references first.
var Kinds = []Kind{KindRegion, KindOrganization, KindVenue, KindSpace, KindLabel, KindSeries, KindContributor, KindEvent, KindPortal, KindList}

// Entity is an aggregate of the catalogue, which is written and read as a whole: a *Region,
// *Organization, *Venue, *Space, *Label, *Series, *Contributor, *Event,
// *Portal or *List.
type Entity interface {
	// Kind returns the kind of the entity.
	Kind() Kind
	// Key identifies the entity within its kind: its uuid, a label's key, or a region's three slugs
	// joined by dots.
	Key() string
	// Normalize brings every value into its stored form: trimmed texts, lower-case uuids, defaults,
	// lists never nil.
	Normalize()
	// Validate returns every value that breaks a rule, by its JSON path. The entity must be
	// normalized.
	Validate() fault.Violations

	sealed()
}

// Kind is KindOrganization.
func (*Organization) Kind() Kind { return KindOrganization }

// Kind is KindVenue.
func (*Venue) Kind() Kind { return KindVenue }

// Kind is KindSpace.
func (*Space) Kind() Kind { return KindSpace }

// Kind is KindLabel.
func (*Label) Kind() Kind { return KindLabel }

// Kind is KindSeries.
func (*Series) Kind() Kind { return KindSeries }

// Kind is KindContributor.
func (*Contributor) Kind() Kind { return KindContributor }

// Kind is KindEvent.
func (*Event) Kind() Kind { return KindEvent }

// Kind is KindPortal.
func (*Portal) Kind() Kind { return KindPortal }

// Kind is KindList.
func (*List) Kind() Kind { return KindList }

// Kind is KindRegion.
func (*Region) Kind() Kind { return KindRegion }

// Key is the organization's uuid.
func (o *Organization) Key() string { return o.UUID }

// Key is the venue's uuid.
func (v *Venue) Key() string { return v.UUID }

// Key is the space's uuid.
func (s *Space) Key() string { return s.UUID }

// Key names the label.
func (l *Label) Key() string { return l.ID }

// Key is the series' uuid.
func (s *Series) Key() string { return s.UUID }

// Key is the contributor's uuid.
func (c *Contributor) Key() string { return c.UUID }

// Key is the event's uuid.
func (e *Event) Key() string { return e.UUID }

// Key is the portal's uuid.
func (p *Portal) Key() string { return p.UUID }

// Key is the list's uuid.
func (l *List) Key() string { return l.UUID }

// Key is the region's three slugs joined by dots.
func (r *Region) Key() string { return r.ID() }

func (*Organization) sealed() {}
func (*Venue) sealed()        {}
func (*Space) sealed()        {}
func (*Label) sealed()        {}
func (*Series) sealed()       {}
func (*Contributor) sealed()  {}
func (*Event) sealed()        {}
func (*Portal) sealed()       {}
func (*List) sealed()         {}
func (*Region) sealed()       {}

// CheckValues normalizes an entity and validates it. It returns an Invalid fault naming every bad
// field.
func CheckValues(e Entity) error {
	e.Normalize()
	return e.Validate().Err("invalid_"+string(e.Kind()), "the "+string(e.Kind())+" is not valid")
}

// Check is CheckValues, and then puts the parts of an event into their stored order
// (Event.Arrange), so that equivalent entities are equal.
func Check(e Entity) error {
	if err := CheckValues(e); err != nil {
		return err
	}
	if event, ok := e.(*Event); ok {
		event.Arrange()
	}
	return nil
}
