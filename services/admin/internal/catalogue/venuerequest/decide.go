package venuerequest

import (
	"context"
	"fmt"
	"net/netip"
	"time"

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
	"litfass/services/admin/internal/platform/postgres"
)

// updateRequest stores a decision, unless the request was decided or withdrawn since it was read in
// the state $6, decided at $7.
const updateRequest = `
UPDATE venue_request
SET state = $2, for_organization = $3, answer = nullif($4, ''), decided_by = nullif($5, 0), decided_at = $8
WHERE uuid = $1 AND state = $6 AND decided_at IS NOT DISTINCT FROM $7`

const deleteWithoutEvent = `
DELETE FROM venue_request
WHERE uuid = $1 AND event_uuid IS NULL`

// Decide accepts or refuses a request, also one that was decided before, and notifies the person
// who asked. It needs EditVenue in the organization of the venue. An accepted event that is not
// public and has no place is placed there; an event that stands there stays when it is refused
// later. The same decision again changes nothing. The faults: NotFound for a stranger, and for a
// member of the event's organization; Forbidden; Invalid, naming every bad field; Conflict with the
// code venue_closed for accepting while the venue is closed; TooMany.
func (s *Service) Decide(
	ctx context.Context, id string, decision adminapi.VenueDecision,
) (decided adminapi.VenueRequest, err error) {
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error { // refused requests do not count
		_, err := s.readToDecide(ctx, tx, id)
		return err
	})
	if err != nil {
		return decided, err
	}
	if err := checkDecision(&decision); err != nil {
		return decided, err
	}
	if err := s.Limiter.Count(ctx, deciding, id, netip.Addr{}); err != nil {
		return decided, err
	}
	err = s.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		before, err := s.readToDecide(ctx, tx, id)
		if err != nil {
			return err
		}
		decided, err = s.decide(ctx, tx, before, decision)
		return err
	})
	return decided, err
}

// readToDecide returns a request to the members who decide on it.
func (s *Service) readToDecide(ctx context.Context, tx pgx.Tx, id string) (adminapi.VenueRequest, error) {
	r, err := s.read(ctx, tx, id)
	if err != nil {
		return r, err
	}
	_, err = access.RequireVenue(ctx, tx, auth.PrincipalOf(ctx), r.VenueUUID, deciders)
	return r, hideStranger(err)
}

func checkDecision(d *adminapi.VenueDecision) error {
	var violations fault.Violations
	d.Answer = value.Text(inbox.Paragraphs(&violations, "answer", string(d.Answer), adminapi.MaxReason))
	if d.ForOrganization && !d.Accepted {
		violations.Add("for_organization", reason.OnlyValue("false"))
	}
	return violations.Err("invalid_decision", "the decision is not valid")
}

func (s *Service) decide(
	ctx context.Context, tx pgx.Tx, before adminapi.VenueRequest, d adminapi.VenueDecision,
) (adminapi.VenueRequest, error) {
	after, now := before, s.Now().Truncate(time.Microsecond)
	after.State, after.ForOrganization, after.Answer, after.DecidedAt = adminapi.RequestRefused, d.ForOrganization, d.Answer, &now
	if d.Accepted {
		after.State = adminapi.RequestAccepted
	}
	if before.State == after.State && before.ForOrganization == after.ForOrganization && before.Answer == after.Answer {
		return before, nil
	}
	if d.Accepted {
		if err := s.accept(ctx, tx, after); err != nil {
			return before, err
		}
	}
	if err := s.store(ctx, tx, before, after); err != nil {
		return before, err
	}
	if err := s.notifyAsker(ctx, tx, after); err != nil {
		return before, err
	}
	return after, s.record(ctx, tx, "decide", &before, &after)
}

// accept places the event. It locks the event before its request, as the deletion of an event does.
func (s *Service) accept(ctx context.Context, tx pgx.Tx, r adminapi.VenueRequest) error {
	if closed, err := s.Editor.VenueIsClosed(ctx, tx, r.VenueUUID); err != nil || closed {
		if closed {
			err = fault.New(fault.Conflict, "venue_closed", "the venue is closed to events of other organizations")
		}
		return err
	}
	if r.EventUUID == "" {
		return nil
	}
	_, err := s.Editor.PlaceGuest(ctx, tx, string(r.EventUUID), r.VenueUUID)
	if fault.Is(err, fault.NotFound) {
		return postgres.ErrRetry // deleted since the request was read
	}
	return err
}

// store stores a decision. A request whose event is gone ends once its organization is no longer
// accepted.
func (s *Service) store(ctx context.Context, tx pgx.Tx, before, after adminapi.VenueRequest) error {
	if after.EventUUID == "" && !after.ForOrganization {
		_, err := tx.Exec(ctx, deleteWithoutEvent, after.UUID)
		return err
	}
	tag, err := tx.Exec(ctx, updateRequest, after.UUID, after.State, after.ForOrganization, string(after.Answer),
		auth.PrincipalOf(ctx).UserID, before.State, before.DecidedAt, after.DecidedAt)
	if err != nil {
		return fmt.Errorf("store decision: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return postgres.ErrRetry
	}
	return nil
}

const selectAsker = `
SELECT u.id, u.email, u.locale
FROM venue_request r
JOIN app_user u ON u.id = r.asked_by
JOIN membership m ON m.user_id = u.id AND m.org_uuid = r.org_uuid
WHERE r.uuid = $1 AND u.deactivated_at IS NULL`

// notifyAsker notifies the person who asked; if they have left, the members who may edit the event.
func (s *Service) notifyAsker(ctx context.Context, tx pgx.Tx, r adminapi.VenueRequest) error {
	if r.EventUUID == "" {
		return nil
	}
	to, err := notice.People(ctx, tx, selectAsker, r.UUID)
	if err == nil && len(to) == 0 {
		to, err = notice.People(ctx, tx, notice.Team, r.OrgUUID, int64(permission.EditEvent))
	}
	if err != nil {
		return err
	}
	template := mail.TemplateVenueRefused
	if r.State == adminapi.RequestAccepted {
		template = mail.TemplateVenueAccepted
	}
	return s.notify(ctx, tx, template, r, r.OrgUUID, r.VenueOrgName, string(r.Answer), to)
}
