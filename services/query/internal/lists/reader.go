// Package lists reads from the index what is asked for without a search of dates: whole events,
// venues and organizations, pages of them, regions, value sets, and the choosable lists made of
// these.
//
// Its errors are the engine's, and NotFound faults when there is no such entity.
package lists

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
)

// slack is how old a kept list may be although the index has changed.
const slack = time.Second

// Reader reads from the indexes of one read node. It keeps the lists that many requests need.
type Reader struct {
	engine *engine.Engine

	valueSets         *fresh.Value[ValueSets]
	regions           *fresh.Value[[]document.RegionView]
	venueNames        *fresh.Value[[]Name]
	organizationNames *fresh.Value[[]Name]
}

// NewReader returns a reader that has read nothing yet. now is the clock, time.Now outside of
// tests.
func NewReader(e *engine.Engine, signal *fresh.Signal, now func() time.Time) *Reader {
	r := &Reader{engine: e}
	r.valueSets = fresh.NewValue(signal, now, slack, r.readValueSets, document.Lookups)
	r.regions = fresh.NewValue(signal, now, slack, r.readRegions, document.Regions)
	r.venueNames = fresh.NewValue(signal, now, slack, r.readVenueNames, document.Venues)
	r.organizationNames = fresh.NewValue(signal, now, slack, r.readOrganizationNames, document.Organizations)
	return r
}

// Event returns a public event with all its public dates.
func (r *Reader) Event(ctx context.Context, uuid string) (document.EventView, error) {
	return one[document.EventView](ctx, r, document.Events, uuid, "event")
}

// Venue returns a venue with its spaces.
func (r *Reader) Venue(ctx context.Context, uuid string) (document.VenueView, error) {
	return one[document.VenueView](ctx, r, document.Venues, uuid, "venue")
}

// Organization returns an organization.
func (r *Reader) Organization(ctx context.Context, uuid string) (document.OrganizationView, error) {
	return one[document.OrganizationView](ctx, r, document.Organizations, uuid, "organization")
}

// one returns the view of the entity with this id; what names it for people.
func one[V any](ctx context.Context, r *Reader, index, id, what string) (V, error) {
	var record document.Record[V]
	found, err := r.engine.Document(ctx, index, id, []string{"view"}, &record)
	if err == nil && (!found || record.View == nil) {
		err = fault.New(fault.NotFound, "", "there is no such %s", what)
	}
	if err != nil {
		var none V
		return none, err
	}
	return *record.View, nil
}

// View is what is shown of an entity, as the projector has written it.
type View = json.RawMessage

// Page is a part of a list of views.
type Page struct {
	Views []View // never nil
	Total int64  // of the whole list
}

// Venues returns the venues that match, ordered by name, then uuid.
func (r *Reader) Venues(ctx context.Context, match filter.Expr, offset, limit int) (Page, error) {
	return r.page(ctx, document.Venues, match, offset, limit)
}

// Organizations returns the organizations that match, ordered by name, then uuid.
func (r *Reader) Organizations(ctx context.Context, match filter.Expr, offset, limit int) (Page, error) {
	return r.page(ctx, document.Organizations, match, offset, limit)
}

func (r *Reader) page(ctx context.Context, index string, match filter.Expr, offset, limit int) (Page, error) {
	var hits []struct{ View View }
	total, err := r.byName(ctx, index, match, engine.Question{
		Offset: offset, Limit: limit, Attributes: []string{"view"},
	}, &hits)
	if err != nil {
		return Page{}, err
	}
	page := Page{Views: make([]View, len(hits)), Total: total}
	for i, hit := range hits {
		page.Views[i] = hit.View
	}
	return page, nil
}

// byName decodes the matching documents into hits, ordered by name, then id, and returns how many
// match in all.
func (r *Reader) byName(
	ctx context.Context, index string, match filter.Expr, q engine.Question, hits any,
) (total int64, err error) {
	var found bool
	if q.Filter, found = filter.Compile(match); !found {
		return 0, nil
	}
	q.Sort = []string{"name_sort:asc", "id:asc"}
	raw, err := r.engine.Search(ctx, index, q)
	if err != nil {
		return 0, err
	}
	answer := struct {
		Hits  any   `json:"hits"`
		Total int64 `json:"estimatedTotalHits"` // exact in a search without words
	}{Hits: hits}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return 0, fmt.Errorf("decode the answer of a search of %s: %w", index, err)
	}
	return answer.Total, nil
}

// views returns the views of all existing entities of an index, in no order.
func views[V any](ctx context.Context, r *Reader, index string, attributes ...string) ([]V, error) {
	existing, _ := filter.Compile(filter.Existing())
	records, err := engine.Documents[document.Record[V]](ctx, r.engine, index, existing, attributes)
	if err != nil {
		return nil, err
	}
	all := make([]V, 0, len(records))
	for _, record := range records {
		if record.View != nil {
			all = append(all, *record.View)
		}
	}
	return all, nil
}
