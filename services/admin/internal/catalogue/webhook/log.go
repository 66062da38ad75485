package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const countDeliveries = `
SELECT count(*)
FROM webhook_delivery
WHERE webhook_uuid = $1`

const selectDelivery = `
SELECT
    number, uuid::text, type, entity_id::text, state, created_at, CASE WHEN state = 'pending' THEN due_at END, attempts, ended_at,
    took_ms, status, coalesce(answer, ''), coalesce(problem, '')
FROM webhook_delivery
WHERE webhook_uuid = $1`

// Deliveries returns a page of the deliveries of a webhook, the newest first: the pending ones, and
// the last others. It returns the faults of Get.
func (s *Service) Deliveries(ctx context.Context, id string, page paging.Page) (adminapi.WebhookDeliveries, error) {
	shown := adminapi.WebhookDeliveries{Page: page.Answer()}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, _, err := s.find(ctx, tx, id, false); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countDeliveries, id).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count deliveries: %w", err)
		}
		var err error
		shown.Deliveries, err = postgres.List[adminapi.WebhookDelivery](ctx, tx, "deliveries",
			selectDelivery+" ORDER BY number DESC LIMIT $2 OFFSET $3", id, page.Limit, page.Offset)
		return err
	})
	return shown, err
}

// asking limits how often deliveries of a webhook are asked for: its whole log, once an hour.
var asking = auth.Limit{Action: "webhook_sending", Max: 600, Window: time.Hour}

// mayAsk returns the faults of Get, and TooMany.
func (s *Service) mayAsk(ctx context.Context, id string) error {
	if _, err := s.Get(ctx, id); err != nil {
		return err
	}
	return s.Limiter.CountAll(ctx, auth.AccountLimit{Limit: asking, Account: id})
}

const repeatDelivery = `
UPDATE webhook_delivery
SET state = 'pending', attempts = 0, began_at = NULL, due_at = $3
WHERE webhook_uuid = $1 AND number = $2`

// Repeat sends a delivery again, with the same id. It returns the faults of Get, NotFound for a
// delivery that is not in the log, Conflict for a webhook that is not active, and TooMany.
func (s *Service) Repeat(ctx context.Context, id string, number int64) (shown adminapi.WebhookDelivery, err error) {
	if err := s.mayAsk(ctx, id); err != nil {
		return shown, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		hook, of, err := s.find(ctx, tx, id, true)
		if err != nil {
			return err
		}
		if !hook.Active {
			return errInactive()
		}
		if _, err := tx.Exec(ctx, repeatDelivery, id, number, s.Now()); err != nil {
			return fmt.Errorf("repeat delivery: %w", err)
		}
		if shown, err = readDelivery(ctx, tx, id, "number", number); err != nil {
			return err
		}
		return s.record(ctx, tx, "redeliver", id, of.org, nil, map[string]any{"delivery": shown.UUID})
	})
	return shown, err
}

// Test sends a test to a webhook, also to one that does not ask for its type. It returns the faults
// of Repeat.
func (s *Service) Test(ctx context.Context, id string) (shown adminapi.WebhookDelivery, err error) {
	if err := s.mayAsk(ctx, id); err != nil {
		return shown, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		hook, of, err := s.find(ctx, tx, id, true)
		if err != nil {
			return err
		}
		if !hook.Active {
			return errInactive()
		}
		entity, err := uuid.NewV7()
		if err != nil {
			return err
		}
		text, err := body(testType, s.Now(), tested{id, hook.Name})
		if err != nil {
			return err
		}
		delivery := newDelivery{uuid.NewString(), id, testType, entity.String(), text}
		if _, err := s.storeDeliveries(ctx, tx, []newDelivery{delivery}); err != nil {
			return err
		}
		if shown, err = readDelivery(ctx, tx, id, "uuid", delivery.id); err != nil {
			return err
		}
		return s.record(ctx, tx, "test", id, of.org, nil, map[string]any{"delivery": delivery.id})
	})
	return shown, err
}

// readDelivery reads the delivery of a webhook with a value in a column.
func readDelivery(ctx context.Context, tx pgx.Tx, id, column string, is any) (adminapi.WebhookDelivery, error) {
	rows, _ := tx.Query(ctx, selectDelivery+" AND "+column+" = $2", id, is) // the error comes with the row
	shown, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.WebhookDelivery])
	if errors.Is(err, pgx.ErrNoRows) {
		return shown, fault.New(fault.NotFound, "webhook_delivery_not_found", "the webhook has no such delivery")
	}
	if err != nil {
		return shown, fmt.Errorf("read delivery: %w", err)
	}
	return shown, nil
}

func errInactive() error {
	return fault.New(fault.Conflict, "webhook_inactive", "the webhook is not active: activate it first")
}
