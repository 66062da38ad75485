package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// AcceptListed makes the logged-in user a member, by the uuid of an invitation that Waiting lists.
// The faults: NotFound for every other invitation; Forbidden for an API key; Conflict when the user
// is a member already.
func (s *Service) AcceptListed(ctx context.Context, invitation string) (accepted adminapi.Accepted, err error) {
	err = s.answer(ctx, invitation, func(tx pgx.Tx, found invite) error {
		accepted, err = join(ctx, tx, s.Now(), found, auth.PrincipalOf(ctx).UserID)
		return err
	})
	return accepted, err
}

// Decline ends an invitation that Waiting lists; its links stop working. The faults: NotFound for
// every other invitation; Forbidden for an API key.
func (s *Service) Decline(ctx context.Context, invitation string) error {
	return s.answer(ctx, invitation, func(tx pgx.Tx, found invite) error {
		terms := &offer{found.UUID, found.Email, permission.Set(found.Permissions)}
		return s.revoke(ctx, tx, found.OrgUUID, terms, actionDecline)
	})
}

// answer runs fn with an invitation that the logged-in user may answer. The organization is locked.
func (s *Service) answer(ctx context.Context, invitation string, fn func(tx pgx.Tx, found invite) error) error {
	if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		found, err := s.listed(ctx, tx, selectListed, invitation)
		if err != nil {
			return err
		}
		if err := access.Lock(ctx, tx, found.OrgUUID); err != nil {
			return err
		}
		// again: it may have ended before the team was locked
		found, err = s.listed(ctx, tx, selectListedForShare, invitation)
		if err != nil {
			return err
		}
		return fn(tx, found)
	})
}

const selectListed = selectInvite + openToUser + `
    AND i.uuid = $3`

// selectListedForShare locks the caller's account, so that its address does not change.
const selectListedForShare = selectListed + `
FOR SHARE OF me`

func (s *Service) listed(ctx context.Context, tx pgx.Tx, query, invitation string) (invite, error) {
	// the error comes with the rows
	rows, _ := tx.Query(ctx, query, auth.PrincipalOf(ctx).UserID, s.Now(), invitation)
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[invite])
	if errors.Is(err, pgx.ErrNoRows) {
		return found, fault.New(fault.NotFound, "invitation_not_found", "there is no such invitation")
	}
	if err != nil {
		return found, fmt.Errorf("read invitation: %w", err)
	}
	return found, nil
}
