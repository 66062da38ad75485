package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/dataexport"
)

const day = 24 * time.Hour

// How long a report and the data of its reporter are stored.
const (
	keepReporter  = 30 * day  // the digest of the address: after the report arrived, at most until it is closed
	keepEmail     = 30 * day  // after it was closed
	keepEmailOpen = 180 * day // after it arrived
	keepReport    = 365 * day // after it was closed
)

const (
	forgetReporters = `
UPDATE event_report
SET reporter = NULL
WHERE reporter IS NOT NULL AND created_at < $1`

	forgetEmails = `
UPDATE event_report
SET email = NULL
WHERE email IS NOT NULL AND (closed_at < $1 OR created_at < $2)`

	deleteReports = `
DELETE FROM event_report
WHERE closed_at < $1`
)

// Prune deletes expired reports and expired data of their reporters.
func Prune(ctx context.Context, tx pgx.Tx, now time.Time) error {
	for _, step := range []struct {
		statement string
		before    []any
	}{
		{forgetReporters, []any{now.Add(-keepReporter)}},
		{forgetEmails, []any{now.Add(-keepEmail), now.Add(-keepEmailOpen)}},
		{deleteReports, []any{now.Add(-keepReport)}},
	} {
		if _, err := tx.Exec(ctx, step.statement, step.before...); err != nil {
			return fmt.Errorf("prune reports: %w", err)
		}
	}
	return nil
}

const forgetEmailsOfUser = `
UPDATE event_report
SET email = NULL
WHERE lower(email) = ANY ($1)`

// Forget deletes the addresses, in lower case, of a user whose account is deleted from the reports
// that name them.
func Forget(ctx context.Context, tx pgx.Tx, addresses []string) error {
	if _, err := tx.Exec(ctx, forgetEmailsOfUser, addresses); err != nil {
		return fmt.Errorf("forget reporters: %w", err)
	}
	return nil
}

const exportReports = `
SELECT r.uuid::text, jsonb_build_object(
    'uuid', r.uuid, 'event_uuid', r.event_uuid, 'reason', r.reason, 'text', r.body, 'email', r.email,
    'created_at', r.created_at, 'closed_at', r.closed_at
)
FROM event_report r
JOIN app_user u ON lower(u.email) = lower(r.email) AND u.email_verified
WHERE u.id = $1 AND ($2 = '' OR r.uuid > nullif($2, '')::uuid)
ORDER BY r.uuid
LIMIT $3`

// Exports are the reports that name a user's address.
var Exports = []dataexport.List{{Name: "reports", Query: exportReports}}
