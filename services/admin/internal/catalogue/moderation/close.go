package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
)

// outcomes are the possible outcomes of a report.
var outcomes = []string{adminapi.OutcomeDismissed, adminapi.OutcomeResolved, adminapi.OutcomeTakenBack}

// check cleans the note, which is required and holds up to 2,000 characters, and refuses an outcome
// that is not one of outcomes.
func check(c *adminapi.Closing) error {
	var violations fault.Violations
	if !slices.Contains(outcomes, c.Outcome) {
		violations.Add("outcome", reason.NotOneOf(outcomes))
	}
	if c.Note = inbox.Paragraphs(&violations, "note", c.Note, adminapi.MaxReason); c.Note == "" {
		violations.Add("note", reason.Required)
	}
	return violations.Err("invalid_closing", "the report cannot be closed like this")
}

const selectReport = reportColumns + `
FROM event_report r
LEFT JOIN event e ON e.uuid = r.event_uuid
LEFT JOIN organization o ON o.uuid = r.org_uuid
WHERE r.uuid = $1
FOR UPDATE OF r`

const closeReport = `
UPDATE event_report
SET closed_at = $2, outcome = $3, note = $4, reporter = NULL
WHERE uuid = $1`

// Close closes a report. The same closing again changes nothing. The faults: Forbidden for anyone
// but platform administrators, and for an API key; NotFound; Invalid, naming every bad field;
// Conflict for a report that was closed otherwise, and for the outcome "taken_back" of an event
// that is not.
func (s *Service) Close(ctx context.Context, id string, closing adminapi.Closing) (closed adminapi.Report, err error) {
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return closed, err
	}
	if err := check(&closing); err != nil {
		return closed, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		closed, err = s.close(ctx, tx, id, closing)
		return err
	})
	return closed, err
}

func (s *Service) close(ctx context.Context, tx pgx.Tx, id string, closing adminapi.Closing) (adminapi.Report, error) {
	rows, _ := tx.Query(ctx, selectReport, id) // the error comes with the row
	r, err := pgx.CollectExactlyOneRow(rows, scanReport)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return r, fault.New(fault.NotFound, "report_not_found", "there is no such report")
	case err != nil:
		return r, fmt.Errorf("read report: %w", err)
	case r.State == adminapi.ReportClosed && string(r.Outcome) == closing.Outcome && r.Note == closing.Note:
		return r, nil
	case r.State == adminapi.ReportClosed:
		return r, fault.New(fault.Conflict, "report_closed", "the report was closed already, with another outcome or note")
	case closing.Outcome == adminapi.OutcomeTakenBack && r.TakenBack == nil:
		return r, fault.New(fault.Conflict, "event_not_taken_back", "the event is not taken back, so that this is no outcome")
	}
	now := s.Now()
	if _, err := tx.Exec(ctx, closeReport, id, now, closing.Outcome, closing.Note); err != nil {
		return r, fmt.Errorf("close report: %w", err)
	}
	r.State, r.ClosedAt, r.Outcome, r.Note = adminapi.ReportClosed, &now, value.Text(closing.Outcome), closing.Note
	return r, audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "report.close", EntityKind: "report", EntityID: id,
		Before: map[string]any{"state": adminapi.ReportOpen},
		After:  map[string]any{"state": adminapi.ReportClosed, "outcome": closing.Outcome, "note": closing.Note},
	})
}
