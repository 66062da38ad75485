// Package organization is what people do with the organizations that they belong to: found, read, change and delete them,
// and look over what they run.
//
// Each function is one use case in one transaction: who may do it (package access), the write through package command,
// which tells the read nodes, and the audit entry. Who asks is taken from the context (package auth).
package organization

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/command"
	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/version"
)

// Stored is an organization with its version.
type Stored = postgres.Stored[*catalog.Organization]

// Options are what the service needs.
type Options struct {
	DB      *postgres.DB
	Limiter *auth.Limiter
	Confirm func(ctx context.Context, password string) error // account.Service.ConfirmPassword
	Now     auth.Clock
	Zone    *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// Get returns the organization to its members. A stranger's is a NotFound fault.
func (s *Service) Get(ctx context.Context, org string) (Stored, error) {
	var found Stored
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, 0); err != nil {
			return err
		}
		var err error
		found, err = read(ctx, tx, org)
		return err
	})
	return found, err
}

func read(ctx context.Context, tx pgx.Tx, org string) (Stored, error) {
	found, err := postgres.Organizations(ctx, tx, []string{org})
	if err != nil {
		return Stored{}, err
	}
	stored, exists := found[org]
	if !exists {
		return Stored{}, fault.New(fault.NotFound, "organization_not_found", "there is no such organization")
	}
	return stored, nil
}

// founding limits how many organizations one user founds: nobody needs so many in a day, and each may send mails in its name.
var founding = auth.Limit{Action: "found", Most: 50, Window: 24 * time.Hour}

const insertOwner = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions, joined_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)`

// Create founds an organization and makes the user who is logged in its owner. It gives the organization its uuid. The
// faults: Invalid, naming every bad field; Forbidden for an API key; those of the holding organization as for Change; TooMany
// for too many in a day, but never for platform administrators.
func (s *Service) Create(ctx context.Context, o *catalog.Organization) (Stored, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return Stored{}, err
	}
	member, err := newUUIDs(&o.UUID)
	if err != nil {
		return Stored{}, err
	}
	if err := s.limitFounding(ctx, who, o); err != nil {
		return Stored{}, err
	}
	var saved command.Result
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		saved, err = s.save(ctx, tx, nil, o)
		if err != nil {
			return err
		}
		now := s.Now()
		_, err := tx.Exec(ctx, insertOwner, member, o.UUID, who.UserID, permission.Owner, int64(permission.All), now)
		if err != nil {
			return fmt.Errorf("store owner: %w", err)
		}
		owner := map[string]any{"user_id": who.UserID, "role": permission.Owner, "permissions": permission.All.String()}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Action: "member.join", EntityKind: "membership", EntityID: member, OrgUUID: o.UUID, After: owner,
		})
	})
	return Stored{Version: saved.Version, Entity: o}, err
}

// limitFounding counts a valid organization.
func (s *Service) limitFounding(ctx context.Context, who auth.Principal, o *catalog.Organization) error {
	if err := catalog.CheckValues(o); err != nil {
		return err
	}
	if who.PlatformAdmin {
		return nil
	}
	return s.Limiter.Count(ctx, founding, strconv.Itoa(who.UserID), netip.Addr{})
}

// newUUIDs sets the uuid of an organization and returns one for its first member.
func newUUIDs(org *string) (member string, err error) {
	first, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	second, err := uuid.NewV7()
	*org = first.String()
	return second.String(), err
}

// Change applies a change to the organization as it is stored now, and returns what it has become. Two that change
// different fields at once both last: each sees what the other has stored. The faults: NotFound for a stranger; Forbidden
// without EditOrganization; Stale when the version is not an expected one; Invalid, naming every bad field. To name another
// organization as the holding one takes EditOrganization there too: nobody claims strangers.
func (s *Service) Change(
	ctx context.Context, org string, expected version.Expected, apply func(*catalog.Organization),
) (Stored, error) {
	var changed Stored
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.locked(ctx, tx, org, permission.EditOrganization, expected)
		if err != nil {
			return err
		}
		after := *before.Entity
		apply(&after)
		saved, err := s.save(ctx, tx, before.Entity, &after)
		changed = Stored{Version: saved.Version, Entity: &after}
		return err
	})
	return changed, err
}

// locked returns the organization to somebody with the permissions, when it has an expected version. Nobody else changes
// it or its members until the transaction ends.
func (s *Service) locked(
	ctx context.Context, tx pgx.Tx, org string, need permission.Set, expected version.Expected,
) (Stored, error) {
	if err := access.Lock(ctx, tx, org); err != nil {
		return Stored{}, err
	}
	if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, need); err != nil {
		return Stored{}, err
	}
	stored, err := read(ctx, tx, org)
	if err != nil {
		return Stored{}, err
	}
	return stored, expected.Check("organization", stored.Version)
}

// save stores an organization and, unless nothing has changed, the audit entry. before is nil for a new one.
func (s *Service) save(ctx context.Context, tx pgx.Tx, before, after *catalog.Organization) (command.Result, error) {
	if err := catalog.CheckValues(after); err != nil {
		return command.Result{}, err
	}
	if err := requireHolding(ctx, tx, before, after); err != nil {
		return command.Result{}, err
	}
	result, err := command.SaveWithin(ctx, tx, after, command.AnyVersion)
	if err != nil || result.Outcome == command.Unchanged {
		return result, err
	}
	entry := audit.Entry{
		At: s.Now(), Action: "organization.update", EntityKind: "organization", EntityID: after.UUID, OrgUUID: after.UUID,
		Before: before, After: after,
	}
	if before == nil {
		entry.Action, entry.Before = "organization.create", nil // not a nil pointer in an interface
	}
	return result, audit.Record(ctx, tx, entry)
}

func requireHolding(ctx context.Context, tx pgx.Tx, before, after *catalog.Organization) error {
	holding := after.HoldingOrgUUID
	if holding == "" || before != nil && before.HoldingOrgUUID == holding {
		return nil
	}
	_, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), string(holding), permission.EditOrganization)
	return err
}

// Delete deletes the organization with its members, invitations and keys. The faults: NotFound for a stranger; Forbidden
// without DeleteOrganization, for an API key, and for a wrong password; Stale; Conflict while it has venues or events or
// holds other organizations.
func (s *Service) Delete(ctx context.Context, org string, expected version.Expected, password string) error {
	check := func(tx pgx.Tx) (Stored, error) {
		return s.locked(ctx, tx, org, permission.DeleteOrganization, expected)
	}
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error { // a stranger's password is not even looked at
		_, err := check(tx)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.Confirm(ctx, password); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		stored, err := check(tx)
		if err != nil {
			return err
		}
		if err := command.DeleteOrganizationWithin(ctx, tx, org, command.AnyVersion); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Now(), Action: "organization.delete", EntityKind: "organization", EntityID: org, OrgUUID: org,
			Before: stored.Entity,
		})
	})
}
