package user

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

// PeopleFilter selects and sorts accounts.
type PeopleFilter struct {
	words []string
	state string // "" for all
	sort  string
}

var personStates = []string{adminapi.PersonActive, adminapi.PersonInactive, adminapi.PersonUnconfirmed}

// peopleOrders are the orders of accounts: by last name, or by when they were made.
var peopleOrders = map[string]string{
	"name":     personName + `, u.id`,
	"-name":    personName + ` DESC, u.id DESC`,
	"created":  `u.created_at, u.id`,
	"-created": `u.created_at DESC, u.id DESC`,
}

const personName = `lower(coalesce(
    nullif(concat_ws(' ', u.last_name, u.first_name), ''), nullif(u.display_name, ''), u.email
))`

// ParsePeopleFilter reads the parameters search, state and sort (the newest first by default), and
// adds violations for invalid values. query returns the text of a parameter, "" if absent.
func ParsePeopleFilter(violations *fault.Violations, query func(name string) string) PeopleFilter {
	f := PeopleFilter{
		words: paging.Search(violations, query("search")), state: query("state"), sort: query("sort"),
	}
	if f.state != "" && !slices.Contains(personStates, f.state) {
		violations.Add("state", reason.NotOneOf(personStates))
	}
	if f.sort == "" {
		f.sort = "-created"
	}
	if peopleOrders[f.sort] == "" {
		violations.Add("sort", reason.NotOneOf([]string{"name", "created", "-name", "-created"}))
	}
	return f
}

const personState = `CASE
        WHEN u.deactivated_at IS NOT NULL THEN 'inactive'
        WHEN u.activated_at IS NULL THEN 'unconfirmed'
        ELSE 'active'
    END`

// personColumns selects the fields of adminapi.Person, with the reason of the last deactivation.
const personColumns = `
SELECT
    u.id, u.email, coalesce(u.display_name, ''), coalesce(u.first_name, ''), coalesce(u.last_name, ''),
    ` + personState + `,
    CASE WHEN u.deactivated_at IS NULL THEN '' ELSE coalesce((
        SELECT a.after ->> 'reason'
        FROM audit_entry a
        WHERE a.entity_kind = 'user' AND a.entity_id = u.id::text AND a.action = 'user.deactivate'
        ORDER BY a.id DESC
        LIMIT 1
    ), '') END,
    u.is_platform_admin, (SELECT count(*) FROM membership m WHERE m.user_id = u.id),
    u.created_at, u.activated_at, u.deactivated_at, u.last_active_at
FROM app_user u`

const selectPerson = personColumns + `
WHERE u.id = $1`

const matchingPeople = `
WHERE ($1 = '' OR ` + personState + ` = $1)
    AND NOT EXISTS (
        SELECT
        FROM unnest($2::text[]) AS word
        WHERE strpos(lower(concat_ws(' ', u.email, u.display_name, u.first_name, u.last_name)), word) = 0
    )`

const countPeople = `
SELECT count(*)
FROM app_user u` + matchingPeople

// People returns a page of accounts. The fault is Forbidden unless the principal is a platform
// administrator with a login.
func (s *Service) People(ctx context.Context, filter PeopleFilter, page paging.Page) (adminapi.People, error) {
	shown := adminapi.People{People: []adminapi.Person{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset}}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countPeople, filter.state, filter.words).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count accounts: %w", err)
		}
		query := personColumns + matchingPeople + `
ORDER BY ` + peopleOrders[filter.sort] + `
LIMIT $3 OFFSET $4`
		var err error
		shown.People, err = postgres.List[adminapi.Person](ctx, tx, "accounts", query,
			filter.state, filter.words, page.Limit, page.Offset)
		return err
	})
	return shown, err
}
