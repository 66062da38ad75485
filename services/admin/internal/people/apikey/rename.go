package apikey

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
)

const selectOwnKey = selectKey + `
WHERE k.uuid = $4 AND k.uuid IN (SELECT k.uuid` + owned + `)
FOR UPDATE OF k`

const renameKey = `
UPDATE api_key
SET name = $2
WHERE uuid = $1`

// Rename gives a key another name and returns the key. An unchanged name is not recorded. It
// returns the faults of Revoke.
func (s *Service) Rename(ctx context.Context, org, id, name string) (key adminapi.APIKey, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := s.enter(ctx, tx, org); err != nil {
			return err
		}
		// the error comes with the rows
		rows, _ := tx.Query(ctx, selectOwnKey, auth.PrincipalOf(ctx).UserID, org, s.now(), id)
		key, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.APIKey])
		if errors.Is(err, pgx.ErrNoRows) {
			return errKeyNotFound()
		}
		if err != nil {
			return fmt.Errorf("read API key: %w", err)
		}
		if key.Name == name {
			return nil
		}
		before := recorded(key)
		key.Name = name
		if _, err := tx.Exec(ctx, renameKey, id, name); err != nil {
			return fmt.Errorf("rename API key: %w", err)
		}
		return s.record(ctx, tx, "api_key.rename", org, id, before, recorded(key))
	})
	return key, err
}

func errKeyNotFound() error {
	return fault.New(fault.NotFound, "api_key_not_found", "there is no such API key")
}
