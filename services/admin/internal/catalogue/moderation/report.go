package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/report"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/publish/outbox"
)

// Report stores a visitor's report of a public event and notifies the platform administrators: each
// by message, and by mail unless another report of the event is open. It returns false when an open
// report of the same visitor about the same event is there already. The faults: Invalid, naming
// every bad field; TooMany; NotFound for an event that is not public.
func (s *Service) Report(ctx context.Context, r report.Report) (stored bool, err error) {
	r.Normalize()
	if err := r.Check(); err != nil {
		return false, err
	}
	if !r.Address.IsValid() {
		return false, errors.New("the report does not say which address it comes from")
	}
	if err := s.Limiter.Count(ctx, s.reports, "", r.Address); err != nil {
		return false, err
	}
	public, err := outbox.Public(ctx, s.DB, change.KindEvent, []string{r.EventUUID})
	if err != nil {
		return false, err
	}
	if !public[r.EventUUID] {
		return false, errNoEvent()
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		stored, err = s.store(ctx, tx, r, s.Now())
		return err
	})
	return stored, err
}

func errNoEvent() error {
	return fault.New(fault.NotFound, "event_not_found", "there is no such event")
}

// lockReports serialises the reports of one event, so that only the first of them is mailed. The
// first number distinguishes this lock from others.
const lockReports = `SELECT pg_advisory_xact_lock(7105647, hashtext($1))`

// reportedEvent is the event of a report.
type reportedEvent struct{ title, org, orgName string }

const selectReportedEvent = `
SELECT e.title, o.uuid::text, o.name
FROM event e
JOIN organization o ON o.uuid = e.org_uuid
WHERE e.uuid = $1`

const hasOpenReports = `
SELECT EXISTS (SELECT FROM event_report WHERE event_uuid = $1 AND closed_at IS NULL)`

const insertReport = `
INSERT INTO event_report (uuid, event_uuid, event_title, org_uuid, reason, body, email, reporter, created_at)
VALUES ($1, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''), $8, $9)
ON CONFLICT (event_uuid, reporter) WHERE reporter IS NOT NULL DO NOTHING`

// store inserts a report, unless it is there already.
func (s *Service) store(ctx context.Context, tx pgx.Tx, r report.Report, now time.Time) (stored bool, err error) {
	if _, err := tx.Exec(ctx, lockReports, r.EventUUID); err != nil {
		return false, fmt.Errorf("lock reports: %w", err)
	}
	var about reportedEvent
	err = tx.QueryRow(ctx, selectReportedEvent, r.EventUUID).Scan(&about.title, &about.org, &about.orgName)
	if errors.Is(err, pgx.ErrNoRows) { // deleted a moment ago
		return false, errNoEvent()
	}
	if err != nil {
		return false, fmt.Errorf("read reported event: %w", err)
	}
	var known bool
	if err := tx.QueryRow(ctx, hasOpenReports, r.EventUUID).Scan(&known); err != nil {
		return false, fmt.Errorf("read open reports: %w", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return false, err
	}
	tag, err := tx.Exec(ctx, insertReport, id.String(), r.EventUUID, about.title, about.org, r.Reason, r.Text, r.Email, reporterOf(r), now)
	if err != nil {
		return false, fmt.Errorf("store report: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return false, nil
	}
	return true, s.notifyOfReport(ctx, tx, about, r.Reason, known, now)
}

// reporterOf identifies the visitor among the reporters of one event, and among no others.
func reporterOf(r report.Report) []byte {
	return auth.Digest(r.EventUUID + " " + auth.Network(r.Address).String())
}

func (s *Service) notifyOfReport(
	ctx context.Context, tx pgx.Tx, about reportedEvent, reason string, known bool, now time.Time,
) error {
	admins, err := notice.People(ctx, tx, selectPlatformAdmins)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{
		Template: mail.TemplateReported, Org: about.org, Name: about.orgName, Event: about.title, Reason: reason,
		Silent: known, Recipients: admins, At: now,
	})
}
