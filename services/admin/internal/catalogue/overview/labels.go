package overview

import (
	"context"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

const selectLabels = `
SELECT json_build_object('key', label.key, 'names', label.names, 'events', coalesce(used.events, 0))
FROM label
LEFT JOIN (
    SELECT given.key, count(*) AS events
    FROM event, unnest(labels) AS given (key)
    WHERE labels <> '{}'
    GROUP BY given.key
) AS used ON used.key = label.key
ORDER BY label.key`

// Labels returns all labels to platform administrators; others get a Forbidden fault.
func (s *Service) Labels(ctx context.Context) (adminapi.Labels, error) {
	shown := adminapi.Labels{Labels: []adminapi.LabelRow{}}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	labels, err := postgres.Collect[adminapi.LabelRow](ctx, s.DB, "labels", selectLabels)
	if err != nil {
		return shown, err
	}
	shown.Labels = append(shown.Labels, labels...)
	return shown, nil
}
