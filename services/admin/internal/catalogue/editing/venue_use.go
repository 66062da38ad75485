package editing

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
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

// codeRequestNeeded is the code of the fault of an event that the owner of a venue has not
// accepted.
const codeRequestNeeded = "venue_request_needed"

// guest is an event of an organization that wants to use the venue of another one. UUID is "" for a
// new event.
type guest struct{ uuid, org string }

// requireOpen allows a guest to take place in a venue that is public and open, or whose owner has
// accepted a request for it. It returns lacking, the fault of the right that the principal lacks
// there, for a venue that is not public, and Forbidden with the code venue_closed or
// venue_request_needed.
func requireOpen(ctx context.Context, tx pgx.Tx, venue string, g guest, lacking error) error {
	use, err := useOf(ctx, tx, venue)
	if err != nil {
		return err
	}
	switch use {
	case "":
		return lacking
	case adminapi.VenueOpen:
		return nil
	case adminapi.VenueClosed:
		return fault.New(fault.Forbidden, "venue_closed", "the venue is closed to events of other organizations")
	}
	accepted, err := store.AcceptedGuest(ctx, tx, venue, g.org, g.uuid)
	if err != nil || accepted {
		return err
	}
	return fault.New(fault.Forbidden, codeRequestNeeded, "the owner of the venue decides on a request first")
}

// useOf returns the use of a venue; "" for one that is not public.
func useOf(ctx context.Context, tx pgx.Tx, venue string) (string, error) {
	if _, valid := value.UUIDv7(venue); !valid {
		return "", nil
	}
	public, err := outbox.Public(ctx, tx, change.KindVenue, []string{venue})
	if err != nil || !public[venue] {
		return "", err
	}
	found, err := store.Venues.Read(ctx, tx, []string{venue})
	if err != nil {
		return "", err
	}
	return found[venue].Entity.Use, nil
}

const selectOrgOfEvent = `
SELECT org_uuid::text
FROM event
WHERE uuid = $1`

// PlaceGuest gives an event the venue whose owner has accepted it, unless the event is public or
// has a place by now: then its members choose. It needs no right to the event, and reports whether
// it placed it. The fault is NotFound for an event that is gone.
func (e *Editor) PlaceGuest(ctx context.Context, tx pgx.Tx, event, venue string) (placed bool, err error) {
	_, err = updateIn(ctx, tx, e, guestsOf(), Target{Key: event}, func(event *rules.Event) error {
		if placed = !isPublic(event) && event.VenueUUID == ""; placed {
			event.VenueUUID = value.Text(venue)
		}
		return nil
	})
	return placed, err
}

// guestsOf are events that are written without a right to them, by a decision of others.
func guestsOf() ownedKind[*rules.Event] {
	guests := events
	guests.require = func(
		ctx context.Context, q access.Querier, _ auth.Principal, key string, _ permission.Set,
	) (org string, err error) {
		if err = q.QueryRow(ctx, selectOrgOfEvent, key).Scan(&org); errors.Is(err, pgx.ErrNoRows) {
			err = fault.New(fault.NotFound, "event_not_found", "there is no such event")
		}
		return org, err
	}
	guests.claims, guests.extraRight = nil, nil
	return guests
}

// RequireRequest returns nil for a venue whose owner decides on a request of an event of an
// organization first. The faults: NotFound for a venue that is not public; Forbidden with the code
// venue_closed; Conflict with the code request_not_needed where the event may use the venue
// already.
func (e *Editor) RequireRequest(ctx context.Context, tx pgx.Tx, event, org, venue string) error {
	c := claim{identity{rules.KindVenue, venue}, "venue_uuid", permission.ChooseVenue}
	err := requireClaim(ctx, tx, c, guest{event, org})
	switch {
	case err == nil:
		return fault.New(fault.Conflict, "request_not_needed", "the event may use the venue without a request")
	case fault.Is(err, fault.Forbidden) && fault.Of(err).StableCode() == codeRequestNeeded:
		return nil
	}
	return atField(err, c.field)
}

// VenueIsClosed reports whether a venue takes no events of other organizations.
func (e *Editor) VenueIsClosed(ctx context.Context, tx pgx.Tx, venue string) (bool, error) {
	use, err := useOf(ctx, tx, venue)
	return use == adminapi.VenueClosed || use == "", err
}
