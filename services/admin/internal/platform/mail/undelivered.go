package mail

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// Undelivered are the mails that were given up, for platform administrators. Each function returns
// a Forbidden fault for others, and for an API key.
type Undelivered struct {
	DB  *postgres.DB
	Now auth.Clock
}

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

// List returns a page of the mails, the last given up first. It shows whole addresses, because
// what is wrong with a mail is most often its address.
func (u Undelivered) List(ctx context.Context, page paging.Page) (adminapi.UndeliveredMails, error) {
	shown := adminapi.UndeliveredMails{
		Mails: []adminapi.UndeliveredMail{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset},
	}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := u.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countUndelivered).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count undelivered mails: %w", err)
		}
		var err error
		shown.Mails, err = postgres.List[adminapi.UndeliveredMail](ctx, tx, "undelivered mails", selectUndelivered,
			page.Limit, page.Offset)
		return err
	})
	return shown, err
}

const retryUndelivered = `
UPDATE mail_outbox
SET failed_at = NULL, attempts = 0, due_at = $2
WHERE id = $1 AND failed_at IS NOT NULL
RETURNING template`

// Retry queues a mail anew, with all its attempts. It returns a NotFound fault when it is not among
// those that were given up.
func (u Undelivered) Retry(ctx context.Context, id int64) error {
	return u.change(ctx, "mail.retry", id, retryUndelivered, id, u.Now())
}

const dropUndelivered = `
DELETE FROM mail_outbox
WHERE id = $1 AND failed_at IS NOT NULL
RETURNING template`

// Drop deletes a mail. It returns a NotFound fault when it is not among those that were given up.
func (u Undelivered) Drop(ctx context.Context, id int64) error {
	return u.change(ctx, "mail.drop", id, dropUndelivered, id)
}

// change runs a statement that returns the mail's template, and records it without the address.
func (u Undelivered) change(ctx context.Context, action string, id int64, statement string, args ...any) error {
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return err
	}
	return u.DB.InTx(ctx, func(tx pgx.Tx) error {
		var template string
		err := tx.QueryRow(ctx, statement, args...).Scan(&template)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "mail_not_found", "there is no such mail among those that were given up")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", action, err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: u.Now(), Action: action, EntityKind: "mail", EntityID: strconv.FormatInt(id, 10),
			After: map[string]any{"template": template},
		})
	})
}
