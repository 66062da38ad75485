package overview

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// PlatformFilter selects and orders organizations of the platform.
type PlatformFilter struct {
	words    []string
	approval string // "" for all
	sort     string
}

var approvals = []string{adminapi.ApprovalPending, adminapi.ApprovalApproved, adminapi.ApprovalRefused}

// platformOrders are the orders of organizations.
var platformOrders = map[string]string{
	"name":     `lower(m.name), m.uuid`,
	"-name":    `lower(m.name) DESC, m.uuid DESC`,
	"created":  `m.created_at, m.uuid`,
	"-created": `m.created_at DESC, m.uuid DESC`,
}

// ParsePlatformFilter reads the parameters search, approval and sort (by name by default), and
// records their violations. query returns a parameter's text, "" for one that is absent.
func ParsePlatformFilter(violations *fault.Violations, query func(name string) string) PlatformFilter {
	f := PlatformFilter{
		words: paging.Search(violations, query("search")), approval: query("approval"), sort: query("sort"),
	}
	if f.approval != "" && !slices.Contains(approvals, f.approval) {
		violations.Add("approval", reason.NotOneOf(approvals))
	}
	if f.sort == "" {
		f.sort = "name"
	}
	if platformOrders[f.sort] == "" {
		violations.Add("sort", reason.NotOneOf([]string{"name", "created", "-name", "-created"}))
	}
	return f
}

// matchingOrganizations: an organization without a row of its own needs no approval.
const matchingOrganizations = `
WITH matching AS (
    SELECT o.uuid, o.name, o.city, o.country, coalesce(a.state, 'approved') AS approval, o.created_at
    FROM organization o
    LEFT JOIN organization_approval a ON a.org_uuid = o.uuid
    WHERE ($1 = '' OR coalesce(a.state, 'approved') = $1)
        AND NOT EXISTS (
            SELECT
            FROM unnest($2::text[]) AS word
            WHERE strpos(lower(concat_ws(' ', o.name, o.city)), word) = 0
        )
)`

const countPlatform = matchingOrganizations + `
SELECT count(*)
FROM matching`

const selectPlatform = matchingOrganizations + `
SELECT
    m.uuid::text, m.name, coalesce(m.city, ''), coalesce(m.country, ''), m.approval,
    (SELECT count(*) FROM membership x WHERE x.org_uuid = m.uuid),
    (SELECT count(*) FROM venue v WHERE v.org_uuid = m.uuid),
    (SELECT count(*) FROM event e WHERE e.org_uuid = m.uuid),
    (
        SELECT count(*)
        FROM event e
        JOIN event_date d ON d.event_uuid = e.uuid
        WHERE e.org_uuid = m.uuid
            AND m.approval = 'approved'
            AND event_is_public(e.release_status, e.release_scheduled)
            AND last_day(d.start_date, d.end_date, d.hours) >= $3::date
    ),
    m.created_at
FROM matching m`

// Platform returns the organizations of the platform that the filter selects. It returns a
// Forbidden fault for anyone but platform administrators, and for an API key.
func (s *Service) Platform(
	ctx context.Context, filter PlatformFilter, page paging.Page,
) (adminapi.PlatformOrganizations, error) {
	shown := adminapi.PlatformOrganizations{
		Organizations: []adminapi.PlatformOrganization{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset},
	}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countPlatform, filter.approval, filter.words).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count organizations: %w", err)
		}
		query := selectPlatform + `
ORDER BY ` + platformOrders[filter.sort] + `
LIMIT $4 OFFSET $5`
		var err error
		shown.Organizations, err = postgres.List[adminapi.PlatformOrganization](ctx, tx, "organizations", query,
			filter.approval, filter.words, s.today(), page.Limit, page.Offset)
		return err
	})
	return shown, err
}
