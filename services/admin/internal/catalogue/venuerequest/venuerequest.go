// Package venuerequest lets organizations ask the owners of venues for their use by an event. A
// venue whose use is "ask" is used once its owner has accepted the event, or all events of its
// organization (RULES.md, Dates and places). Until then the event is not placed there: a request is
// no place, so nothing of it becomes public.
package venuerequest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/dataexport"
	"litfass/services/admin/internal/platform/postgres"
)

// Options are the dependencies of a Service.
type Options struct {
	DB      *postgres.DB
	Editor  *editing.Editor
	Limiter *auth.Limiter
	Now     auth.Clock
	Zone    *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// requestColumns are the fields of adminapi.VenueRequest, in order. $1 is today.
const requestColumns = `
SELECT
    r.uuid::text, coalesce(r.event_uuid::text, ''), coalesce(e.title, ''),
    coalesce((
        SELECT min(d.start_date)::text
        FROM event_date d
        WHERE d.event_uuid = r.event_uuid AND last_day(d.start_date, d.end_date, d.hours) >= $1::date
    ), ''),
    o.uuid::text, o.name, v.uuid::text, v.name, owner.uuid::text, owner.name, r.state, r.for_organization,
    coalesce(r.note, ''), coalesce(r.answer, ''), r.asked_at, r.decided_at
FROM venue_request r
JOIN organization o ON o.uuid = r.org_uuid
JOIN venue v ON v.uuid = r.venue_uuid
JOIN organization owner ON owner.uuid = v.org_uuid
LEFT JOIN event e ON e.uuid = r.event_uuid`

const selectRequest = requestColumns + `
WHERE r.uuid = $2`

// read returns a request. The fault is NotFound for an unknown one.
func (s *Service) read(ctx context.Context, tx pgx.Tx, uuid string) (adminapi.VenueRequest, error) {
	rows, _ := tx.Query(ctx, selectRequest, s.today(), uuid) // the error comes with the row
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.VenueRequest])
	if errors.Is(err, pgx.ErrNoRows) {
		return found, errNoRequest()
	}
	if err != nil {
		return found, fmt.Errorf("read request for a venue: %w", err)
	}
	return found, nil
}

func (s *Service) today() string { return s.Now().In(s.Zone).Format(time.DateOnly) }

func errNoRequest() error {
	return fault.New(fault.NotFound, "venue_request_not_found", "there is no such request for a venue")
}

// hideStranger makes the fault of a principal to whom a request's event or venue is unknown that of
// an unknown request.
func hideStranger(err error) error {
	if fault.Is(err, fault.NotFound) {
		return errNoRequest()
	}
	return err
}

// notify notifies recipients about a request. org is the organization of the recipients, and by the
// name of the other one.
func (s *Service) notify(
	ctx context.Context, tx pgx.Tx, template string, r adminapi.VenueRequest, org, by string, words string, to []notice.Person,
) error {
	return notice.Send(ctx, tx, notice.Notice{
		Template: template, Org: org, Name: by, EventUUID: string(r.EventUUID), Event: r.EventTitle, Venue: r.VenueName,
		Reason: words, Recipients: to, At: s.Now(),
	})
}

// record audits a write of a request for both organizations.
func (s *Service) record(ctx context.Context, tx pgx.Tx, verb string, before, after *adminapi.VenueRequest) error {
	r := after
	if r == nil {
		r = before
	}
	for _, org := range []string{r.OrgUUID, r.VenueOrgUUID} {
		err := audit.Record(ctx, tx, audit.Entry{
			At: s.Now(), Action: "venue_request." + verb, EntityKind: "venue_request", EntityID: r.UUID, OrgUUID: org,
			Before: recorded(before), After: recorded(after),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// recorded is the part of a request that the audit holds; nil for none. The words are private.
func recorded(r *adminapi.VenueRequest) any {
	if r == nil {
		return nil
	}
	return map[string]any{
		"event_uuid": r.EventUUID, "venue_uuid": r.VenueUUID, "state": r.State, "for_organization": r.ForOrganization,
	}
}

// deciders are the members of the venue's organization who decide on requests.
const deciders = permission.EditVenue

const exportRequests = `
SELECT uuid::text, jsonb_build_object(
    'uuid', uuid, 'event_uuid', event_uuid, 'venue_uuid', venue_uuid, 'org_uuid', org_uuid, 'state', state,
    'note', CASE WHEN asked_by = $1 THEN note END, 'asked_at', asked_at,
    'answer', CASE WHEN decided_by = $1 THEN answer END, 'decided_at', decided_at
)
FROM venue_request
WHERE (asked_by = $1 OR decided_by = $1) AND ($2 = '' OR uuid > nullif($2, '')::uuid)
ORDER BY uuid
LIMIT $3`

// Exports are the requests that a user made or decided.
var Exports = []dataexport.List{{Name: "venue_requests", Query: exportRequests}}
