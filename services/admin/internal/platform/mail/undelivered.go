package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const countUndelivered = `
SELECT count(*)
FROM mail_outbox
WHERE failed_at IS NOT NULL`

const selectUndelivered = `
SELECT id, template, recipient, locale, attempts, coalesce(last_error, ''), created_at, failed_at
FROM mail_outbox
WHERE failed_at IS NOT NULL
ORDER BY failed_at DESC, id DESC
LIMIT $1 OFFSET $2`

// Undelivered returns a page of the mails that were given up, the last one first, and the number of
// all.
func Undelivered(
	ctx context.Context, tx pgx.Tx, page paging.Page,
) (mails []adminapi.UndeliveredMail, total int, err error) {
	if err := tx.QueryRow(ctx, countUndelivered).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count undelivered mails: %w", err)
	}
	mails, err = postgres.List[adminapi.UndeliveredMail](ctx, tx, "undelivered mails", selectUndelivered, page.Limit, page.Offset)
	return mails, total, err
}

const retryUndelivered = `
UPDATE mail_outbox
SET failed_at = NULL, attempts = 0, due_at = $2
WHERE id = $1 AND failed_at IS NOT NULL
RETURNING template`

// Retry makes a mail that was given up due again, with all its attempts, and returns its template.
// It returns a NotFound fault when there is no such mail.
func Retry(ctx context.Context, tx pgx.Tx, id int64, due time.Time) (template string, err error) {
	return changeUndelivered(tx.QueryRow(ctx, retryUndelivered, id, due))
}

const dropUndelivered = `
DELETE FROM mail_outbox
WHERE id = $1 AND failed_at IS NOT NULL
RETURNING template`

// Drop deletes a mail that was given up and returns its template. It returns a NotFound fault when
// there is no such mail.
func Drop(ctx context.Context, tx pgx.Tx, id int64) (template string, err error) {
	return changeUndelivered(tx.QueryRow(ctx, dropUndelivered, id))
}

func changeUndelivered(row pgx.Row) (template string, err error) {
	err = row.Scan(&template)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.New(fault.NotFound, "mail_not_found", "there is no such mail among those that were given up")
	}
	if err != nil {
		return "", fmt.Errorf("change undelivered mail: %w", err)
	}
	return template, nil
}
