package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// Post stores a message in the transaction of another use case, which adds its own audit entry.
// from is 0 for a message from the platform. The error is postgres.ErrRetry when a recipient has
// just deleted their account.
func Post(ctx context.Context, tx pgx.Tx, from int, message NewMessage, at time.Time, recipients []int) error {
	_, err := insert(ctx, tx, from, message, 0, at, recipients)
	return err
}

// insert stores a message to the recipients; replyTo is the id of the answered message, or 0.
func insert(
	ctx context.Context, tx pgx.Tx, from int, message NewMessage, replyTo int, at time.Time, recipients []int,
) (id int, err error) {
	err = tx.QueryRow(ctx, insertMessage, from, message.OrgUUID, message.Subject, message.Message, replyTo, at,
		message.Link).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("store message: %w", err)
	}
	_, err = tx.Exec(ctx, insertRecipients, id, recipients)
	if constraint, _ := postgres.Refused(err); constraint == recipientKey {
		return 0, postgres.ErrRetry // a recipient deleted their account after they were read
	}
	if err != nil {
		return 0, fmt.Errorf("store recipients: %w", err)
	}
	return id, nil
}
