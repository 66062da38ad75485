package command

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// SaveWithin is a command's save of one entity within a transaction of the caller's, which also holds what belongs to the
// write: who may do it, and the audit entry. The caller runs in postgres.DB.InTx and returns every error from there, so
// that nothing of a refused write is kept and a retry begins anew. The faults are those of SaveOrganization.
func SaveWithin(ctx context.Context, tx pgx.Tx, entity Entity, expected int64) (Result, error) {
	one := &item{entity: entity, expected: expected}
	if err := one.check(); err != nil {
		return Result{}, err
	}
	if err := saveRounds(ctx, tx, []*item{one}); err != nil {
		return Result{}, err
	}
	return one.result, one.result.Err
}

// DeleteOrganizationWithin is Commands.DeleteOrganization within a transaction of the caller's, as SaveWithin is.
func DeleteOrganizationWithin(ctx context.Context, tx pgx.Tx, uuid string, expected int64) error {
	return removalOfOrganization.remove(ctx, tx, uuid, expected)
}
