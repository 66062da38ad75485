package inbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/team"
)

// selectAttention counts for the user $1 at the time $2; $3 is true for a platform administrator.
const selectAttention = `
SELECT
    (SELECT count(*) FROM message_recipient WHERE user_id = $1 AND read_at IS NULL),
    (` + team.CountWaiting + `),
    CASE WHEN $3 THEN (SELECT count(*) FROM event_report WHERE closed_at IS NULL) END,
    CASE WHEN $3 THEN (SELECT count(*) FROM organization_approval WHERE state = 'pending') END,
    CASE WHEN $3 THEN (SELECT count(*) FROM mail_outbox WHERE failed_at IS NOT NULL) END`

// Attention counts the items that wait for the logged-in user. The fault is Forbidden for an API
// key.
func (s *Service) Attention(ctx context.Context) (waits adminapi.Attention, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return waits, err
	}
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, selectAttention, who.UserID, s.Now(), who.PlatformAdmin).Scan(
			&waits.UnreadMessages, &waits.Invitations, &waits.OpenReports, &waits.PendingOrganizations, &waits.FailedMails)
		if err != nil {
			return fmt.Errorf("count what waits: %w", err)
		}
		return nil
	})
	return waits, err
}
