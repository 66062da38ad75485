package inbox

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const countMessages = `
SELECT count(*), count(*) FILTER (WHERE read_at IS NULL)
FROM message_recipient
WHERE user_id = $1`

const messageRows = `
SELECT
    m.id, m.from_user_id,
    coalesce(u.display_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), ''),
    coalesce(m.org_uuid::text, ''), m.reply_to, m.created_at, r.read_at IS NOT NULL, m.subject, m.body,
    coalesce(m.link, '')
FROM message_recipient r
JOIN message m ON m.id = r.message_id
LEFT JOIN app_user u ON u.id = m.from_user_id
WHERE r.user_id = $1`

const selectMessages = messageRows + `
ORDER BY m.id DESC
LIMIT $2 OFFSET $3`

const selectMessage = messageRows + `
    AND m.id = $2
FOR UPDATE OF r`

// Messages returns the messages to the logged-in user. The fault is Forbidden for an API key.
func (s *Service) Messages(ctx context.Context, page paging.Page) (adminapi.Messages, error) {
	who := auth.PrincipalOf(ctx)
	shown := adminapi.Messages{Messages: []adminapi.Message{}, Page: page.Answer()}
	if err := access.RequireLogin(who); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countMessages, who.UserID).Scan(&shown.TotalCount, &shown.UnreadCount); err != nil {
			return fmt.Errorf("count messages: %w", err)
		}
		var err error
		shown.Messages, err = postgres.List[adminapi.Message](ctx, tx, "messages", selectMessages,
			who.UserID, page.Limit, page.Offset)
		return err
	})
	return shown, err
}

const markRead = `
UPDATE message_recipient
SET read_at = $3
WHERE user_id = $1 AND message_id = $2`

// MarkRead marks a message to the logged-in user as read and returns it. A second call changes
// nothing. The faults: NotFound for a message to others; Forbidden for an API key.
func (s *Service) MarkRead(ctx context.Context, id int) (adminapi.Message, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return adminapi.Message{}, err
	}
	var found adminapi.Message
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, selectMessage, who.UserID, id) // the error comes with the row
		var err error
		found, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.Message])
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoMessage()
		}
		if err != nil {
			return fmt.Errorf("read message: %w", err)
		}
		if found.IsRead {
			return nil
		}
		found.IsRead = true
		if _, err := tx.Exec(ctx, markRead, who.UserID, id, s.Now()); err != nil {
			return fmt.Errorf("mark message: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Now(), Action: "message.read", EntityKind: "message", EntityID: strconv.Itoa(id),
			Before: map[string]bool{"is_read": false}, After: map[string]bool{"is_read": true},
		})
	})
	return found, err
}
