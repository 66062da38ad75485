package webhook

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

// Why the platform ends a webhook.
const (
	endedFailing = "failing" // no delivery for three days
	endedGone    = "gone"    // the receiver answers with the status 410
	endedBacklog = "backlog" // too many pending deliveries
)

const (
	maxPending = 10_000 // deliveries of a webhook
	kept       = 500    // deliveries of a webhook in its log
)

const endWebhook = `
UPDATE webhook
SET active = false, ended_for = $2, ended_at = $3, updated_at = $3, version = version + 1
WHERE uuid = $1 AND active
RETURNING coalesce(org_uuid::text, ''), coalesce(user_id, 0), name, url, types, filter`

const (
	selectUser = `
SELECT id, email, locale
FROM app_user
WHERE id = $1 AND deactivated_at IS NULL`

	selectAdministrators = `
SELECT id, email, locale
FROM app_user
WHERE is_platform_admin AND activated_at IS NOT NULL AND deactivated_at IS NULL
ORDER BY id`
)

// end ends an active webhook and notifies its owner, once: the members who may change it, the user,
// or the administrators of the platform.
func (s *Service) end(ctx context.Context, tx pgx.Tx, id, reason string) error {
	var of owner
	var hook adminapi.Webhook
	rows, _ := tx.Query(ctx, endWebhook, id, reason, s.Now()) // the error comes with the rows
	ended := false
	_, err := pgx.ForEachRow(rows, []any{&of.org, &of.user, &hook.Name, &hook.URL, &hook.Types, &hook.Filter}, func() error {
		ended = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("end webhook: %w", err)
	}
	if !ended {
		return nil
	}
	hook.Active = true
	before := recorded(hook)
	hook.Active = false
	after := recorded(hook)
	after["ended_for"] = reason
	if err := s.record(ctx, tx, "end", id, of.org, before, after); err != nil {
		return err
	}
	people, err := recipients(ctx, tx, of)
	if err != nil || len(people) == 0 {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{
		Template: mail.TemplateWebhookEnded, Org: of.org, Name: hook.Name, Webhook: id, Recipients: people, At: s.Now(),
	})
}

func recipients(ctx context.Context, tx pgx.Tx, of owner) ([]notice.Person, error) {
	switch {
	case of.org != "":
		return notice.People(ctx, tx, notice.Team, of.org, int64(permission.EditOrganization))
	case of.user != 0:
		return notice.People(ctx, tx, selectUser, of.user)
	}
	return notice.People(ctx, tx, selectAdministrators)
}

const (
	selectBacklogs = `
SELECT d.webhook_uuid::text
FROM webhook_delivery d
JOIN webhook w ON w.uuid = d.webhook_uuid
WHERE d.state = 'pending' AND w.active
GROUP BY d.webhook_uuid
HAVING count(*) > $1`

	shortenLogs = `
DELETE FROM webhook_delivery d
USING (
    SELECT w.uuid, (
        SELECT number
        FROM webhook_delivery
        WHERE webhook_uuid = w.uuid AND state <> 'pending'
        ORDER BY number DESC
        OFFSET $1
        LIMIT 1
    ) AS number
    FROM webhook w
) AS last
WHERE d.webhook_uuid = last.uuid AND d.state <> 'pending'
    AND (d.number <= last.number OR d.ended_at < $2::timestamptz - interval '30 days')`

	forgetEnded = `
DELETE FROM webhook_delivery d
USING webhook w
WHERE d.webhook_uuid = w.uuid AND w.ended_at < $1::timestamptz - interval '30 days'`
)

// tidy ends webhooks with too many pending deliveries, and shortens the logs of all.
func (s *Service) tidy(ctx context.Context) error {
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		full, err := postgres.Collect[string](ctx, tx, "backlogs of webhooks", selectBacklogs, maxPending)
		if err != nil {
			return err
		}
		for _, id := range full {
			if err := s.end(ctx, tx, id, endedBacklog); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, shortenLogs, kept, s.Now()); err != nil {
			return fmt.Errorf("shorten the logs of webhooks: %w", err)
		}
		if _, err := tx.Exec(ctx, forgetEnded, s.Now()); err != nil {
			return fmt.Errorf("forget deliveries of ended webhooks: %w", err)
		}
		return nil
	})
}
