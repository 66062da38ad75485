package venuerequest

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/mail"
)

// Each request, and each decision on it, is a mail to strangers. People may found organizations, so
// both the organization and the person count.
var (
	asking   = auth.Limit{Action: "venue_request", Max: 20, Window: time.Hour}
	deciding = auth.Limit{Action: "venue_decision", Max: 10, Window: time.Hour} // on one request
)

// insertRequest stores nothing where the event has a request for the venue.
const insertRequest = `
INSERT INTO venue_request (uuid, event_uuid, venue_uuid, org_uuid, note, asked_by, asked_at)
VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, 0), $7)
ON CONFLICT (event_uuid, venue_uuid) DO NOTHING`

const selectOfEventAndVenue = `
SELECT uuid::text
FROM venue_request
WHERE event_uuid = $1 AND venue_uuid = $2`

// Ask asks the owner of a venue whether an event may use it, and notifies the members who decide.
// It needs EditEvent. A pending request stays as it is; asked is then false. The faults: NotFound
// for a stranger's event, and for a venue that is not public; Forbidden, with the code venue_closed
// for a closed one; Invalid, naming every bad field; Conflict with the code request_not_needed
// where the event may use the venue already, request_decided where the owner has refused it, and
// no_recipient where no member can decide; TooMany.
func (s *Service) Ask(
	ctx context.Context, event string, body adminapi.NewVenueRequest,
) (request adminapi.VenueRequest, asked bool, err error) {
	who := auth.PrincipalOf(ctx)
	org, err := access.RequireEvent(ctx, s.DB, who, event, permission.EditEvent)
	if err != nil {
		return request, false, err
	}
	if err := check(&body); err != nil {
		return request, false, err
	}
	askers := []auth.AccountLimit{{Limit: asking, Account: org}}
	if who.UserID != 0 {
		askers = append(askers, auth.AccountLimit{Limit: asking, Account: "user " + strconv.Itoa(who.UserID)})
	}
	if err := s.Limiter.CountAll(ctx, askers...); err != nil {
		return request, false, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, who, event, permission.EditEvent)
		if err != nil {
			return err
		}
		if err := s.Editor.RequireRequest(ctx, tx, event, org, body.VenueUUID); err != nil {
			return err
		}
		request, asked, err = s.ask(ctx, tx, event, org, body)
		return err
	})
	return request, asked, err
}

// check cleans the note, and refuses a body that is not right.
func check(body *adminapi.NewVenueRequest) error {
	var violations fault.Violations
	id, valid := value.UUIDv7(body.VenueUUID)
	switch {
	case body.VenueUUID == "":
		violations.Add("venue_uuid", reason.Required)
	case !valid:
		violations.Add("venue_uuid", reason.NotUUID)
	}
	body.VenueUUID = id
	body.Note = value.Text(inbox.Paragraphs(&violations, "note", string(body.Note), adminapi.MaxReason))
	return violations.Err("invalid_venue_request", "the request is not valid")
}

func (s *Service) ask(
	ctx context.Context, tx pgx.Tx, event, org string, body adminapi.NewVenueRequest,
) (r adminapi.VenueRequest, asked bool, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return r, false, err
	}
	tag, err := tx.Exec(ctx, insertRequest, id.String(), event, body.VenueUUID, org, string(body.Note),
		auth.PrincipalOf(ctx).UserID, s.Now())
	if err != nil {
		return r, false, fmt.Errorf("store request for a venue: %w", err)
	}
	if tag.RowsAffected() == 0 {
		var stored string
		if err := tx.QueryRow(ctx, selectOfEventAndVenue, event, body.VenueUUID).Scan(&stored); err != nil {
			return r, false, fmt.Errorf("read request for a venue: %w", err)
		}
		if r, err = s.read(ctx, tx, stored); err == nil && r.State != adminapi.RequestPending {
			err = fault.New(fault.Conflict, "request_decided", "the owner of the venue has decided already")
		}
		return r, false, err
	}
	if r, err = s.read(ctx, tx, id.String()); err != nil {
		return r, false, err
	}
	owners, err := notice.People(ctx, tx, notice.Team, r.VenueOrgUUID, int64(deciders))
	if err != nil {
		return r, false, err
	}
	if len(owners) == 0 {
		return r, false, fault.New(fault.Conflict, "no_recipient", "no member of the venue's organization can decide")
	}
	if err := s.notify(ctx, tx, mail.TemplateVenueAsked, r, r.VenueOrgUUID, r.OrgName, string(r.Note), owners); err != nil {
		return r, false, err
	}
	return r, true, s.record(ctx, tx, "ask", nil, &r)
}

const deletePending = `
DELETE FROM venue_request
WHERE uuid = $1 AND state = 'pending'`

// Withdraw deletes a pending request. It needs EditEvent in the organization of the event. The
// faults: NotFound for a stranger, and for a member of the venue's organization; Forbidden;
// Conflict with the code request_decided for one that was decided.
func (s *Service) Withdraw(ctx context.Context, id string) error {
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		r, err := s.read(ctx, tx, id)
		if err != nil {
			return err
		}
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), r.OrgUUID, permission.EditEvent); err != nil {
			return hideStranger(err)
		}
		tag, err := tx.Exec(ctx, deletePending, id)
		if err != nil {
			return fmt.Errorf("delete request for a venue: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.New(fault.Conflict, "request_decided", "the owner of the venue has decided already")
		}
		return s.record(ctx, tx, "withdraw", &r, nil)
	})
}
