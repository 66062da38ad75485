package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// pressing selects the events of the allowed organizations that need attention on a day ($5, in the
// zone $6): drafts and events in review with a date within the next 30 days, or with a release that
// is overdue or due within 14 days, unless both the release and every date are past.
const pressing = access.Allowed + `, pressing AS (
    SELECT e.uuid, r.day AS release_day, d.*
    FROM allowed
    JOIN event e ON e.org_uuid = allowed.org_uuid
    CROSS JOIN LATERAL (SELECT (e.release_date AT TIME ZONE $6)::date AS day) AS r
    CROSS JOIN LATERAL (
        SELECT
            count(*) AS dates,
            count(*) FILTER (WHERE venue_uuid IS NULL) AS placeless,
            min(start_date) FILTER (WHERE last_day(start_date, end_date, hours) >= $5::date) AS first_date,
            max(last_day(start_date, end_date, hours)) AS last_date
        FROM event_date
        WHERE event_uuid = e.uuid
    ) AS d
    WHERE NOT event_status_is_public(e.release_status)
        AND (
            d.first_date <= $5::date + 30
            OR r.day <= $5::date + 14 AND (r.day >= $5::date OR d.first_date IS NOT NULL OR d.dates = 0)
        )
)`

const countPressing = pressing + `
SELECT count(*)
FROM pressing`

const selectPressing = pressing + `
SELECT
    e.uuid::text, e.title, o.uuid::text, o.name, coalesce(v.uuid::text, ''), coalesce(v.name, ''), e.release_status,
    e.release_date,
    CASE WHEN p.release_day IS NOT NULL THEN greatest(p.release_day - $5::date, 0) END,
    coalesce(p.first_date::text, ''), coalesce(p.last_date::text, ''),
    CASE WHEN p.first_date IS NOT NULL THEN greatest(p.first_date - $5::date, 0) END,
    e.title = '',
    NOT EXISTS (SELECT FROM event_image i WHERE i.event_uuid = e.uuid),
    NOT EXISTS (SELECT FROM event_type t WHERE t.event_uuid = e.uuid),
    p.dates = 0,
    p.first_date IS NULL,
    e.venue_uuid IS NULL AND e.online_link IS NULL AND (p.dates = 0 OR p.placeless > 0)
FROM pressing p
JOIN event e ON e.uuid = p.uuid
JOIN organization o ON o.uuid = e.org_uuid
LEFT JOIN venue v ON v.uuid = e.venue_uuid
ORDER BY least(p.release_day, p.first_date), lower(e.title), e.uuid
LIMIT $7 OFFSET $8`

// Notifications returns the events that need attention in the organizations where the caller has
// EditEvent.
func (s *Service) Notifications(ctx context.Context, page paging.Page) (adminapi.Notifications, error) {
	shown := adminapi.Notifications{Notifications: []adminapi.Notification{}, Page: page.Answer()}
	arguments, some := access.AllowedTo(auth.PrincipalOf(ctx), permission.EditEvent)
	if !some {
		return shown, nil
	}
	arguments = append(arguments, s.Now().In(s.Zone).Format(time.DateOnly), s.Zone.String())
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countPressing, arguments...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count notifications: %w", err)
		}
		var err error
		shown.Notifications, err = postgres.List[adminapi.Notification](ctx, tx, "notifications", selectPressing,
			append(arguments, page.Limit, page.Offset)...)
		return err
	})
	return shown, err
}
