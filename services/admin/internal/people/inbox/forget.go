package inbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// lockMessages locks the messages from and to a user, so that of two users who delete their
	// copies of one message concurrently, the second one deletes the message.
	lockMessages = `
SELECT m.id
FROM message m
WHERE m.from_user_id = $1
    OR m.id IN (SELECT message_id FROM message_recipient WHERE user_id = $1)
ORDER BY m.id
FOR UPDATE`

	deleteReceived = `
DELETE FROM message_recipient
WHERE user_id = $1`

	forgetSender = `
UPDATE message
SET from_user_id = NULL, kept_by_sender = false
WHERE from_user_id = $1`

	deleteOrphaned = `
DELETE FROM message m
WHERE m.id = ANY ($1)
    AND NOT m.kept_by_sender
    AND NOT EXISTS (SELECT FROM message_recipient r WHERE r.message_id = m.id)`

	deleteTodos = `
DELETE FROM todo
WHERE user_id = $1`
)

// Forget deletes the todos of a user and the messages to them. Messages from them stay with their
// recipients, without a sender.
func Forget(ctx context.Context, tx pgx.Tx, userID int) error {
	rows, _ := tx.Query(ctx, lockMessages, userID) // the error comes with the rows
	held, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return fmt.Errorf("lock messages: %w", err)
	}
	for _, statement := range []string{deleteReceived, forgetSender, deleteTodos} {
		if _, err := tx.Exec(ctx, statement, userID); err != nil {
			return fmt.Errorf("delete messages and todos: %w", err)
		}
	}
	return deleteOrphans(ctx, tx, held...)
}

// deleteOrphans deletes the messages of which neither the sender nor a recipient has a copy.
func deleteOrphans(ctx context.Context, tx pgx.Tx, messages ...int) error {
	if _, err := tx.Exec(ctx, deleteOrphaned, messages); err != nil {
		return fmt.Errorf("delete messages: %w", err)
	}
	return nil
}
