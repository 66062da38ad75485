package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
)

const selectApproval = `
SELECT state, coalesce(reason, ''), decided_at
FROM organization_approval
WHERE org_uuid = $1`

// ReadApproval returns the approval of an organization; one that needs none is approved.
func ReadApproval(ctx context.Context, tx pgx.Tx, org string) (a adminapi.Approval, err error) {
	err = tx.QueryRow(ctx, selectApproval, org).Scan(&a.State, &a.Reason, &a.DecidedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return adminapi.Approval{State: adminapi.ApprovalApproved}, nil
	}
	if err != nil {
		return a, fmt.Errorf("read approval: %w", err)
	}
	return a, nil
}

const renewOrganization = `
UPDATE organization
SET version = version + 1
WHERE uuid = $1`

// RenewOrganization increments the version of an organization when its approval changes, which its
// members read with it.
func RenewOrganization(ctx context.Context, tx pgx.Tx, org string) error {
	if _, err := tx.Exec(ctx, renewOrganization, org); err != nil {
		return fmt.Errorf("renew organization: %w", err)
	}
	return nil
}
