package webhook

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

const (
	maxPending   = 10_000   // deliveries of a webhook
	pendingBytes = 64 << 20 // their bodies
	kept         = 500      // deliveries of a webhook in its log
)

// activity are the webhooks that got deliveries, or were sent some, since it was taken last. It is
// safe for concurrent use.
type activity struct {
	mu       sync.Mutex
	webhooks map[string]bool
}

func (a *activity) add(webhooks ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.webhooks == nil {
		a.webhooks = map[string]bool{}
	}
	for _, id := range webhooks {
		a.webhooks[id] = true
	}
}

func (a *activity) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	taken := slices.Collect(maps.Keys(a.webhooks))
	a.webhooks = nil
	return taken
}

// tidy bounds what is stored of webhooks with deliveries since the last time; now and then, of all.
func (n *Notifier) tidy(ctx context.Context) error {
	tidied := time.Time{}
	for ctx.Err() == nil {
		webhooks := n.active.take()
		if time.Since(tidied) > tidyAll {
			tidied = time.Now()
			all, err := postgres.Collect[string](ctx, n.DB, "webhooks", "SELECT uuid::text FROM webhook")
			if err != nil {
				return err
			}
			if err := n.forgetOld(ctx); err != nil {
				return err
			}
			webhooks = all
		}
		if err := n.tidyLogs(ctx, webhooks); err != nil {
			return err
		}
		pause(ctx, tidy)
	}
	return context.Cause(ctx)
}

const (
	selectBacklogs = `
SELECT webhook_uuid::text
FROM webhook_delivery
WHERE webhook_uuid = ANY ($1::uuid[]) AND state = 'pending'
GROUP BY webhook_uuid
HAVING count(*) > $2 OR sum(octet_length(body)) > $3`

	shortenLogs = `
DELETE FROM webhook_delivery d
USING unnest($1::uuid[]) AS w (uuid), LATERAL (
    SELECT number
    FROM webhook_delivery
    WHERE webhook_uuid = w.uuid AND state <> 'pending'
    ORDER BY number DESC
    OFFSET $2
    LIMIT 1
) AS last
WHERE d.webhook_uuid = w.uuid AND d.state <> 'pending' AND d.number <= last.number`
)

// tidyLogs ends webhooks that have too many pending deliveries, and shortens their logs.
func (s *Service) tidyLogs(ctx context.Context, webhooks []string) error {
	if len(webhooks) == 0 {
		return nil
	}
	full, err := postgres.Collect[string](ctx, s.DB, "backlogs of webhooks", selectBacklogs, webhooks, maxPending, pendingBytes)
	if err != nil {
		return err
	}
	for _, id := range full {
		if err := s.DB.InTx(ctx, func(tx pgx.Tx) error { return s.end(ctx, tx, id, endedBacklog) }); err != nil {
			return err
		}
	}
	if _, err := s.DB.Exec(ctx, shortenLogs, webhooks, kept); err != nil {
		return fmt.Errorf("shorten the logs of webhooks: %w", err)
	}
	return nil
}

const (
	forgetSent = `
DELETE FROM webhook_delivery
WHERE state <> 'pending' AND ended_at < $1::timestamptz - interval '30 days'`

	forgetEnded = `
DELETE FROM webhook_delivery d
USING webhook w
WHERE d.webhook_uuid = w.uuid AND w.ended_at < $1::timestamptz - interval '30 days'`
)

// forgetOld deletes deliveries that were sent, or whose webhook ended, a month ago.
func (s *Service) forgetOld(ctx context.Context) error {
	for _, statement := range []string{forgetSent, forgetEnded} {
		if _, err := s.DB.Exec(ctx, statement, s.Now()); err != nil {
			return fmt.Errorf("forget old deliveries of webhooks: %w", err)
		}
	}
	return nil
}
