package editing

import (
	"cmp"
	"context"
	"slices"

	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/store"
)

// Venue returns a venue to the members of its organization. A stranger's is a NotFound fault.
func (e *Editor) Venue(ctx context.Context, venue string) (Versioned[*catalog.Venue], error) {
	return get(ctx, e, venues, venue)
}

// CreateVenue adds a venue and gives it its uuid. It needs AddVenue in the organization. The faults
// are those of create.
func (e *Editor) CreateVenue(ctx context.Context, v *catalog.Venue) (created Versioned[*catalog.Venue], err error) {
	if v.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, venues, v)
}

// UpdateVenue applies an edit to a venue. It needs EditVenue, also where the venue moves to. The
// faults are those of update.
func (e *Editor) UpdateVenue(
	ctx context.Context, at Target, edit func(*catalog.Venue) error,
) (Versioned[*catalog.Venue], error) {
	return update(ctx, e, venues, at, edit)
}

// RemoveVenue deletes a venue with its spaces. It needs DeleteVenue. The faults are those of
// remove.
func (e *Editor) RemoveVenue(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, venues, at, password)
}

// Place is a name at a point, as it is asked for: latitude and longitude are in degrees.
type Place struct {
	Name     string
	Lat, Lon float64
	Except   string // the uuid of a venue that is left out, "" for none
}

// SimilarVenue is a venue that may be the one that was asked for.
type SimilarVenue struct {
	store.NearVenue
	Distance float64 `json:"distance"` // in metres
}

const mostSimilar = 20

// SimilarVenues returns venues of all organizations that have a similar name and lie within
// catalog.SimilarWithin, the nearest first and at most 20. Venues are public: no right is asked
// for.
func (e *Editor) SimilarVenues(ctx context.Context, place Place) ([]SimilarVenue, error) {
	return similarVenues(ctx, e.DB, place)
}

func similarVenues(ctx context.Context, q postgres.Querier, place Place) ([]SimilarVenue, error) {
	near, err := store.VenuesNear(ctx, q, place.Lat, place.Lon, catalog.SimilarWithin)
	if err != nil {
		return nil, err
	}
	similar := []SimilarVenue{}
	for _, venue := range near {
		distance := catalog.Distance(place.Lat, place.Lon, venue.Lat, venue.Lon)
		if venue.UUID != place.Except && distance <= catalog.SimilarWithin && catalog.SimilarNames(place.Name, venue.Name) {
			similar = append(similar, SimilarVenue{venue, distance})
		}
	}
	slices.SortStableFunc(similar, func(a, b SimilarVenue) int { return cmp.Compare(a.Distance, b.Distance) })
	return similar[:min(len(similar), mostSimilar)], nil
}
