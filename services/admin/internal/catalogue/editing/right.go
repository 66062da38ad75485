package editing

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
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

// loadToWrite is load for an entity that is to be changed or deleted, which may take a further
// right (extraRight). It is checked before the version.
func (k ownedKind[E]) loadToWrite(
	ctx context.Context, tx pgx.Tx, at Target, need permission.Set,
) (stored store.Stored[E], org string, err error) {
	if stored, org, err = k.load(ctx, tx, Target{Key: at.Key}, need); err != nil {
		return stored, org, err
	}
	if err := k.requireExtraRight(ctx, tx, org, stored.Entity, stored.Entity); err != nil {
		return stored, org, err
	}
	return stored, org, at.Expected.Check(string(k.name), stored.Version)
}

// homeFields are the fields that name the home of an entity, by the kind of the home.
var homeFields = map[rules.Kind]string{
	rules.KindOrganization: "org_uuid",
	rules.KindVenue:        "venue_uuid",
}

// requireRights checks the rights that a write takes beyond the right to edit the entity where it
// is, in org: where it moves to or is added, and in the organizations of the entities that it
// claims. It returns the organizations that the entity belongs to, before and after. org is "" for
// a new entity.
func (k ownedKind[E]) requireRights(
	ctx context.Context, tx pgx.Tx, org string, before, after E,
) (orgs []string, err error) {
	home, need, moves := k.home(after), k.addRight, true
	if org != "" {
		if err := k.requireExtraRight(ctx, tx, org, before, after); err != nil {
			return nil, err
		}
		// To move an entity between organizations takes the right in both (RULES.md, Rights).
		orgs, need, moves = []string{org}, k.editRight, k.home(before) != home
	}
	switch {
	case home == identity{k.name, after.Key()}: // an organization is its own home
		org = after.Key()
	case moves:
		if org, err = requireAt(ctx, tx, home, need); err != nil {
			return nil, atField(err, homeFields[home.kind])
		}
		if err := k.requireExtraRight(ctx, tx, org, before, after); err != nil {
			return nil, err
		}
	}
	if k.claims == nil {
		return append(orgs, org), nil
	}
	for _, c := range k.claims(before, after) {
		if err := requireClaim(ctx, tx, c, guest{after.Key(), org}); err != nil {
			return nil, atField(err, c.field)
		}
	}
	return append(orgs, org), nil
}

// requireClaim checks the right that an entity needs at another one.
func requireClaim(ctx context.Context, tx pgx.Tx, c claim, by guest) error {
	if c.at.kind == rules.KindContributor {
		return requireVisible(ctx, tx, c.at.key)
	}
	if c.at.kind == rules.KindSeries {
		return requireVisibleSeries(ctx, tx, c.at.key)
	}
	where, err := requireAt(ctx, tx, c.at, 0)
	if err == nil && where != by.org {
		_, err = access.Require(ctx, tx, auth.PrincipalOf(ctx), where, c.need)
	}
	if c.need == permission.ChooseVenue && (fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden)) {
		return requireOpen(ctx, tx, c.at.key, by, err)
	}
	return err
}

// preferRights returns the Forbidden fault of a right that a refused write lacks, and else its
// refusal: rights come before content (RULES.md, Rights). after may break any rule.
func (k ownedKind[E]) preferRights(
	ctx context.Context, tx pgx.Tx, org string, before, after E, refused error,
) error {
	after.Normalize()
	isNew := after.Key() == ""
	if k.home(after) == ofOperator && (isNew || names(refused, homeFields[rules.KindOrganization])) {
		return refused // the organization is not known
	}
	_, err := k.requireRights(ctx, tx, org, before, after)
	if err == nil || fault.Is(err, fault.NotFound) {
		return refused
	}
	return err
}

// names reports whether a fault names a field.
func names(err error, field string) bool {
	return slices.ContainsFunc(fault.Of(err).Violations, func(v fault.Violation) bool { return v.Field == field })
}

// requireExtraRight checks the right that a write takes beyond the right to add or edit, in an
// organization that the entity belongs to before or after.
func (k ownedKind[E]) requireExtraRight(ctx context.Context, tx pgx.Tx, org string, before, after E) error {
	if k.extraRight == nil {
		return nil
	}
	need := k.extraRight(before, after)
	if need == 0 {
		return nil
	}
	_, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, need)
	if fault.Is(err, fault.Forbidden) && need == permission.ReleaseEvent {
		return fault.New(fault.Forbidden, "release_right_missing",
			"this takes the right to release events in this organization")
	}
	return err
}

// requireAt checks a right in an organization or that of a venue, and returns the organization; for
// what belongs to none, "" to platform administrators.
func requireAt(ctx context.Context, tx pgx.Tx, at identity, need permission.Set) (string, error) {
	who := auth.PrincipalOf(ctx)
	if at == ofOperator {
		return "", access.RequirePlatform(who)
	}
	if _, valid := value.UUIDv7(at.key); !valid { // of an entity that is refused
		return "", fault.New(fault.NotFound, string(at.kind)+"_not_found", "there is no such %s", at.kind)
	}
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
