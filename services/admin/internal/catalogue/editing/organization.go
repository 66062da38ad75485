package editing

import (
	"context"
	"net/netip"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/quota"
)

// OrganizationView is an organization as its members see it: everything that can be written, in the
// same fields, and whether it may be public.
type OrganizationView struct {
	*rules.Organization
	Approval adminapi.Approval `json:"approval"`
}

// viewOfOrganization returns the view of a stored organization.
func viewOfOrganization(
	ctx context.Context, tx pgx.Tx, stored Versioned[*rules.Organization],
) (Versioned[OrganizationView], error) {
	approval, err := store.ReadApproval(ctx, tx, stored.Answer.UUID)
	return Versioned[OrganizationView]{
		Version: stored.Version, Answer: OrganizationView{stored.Answer, approval}, Warnings: stored.Warnings,
	}, err
}

// Organization returns an organization to its members. A stranger's is a NotFound fault.
func (e *Editor) Organization(ctx context.Context, org string) (found Versioned[OrganizationView], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		stored, err := getIn(ctx, tx, organizations, org)
		if err != nil {
			return err
		}
		found, err = viewOfOrganization(ctx, tx, stored)
		return err
	})
	return found, err
}

// founding limits how many organizations one user founds: none needs so many in a day, and each may
// send mails in its name.
var founding = auth.Limit{Action: "found", Max: 50, Window: 24 * time.Hour}

// CreateOrganization founds an organization, gives it its uuid, and makes the user who is logged in
// its owner. Unless a platform administrator founds it, it may have to wait for approval. It
// returns the faults of create, Forbidden for an API key, and TooMany for too many in a day, except
// for platform administrators. Invalid organizations do not count towards that limit.
func (e *Editor) CreateOrganization(
	ctx context.Context, o *rules.Organization,
) (created Versioned[OrganizationView], err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return created, err
	}
	if o.UUID, err = newUUID(); err != nil {
		return created, err
	}
	if err := rules.CheckValues(o); err != nil {
		return created, e.RefuseNew(ctx, o, err)
	}
	if !who.PlatformAdmin {
		if err := e.Limiter.Count(ctx, founding, strconv.Itoa(who.UserID), netip.Addr{}); err != nil {
			return created, err
		}
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		stored, err := createIn(ctx, tx, e, organizations, o, nil)
		if err != nil {
			return err
		}
		if err := team.Put(ctx, tx, e.Now(), o.UUID, who.UserID, permission.All); err != nil {
			return err
		}
		if !who.PlatformAdmin {
			if err := quota.Add(ctx, tx, quota.Organizations, strconv.Itoa(who.UserID), 1); err != nil {
				return err
			}
		}
		if !who.PlatformAdmin && e.Await != nil {
			if err := e.Await(ctx, tx, o); err != nil {
				return err
			}
		}
		created, err = viewOfOrganization(ctx, tx, stored)
		return err
	})
	return created, err
}

// UpdateOrganization applies an edit to an organization. It returns the faults of update; naming
// another organization as the holding one takes EditOrganization there too.
func (e *Editor) UpdateOrganization(
	ctx context.Context, at Target, edit func(*rules.Organization) error,
) (updated Versioned[OrganizationView], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		stored, err := updateIn(ctx, tx, e, organizations, at, edit)
		if err != nil {
			return err
		}
		updated, err = viewOfOrganization(ctx, tx, stored)
		return err
	})
	return updated, err
}

// RemoveOrganization deletes an organization with its members, invitations and keys. It returns the
// faults of remove.
func (e *Editor) RemoveOrganization(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, organizations, at, password)
}
