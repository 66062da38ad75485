package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/adminapi"
	"litfass/pkg/permission"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/store"
)

// owned is a kind whose entities belong to organizations: how its members write them. Regions
// belong to none.
type owned[E catalog.Entity] struct {
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

var regions = kind[*catalog.Region]{name: catalog.KindRegion, table: store.Regions, enqueue: enqueueRegions}

var organizations = owned[*catalog.Organization]{
	kind: kind[*catalog.Organization]{
		name: catalog.KindOrganization, table: store.Organizations, enqueue: enqueueOrganizations, checkAfter: refuseCircles,
	},
	edit: permission.EditOrganization, remove: permission.DeleteOrganization, // everyone may add one
	require: requireOrganization,
	home:    func(o *catalog.Organization) identity { return identity{catalog.KindOrganization, o.UUID} },
	claims:  claimHolder,
}

var venues = owned[*catalog.Venue]{
	kind: kind[*catalog.Venue]{name: catalog.KindVenue, table: store.Venues, enqueue: enqueueVenues},
	add:  permission.AddVenue, edit: permission.EditVenue, remove: permission.DeleteVenue,
	require: access.RequireVenue,
	home:    func(v *catalog.Venue) identity { return identity{catalog.KindOrganization, v.OrgUUID} },
	warn:    warnOfSimilarVenues,
}

var spaces = owned[*catalog.Space]{
	kind: kind[*catalog.Space]{
		name: catalog.KindSpace, table: store.Spaces, enqueue: enqueueSpaces, checkBefore: refuseMovesInUse,
	},
	add: permission.AddSpace, edit: permission.EditSpace, remove: permission.DeleteSpace,
	require: access.RequireSpace,
	home:    func(s *catalog.Space) identity { return identity{catalog.KindVenue, s.VenueUUID} },
}

var events = owned[*catalog.Event]{
	kind: kind[*catalog.Event]{
		name: catalog.KindEvent, table: store.Events, enqueue: enqueueEvents, complete: completeLinks,
	},
	add: permission.AddEvent | permission.ChooseAsEventOrganization, edit: permission.EditEvent,
	remove:  permission.DeleteEvent,
	require: access.RequireEvent,
	home:    func(e *catalog.Event) identity { return identity{catalog.KindOrganization, e.OrgUUID} },
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
func claimHolder(before, after *catalog.Organization) []claim {
	holder := after.HoldingOrgUUID
	if holder == "" || before != nil && before.HoldingOrgUUID == holder {
		return nil
	}
	at := identity{catalog.KindOrganization, string(holder)}
	return []claim{{at, "holding_org_uuid", permission.EditOrganization}}
}

// claimVenues: to take place in a venue of another organization takes the right to choose its
// venues there. An event that stays where it is keeps its place, unless it changes hands.
func claimVenues(before, after *catalog.Event) []claim {
	settled := map[string]bool{}
	if before != nil && before.OrgUUID == after.OrgUUID {
		for _, r := range catalog.References(before) {
			settled[r.Key] = true
		}
	}
	var claims []claim
	for _, r := range catalog.References(after) {
		if r.Kind == catalog.KindVenue && !settled[r.Key] {
			settled[r.Key] = true
			claims = append(claims, claim{identity{r.Kind, r.Key}, r.Field(), permission.ChooseVenue})
		}
	}
	return claims
}
