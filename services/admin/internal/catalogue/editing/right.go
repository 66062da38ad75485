package editing

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// load returns an entity and its organization to a principal with the right, if the entity has an
// expected version. The faults: NotFound for an entity that is unknown or a stranger's, Forbidden,
// Stale.
func (k ownedKind[E]) load(
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
	if !exists { // deleted since the right was checked
		return stored, "", fault.New(fault.NotFound, string(k.name)+"_not_found", "there is no such %s", k.name)
	}
	return stored, org, at.Expected.Check(string(k.name), stored.Version)
}

// homeFields are the fields that name the home of an entity, by the kind of the home.
var homeFields = map[rules.Kind]string{
	rules.KindOrganization: "org_uuid",
	rules.KindVenue:        "venue_uuid",
}

// requireClaims checks the rights that a write takes in organizations other than the entity's own.
func (k ownedKind[E]) requireClaims(ctx context.Context, tx pgx.Tx, org string, before, after E) error {
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

// requireExtraRight checks the right that a write takes beyond the right to add or edit, in the
// organizations that the entity belongs to before and after.
func (k ownedKind[E]) requireExtraRight(ctx context.Context, tx pgx.Tx, orgs []string, before, after E) error {
	if k.extraRight == nil {
		return nil
	}
	need := k.extraRight(before, after)
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

// requireAt checks a right in an organization or that of a venue, and returns the organization.
func requireAt(ctx context.Context, tx pgx.Tx, at identity, need permission.Set) (string, error) {
	who := auth.PrincipalOf(ctx)
	if at.kind == rules.KindVenue {
		return access.RequireVenue(ctx, tx, who, at.key, need)
	}
	return requireOrganization(ctx, tx, who, at.key, need)
}

// atField adds to a NotFound fault the field that names the unknown entity.
func atField(err error, field string) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	f := *fault.Of(err)
	f.Violations = fault.Violations{fault.Violate(field, reason.UnknownOrHidden)}
	return &f
}
