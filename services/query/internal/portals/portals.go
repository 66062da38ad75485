// Package portals finds the portals of a read node, with what each of them selects, by their slugs.
package portals

import (
	"log/slog"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/slugs"
)

// Portal is what a portal selects, and how the public API shows it.
type Portal struct {
	View publicapi.Portal
	// Query is its filter; nil when it has none.
	Query            *params.Query
	Include, Exclude change.PortalSelection
}

// Store knows the current portals.
type Store = slugs.Store[document.Portal, Portal]

// kind returns the kind of portals.
func kind(log *slog.Logger) slugs.Kind[document.Portal, Portal] {
	return slugs.Kind[document.Portal, Portal]{
		Index: document.Portals, Attributes: []string{"id", "revision", "view", "selects"}, Parameter: "portal", Word: reason.WordPortal,
		Identify: func(d document.Portal) (id string, revision int64, row *document.Row) {
			if d.Row != nil {
				row = &d.Row.Value
			} else if d.View != nil {
				made := document.RowOfPortal(d.View.Value)
				row = &made
			}
			return d.ID, d.Revision, row
		},
		Read: func(d document.Portal) (*Portal, int) {
			const perUUID = 60
			in, out := d.Selects.Value.Include, d.Selects.Value.Exclude
			count := len(in.OrgUUIDs) + len(in.VenueUUIDs) + len(in.EventUUIDs) + len(out.OrgUUIDs) + len(out.VenueUUIDs) + len(out.EventUUIDs)
			return read(d, log), 1_000 + perUUID*count + 2*len(d.Selects.Value.Filter)
		},
	}
}

// Source reads the documents of portals that exist.
type Source = slugs.Source[document.Portal]

// InIndex returns the portals in an engine's index.
func InIndex(e *engine.Engine) Source { return kind(nil).InIndex(e) }

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore(source Source, signal *cache.Signal, now func() time.Time, log *slog.Logger) *Store {
	return slugs.NewStore(kind(log), source, signal, now)
}

// read returns the portal of a document. One with a filter that the search does not take selects
// nothing.
func read(d document.Portal, log *slog.Logger) *Portal {
	selects := d.Selects.Value
	p := &Portal{View: d.View.Value, Include: selects.Include, Exclude: selects.Exclude}
	if string(selects.Filter) == "{}" {
		return p
	}
	q, err := params.Events.FromJSON(selects.Filter, 0)
	if err != nil {
		log.Error("a portal has a filter that the search does not take and selects nothing", "portal", p.View.Slug, "error", err)
		p.Include, p.Query = change.PortalSelection{}, &params.Query{EventUUIDs: []string{nothing}}
		return p
	}
	p.Query = &q
	return p
}

// nothing is the uuid of no event: not of version 7.
const nothing = "00000000-0000-0000-0000-000000000000"
