package webhook

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/quota"
	"litfass/services/admin/internal/platform/version"
)

func hostOf(address string) string {
	if target, err := url.Parse(address); err == nil {
		return target.Host
	}
	return ""
}

const insertWebhook = `
INSERT INTO webhook (
    uuid, org_uuid, user_id, created_by, name, url, types, filter, secret, sealed, active, ended_at, created_at, updated_at
)
VALUES ($1, nullif($2, '')::uuid, nullif($3, 0), nullif($4, 0), $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`

// Create makes a webhook of an organization, or, without one, of the user or the operator, and
// returns it with its secret. edit holds the values of a new webhook and sets the given ones. The
// faults: NotFound for a stranger, Forbidden without the right to edit the organization, Invalid
// for values that cannot be, Conflict when there are too many webhooks.
func (s *Service) Create(
	ctx context.Context, org string, personal bool, edit func(*adminapi.WebhookEdit),
) (hook adminapi.Webhook, secret string, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return hook, "", err
	}
	secret = newSecret()
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		of, err := ownerOf(ctx, org, personal)
		if err != nil {
			return err
		}
		if err := enter(ctx, tx, of); err != nil {
			return err
		}
		hook = newWebhook(id.String(), of)
		edit(&hook.WebhookEdit)
		if err := s.check(&hook.WebhookEdit, of); err != nil {
			return err
		}
		hook.CreatedAt = stored(s.Now())
		hook.UpdatedAt = hook.CreatedAt
		if !hook.Active {
			hook.EndedAt = &hook.CreatedAt
		}
		sealed, isSealed, err := s.Sealer.Seal(sealName(hook.UUID), []byte(secret))
		if err != nil {
			return fmt.Errorf("seal the secret of a webhook: %w", err)
		}
		_, err = tx.Exec(ctx, insertWebhook, hook.UUID, of.org, of.user, auth.PrincipalOf(ctx).UserID, hook.Name, hook.URL,
			hook.Types, hook.Filter, sealed, isSealed, hook.Active, hook.EndedAt, hook.CreatedAt)
		if err != nil {
			return fmt.Errorf("store webhook: %w", err)
		}
		if err := s.count(ctx, tx, of); err != nil {
			return err
		}
		return s.record(ctx, tx, "create", hook.UUID, of.org, nil, recorded(hook))
	})
	return hook, secret, err
}

// newWebhook returns a webhook with the values that a body need not have.
func newWebhook(id string, of owner) adminapi.Webhook {
	hook := adminapi.Webhook{UUID: id, Owner: adminapi.WebhookOfPlatform, OrgUUID: value.Text(of.org), Version: 1}
	hook.Active, hook.Types = true, []string{eventPublished, eventUpdated, eventWithdrawn}
	switch {
	case of.org != "":
		hook.Owner, hook.Filter.Organizations = adminapi.WebhookOfOrganization, []string{of.org}
	case of.user != 0:
		hook.Owner = adminapi.WebhookOfUser
	}
	return hook
}

// count counts a webhook that was added and refuses one more than the owner may have.
func (s *Service) count(ctx context.Context, tx pgx.Tx, of owner) error {
	switch {
	case of.org != "":
		return quota.Add(ctx, tx, quota.Webhooks, of.org, 1)
	case of.user != 0:
		return quota.Add(ctx, tx, quota.Webhooks, strconv.Itoa(of.user), 1)
	}
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", platformLock); err != nil {
		return err
	}
	var count int
	if err := tx.QueryRow(ctx, countOwned, of.org, of.user).Scan(&count); err != nil {
		return fmt.Errorf("count webhooks: %w", err)
	}
	if count > maxPlatform {
		return fault.New(fault.Conflict, "too_many_webhooks", "there are already %d webhooks, which is the maximum", maxPlatform)
	}
	return nil
}

// platformLock serialises the making of the operator's webhooks: "lit", "hook".
const platformLock = 0x6c6974686f6f6b

const updateWebhook = `
UPDATE webhook
SET name = $2, url = $3, types = $4, filter = $5, active = $6, ended_at = $7, ended_for = nullif($8, ''),
    updated_at = $9, version = version + 1, failures = 0, rests_until = NULL
WHERE uuid = $1`

const resumeDeliveries = `
UPDATE webhook_delivery
SET attempts = 0, began_at = NULL, due_at = $2
WHERE webhook_uuid = $1 AND state = 'pending' AND attempts > 0`

// Update changes a webhook. Equal values change nothing. One that is made active again sends its
// pending deliveries first. It returns the faults of Get, Invalid for values that cannot be, and
// Stale for another version than the expected one.
func (s *Service) Update(
	ctx context.Context, id string, expected version.Expected, edit func(*adminapi.WebhookEdit),
) (hook adminapi.Webhook, err error) {
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		var of owner
		if hook, of, err = s.find(ctx, tx, id, true); err != nil {
			return err
		}
		if err := expected.Check("webhook", hook.Version); err != nil {
			return err
		}
		before := hook
		edit(&hook.WebhookEdit)
		if err := s.check(&hook.WebhookEdit, of); err != nil {
			return err
		}
		if reflect.DeepEqual(before.WebhookEdit, hook.WebhookEdit) {
			return nil
		}
		now := stored(s.Now())
		switch {
		case hook.Active:
			hook.EndedAt, hook.EndedFor = nil, ""
		case before.Active:
			hook.EndedAt = &now
		}
		hook.UpdatedAt = now
		hook.Version++
		_, err = tx.Exec(ctx, updateWebhook, id, hook.Name, hook.URL, hook.Types, hook.Filter, hook.Active, hook.EndedAt,
			string(hook.EndedFor), now)
		if err != nil {
			return fmt.Errorf("store webhook: %w", err)
		}
		if err := s.count(ctx, tx, of); err != nil {
			return err
		}
		if hook.Active {
			if _, err := tx.Exec(ctx, resumeDeliveries, id, now); err != nil {
				return fmt.Errorf("resume deliveries: %w", err)
			}
		}
		return s.record(ctx, tx, "update", id, of.org, recorded(before), recorded(hook))
	})
	return hook, err
}

const deleteWebhook = `
DELETE FROM webhook
WHERE uuid = $1`

// Delete deletes a webhook with its deliveries. It returns the faults of Get.
func (s *Service) Delete(ctx context.Context, id string) error {
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		hook, of, err := s.find(ctx, tx, id, true)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, deleteWebhook, id); err != nil {
			return fmt.Errorf("delete webhook: %w", err)
		}
		return s.record(ctx, tx, "delete", id, of.org, recorded(hook), nil)
	})
}
