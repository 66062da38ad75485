package moderation

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/mail"
)

// listedEvents bounds the events that a notice lists.
const listedEvents = 20

// NotifyRemoved notifies those who may edit the events of an organization that a person was taken
// out of them, and lists the events. It does not name the person, whose name is to be gone.
func (s *Service) NotifyRemoved(ctx context.Context, tx pgx.Tx, org string, events []store.Naming) error {
	n := notice.Notice{Template: mail.TemplatePersonRemoved, Org: org, At: s.Now()}
	var titles []string
	for _, event := range events[:min(len(events), listedEvents)] {
		titles = append(titles, event.Title)
	}
	if len(events) > listedEvents {
		titles = append(titles, "…")
	}
	if n.Reason = strings.Join(titles, "; "); len(events) == 1 {
		n.EventUUID = events[0].Event
	}
	var err error
	if n.Recipients, err = notice.People(ctx, tx, notice.Team, org, int64(permission.EditEvent)); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, selectName, org).Scan(&n.Name); err != nil {
		return fmt.Errorf("read organization: %w", err)
	}
	return notice.Send(ctx, tx, n)
}
