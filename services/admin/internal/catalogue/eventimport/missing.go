package eventimport

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/postgres"
)

// maxMissing is the maximum number of listed events that are no longer in the file.
const maxMissing = 500

// selectMissing skips events that are over: many calendars leave these out.
const selectMissing = `
SELECT e.uuid::text, i.external_id, e.title
FROM imported_event i
JOIN event e ON e.uuid = i.event_uuid
WHERE i.org_uuid = $1 AND e.org_uuid = $1 AND i.source = $2 AND NOT i.external_id = ANY($3)
    AND EXISTS (
        SELECT
        FROM event_date d
        WHERE d.event_uuid = e.uuid AND coalesce(d.end_date, d.start_date) >= $4::date
    )
ORDER BY i.external_id
LIMIT $5`

// missingEvent is a coming event of a source that is no longer in the file.
type missingEvent struct {
	UUID, ExternalID, Title string
}

// importMissing lists the coming events that are no longer in the file, and does to the public ones
// of them what the request wants. An import that ran out of time leaves them as they are.
func (r *run) importMissing(ctx context.Context) error {
	var stored store.Found[*rules.Event]
	err := r.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		list, err := postgres.List[missingEvent](ctx, tx, "missing events", selectMissing,
			r.org, r.request.source, r.ids(), r.today, maxMissing)
		if err != nil {
			return err
		}
		var keys []string
		for _, m := range list {
			keys = append(keys, m.UUID)
			r.missing = append(r.missing, adminapi.ImportMissing{
				EventUUID: m.UUID, ExternalID: m.ExternalID, Title: m.Title,
				Action: adminapi.MissingKeep, Reasons: []fault.Violation{},
			})
		}
		stored, err = store.Events.Read(ctx, tx, keys)
		return err
	})
	if err != nil || r.request.missing == adminapi.MissingKeep || len(r.results) < len(r.events) {
		return err
	}
	for i := range r.missing {
		if r.late(ctx) {
			return nil
		}
		if err := r.withdraw(ctx, &r.missing[i], stored[r.missing[i].EventUUID].Entity); err != nil {
			return err
		}
	}
	return nil
}

// withdraw cancels a public event, or makes it a draft, as the request wants.
func (r *run) withdraw(ctx context.Context, m *adminapi.ImportMissing, event *rules.Event) error {
	status := rules.StatusDraft
	if r.request.missing == adminapi.MissingCancel {
		status = rules.StatusCancelled
	}
	if event == nil || !rules.PublicStatus(event.ReleaseStatus) || event.ReleaseStatus == status {
		return nil
	}
	var err error
	if r.request.dryRun {
		event.ReleaseStatus = status
		var refused []error
		if refused, err = r.Editor.TryEvents(ctx, []*rules.Event{event}, nil); err == nil {
			err = refused[0]
		}
	} else {
		_, err = r.Editor.UpdateEvent(ctx, editing.Target{Key: event.UUID}, func(stored *rules.Event) error {
			stored.ReleaseStatus = status
			return nil
		})
	}
	m.Action = r.request.missing
	why, err := refusal(err)
	if len(why) > 0 {
		m.Action, m.Reasons = adminapi.ImportRefuse, why
	}
	return err
}
