package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/paging"
)

// The states of a report.
const (
	Open   = "open"
	Closed = "closed"
)

// Report is a visitor's report as platform administrators see it.
type Report struct {
	UUID        string            `json:"uuid"`
	EventUUID   string            `json:"event_uuid"`
	EventTitle  string            `json:"event_title"`  // when it was reported
	EventStatus value.Text        `json:"event_status"` // now; null: the event was deleted
	OrgUUID     string            `json:"org_uuid"`     // that the event belonged to then
	OrgName     value.Text        `json:"org_name"`     // null: the organization was deleted
	Reason      string            `json:"reason"`
	Text        string            `json:"text"`
	Email       value.Text        `json:"email"` // null: none was given, or it was deleted
	State       string            `json:"state"`
	CreatedAt   time.Time         `json:"created_at"`
	ClosedAt    *time.Time        `json:"closed_at"`
	Outcome     value.Text        `json:"outcome"` // of a closed one
	Note        string            `json:"note"`
	TakenBack   *catalog.Takedown `json:"taken_back"` // of the event now
}

// ReportList is a page of reports, the newest first.
type ReportList struct {
	Reports    []Report `json:"reports"`
	TotalCount int      `json:"total_count"`
	paging.Page
}

// ReportFilter selects reports; zero values select all.
type ReportFilter struct {
	State string // Open or Closed
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

// Reports returns the reports that visitors have sent. It returns a Forbidden fault for those who
// are no platform administrators, and for an API key.
func (s *Service) Reports(ctx context.Context, filter ReportFilter, page paging.Page) (ReportList, error) {
	shown := ReportList{Reports: []Report{}, Page: page}
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

func scanReport(row pgx.CollectableRow) (r Report, err error) {
	var why string
	var since *time.Time
	err = row.Scan(&r.UUID, &r.EventUUID, &r.EventTitle, &r.EventStatus, &r.OrgUUID, &r.OrgName, &r.Reason, &r.Text,
		&r.Email, &r.CreatedAt, &r.ClosedAt, &r.Outcome, &r.Note, &why, &since)
	if since != nil {
		r.TakenBack = &catalog.Takedown{Reason: why, At: *since}
	}
	r.State = Open
	if r.ClosedAt != nil {
		r.State = Closed
	}
	return r, err
}
