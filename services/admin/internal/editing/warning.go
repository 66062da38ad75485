package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
)

// The codes of warnings.
const (
	WarnSimilarVenue = "similar_venue" // a venue like this one exists nearby: UUID
	WarnDatePast     = "date_past"     // the date is over
	WarnSpaceTaken   = "space_taken"   // another event takes place there at the same time: UUID
)

// Warning is what the people who edit should know of a write that was accepted.
type Warning struct {
	Code    string     `json:"code"`    // one of the constants above; never changes
	Field   string     `json:"field"`   // of the entity: "name", "dates[3]"
	Message string     `json:"message"` // for people
	UUID    value.Text `json:"uuid"`    // of the other venue or event, null when there is none
}

// warnings are those of what has become of an entity: before is nil when it is new. The list is nil
// for kinds that know no warnings, else never.
func (k owned[E]) warnings(ctx context.Context, tx pgx.Tx, e *Editor, before, after E) ([]Warning, error) {
	if k.warn == nil {
		return nil, nil
	}
	return k.warn(ctx, tx, e, before, after)
}

// warnOfSimilarVenues: two organizations may each have added the same place.
func warnOfSimilarVenues(ctx context.Context, tx pgx.Tx, _ *Editor, _, after *catalog.Venue) ([]Warning, error) {
	warnings := []Warning{}
	if after.Lat == nil || after.Lon == nil {
		return warnings, nil
	}
	similar, err := similarVenues(ctx, tx, Place{Name: after.Name, Lat: *after.Lat, Lon: *after.Lon, Except: after.UUID})
	for _, venue := range similar {
		warnings = append(warnings, Warning{
			Code: WarnSimilarVenue, Field: "name", Message: "there is a venue with a similar name nearby: " + venue.Name,
			UUID: value.Text(venue.UUID),
		})
	}
	return warnings, err
}
