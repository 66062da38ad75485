// Package draft keeps edits of events that are not public, in the transaction of the edit, for the
// webhooks of their organizations: the outbox holds public changes only. Package webhook turns them
// into notifications.
package draft

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// The types of the notifications.
const (
	Saved   = "draft.saved"
	Deleted = "draft.deleted"
)

// Edit is an edit of an event.
type Edit struct {
	Event, Org string // uuids
	WasPublic  bool   // before the edit
}

const insertEdits = `
INSERT INTO webhook_draft (event_uuid, org_uuid, was_public)
SELECT edit.event, edit.org, edit.was_public
FROM unnest($1::uuid[], $2::uuid[], $3::boolean[]) AS edit (event, org, was_public)
WHERE EXISTS (
    SELECT
    FROM webhook
    WHERE webhook.org_uuid = edit.org AND webhook.active AND webhook.types && '{` + Saved + `,` + Deleted + `}'
)`

// Enqueue keeps the edits of organizations that have a webhook for drafts.
func Enqueue(ctx context.Context, tx pgx.Tx, edits []Edit) error {
	var events, orgs []string
	var public []bool
	for _, e := range edits {
		events, orgs, public = append(events, e.Event), append(orgs, e.Org), append(public, e.WasPublic)
	}
	if len(edits) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, insertEdits, events, orgs, public); err != nil {
		return fmt.Errorf("keep edits of drafts: %w", err)
	}
	return nil
}

// Kept is an edit with its number.
type Kept struct {
	Number int64
	Edit
}

const takeEdits = `
DELETE FROM webhook_draft
WHERE id IN (SELECT id FROM webhook_draft ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING id, event_uuid::text, org_uuid::text, was_public`

// Take removes at most so many edits and returns them.
func Take(ctx context.Context, tx pgx.Tx, limit int) ([]Kept, error) {
	return postgres.List[Kept](ctx, tx, "edits of drafts", takeEdits, limit)
}
