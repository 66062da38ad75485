package lists

import (
	"context"
	"encoding/json"
	"fmt"

	"litfass/pkg/document"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Name is an entity's uuid and name, as choosable lists show it, with its city to distinguish
// namesakes.
type Name struct {
	UUID string `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// VenueNames returns the names of all venues, ordered by name, then uuid.
func (r *Reader) VenueNames(ctx context.Context) ([]Name, error) { return r.venueNames.Get(ctx) }

// VenueNamesOf returns the names of the venues of an organization, ordered by name, then uuid.
func (r *Reader) VenueNamesOf(ctx context.Context, orgUUID string) ([]Name, error) {
	return r.names(ctx, document.Venues, filter.VenuesOf(orgUUID))
}

// OrganizationNames returns the names of all organizations, ordered by name, then uuid.
func (r *Reader) OrganizationNames(ctx context.Context) ([]Name, error) {
	return r.organizationNames.Get(ctx)
}

func (r *Reader) readVenueNames(ctx context.Context) ([]Name, error) {
	return r.names(ctx, document.Venues, filter.Existing())
}

func (r *Reader) readOrganizationNames(ctx context.Context) ([]Name, error) {
	return r.names(ctx, document.Organizations, filter.Existing())
}

func (r *Reader) names(ctx context.Context, index string, match filter.Expr) ([]Name, error) {
	hits, _, err := r.byName(ctx, index, match, engine.Question{
		Limit: document.MaxTotalHits, Attributes: []string{"id", "name", "city"},
	})
	if err == nil && len(hits) > 0 && !holds(hits[0], "name") {
		return r.formerNames(ctx, index, match)
	}
	if err != nil {
		return nil, err
	}
	names := make([]Name, len(hits))
	for i, hit := range hits {
		if err := json.Unmarshal(hit, &names[i]); err != nil {
			return nil, fmt.Errorf("decode a name of %s: %w", index, err)
		}
	}
	return names, nil
}

// formerNames is names for documents of Version 3.
func (r *Reader) formerNames(ctx context.Context, index string, match filter.Expr) ([]Name, error) {
	hits, _, err := r.byName(ctx, index, match, engine.Question{
		Limit: document.MaxTotalHits, Attributes: []string{"view.uuid", "view.name", "view.city"},
	})
	if err != nil {
		return nil, err
	}
	names := make([]Name, len(hits))
	for i, hit := range hits {
		var held struct {
			View struct{ UUID, Name, City string }
		}
		if err := json.Unmarshal(hit, &held); err != nil {
			return nil, fmt.Errorf("decode a name of %s: %w", index, err)
		}
		names[i] = Name(held.View)
	}
	return names, nil
}

func holds(hit []byte, attribute string) bool {
	_, err := engine.Member(hit, attribute)
	return err == nil
}
