package eventimport

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/postgres"
)

// maxMissing is the maximum number of listed events that are no longer in the file.
const maxMissing = 500

// selectMissing skips events that are over: many calendars leave these out.
const selectMissing = `
SELECT e.uuid::text, i.external_id, e.title, coalesce(i.digests ->> 'status_since' <> e.release_status, false)
FROM imported_event i
JOIN event e ON e.uuid = i.event_uuid
WHERE i.org_uuid = $1 AND e.org_uuid = $1 AND i.source = $2 AND (i.external_id = ANY($3)) = $6
    AND EXISTS (
        SELECT
        FROM event_date d
        WHERE d.event_uuid = e.uuid AND last_day(d.start_date, d.end_date, d.hours) >= $4::date
    )
ORDER BY i.external_id
LIMIT $5`

// missingEvent is a coming event of a source that is no longer in the file.
type missingEvent struct {
	UUID, ExternalID, Title string

	Edited bool // people have changed its status since an import has withdrawn it
}

// compared are the external ids of the events of the file, all others of which are missing, or of
// given events those that have gone.
func (r *run) compared() []string {
	if r.request.isGiven() {
		return append([]string{}, r.request.reading.Gone...)
	}
	return r.ids()
}

// importMissing lists the coming events that are no longer in the file, and does to the public ones
// of them what the request wants. An import that ran out of time leaves them as they are.
func (r *run) importMissing(ctx context.Context) error {
	var stored store.Found[*rules.Event]
	var edited []bool
	err := r.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		list, err := postgres.List[missingEvent](ctx, tx, "missing events", selectMissing,
			r.org, r.request.source, r.compared(), r.today, maxMissing, r.request.isGiven())
		if err != nil {
			return err
		}
		var keys []string
		for _, m := range list {
			keys = append(keys, m.UUID)
			edited = append(edited, m.Edited)
			r.missing = append(r.missing, adminapi.ImportMissing{
				EventUUID: m.UUID, ExternalID: m.ExternalID, Title: m.Title,
				Action: adminapi.MissingKeep, Reasons: []fault.Violation{},
			})
		}
		stored, err = store.Events.Read(ctx, tx, keys)
		return err
	})
	if err != nil || r.request.missing == adminapi.MissingKeep || !r.complete {
		return err
	}
	if r.missingHeld, err = r.holdMissing(ctx); err != nil || r.missingHeld {
		return err
	}
	for i := range r.missing {
		if r.late(ctx) {
			return nil
		}
		if edited[i] {
			continue
		}
		if err := r.withdraw(ctx, &r.missing[i], stored[r.missing[i].EventUUID].Entity); err != nil {
			return err
		}
	}
	return nil
}

// countComing counts the coming public events of a source that are not cancelled, and those of them
// that are no longer in the file.
const countComing = `
SELECT count(*), count(*) FILTER (WHERE (i.external_id = ANY($3)) = $5)
FROM imported_event i
JOIN event e ON e.uuid = i.event_uuid
WHERE i.org_uuid = $1 AND e.org_uuid = $1 AND i.source = $2 AND e.release_status IN ('released', 'deferred', 'rescheduled')
    AND NOT i.digests ? 'status_since'
    AND EXISTS (
        SELECT
        FROM event_date d
        WHERE d.event_uuid = e.uuid AND last_day(d.start_date, d.end_date, d.hours) >= $4::date
    )`

// holdMissing reports whether the missing events stay as they are; see Reading.Withdraws.
func (r *run) holdMissing(ctx context.Context) (bool, error) {
	if r.request.reading == nil || r.request.reading.Withdraws == nil {
		return false, nil
	}
	var known, missing int
	err := r.DB.QueryRow(ctx, countComing, r.org, r.request.source, r.compared(), r.today, r.request.isGiven()).Scan(&known, &missing)
	if err != nil {
		return false, fmt.Errorf("count missing events: %w", err)
	}
	return missing > 0 && !r.request.reading.Withdraws(known, missing), nil
}

// The statuses in the digests of a record: of an event before it was missing, and since.
const (
	statusBefore = "status_before"
	statusSince  = "status_since"
)

// updateWithdrawn keeps the status that an event had at first.
const updateWithdrawn = `
UPDATE imported_event
SET digests = digests || $4 || jsonb_strip_nulls(jsonb_build_object('status_before', digests -> 'status_before'))
WHERE org_uuid = $1 AND source = $2 AND external_id = $3`

// writeWithdrawn sets the status of a missing event, and records it: the event gets its status back
// when it is in the file again.
func (r *run) writeWithdrawn(ctx context.Context, m *adminapi.ImportMissing, status string) error {
	return r.Editor.Within(ctx, func(to editing.Writer) error {
		digests := map[string]string{statusSince: status}
		_, err := to.UpdateEvent(ctx, editing.Target{Key: m.EventUUID}, func(stored *rules.Event) error {
			digests[statusBefore], stored.ReleaseStatus = stored.ReleaseStatus, status
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := to.Tx.Exec(ctx, updateWithdrawn, r.org, r.request.source, m.ExternalID, digests); err != nil {
			return fmt.Errorf("record missing event: %w", err)
		}
		return nil
	})
}

// bringBack gives an event that was missing its status back, unless people have changed it since.
func (m *merger) bringBack(event *rules.Event) {
	before, since := m.last.Digests[statusBefore], m.last.Digests[statusSince]
	delete(m.next.Digests, statusBefore)
	delete(m.next.Digests, statusSince)
	if before == "" || event.ReleaseStatus != since {
		return
	}
	if !rules.MayBecome(since, before) {
		before = rules.StatusReleased
	}
	event.ReleaseStatus = before
	m.changes = append(m.changes, adminapi.ImportChange{
		Field: eventfile.FieldStatus, Before: value.Text(since), After: value.Text(before),
	})
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
		if refused, err = r.Editor.TryEvents(ctx, []*rules.Event{event}, nil, nil); err == nil {
			err = refused[0]
		}
	} else {
		err = r.writeWithdrawn(ctx, m, status)
	}
	m.Action = r.request.missing
	why, err := refusal(err)
	if len(why) > 0 {
		m.Action, m.Reasons = adminapi.ImportRefuse, why
	}
	return err
}
