// Package webhook notifies the addresses that organizations, users and the operator subscribe to
// changes of the catalogue, as Standard Webhooks (standardwebhooks.com) describes.
//
// A change takes this way:
//
//	announce  Every process follows the stream of the catalogue, of which each message goes to one
//	          of them. It compares each change with the state that was announced before
//	          (webhook_entity), so that it can tell what enters a filter from what changes in it or
//	          leaves it, and stores a delivery for each webhook that wants it. Changes of drafts
//	          never are in the stream: edits keep them in a table (package draft), from which one
//	          process at a time takes them.
//	offer     It offers the webhooks with deliveries that are due on a work queue of JetStream.
//	work      A worker of any process takes a webhook from the queue and sends its deliveries, one
//	          after the other. The queue holds only where there is work: the deliveries, their order
//	          and their attempts are in PostgreSQL.
//
// No process leads, so that the death of one delays only what it had in its hands, until JetStream
// misses its signs of life.
//
// Guarantees:
//
//   - At least once. A delivery is stored in the transaction that notes the change as announced,
//     and is pending until an answer of success is stored. It is taken for an attempt by moving its
//     due time, so that the attempt of a process that died is made again: at once when JetStream
//     gives the webhook to another worker.
//   - The same id each time. An id derives from the webhook and the revision of the entity, so that
//     a change that is announced twice is stored once.
//   - In order for each entity and webhook. Changes are announced by one transaction at a time, and
//     one that is older than what was announced never is. A delivery is not taken while an earlier
//     one of its entity is pending. Other entities overtake it.
//   - Apart. A worker has a slot for each webhook that it sends to. A webhook whose address does
//     not answer is left alone for a growing time, and holds at most one slot.
//
// Attempts are repeated for three days. Then the webhook ends and its owner gets a mail, unless
// other deliveries have succeeded meanwhile: then only this one is given up. It also ends on the
// status 410, and with more than maxPending deliveries or pendingBytes.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/seal"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

const (
	maxPlatform = 200 // webhooks of the operator
)

// Config is the configuration of webhooks.
type Config struct {
	Networks []netip.Prefix `env:"WEBHOOK_NETWORKS"` // to which notifications are sent although they are not public
}

// Options are the dependencies of a Service.
type Options struct {
	DB        *postgres.DB
	Poster    *remote.Poster
	Limiter   *auth.Limiter
	Sealer    seal.Sealer
	Now       auth.Clock
	Log       *slog.Logger
	PublicURL string // without a slash at its end
	Zone      string // of places without a time zone
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// owner is the owner of a webhook: an organization, a user, or neither, which is the operator.
type owner struct {
	org  string
	user int
}

// enter checks that the principal may use the webhooks of the owner. The faults: Forbidden without
// the right, NotFound for a stranger.
func enter(ctx context.Context, q access.Querier, of owner) error {
	who := auth.PrincipalOf(ctx)
	switch {
	case of.org != "":
		_, err := access.Require(ctx, q, who, of.org, permission.EditOrganization)
		return err
	case of.user != 0:
		if who.UserID != of.user {
			return errNotFound()
		}
		return nil
	}
	return access.RequirePlatform(who)
}

// ownerOf returns the owner of the webhooks in a list: an organization, the user of the principal
// if personal, or the operator. An organization's key has no webhooks of its own.
func ownerOf(ctx context.Context, org string, personal bool) (owner, error) {
	who := auth.PrincipalOf(ctx)
	if org != "" || !personal {
		return owner{org: org}, nil
	}
	if who.UserID == 0 {
		return owner{}, access.RequireLogin(who)
	}
	return owner{user: who.UserID}, nil
}

// May checks that the principal may make webhooks of the owner. It returns the faults of List.
func (s *Service) May(ctx context.Context, org string, personal bool) error {
	of, err := ownerOf(ctx, org, personal)
	if err != nil {
		return err
	}
	return enter(ctx, s.DB, of)
}

func errNotFound() error {
	return fault.New(fault.NotFound, "webhook_not_found", "there is no such webhook")
}

const owned = `
FROM webhook w
WHERE w.org_uuid IS NOT DISTINCT FROM nullif($1, '')::uuid AND w.user_id IS NOT DISTINCT FROM nullif($2, 0)`

const countOwned = `
SELECT count(*)` + owned

const selectWebhook = `
SELECT
    w.uuid::text,
    CASE WHEN w.org_uuid IS NOT NULL THEN 'organization' WHEN w.user_id IS NOT NULL THEN 'user' ELSE 'platform' END,
    coalesce(w.org_uuid::text, ''), w.name, w.url, w.types, w.filter, w.active, coalesce(w.ended_for, ''), w.ended_at,
    (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_uuid = w.uuid AND d.state = 'pending'), w.succeeded_at,
    CASE WHEN w.old_until > $3 THEN w.old_until END, w.created_at, w.updated_at, w.version`

// List returns a page of the webhooks of an organization, or, without one, of the user or the
// operator.
func (s *Service) List(ctx context.Context, org string, personal bool, page paging.Page) (adminapi.Webhooks, error) {
	shown := adminapi.Webhooks{Webhooks: []adminapi.Webhook{}, Page: page.Answer()}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		of, err := ownerOf(ctx, org, personal)
		if err != nil {
			return err
		}
		if err := enter(ctx, tx, of); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countOwned, of.org, of.user).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count webhooks: %w", err)
		}
		shown.Webhooks, err = postgres.List[adminapi.Webhook](ctx, tx, "webhooks",
			selectWebhook+owned+" ORDER BY w.created_at DESC, w.uuid DESC LIMIT $4 OFFSET $5",
			of.org, of.user, s.Now(), page.Limit, page.Offset)
		return err
	})
	return shown, err
}

const selectOwner = `
SELECT coalesce(org_uuid::text, ''), coalesce(user_id, 0)
FROM webhook
WHERE uuid = $1`

// find returns a webhook that the principal may use, and locks it if locked. A stranger gets the
// fault of an unknown one.
func (s *Service) find(ctx context.Context, tx pgx.Tx, id string, locked bool) (adminapi.Webhook, owner, error) {
	var of owner
	query := selectOwner
	if locked {
		query += " FOR NO KEY UPDATE"
	}
	err := tx.QueryRow(ctx, query, id).Scan(&of.org, &of.user)
	if errors.Is(err, pgx.ErrNoRows) {
		return adminapi.Webhook{}, of, errNotFound()
	}
	if err != nil {
		return adminapi.Webhook{}, of, fmt.Errorf("read the owner of a webhook: %w", err)
	}
	if err := enter(ctx, tx, of); err != nil {
		if fault.Is(err, fault.NotFound) || of == (owner{}) && !fault.Is(err, fault.Unauthenticated) {
			err = errNotFound()
		}
		return adminapi.Webhook{}, of, err
	}
	rows, _ := tx.Query(ctx, selectWebhook+owned+" AND w.uuid = $4", of.org, of.user, s.Now(), id) // the error comes with the row
	hook, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[adminapi.Webhook])
	if err != nil {
		return hook, of, fmt.Errorf("read webhook: %w", err)
	}
	return hook, of, nil
}

// Get returns a webhook. The faults: NotFound for a stranger, Forbidden without the right.
func (s *Service) Get(ctx context.Context, id string) (hook adminapi.Webhook, err error) {
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		hook, _, err = s.find(ctx, tx, id, false)
		return err
	})
	return hook, err
}

func (s *Service) record(ctx context.Context, tx pgx.Tx, action, id, org string, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: "webhook." + action, EntityKind: "webhook", EntityID: id, OrgUUID: org, Before: before, After: after,
	})
}

// recorded returns the values of a webhook in the audit. Addresses may contain a secret of the
// receiver, but for the host.
func recorded(hook adminapi.Webhook) map[string]any {
	return map[string]any{
		"name": hook.Name, "host": hostOf(hook.URL), "types": hook.Types, "filter": hook.Filter, "active": hook.Active,
	}
}

func stored(moment time.Time) time.Time { return moment.UTC().Truncate(time.Microsecond) }
