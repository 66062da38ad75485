package venuerequest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const selectOfEvent = requestColumns + `
WHERE r.event_uuid = $2
ORDER BY r.asked_at DESC, r.uuid DESC`

// OfEvent returns the requests of an event to the members of its organization. A stranger's is a
// NotFound fault.
func (s *Service) OfEvent(ctx context.Context, event string) (adminapi.EventRequests, error) {
	var shown adminapi.EventRequests
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, 0); err != nil {
			return err
		}
		var err error
		shown.Requests, err = postgres.List[adminapi.VenueRequest](ctx, tx, "requests of an event", selectOfEvent, s.today(), event)
		return err
	})
	return shown, err
}

// decidable are the requests for venues of the allowed organizations in the state $5; "" for any.
const decidable = `
WHERE v.org_uuid IN (SELECT org_uuid FROM allowed) AND ($5 = '' OR r.state = $5)`

const countDecidable = access.Allowed + `
SELECT count(*)
FROM venue_request r
JOIN venue v ON v.uuid = r.venue_uuid` + decidable

// Requests returns the requests that the caller may decide, in a state or, for "", in any.
func (s *Service) Requests(ctx context.Context, state string, page paging.Page) (adminapi.VenueRequests, error) {
	shown := adminapi.VenueRequests{Requests: []adminapi.VenueRequest{}, Page: page.Answer()}
	arguments, some := access.AllowedTo(auth.PrincipalOf(ctx), deciders)
	if !some {
		return shown, nil
	}
	arguments = append(arguments, state)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countDecidable, arguments...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count requests for venues: %w", err)
		}
		ids, err := postgres.Collect[string](ctx, tx, "requests for venues", selectDecidable,
			append(arguments, page.Limit, page.Offset)...)
		if err != nil {
			return err
		}
		shown.Requests, err = postgres.List[adminapi.VenueRequest](ctx, tx, "requests for venues", selectListed, s.today(), ids)
		return err
	})
	return shown, err
}

const selectDecidable = access.Allowed + `
SELECT r.uuid::text
FROM venue_request r
JOIN venue v ON v.uuid = r.venue_uuid` + decidable + `
ORDER BY r.state <> 'pending', r.asked_at DESC, r.uuid DESC
LIMIT $6 OFFSET $7`

const selectListed = requestColumns + `
WHERE r.uuid = ANY ($2::text[]::uuid[])
ORDER BY r.state <> 'pending', r.asked_at DESC, r.uuid DESC`
