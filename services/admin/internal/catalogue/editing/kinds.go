package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// owned is a kind whose entities belong to organizations: how its members write them. Regions
// belong to none.
type owned[E rules.Entity] struct {
	kind[E]
	// What a member needs to be allowed in the entity's organization.
	add, edit, remove permission.Set
	// require asks for a right in the organization of the entity with that key, and returns the
	// organization.
	require func(
		ctx context.Context, q access.Querier, who auth.Principal, key string, need permission.Set,
	) (org string, err error)
	// home is what the entity belongs to: an organization or a venue; an organization is its own.
	home func(E) identity
	// claims are the rights that an edit takes in other organizations; before is nil when the
	// entity is new.
	claims func(before, after E) []claim
	// extra is what an edit takes beyond the right to edit in the entity's own organization; before
	// is nil when the entity is new. Kinds without it take nothing.
	extra func(before, after E) permission.Set
	// audited are an entity before and after a change as the audit compares them, for kinds with
	// many parts: without the parts that did not change.
	audited func(before, after E) (was, is E)
	// warn returns the warnings of a write, never nil; before is nil when the entity is new. Kinds
	// without it know none.
	warn func(ctx context.Context, tx pgx.Tx, e *Editor, before, after E) ([]adminapi.Warning, error)
}

// claim is a right that an edit takes in the organization of something that it names.
type claim struct {
	at    identity // an organization or a venue
	field string   // of the entity that names it
	need  permission.Set
}

var regions = kind[*rules.Region]{name: rules.KindRegion, table: store.Regions, enqueue: enqueueRegions}

var organizations = owned[*rules.Organization]{
	kind: kind[*rules.Organization]{
		name: rules.KindOrganization, table: store.Organizations, enqueue: enqueueOrganizations, checkAfter: refuseCircles,
	},
	edit: permission.EditOrganization, remove: permission.DeleteOrganization, // everyone may add one
	require: requireOrganization,
	home:    func(o *rules.Organization) identity { return identity{rules.KindOrganization, o.UUID} },
	claims:  claimHolder,
}

var venues = owned[*rules.Venue]{
	kind: kind[*rules.Venue]{name: rules.KindVenue, table: store.Venues, enqueue: enqueueVenues},
	add:  permission.AddVenue, edit: permission.EditVenue, remove: permission.DeleteVenue,
	require: access.RequireVenue,
	home:    func(v *rules.Venue) identity { return identity{rules.KindOrganization, v.OrgUUID} },
	warn:    warnOfSimilarVenues,
}

var spaces = owned[*rules.Space]{
	kind: kind[*rules.Space]{
		name: rules.KindSpace, table: store.Spaces, enqueue: enqueueSpaces, checkBefore: refuseMovesInUse,
	},
	add: permission.AddSpace, edit: permission.EditSpace, remove: permission.DeleteSpace,
	require: access.RequireSpace,
	home:    func(s *rules.Space) identity { return identity{rules.KindVenue, s.VenueUUID} },
}

var events = owned[*rules.Event]{
	kind: kind[*rules.Event]{
		name: rules.KindEvent, table: store.Events, enqueue: enqueueEvents, complete: completeLinks,
	},
	add: permission.AddEvent | permission.ChooseAsEventOrganization, edit: permission.EditEvent,
	remove:  permission.DeleteEvent,
	require: access.RequireEvent,
	home:    func(e *rules.Event) identity { return identity{rules.KindOrganization, e.OrgUUID} },
	claims:  claimVenues,
	extra:   releaseRight,
	audited: auditedEvents,
	warn:    warnOfDates,
}

func requireOrganization(
	ctx context.Context, q access.Querier, who auth.Principal, org string, need permission.Set,
) (string, error) {
	_, err := access.Require(ctx, q, who, org, need)
	return org, err
}

// claimHolder: to come under another organization takes the right to edit that one, so that no
// organization claims a stranger.
func claimHolder(before, after *rules.Organization) []claim {
	holder := after.HoldingOrgUUID
	if holder == "" || before != nil && before.HoldingOrgUUID == holder {
		return nil
	}
	at := identity{rules.KindOrganization, string(holder)}
	return []claim{{at, "holding_org_uuid", permission.EditOrganization}}
}

// claimVenues: to take place in a venue of another organization takes the right to choose its
// venues there. An event that stays where it is keeps its place, unless it changes hands.
func claimVenues(before, after *rules.Event) []claim {
	settled := map[string]bool{}
	if before != nil && before.OrgUUID == after.OrgUUID {
		for _, r := range rules.References(before) {
			settled[r.Key] = true
		}
	}
	var claims []claim
	for _, r := range rules.References(after) {
		if r.Kind == rules.KindVenue && !settled[r.Key] {
			settled[r.Key] = true
			claims = append(claims, claim{identity{r.Kind, r.Key}, r.Field(), permission.ChooseVenue})
		}
	}
	return claims
}
