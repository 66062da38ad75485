package webhook

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/platform/mail"
)

// Why the platform ends a webhook.
const (
	endedFailing = "failing" // no delivery for three days
	endedGone    = "gone"    // the receiver answers with the status 410
	endedBacklog = "backlog" // too many pending deliveries
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
