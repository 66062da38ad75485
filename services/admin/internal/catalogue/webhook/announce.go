package webhook

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/admin/internal/platform/postgres"
)

// announced are the kinds of entities of which webhooks are notified.
var announced = []change.Kind{change.KindEvent, change.KindVenue, change.KindOrganization}

// target is an active webhook.
type target struct {
	UUID   uuid.UUID
	Org    string // "" for one of a user or the operator
	Types  []string
	Filter adminapi.WebhookFilter
}

const selectTargets = `
SELECT w.uuid, coalesce(w.org_uuid::text, ''), w.types, w.filter
FROM webhook w
LEFT JOIN app_user u ON u.id = w.user_id
WHERE w.active AND u.deactivated_at IS NULL`

// newDelivery is a delivery to store. Those of one change and type share the memory of their body.
type newDelivery struct {
	id, webhook, name, entity string
	body                      []byte
}

// announcement is the work on a batch of changes.
type announcement struct {
	projector  project.Projector
	targets    []target
	known      map[string]knownState
	altered    map[string]knownState
	deliveries []newDelivery
}

// knownState is the state that webhooks know of an entity.
type knownState struct {
	revision int64
	state
}

const lockAnnouncing = `
SELECT pg_advisory_xact_lock($1)`

// announceLock lets one transaction at a time announce changes: "announce".
const announceLock int64 = 0x616e6e6f756e6365

// announce stores the deliveries that changes give rise to, and returns the webhooks that got some.
// Changes that are already announced, or that alter nothing that is shown, give rise to none.
func (s *Service) announce(ctx context.Context, batch []stream.Delivery) (webhooks []string, err error) {
	var changes []change.Change
	var at []time.Time
	for _, message := range batch {
		c, err := change.Decode(message.Data)
		if err == nil && slices.Contains(announced, c.Kind) {
			changes, at = append(changes, c), append(at, message.Published)
		} // projectors report messages that are no changes
	}
	if len(changes) == 0 {
		return nil, nil
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		a := announcement{projector: project.New(s.PublicURL, s.Zone), altered: map[string]knownState{}}
		if _, err := tx.Exec(ctx, lockAnnouncing, announceLock); err != nil {
			return fmt.Errorf("lock announcing: %w", err)
		}
		if a.targets, err = postgres.List[target](ctx, tx, "webhooks", selectTargets); err != nil {
			return err
		}
		if err := a.readKnown(ctx, tx, changes); err != nil {
			return err
		}
		for i, c := range changes {
			if err := a.add(c, at[i]); err != nil {
				s.Log.Error("a change cannot be announced", "kind", c.Kind, "id", c.ID, "error", err.Error())
			}
		}
		if err := a.storeKnown(ctx, tx); err != nil {
			return err
		}
		webhooks, err = s.storeDeliveries(ctx, tx, a.deliveries)
		return err
	})
	return webhooks, err
}

const selectKnown = `
SELECT id::text, revision, digest, traits
FROM webhook_entity
WHERE id = ANY ($1::uuid[])`

func (a *announcement) readKnown(ctx context.Context, tx pgx.Tx, changes []change.Change) error {
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	a.known = map[string]knownState{}
	rows, err := tx.Query(ctx, selectKnown, ids)
	if err != nil {
		return fmt.Errorf("read what webhooks know: %w", err)
	}
	var id string
	var known knownState
	_, err = pgx.ForEachRow(rows, []any{&id, &known.revision, &known.digest, &known.traits}, func() error {
		a.known[id] = known
		known = knownState{}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read what webhooks know: %w", err)
	}
	return nil
}

// add takes in a change: its state, and a delivery for each webhook whose filter it enters, alters
// or leaves.
func (a *announcement) add(c change.Change, at time.Time) error {
	before := a.known[c.ID]
	if c.Revision <= before.revision {
		return nil
	}
	after, err := stateOf(c)
	if err != nil {
		return err
	}
	a.known[c.ID] = knownState{c.Revision, after}
	a.altered[c.ID] = a.known[c.ID]
	if slices.Equal(before.digest, after.digest) {
		return nil
	}
	bodies, first := map[string][]byte{}, len(a.deliveries)
	for _, hook := range a.targets {
		name := typeOf(c.Kind, passes(hook.Filter, before.traits), passes(hook.Filter, after.traits))
		if !slices.Contains(hook.Types, name) {
			continue
		}
		if bodies[name] == nil {
			if bodies[name], err = a.body(name, c, at); err != nil {
				return err
			}
		}
		id := idOf(hook.UUID, string(c.Kind), c.ID, c.Revision)
		a.deliveries = append(a.deliveries, newDelivery{id, hook.UUID.String(), name, c.ID, bodies[name]})
	}
	slices.SortStableFunc(a.deliveries[first:], func(a, b newDelivery) int { return strings.Compare(a.name, b.name) })
	return nil
}

func (a *announcement) body(name string, c change.Change, at time.Time) ([]byte, error) {
	if name == string(c.Kind)+".withdrawn" { // it may be public, and shows no more
		c.Snapshot = nil
	}
	entry, err := entryOf(a.projector, c)
	if err != nil {
		return nil, err
	}
	return body(name, at, entry)
}

const upsertKnown = `
INSERT INTO webhook_entity (id, revision, digest, traits)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, digest = excluded.digest, traits = excluded.traits`

func (a *announcement) storeKnown(ctx context.Context, tx pgx.Tx) error {
	batch := &pgx.Batch{}
	for id, known := range a.altered {
		batch.Queue(upsertKnown, id, known.revision, known.digest, known.traits)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store what webhooks know: %w", err)
	}
	return nil
}

const insertDeliveries = `
INSERT INTO webhook_delivery (uuid, webhook_uuid, type, entity_id, body, created_at, due_at)
SELECT d.id, d.hook, $3, $4, $5, $6, $6
FROM unnest($1::uuid[], $2::uuid[]) AS d (id, hook)
JOIN webhook w ON w.uuid = d.hook
FOR KEY SHARE OF w
ON CONFLICT (uuid) DO NOTHING`

// storeDeliveries stores deliveries, except for webhooks that were deleted meanwhile. Neighbours
// with one body are stored by one statement, which sends it once. The statements run one after the
// other: a batch would hold all bodies again, and numbers ascend with the changes of an entity.
func (s *Service) storeDeliveries(ctx context.Context, tx pgx.Tx, deliveries []newDelivery) ([]string, error) {
	now := s.Now()
	var webhooks []string
	for len(deliveries) > 0 {
		first := deliveries[0]
		var ids, hooks []string
		for len(deliveries) > 0 && first.sharesBody(deliveries[0]) {
			ids, hooks = append(ids, deliveries[0].id), append(hooks, deliveries[0].webhook)
			deliveries = deliveries[1:]
		}
		if _, err := tx.Exec(ctx, insertDeliveries, ids, hooks, first.name, first.entity, first.body, now); err != nil {
			return nil, fmt.Errorf("store deliveries: %w", err)
		}
		webhooks = append(webhooks, hooks...)
	}
	slices.Sort(webhooks)
	return slices.Compact(webhooks), nil
}

func (d newDelivery) sharesBody(other newDelivery) bool {
	return d.entity == other.entity && d.name == other.name && bytes.Equal(d.body, other.body)
}
