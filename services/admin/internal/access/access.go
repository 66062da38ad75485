// Package access decides what a principal may do (decisions.md, Who may do what): rights are bits
// of a membership, a platform administrator may act in every organization, what a stranger cannot
// see does not exist for them, and a member without the right learns that it is missing.
//
// Each function asks through a Querier: a transaction when the answer must still hold when
// something is written.
package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/permission"
)

// Querier is a pool or a transaction.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Require returns what the principal may do in the organization if that contains need. need 0 asks
// for membership alone. The faults: Unauthenticated for the zero principal, NotFound for a stranger
// or an unknown organization, Forbidden for a member who lacks a bit of need.
func Require(ctx context.Context, q Querier, who auth.Principal, org string, need permission.Set) (permission.Set, error) {
	have, err := Permissions(ctx, q, who, org)
	if err != nil {
		return 0, err
	}
	if !have.Has(need) {
		return 0, fault.New(fault.Forbidden, "permission_missing", "you lack the right to do this in this organization")
	}
	return have, nil
}

const selectMembership = `
SELECT m.permissions
FROM organization o
LEFT JOIN membership m ON m.org_uuid = o.uuid AND m.user_id = $2
WHERE o.uuid = $1`

// Permissions returns what the principal may do in the organization. The faults are those of
// Require.
func Permissions(ctx context.Context, q Querier, who auth.Principal, org string) (permission.Set, error) {
	if who.UserID == 0 && who.KeyOrg == "" {
		return 0, fault.New(fault.Unauthenticated, "token_missing", "this needs a user who is logged in")
	}
	var stored *int64
	err := q.QueryRow(ctx, selectMembership, org, who.UserID).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, notFound("organization")
	}
	if err != nil {
		return 0, fmt.Errorf("read membership: %w", err)
	}
	switch {
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
	have := permission.Set(*stored) // the schema's domain keeps it within 29 bits
	if who.APIKey != "" {
		have &= who.KeyLimit
	}
	return have, nil
}

// The organizations that things belong to.
const (
	selectOrgOfVenue = `
SELECT org_uuid::text
FROM venue
WHERE uuid = $1`

	selectOrgOfSpace = `
SELECT v.org_uuid::text
FROM space s
JOIN venue v ON v.uuid = s.venue_uuid
WHERE s.uuid = $1`

	selectOrgOfEvent = `
SELECT org_uuid::text
FROM event
WHERE uuid = $1`
)

// RequireVenue is Require in the organization of a venue, which it returns.
func RequireVenue(ctx context.Context, q Querier, who auth.Principal, venue string, need permission.Set) (string, error) {
	return requireIn(ctx, q, who, selectOrgOfVenue, "venue", venue, need)
}

// RequireSpace is Require in the organization of a space's venue, which it returns.
func RequireSpace(ctx context.Context, q Querier, who auth.Principal, space string, need permission.Set) (string, error) {
	return requireIn(ctx, q, who, selectOrgOfSpace, "space", space, need)
}

// RequireEvent is Require in the organization of an event, which it returns.
func RequireEvent(ctx context.Context, q Querier, who auth.Principal, event string, need permission.Set) (string, error) {
	return requireIn(ctx, q, who, selectOrgOfEvent, "event", event, need)
}

func requireIn(
	ctx context.Context, q Querier, who auth.Principal, query, kind, id string, need permission.Set,
) (org string, err error) {
	err = q.QueryRow(ctx, query, id).Scan(&org)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", notFound(kind)
	}
	if err != nil {
		return "", fmt.Errorf("read organization of %s: %w", kind, err)
	}
	_, err = Require(ctx, q, who, org, need)
	if fault.Is(err, fault.NotFound) {
		return "", notFound(kind) // the same words, whether it is unknown or a stranger's
	}
	return org, err
}

const lockOrganization = `
SELECT
FROM organization
WHERE uuid = $1
FOR NO KEY UPDATE`

// Lock makes the transaction the only one that changes who belongs to the organization: call it
// before reading members in order to change them. The schema has the last word on the last owner,
// but only with the lock can the answer say so in time. An unknown organization is a NotFound
// fault.
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

// RequireLogin returns a Forbidden fault for API keys: what concerns the user in person, such as
// their password or their keys, is done by the user in person.
func RequireLogin(who auth.Principal) error {
	if who.LoggedIn() {
		return nil
	}
	return fault.New(fault.Forbidden, "login_required", "this needs a login; an API key is not enough")
}

func notFound(kind string) error {
	return fault.New(fault.NotFound, kind+"_not_found", "there is no such %s", kind)
}
