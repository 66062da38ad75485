package moderation

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/mail"
)

// NotifyTeam notifies the members who may edit or release an event that it was taken back, for a
// reason, or that this was lifted (takedown is nil). It does so in the name of the principal.
func (s *Service) NotifyTeam(ctx context.Context, tx pgx.Tx, event *rules.Event, takedown *rules.Takedown) error {
	team, err := notice.People(ctx, tx, notice.Team, event.OrgUUID, int64(permission.EditEvent|permission.ReleaseEvent))
	if err != nil {
		return err
	}
	n := notice.Notice{
		Template: mail.TemplateTakedownLifted, Org: event.OrgUUID, EventUUID: event.UUID, Event: event.Title,
		Recipients: team, At: s.Now(),
	}
	if takedown != nil {
		n.Template, n.Reason = mail.TemplateTakenBack, takedown.Reason
	}
	if err := tx.QueryRow(ctx, selectName, event.OrgUUID).Scan(&n.Name); err != nil {
		return fmt.Errorf("read organization: %w", err)
	}
	return notice.Send(ctx, tx, n)
}
