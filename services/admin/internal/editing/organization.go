package editing

import (
	"context"
	"net/netip"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/team"
)

// Organization returns an organization to its members. A stranger's is a NotFound fault.
func (e *Editor) Organization(ctx context.Context, org string) (Versioned[*catalog.Organization], error) {
	return get(ctx, e, organizations, org)
}

// founding limits how many organizations one user founds: none needs so many in a day, and each may
// send mails in its name.
var founding = auth.Limit{Action: "found", Most: 50, Window: 24 * time.Hour}

// CreateOrganization founds an organization, gives it its uuid, and makes the user who is logged in
// its owner. Unless a platform administrator founds it, it may have to wait for approval. The
// faults are those of create; also Forbidden for an API key, and TooMany for too many in a day, but
// never for platform administrators. An organization that is not valid does not count.
func (e *Editor) CreateOrganization(
	ctx context.Context, o *catalog.Organization,
) (created Versioned[*catalog.Organization], err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return created, err
	}
	if o.UUID, err = newUUID(); err != nil {
		return created, err
	}
	it, err := newItem(o)
	if err != nil {
		return created, err
	}
	if !who.PlatformAdmin {
		if err := e.Limiter.Count(ctx, founding, strconv.Itoa(who.UserID), netip.Addr{}); err != nil {
			return created, err
		}
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		if created, err = organizations.insert(ctx, tx, e, it); err != nil {
			return err
		}
		if err := team.Found(ctx, tx, o.UUID, who.UserID, e.Now()); err != nil || who.PlatformAdmin || e.Await == nil {
			return err
		}
		return e.Await(ctx, tx, o)
	})
	return created, err
}

// UpdateOrganization applies an edit to an organization. The faults are those of update; to name
// another organization as the holding one takes EditOrganization there too.
func (e *Editor) UpdateOrganization(
	ctx context.Context, at Target, edit func(*catalog.Organization) error,
) (Versioned[*catalog.Organization], error) {
	return update(ctx, e, organizations, at, edit)
}

// RemoveOrganization deletes an organization with its members, invitations and keys. The faults are
// those of remove.
func (e *Editor) RemoveOrganization(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, organizations, at, password)
}
