package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// warnOfSimilarVenues: two organizations may each have added the same place.
func warnOfSimilarVenues(
	ctx context.Context, tx pgx.Tx, _ *Editor, _, after *rules.Venue,
) ([]adminapi.Warning, error) {
	warnings := []adminapi.Warning{}
	similar, err := similarVenues(ctx, tx, Place{
		Name: after.Name, Location: rules.LocationOfVenue(after), Except: after.UUID,
	})
	for _, venue := range similar {
		warnings = append(warnings, adminapi.Warning{
			Code: adminapi.WarnSimilarVenue, Field: "name", UUID: value.Text(venue.UUID),
			Message: "there is a venue with a similar name nearby: " + venue.Name,
		})
	}
	return warnings, err
}
