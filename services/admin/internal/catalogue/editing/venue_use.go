package editing

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/publish/outbox"
)

// completeUse: a venue without a use keeps its own, so that a catalogue file of an earlier release
// opens no venue; a new one is open.
func completeUse(before, after *rules.Venue) error {
	if before != nil {
		after.Use = cmp.Or(after.Use, before.Use)
	}
	after.Use = cmp.Or(after.Use, adminapi.VenueUses[0])
	return nil
}

// requireOpen allows an event of another organization to take place in a venue that is public and
// open. It returns lacking, the fault of the right that the principal lacks there, for a venue that
// is not public, and Forbidden with the code venue_closed for a closed one.
func requireOpen(ctx context.Context, tx pgx.Tx, venue string, lacking error) error {
	if _, valid := value.UUIDv7(venue); !valid {
		return lacking
	}
	public, err := outbox.Public(ctx, tx, change.KindVenue, []string{venue})
	if err != nil {
		return err
	}
	if !public[venue] {
		return lacking
	}
	found, err := store.Venues.Read(ctx, tx, []string{venue})
	if err != nil {
		return err
	}
	if found[venue].Entity.Use != adminapi.VenueOpen {
		return fault.New(fault.Forbidden, "venue_closed", "the venue is closed to events of other organizations")
	}
	return nil
}
