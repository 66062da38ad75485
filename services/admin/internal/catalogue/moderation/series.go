package moderation

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/mail"
)

// NotifySeries notifies the members who decide on the events of a series that one asks to belong to
// it, or in another state those who may edit the event that it was decided.
func (s *Service) NotifySeries(ctx context.Context, tx pgx.Tx, series *rules.Series, event *rules.Event, state string) error {
	n := notice.Notice{Org: event.OrgUUID, EventUUID: event.UUID, Event: event.Title, Venue: series.Title, At: s.Now()}
	from, need := series.OrgUUID, permission.EditEvent
	switch state {
	case adminapi.SeriesAsked:
		n.Template, n.Org, from, need = mail.TemplateSeriesAsked, series.OrgUUID, event.OrgUUID, permission.EditOrganization
	case adminapi.SeriesAccepted:
		n.Template = mail.TemplateSeriesAccepted
	default:
		n.Template = mail.TemplateSeriesRefused
	}
	var err error
	if n.Recipients, err = notice.People(ctx, tx, notice.Team, n.Org, int64(need)); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, selectName, from).Scan(&n.Name); err != nil {
		return fmt.Errorf("read organization: %w", err)
	}
	return notice.Send(ctx, tx, n)
}
