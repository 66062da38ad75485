package editing

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// reach returns an entity to a principal with the right, when it has an expected version, and its
// organization. The faults: NotFound for what is unknown or a stranger's, Forbidden, Stale.
func (k owned[E]) reach(
	ctx context.Context, tx pgx.Tx, at Target, need permission.Set,
) (stored store.Stored[E], org string, err error) {
	if org, err = k.require(ctx, tx, auth.PrincipalOf(ctx), at.Key, need); err != nil {
		return stored, "", err
	}
	found, err := k.table.Read(ctx, tx, []string{at.Key})
	if err != nil {
		return stored, "", err
	}
	stored, exists := found[at.Key]
	if !exists { // deleted since the right was asked for
		return stored, "", fault.New(fault.NotFound, string(k.name)+"_not_found", "there is no such %s", k.name)
	}
	return stored, org, at.Expected.Check(string(k.name), stored.Version)
}

// requireMove asks for the right where the entity comes to belong, unless it belongs there already,
// and returns that organization: moving something between organizations needs the right in both
// (RULES.md, Rights).
func (k owned[E]) requireMove(ctx context.Context, tx pgx.Tx, org string, before, after E) (string, error) {
	home := k.home(after)
	if k.home(before) == home {
		return org, nil
	}
	there, err := requireAt(ctx, tx, home, k.edit)
	return there, atField(err, homeFields[home.kind])
}

// homeFields are the fields that name what an entity belongs to.
var homeFields = map[rules.Kind]string{
	rules.KindOrganization: "org_uuid",
	rules.KindVenue:        "venue_uuid",
}

// requireClaims asks for what an edit takes in organizations other than the entity's own.
func (k owned[E]) requireClaims(ctx context.Context, tx pgx.Tx, org string, before, after E) error {
	if k.claims == nil {
		return nil
	}
	for _, c := range k.claims(before, after) {
		where, err := requireAt(ctx, tx, c.at, 0)
		if err == nil && where != org {
			_, err = access.Require(ctx, tx, auth.PrincipalOf(ctx), where, c.need)
		}
		if err != nil {
			return atField(err, c.field)
		}
	}
	return nil
}

// requireExtra asks for what an edit takes beyond the right to edit, in the organizations that the
// entity belongs to before and after.
func (k owned[E]) requireExtra(ctx context.Context, tx pgx.Tx, orgs []string, before, after E) error {
	if k.extra == nil {
		return nil
	}
	need := k.extra(before, after)
	if need == 0 {
		return nil
	}
	for _, org := range slices.Compact(orgs) {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, need); err != nil {
			return err
		}
	}
	return nil
}

// requireAt asks for a right in an organization or that of a venue, and returns the organization.
func requireAt(ctx context.Context, tx pgx.Tx, at identity, need permission.Set) (string, error) {
	who := auth.PrincipalOf(ctx)
	if at.kind == rules.KindVenue {
		return access.RequireVenue(ctx, tx, who, at.key, need)
	}
	return requireOrganization(ctx, tx, who, at.key, need)
}

// atField says which field names what is unknown, or a stranger's.
func atField(err error, field string) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	f := *fault.Of(err)
	f.Violations = fault.Violations{{Field: field, Reason: "names what does not exist, or is not yours to know of"}}
	return &f
}
