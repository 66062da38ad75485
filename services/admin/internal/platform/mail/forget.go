package mail

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const deleteMailsOfUser = `
DELETE FROM mail_outbox
WHERE lower(recipient) = ANY ($2)
    OR id IN (SELECT mail_id FROM one_time_token WHERE user_id = $1)
    OR arguments @> jsonb_build_object('user_id', $1::integer)`

// Forget deletes the mails to the addresses (in lower case), sent or not, and mails about the user
// to others. Call it before the user's one-time tokens are deleted: they refer to mails to a
// pending address.
func Forget(ctx context.Context, tx pgx.Tx, userID int, addresses []string) error {
	if _, err := tx.Exec(ctx, deleteMailsOfUser, userID, addresses); err != nil {
		return fmt.Errorf("delete mails: %w", err)
	}
	return nil
}
