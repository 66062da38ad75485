package inbox

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
)

const (
	lockMessage = `
SELECT
FROM message
WHERE id = $1
FOR UPDATE`

	deleteOwnReceived = `
DELETE FROM message_recipient
WHERE user_id = $1 AND message_id = $2`

	forgetOwnSent = `
UPDATE message
SET kept_by_sender = false
WHERE from_user_id = $1 AND id = $2 AND kept_by_sender`
)

// DeleteMessage deletes the logged-in user's copy of a message that they received or sent. The
// faults: NotFound for a message of others and a deleted one; Forbidden for an API key.
func (s *Service) DeleteMessage(ctx context.Context, id int) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMessage, id); err != nil {
			return fmt.Errorf("lock message: %w", err)
		}
		held := false
		for _, statement := range []string{deleteOwnReceived, forgetOwnSent} {
			tag, err := tx.Exec(ctx, statement, who.UserID, id)
			if err != nil {
				return fmt.Errorf("delete message: %w", err)
			}
			held = held || tag.RowsAffected() > 0
		}
		if !held {
			return errNoMessage()
		}
		if err := deleteOrphans(ctx, tx, id); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Now(), Action: "message.delete", EntityKind: "message", EntityID: strconv.Itoa(id),
		})
	})
}

func errNoMessage() error {
	return fault.New(fault.NotFound, "message_not_found", "there is no such message")
}
