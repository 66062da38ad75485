package user

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
)

// SetActive deactivates an account or reactivates it, as Deactivate does, for a platform
// administrator, and returns the account. The reason is for other administrators; it is recorded
// and required to deactivate. Setting the present state changes nothing.
//
// The faults: Forbidden unless the principal is a platform administrator with a login; Invalid,
// naming the bad field; NotFound; Conflict with the code "own_account" for the principal's own
// account, and with "last_administrator" when no other administrator could log in afterwards.
func (s *Service) SetActive(ctx context.Context, userID int, active bool, why string) (adminapi.Person, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequirePlatform(who); err != nil {
		return adminapi.Person{}, err
	}
	var violations fault.Violations
	why = inbox.Paragraphs(&violations, "reason", why, adminapi.MaxReason)
	if why == "" && !active {
		violations.Add("reason", reason.Required)
	}
	if err := violations.Err("invalid_state", "the state is not valid"); err != nil {
		return adminapi.Person{}, err
	}
	if userID == who.UserID && !active {
		return adminapi.Person{}, fault.New(fault.Conflict, "own_account", "you cannot deactivate your own account")
	}
	var person adminapi.Person
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := s.setActiveOf(ctx, tx, userID, active, why); err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, selectPerson, userID) // the error comes with the row
		var err error
		if person, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.Person]); err != nil {
			return fmt.Errorf("read account: %w", err)
		}
		return nil
	})
	return person, err
}

// lockAdministrators serialises deactivations by administrators, so that two of them cannot
// deactivate each other. The first number distinguishes this lock from others.
const lockAdministrators = `SELECT pg_advisory_xact_lock(7105648, 0)`

const hasOtherAdministrator = `
SELECT EXISTS (
    SELECT
    FROM app_user
    WHERE is_platform_admin AND activated_at IS NOT NULL AND deactivated_at IS NULL AND id <> $1
)`

func (s *Service) setActiveOf(ctx context.Context, tx pgx.Tx, userID int, active bool, why string) error {
	if _, err := tx.Exec(ctx, lockAdministrators); err != nil {
		return fmt.Errorf("lock administrators: %w", err)
	}
	user, err := readState(ctx, tx, selectStateByID, userID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.New(fault.NotFound, "user_not_found", "there is no such account")
	case err != nil:
		return err
	case user.deactivated != active: // it has this state already
		return nil
	}
	if user.admin && !active {
		var others bool
		if err := tx.QueryRow(ctx, hasOtherAdministrator, userID).Scan(&others); err != nil {
			return fmt.Errorf("read administrators: %w", err)
		}
		if !others {
			return fault.New(fault.Conflict, "last_administrator", "no other platform administrator could log in afterwards")
		}
	}
	return s.setActive(ctx, tx, user, active, why)
}

const setDeactivated = `
UPDATE app_user
SET
    deactivated_at = CASE WHEN $2 THEN coalesce(deactivated_at, $3) END, updated_at = $3,
    version = version + 1
WHERE id = $1`

// setActive stores and records the state, and ends the user's sessions, links and personal keys.
func (s *Service) setActive(ctx context.Context, tx pgx.Tx, user accountState, active bool, reason string) error {
	now := s.Now()
	if _, err := tx.Exec(ctx, setDeactivated, user.id, !active, now); err != nil {
		return fmt.Errorf("store account: %w", err)
	}
	if err := s.Sessions.EndAll(ctx, tx, user.id, auth.EndedByDeactivation); err != nil {
		return err
	}
	if err := endLinks(ctx, tx, user.id, now); err != nil {
		return err
	}
	if _, err := apikey.RevokePersonal(ctx, tx, user.id, now); err != nil {
		return err
	}
	action := "user.deactivate"
	if active {
		action = "user.reactivate"
	}
	before, after := map[string]any{"active": user.active}, map[string]any{"active": active}
	if reason != "" {
		after["reason"] = reason
	}
	return recordByOther(ctx, tx, now, action, user.id, before, after)
}
