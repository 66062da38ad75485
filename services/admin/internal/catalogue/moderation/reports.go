package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// ReportFilter selects reports; zero values select all.
type ReportFilter struct {
	State string // adminapi.ReportOpen or adminapi.ReportClosed
	Event string // uuid
	Org   string // uuid
}

const matchingReports = `
FROM event_report r
LEFT JOIN event e ON e.uuid = r.event_uuid
LEFT JOIN organization o ON o.uuid = r.org_uuid
WHERE ($1 = '' OR (r.closed_at IS NULL) = ($1 = 'open'))
    AND ($2 = '' OR r.event_uuid = nullif($2, '')::uuid)
    AND ($3 = '' OR r.org_uuid = nullif($3, '')::uuid)`

const countReports = `
SELECT count(*)` + matchingReports

const reportColumns = `
SELECT
    r.uuid::text, r.event_uuid::text, r.event_title, coalesce(e.release_status, ''), r.org_uuid::text,
    coalesce(o.name, ''), r.reason, coalesce(r.body, ''), coalesce(r.email, ''), r.created_at, r.closed_at,
    coalesce(r.outcome, ''), coalesce(r.note, ''), coalesce(e.taken_back_reason, ''), e.taken_back_at`

const selectReports = reportColumns + matchingReports + `
ORDER BY r.created_at DESC, r.uuid DESC
LIMIT $4 OFFSET $5`

// Reports returns the reports that visitors have sent. It returns a Forbidden fault for anyone but
// platform administrators, and for an API key.
func (s *Service) Reports(ctx context.Context, filter ReportFilter, page paging.Page) (adminapi.Reports, error) {
	shown := adminapi.Reports{Reports: []adminapi.Report{}, Page: page.Answer()}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		scope := []any{filter.State, filter.Event, filter.Org}
		if err := tx.QueryRow(ctx, countReports, scope...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count reports: %w", err)
		}
		rows, _ := tx.Query(ctx, selectReports, append(scope, page.Limit, page.Offset)...) // the error comes with the rows
		var err error
		if shown.Reports, err = pgx.AppendRows(shown.Reports, rows, scanReport); err != nil {
			return fmt.Errorf("read reports: %w", err)
		}
		return nil
	})
	return shown, err
}

func scanReport(row pgx.CollectableRow) (r adminapi.Report, err error) {
	var why string
	var since *time.Time
	err = row.Scan(&r.UUID, &r.EventUUID, &r.EventTitle, &r.EventStatus, &r.OrgUUID, &r.OrgName, &r.Reason, &r.Text,
		&r.Email, &r.CreatedAt, &r.ClosedAt, &r.Outcome, &r.Note, &why, &since)
	if since != nil {
		r.TakenBack = &adminapi.Takedown{Reason: why, At: *since}
	}
	r.State = adminapi.ReportOpen
	if r.ClosedAt != nil {
		r.State = adminapi.ReportClosed
	}
	return r, err
}
