// Package mail sends mails from a queue in the database. A use case enqueues in its own
// transaction; a worker on every admin node takes the mails that are due, composes them, and hands
// them to a transport. While the mail server is down, mails wait in the queue and requests do not.
package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"litfass/pkg/contracts/language"
)

// Job is a mail in the queue. Its content is composed from Arguments, which contain no secret.
type Job struct {
	ID        int64
	Recipient string
	Template  string
	Locale    string
	Arguments json.RawMessage
	CreatedAt time.Time
	Attempts  int // including the current one
}

const insertMail = `
INSERT INTO mail_outbox (recipient, template, locale, arguments, created_at, due_at)
VALUES ($1, $2, $3, $4, $5, $5)
RETURNING id`

// New is a mail to enqueue.
type New struct {
	Recipient string
	Template  string
	Locale    string // mapped to the nearest language of mails
	Arguments any    // encoded as a JSON object; nil for none
	At        time.Time
}

// Enqueue queues a mail, which is sent after the transaction is committed, and returns its id.
func Enqueue(ctx context.Context, tx pgx.Tx, mail New) (id int64, err error) {
	arguments := []byte("{}")
	if mail.Arguments != nil {
		if arguments, err = json.Marshal(mail.Arguments); err != nil {
			return 0, fmt.Errorf("arguments of mail %s: %w", mail.Template, err)
		}
	}
	locale := language.Nearest(mail.Locale)
	err = tx.QueryRow(ctx, insertMail, mail.Recipient, mail.Template, locale, arguments, mail.At).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("enqueue mail %s: %w", mail.Template, err)
	}
	return id, nil
}

// claimMail takes one mail that is due and sets when it is due again, in case this process dies:
// after 1, 2, 4 … minutes, at most an hour. Until then other workers skip the row.
const claimMail = `
UPDATE mail_outbox
SET attempts = attempts + 1,
    due_at = $1::timestamptz + least(interval '1 minute' * power(2, least(attempts, 10)), interval '1 hour')
WHERE id = (
    SELECT id
    FROM mail_outbox
    WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= $1
    ORDER BY due_at, id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING id, recipient, template, locale, arguments, created_at, attempts`

func claim(ctx context.Context, pool *pgxpool.Pool, now time.Time) (Job, error) {
	rows, _ := pool.Query(ctx, claimMail, now) // the error comes with the row
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Job])
}

const deleteMail = `
DELETE FROM mail_outbox
WHERE id = $1`

// The outcomes of an attempt. The server's answer is stored for the operator; it is never logged,
// because servers repeat addresses.
const (
	noteSent = `
UPDATE mail_outbox
SET sent_at = $2, last_error = NULL
WHERE id = $1`

	noteRetry = `
UPDATE mail_outbox
SET last_error = $2
WHERE id = $1`

	noteDown = `
UPDATE mail_outbox
SET last_error = $2, attempts = attempts - 1, due_at = $3
WHERE id = $1`

	noteGivenUp = `
UPDATE mail_outbox
SET last_error = $2, failed_at = $3
WHERE id = $1`
)

const countMails = `
SELECT
    count(*) FILTER (WHERE sent_at IS NULL AND failed_at IS NULL),
    count(*) FILTER (WHERE failed_at IS NOT NULL)
FROM mail_outbox
WHERE sent_at IS NULL`

const deleteOldMails = `
DELETE FROM mail_outbox
WHERE created_at < $1 AND (sent_at IS NOT NULL OR failed_at IS NOT NULL)`

// Prune deletes mails that were sent or given up, and queued before the time.
func Prune(ctx context.Context, tx pgx.Tx, before time.Time) error {
	if _, err := tx.Exec(ctx, deleteOldMails, before); err != nil {
		return fmt.Errorf("prune mails: %w", err)
	}
	return nil
}
