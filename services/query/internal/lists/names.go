package lists

import (
	"context"

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
	var hits []struct {
		View struct{ UUID, Name, City string }
	}
	_, err := r.byName(ctx, index, match, engine.Question{
		Limit: document.MaxTotalHits, Attributes: []string{"view.uuid", "view.name", "view.city"},
	}, &hits)
	if err != nil {
		return nil, err
	}
	names := make([]Name, len(hits))
	for i, hit := range hits {
		names[i] = Name(hit.View)
	}
	return names, nil
}
