// Package project turns a change into the documents of a read node's indexes. It is pure: the same
// change always gives the same documents, and it knows neither the stream nor the engine.
package project

import (
	"encoding/json"
	"fmt"
	"strings"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/imaging"
)

// Documents are the documents of one entity after a change: exactly one record, and for an event
// exactly these dates.
type Documents struct {
	Index    string // of the record
	ID       string // of the record
	Revision int64
	Name     string          // of a venue, an organization or a contributor; "" when gone
	Record   any             // document.Contributor, Event, Venue, Portal, List or Region, or document.Record of another view
	Dates    []document.Date // of an event; a tombstone has none
}

// Projector makes documents for the read nodes of one public address.
type Projector struct {
	public string // base of the URLs of pages and images, without a slash at its end
	zone   string // IANA name: of places without a time zone
}

// New returns a projector whose documents show absolute URLs below publicURL (RULES.md, Ids and
// names), and the time zone of that IANA name where a venue has none.
func New(publicURL, zone string) Projector {
	return Projector{public: strings.TrimRight(publicURL, "/"), zone: zone}
}

// Form identifies what the documents depend on besides the changes, for document.SettingsHash: also
// how images are drawn, which is in their URLs.
func (p Projector) Form() string {
	return p.public + " " + p.zone + " " + imaging.Version("", imaging.Centre)
}

// homes are the indexes of the records.
var homes = map[change.Kind]string{
	change.KindEvent:        document.Events,
	change.KindVenue:        document.Venues,
	change.KindOrganization: document.Organizations,
	change.KindContributor:  document.Contributors,
	change.KindPortal:       document.Portals,
	change.KindList:         document.Lists,
	change.KindSeries:       document.Series,
	change.KindRegion:       document.Regions,
	change.KindLookup:       document.Lookups,
}

// Home returns where the record of a change lies: its index and its id there. No index, "", holds
// changes of an unknown kind.
func Home(kind change.Kind, id string) (index, documentID string) {
	return homes[kind], document.EntityID(id)
}

// KindAt returns the kind of the entities whose documents an index holds; "" for an index of no
// entities.
func KindAt(index string) change.Kind {
	for kind, home := range homes {
		if home == index {
			return kind
		}
	}
	return ""
}

// Project returns the documents of a change. An error means that no read node will ever be able to
// show the change: its snapshot is not of its kind, or contradicts itself.
func (p Projector) Project(c change.Change) (Documents, error) {
	switch c.Kind {
	case change.KindEvent:
		return project(c, p.event)
	case change.KindVenue:
		return project(c, venue)
	case change.KindOrganization:
		return project(c, organization)
	case change.KindContributor:
		return project(c, contributor)
	case change.KindPortal:
		return project(c, portal)
	case change.KindList:
		return project(c, curated)
	case change.KindSeries:
		return project(c, p.series)
	case change.KindRegion:
		return project(c, region)
	case change.KindLookup:
		return project(c, lookup)
	default:
		return Documents{}, fmt.Errorf("no index holds changes of kind %q", c.Kind)
	}
}

// project reads the snapshot and hands it on; a tombstone leaves a document without a view, so that
// an older change cannot bring the entity back.
func project[S any](c change.Change, fill func(*Documents, S) error) (Documents, error) {
	documents := Documents{Revision: c.Revision}
	documents.Index, documents.ID = Home(c.Kind, c.ID)
	if c.Gone() {
		documents.Record = document.Record[json.RawMessage]{ID: documents.ID, Revision: c.Revision, Gone: true}
		return documents, nil
	}
	snapshot, err := change.Read[S](c)
	if err != nil {
		return documents, err
	}
	if err := fill(&documents, snapshot); err != nil {
		return documents, fmt.Errorf("snapshot of %s %s: %w", c.Kind, c.ID, err)
	}
	return documents, nil
}

// record returns the record around a view.
func record[V any](d *Documents, view V, changedAt value.Text) document.Record[V] {
	return document.Record[V]{
		ID:        d.ID,
		Revision:  d.Revision,
		View:      &document.Encoded[V]{Value: view},
		ChangedAt: string(changedAt),
	}
}

// held returns a record with the row that query services hold of it.
func held[V any](r document.Record[V], row document.Row) document.Record[V] {
	r.Row = &document.Encoded[document.Row]{Value: row}
	return r
}

// named returns a record with the name and city by which it is found, and the length of its view.
func named[V any](r document.Record[V], name string, city value.Text) document.Record[V] {
	if view, err := r.View.MarshalText(); err == nil { // else the document cannot be written, which its writer says
		r.ViewBytes = len(view)
	}
	r.Name, r.City = name, string(city)
	r.NameKey, r.NameEnd = document.TextKeys(name), document.TextEnd(name)
	r.NameSort, r.NameWords = document.Fold(name), document.Words(name)
	return r
}

// owns checks that a snapshot speaks of the entity that its change names.
func (d *Documents) owns(id string) error {
	if document.EntityID(id) != d.ID {
		return fmt.Errorf("it speaks of %q", id)
	}
	return nil
}

// list returns items, never nil: lists are never null (RULES.md, Ids and names).
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// bits returns the set bits of a mask; an unset mask has none and so matches no filter (RULES.md,
// Search).
func bits(mask *value.Mask) []int {
	if mask == nil {
		return []int{}
	}
	return mask.Bits()
}
