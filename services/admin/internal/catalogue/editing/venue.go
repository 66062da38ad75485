package editing

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/publish/outbox"
)

// Venue returns a venue to the members of its organization. A stranger's is a NotFound fault.
func (e *Editor) Venue(ctx context.Context, venue string) (Versioned[*rules.Venue], error) {
	return get(ctx, e, venues, venue)
}

// CreateVenue adds a venue and gives it its uuid. It needs AddVenue in the organization. It returns
// the faults of create.
func (e *Editor) CreateVenue(ctx context.Context, v *rules.Venue) (created Versioned[*rules.Venue], err error) {
	if v.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, venues, v)
}

// UpdateVenue applies an edit to a venue. It needs EditVenue, also where the venue moves to. It
// returns the faults of update.
func (e *Editor) UpdateVenue(
	ctx context.Context, at Target, edit func(*rules.Venue) error,
) (Versioned[*rules.Venue], error) {
	return update(ctx, e, venues, at, edit)
}

// RemoveVenue deletes a venue with its spaces. It needs DeleteVenue. It returns the faults of
// remove.
func (e *Editor) RemoveVenue(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, venues, at, password)
}

// Place is a name at a point or an address.
type Place struct {
	Name string
	rules.Location
	Except string // the uuid of a venue that is left out, "" for none
}

const maxSimilar = 20

// SimilarVenues returns at most 20 venues with a similar name that may be at the same location: the
// nearest first, then those without a distance. They are public or belong to organizations of the
// principal.
func (e *Editor) SimilarVenues(ctx context.Context, place Place) ([]adminapi.SimilarVenue, error) {
	var similar []adminapi.SimilarVenue
	err := e.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		similar, err = similarVenues(ctx, tx, place)
		return err
	})
	return similar, err
}

func similarVenues(ctx context.Context, tx pgx.Tx, place Place) ([]adminapi.SimilarVenue, error) {
	near, err := store.VenuesAt(ctx, tx, place.Location)
	if err != nil {
		return nil, err
	}
	similar := []adminapi.SimilarVenue{}
	for _, venue := range near {
		at := rules.LocationOf(venue)
		if venue.UUID != place.Except && place.Near(at) && rules.SimilarNames(place.Name, venue.Name) {
			venue.Distance = place.Distance(at)
			similar = append(similar, venue)
		}
	}
	if similar, err = visible(ctx, tx, similar); err != nil {
		return nil, err
	}
	slices.SortStableFunc(similar, func(a, b adminapi.SimilarVenue) int {
		return cmp.Compare(distanceOf(a), distanceOf(b))
	})
	return similar[:min(len(similar), maxSimilar)], nil
}

// distanceOf is the distance for the order: an unknown one is the greatest.
func distanceOf(venue adminapi.SimilarVenue) float64 {
	if venue.Distance == nil {
		return math.MaxFloat64
	}
	return *venue.Distance
}

// visible returns the venues that are public or belong to an organization of the principal.
func visible(ctx context.Context, tx pgx.Tx, venues []adminapi.SimilarVenue) ([]adminapi.SimilarVenue, error) {
	var uuids []string
	for _, venue := range venues {
		uuids = append(uuids, venue.UUID)
	}
	public, err := outbox.Public(ctx, tx, change.KindVenue, uuids)
	if err != nil {
		return nil, err
	}
	hidden := map[string]bool{} // organizations that are not the principal's
	for _, venue := range venues {
		if public[venue.UUID] || hidden[venue.OrgUUID] {
			continue
		}
		_, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), venue.OrgUUID, 0)
		if hidden[venue.OrgUUID] = fault.Is(err, fault.NotFound); err != nil && !hidden[venue.OrgUUID] {
			return nil, err
		}
	}
	return slices.DeleteFunc(venues, func(venue adminapi.SimilarVenue) bool {
		return !public[venue.UUID] && hidden[venue.OrgUUID]
	}), nil
}
