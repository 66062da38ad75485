// Package access decides what a principal may do (RULES.md, Rights): rights are bits of a
// membership, and a platform administrator has all of them in every organization. A stranger gets
// NotFound for anything that is not public, a member without the right Forbidden.
//
// Each function reads through a Querier: a transaction when the answer must still hold at the
// write.
package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
)

// Querier is a pool or a transaction.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Require returns the principal's permissions in the organization if they contain need. With need 0
// any member passes. The faults: Unauthenticated for the zero principal, NotFound for a stranger or
// an unknown organization, Forbidden for a member who lacks a bit of need.
func Require(
	ctx context.Context, q Querier, who auth.Principal, org string, need permission.Set,
) (permission.Set, error) {
	have, err := Permissions(ctx, q, who, org)
	if err != nil {
		return 0, err
	}
	if !have.Has(need) {
		return 0, ErrMissing()
	}
	return have, nil
}

// ErrMissing returns the Forbidden fault of a member who lacks a permission.
func ErrMissing() error {
	return fault.New(fault.Forbidden, "permission_missing",
		"you lack the right to do this in this organization")
}

const selectMembership = `
SELECT m.permissions
FROM organization o
LEFT JOIN membership m ON m.org_uuid = o.uuid AND m.user_id = $2
WHERE o.uuid = $1`

// Permissions returns the principal's permissions in the organization. It returns the same faults
// as Require with need 0.
func Permissions(ctx context.Context, q Querier, who auth.Principal, org string) (permission.Set, error) {
	if who.UserID == 0 && who.KeyOrg == "" {
		return 0, errTokenMissing()
	}
	var stored *int64
	err := q.QueryRow(ctx, selectMembership, org, who.UserID).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, notFound("organization")
	}
	if err != nil {
		return 0, fmt.Errorf("read membership: %w", err)
	}
	return permissionsIn(who, org, stored)
}

// permissionsIn returns the principal's permissions in an organization that exists. stored holds
// the permissions of the user's membership, nil without one. It returns the faults of Permissions.
func permissionsIn(who auth.Principal, org string, stored *int64) (permission.Set, error) {
	switch {
	case who.UserID == 0 && who.KeyOrg == "":
		return 0, errTokenMissing()
	case who.PlatformAdmin:
		return permission.All, nil
	case who.KeyOrg != "":
		if who.KeyOrg != org {
			return 0, notFound("organization")
		}
		return who.KeyLimit, nil
	case stored == nil:
		return 0, notFound("organization")
	}
	have := permission.Set(*stored) // the schema's domain allows only 30 bits
	if who.APIKey != "" {
		have = have.In(who.KeyLimit)
	}
	return have, nil
}

// The organization that owns the entity $1, and the permissions of the user $2 in it.
const (
	selectOwnerOfVenue = `
SELECT v.org_uuid::text, m.permissions
FROM venue v
LEFT JOIN membership m ON m.org_uuid = v.org_uuid AND m.user_id = $2
WHERE v.uuid = $1`

	selectOwnerOfSpace = `
SELECT v.org_uuid::text, m.permissions
FROM space s
JOIN venue v ON v.uuid = s.venue_uuid
LEFT JOIN membership m ON m.org_uuid = v.org_uuid AND m.user_id = $2
WHERE s.uuid = $1`

	selectOwnerOfEvent = `
SELECT e.org_uuid::text, m.permissions
FROM event e
LEFT JOIN membership m ON m.org_uuid = e.org_uuid AND m.user_id = $2
WHERE e.uuid = $1`

	selectOwnerOfContributor = `
SELECT coalesce(c.org_uuid::text, ''), m.permissions
FROM contributor c
LEFT JOIN membership m ON m.org_uuid = c.org_uuid AND m.user_id = $2
WHERE c.uuid = $1`

	selectOwnerOfPortal = `
SELECT coalesce(p.org_uuid::text, ''), m.permissions
FROM portal p
LEFT JOIN membership m ON m.org_uuid = p.org_uuid AND m.user_id = $2
WHERE p.uuid = $1`

	selectOwnerOfList = `
SELECT coalesce(l.org_uuid::text, ''), m.permissions
FROM list l
LEFT JOIN membership m ON m.org_uuid = l.org_uuid AND m.user_id = $2
WHERE l.uuid = $1`

	selectOwnerOfSeries = `
SELECT s.org_uuid::text, m.permissions
FROM series s
LEFT JOIN membership m ON m.org_uuid = s.org_uuid AND m.user_id = $2
WHERE s.uuid = $1`
)

// RequireVenue is Require in the organization of a venue, which it returns.
func RequireVenue(
	ctx context.Context, q Querier, who auth.Principal, venue string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfVenue, "venue", venue, need)
}

// RequireSpace is Require in the organization of a space's venue, which it returns.
func RequireSpace(
	ctx context.Context, q Querier, who auth.Principal, space string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfSpace, "space", space, need)
}

// RequireEvent is Require in the organization of an event, which it returns.
func RequireEvent(
	ctx context.Context, q Querier, who auth.Principal, event string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfEvent, "event", event, need)
}

// RequireContributor is Require in the organization of a contributor, which it returns; "" of a
// contributor of the operator, which only platform administrators find.
func RequireContributor(
	ctx context.Context, q Querier, who auth.Principal, contributor string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfContributor, "contributor", contributor, need)
}

// RequirePortal is Require in the organization of a portal, which it returns; "" of a portal of the
// operator, which only platform administrators find.
func RequirePortal(
	ctx context.Context, q Querier, who auth.Principal, portal string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfPortal, "portal", portal, need)
}

// RequireList is Require in the organization of a list, which it returns; "" of a list of the
// operator, which only platform administrators find.
func RequireList(
	ctx context.Context, q Querier, who auth.Principal, list string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfList, "list", list, need)
}

// RequireSeries is Require in the organization of a series, which it returns.
func RequireSeries(
	ctx context.Context, q Querier, who auth.Principal, series string, need permission.Set,
) (org string, err error) {
	return requireIn(ctx, q, who, selectOwnerOfSeries, "series", series, need)
}

func requireIn(
	ctx context.Context, q Querier, who auth.Principal, query, kind, id string, need permission.Set,
) (org string, err error) {
	var stored *int64
	err = q.QueryRow(ctx, query, id, who.UserID).Scan(&org, &stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", notFound(kind)
	}
	if err != nil {
		return "", fmt.Errorf("read organization of %s: %w", kind, err)
	}
	have, err := permissionsIn(who, org, stored)
	switch {
	case fault.Is(err, fault.NotFound):
		return "", notFound(kind) // the same answer for an unknown and an invisible one
	case err == nil && !have.Has(need):
		err = ErrMissing()
	}
	return org, err
}

const lockOrganization = `
SELECT
FROM organization
WHERE uuid = $1
FOR NO KEY UPDATE`

// Lock serialises the transactions that change the members of the organization: call it before
// reading members in order to change them. The schema also refuses to remove the last owner, but
// only at commit; the lock allows an earlier answer. An unknown organization is a NotFound fault.
func Lock(ctx context.Context, tx pgx.Tx, org string) error {
	tag, err := tx.Exec(ctx, lockOrganization, org)
	if err != nil {
		return fmt.Errorf("lock organization: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return notFound("organization")
	}
	return nil
}

const lockUser = `
SELECT
FROM app_user
WHERE id = $1
FOR NO KEY UPDATE`

// LockUser serialises transactions that check the number of a user's rows before they insert one.
func LockUser(ctx context.Context, tx pgx.Tx, userID int) error {
	if _, err := tx.Exec(ctx, lockUser, userID); err != nil {
		return fmt.Errorf("lock user: %w", err)
	}
	return nil
}

// RequireLogin returns a Forbidden fault for API keys: a user's own account, password and keys need
// a login.
func RequireLogin(who auth.Principal) error {
	if who.LoggedIn() {
		return nil
	}
	return fault.New(fault.Forbidden, "login_required", "this needs a login; an API key is not enough")
}

// RequirePlatform returns a Forbidden fault unless the principal is a platform administrator who is
// logged in: an API key never is one.
func RequirePlatform(who auth.Principal) error {
	if err := RequireLogin(who); err != nil || who.PlatformAdmin {
		return err
	}
	return fault.New(fault.Forbidden, "platform_administrator_required", "this is for platform administrators")
}

func errTokenMissing() error {
	return fault.New(fault.Unauthenticated, "token_missing", "this needs a login or an API key")
}

func notFound(kind string) error {
	return fault.New(fault.NotFound, kind+"_not_found", "there is no such %s", kind)
}
