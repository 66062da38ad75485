// Package catalog reads the catalogue from the index: whole events, venues and organizations, pages and lists of them,
// regions and value sets.
//
// Its errors are the engine's, and NotFound faults when there is no such entity.
package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/pkg/index"
	"litfass/services/query/internal/filter"
)

// Engine is what is needed of the search engine; see search.Engine.
type Engine interface {
	Search(ctx context.Context, index string, request *meilisearch.SearchRequest) ([]byte, error)
	Document(ctx context.Context, index, id string, attributes []string, into any) (found bool, err error)
	Documents(ctx context.Context, index, filter string, attributes []string, each func(index.Document) error) error
}

// Reader reads from the indexes of one read node. It keeps nothing.
type Reader struct{ engine Engine }

// NewReader returns a reader that asks the engine.
func NewReader(engine Engine) *Reader { return &Reader{engine: engine} }

// View is what is shown of an entity, as the projector has written it.
type View = json.RawMessage

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
func one[F any](ctx context.Context, r *Reader, name, id, what string) (F, error) {
	var record document.Record[F]
	found, err := r.engine.Document(ctx, name, id, []string{"view"}, &record)
	if err == nil && (!found || record.View == nil) {
		err = fault.New(fault.NotFound, "", "there is no such %s", what)
	}
	if err != nil {
		var none F
		return none, err
	}
	return *record.View, nil
}

// Page is a part of a list of views.
type Page struct {
	Views []View
	Total int64 // of the whole list
}

// Venues returns the venues that match, ordered by name, then uuid.
func (r *Reader) Venues(ctx context.Context, match filter.Expr, offset, limit int) (Page, error) {
	return r.page(ctx, document.Venues, match, offset, limit)
}

// Organizations returns the organizations that match, ordered by name, then uuid.
func (r *Reader) Organizations(ctx context.Context, match filter.Expr, offset, limit int) (Page, error) {
	return r.page(ctx, document.Organizations, match, offset, limit)
}

func (r *Reader) page(ctx context.Context, name string, match filter.Expr, offset, limit int) (Page, error) {
	var hits []struct {
		View View `json:"view"`
	}
	total, err := r.search(ctx, name, match, offset, limit, []string{"view"}, &hits)
	if err != nil {
		return Page{}, err
	}
	page := Page{Views: make([]View, len(hits)), Total: total}
	for i, hit := range hits {
		page.Views[i] = hit.View
	}
	return page, nil
}

// Name is an entity's uuid and name, as choosable lists show it, with its city to tell namesakes apart.
type Name struct {
	UUID string `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// VenueNames returns the names of all venues that match, ordered by name, then uuid.
func (r *Reader) VenueNames(ctx context.Context, match filter.Expr) ([]Name, error) {
	return r.names(ctx, document.Venues, match)
}

// OrganizationNames returns the names of all organizations, ordered by name, then uuid.
func (r *Reader) OrganizationNames(ctx context.Context) ([]Name, error) {
	return r.names(ctx, document.Organizations, filter.There())
}

func (r *Reader) names(ctx context.Context, name string, match filter.Expr) ([]Name, error) {
	var hits []struct {
		View struct{ UUID, Name, City string }
	}
	attributes := []string{"view.uuid", "view.name", "view.city"}
	if _, err := r.search(ctx, name, match, 0, document.MaxTotalHits, attributes, &hits); err != nil {
		return nil, err
	}
	names := make([]Name, len(hits))
	for i, hit := range hits {
		names[i] = Name(hit.View)
	}
	return names, nil
}

// search decodes the matching documents into hits, ordered by name, then id, and returns how many match in all.
func (r *Reader) search(
	ctx context.Context, name string, match filter.Expr, offset, limit int, attributes []string, hits any,
) (int64, error) {
	compiled, found := filter.Compile(match)
	if !found {
		return 0, nil
	}
	raw, err := r.engine.Search(ctx, name, &meilisearch.SearchRequest{
		Filter: compiled, Offset: int64(offset), Limit: int64(limit),
		Sort: []string{"name_sort:asc", "id:asc"}, AttributesToRetrieve: attributes,
	})
	if err != nil {
		return 0, err
	}
	answer := struct {
		Hits  any   `json:"hits"`
		Total int64 `json:"estimatedTotalHits"` // exact in a search without words
	}{Hits: hits}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return 0, fmt.Errorf("decode the answer of a search of %s: %w", name, err)
	}
	return answer.Total, nil
}
