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
	"litfass/services/admin/internal/platform/quota"
)

// ownedKind is a kind whose entities belong to organizations, and defines how their members write
// them. Regions belong to none.
type ownedKind[E rules.Entity] struct {
	kind[E]
	// The rights that a member needs in the entity's organization.
	addRight, editRight, removeRight permission.Set
	// require checks a right in the organization of the entity with that key, and returns the
	// organization.
	require func(
		ctx context.Context, q access.Querier, who auth.Principal, key string, need permission.Set,
	) (org string, err error)
	// home returns the organization or venue that the entity belongs to; an organization belongs to
	// itself.
	home func(E) identity

	// The functions below may be nil. before is nil when the entity is new.

	// checkEdit refuses an edit that leads to a state which does not follow the one before.
	checkEdit func(e *Editor, before, after E) error
	// claims returns the rights that a write takes in other organizations.
	claims func(before, after E) []claim
	// extraRight returns the right that a write takes beyond addRight, editRight or removeRight in
	// the entity's own organization. To delete an entity takes that of leaving it as it is.
	extraRight func(before, after E) permission.Set
	// auditDiff reduces an entity before and after an edit to the parts that changed, for the audit
	// of kinds with many parts.
	auditDiff func(before, after E) (was, is E)
	// settle sets the values that a write leaves to the program, before it is stored, or refuses it.
	settle func(ctx context.Context, tx pgx.Tx, e *Editor, before, after E) error
	// release takes an entity off those that refer to it, before it is deleted.
	release func(ctx context.Context, tx pgx.Tx, key string) error
	// warn returns the warnings of a write, never nil.
	warn func(ctx context.Context, tx pgx.Tx, e *Editor, before, after E) ([]adminapi.Warning, error)
}

// claim is a right that a write takes in the organization of an entity that it names.
type claim struct {
	at    identity // an organization or a venue
	field string   // of the entity that names it
	need  permission.Set
}

var regions = kind[*rules.Region]{name: rules.KindRegion, table: store.Regions, enqueue: enqueueRegions}

var organizations = ownedKind[*rules.Organization]{
	kind: kind[*rules.Organization]{
		name: rules.KindOrganization, table: store.Organizations, enqueue: enqueueOrganizations, checkAfter: refuseCircles,
	},
	editRight: permission.EditOrganization, removeRight: permission.DeleteOrganization, // everyone may add one
	require: requireOrganization,
	home:    func(o *rules.Organization) identity { return identity{rules.KindOrganization, o.UUID} },
	claims:  claimHolder,
}

var venues = ownedKind[*rules.Venue]{
	kind: kind[*rules.Venue]{
		name: rules.KindVenue, table: store.Venues, enqueue: enqueueVenues, complete: completeUse,
		checkAfter: byAccounts(fewOf(quota.Venues, func(v *rules.Venue) string { return v.OrgUUID })),
	},
	addRight: permission.AddVenue, editRight: permission.EditVenue, removeRight: permission.DeleteVenue,
	require: access.RequireVenue,
	home:    func(v *rules.Venue) identity { return identity{rules.KindOrganization, v.OrgUUID} },
	warn:    warnOfSimilarVenues,
}

var spaces = ownedKind[*rules.Space]{
	kind: kind[*rules.Space]{
		name: rules.KindSpace, table: store.Spaces, enqueue: enqueueSpaces, checkBefore: refuseMovesInUse,
		checkAfter: byAccounts(fewOf(quota.Spaces, func(s *rules.Space) string { return s.VenueUUID })),
	},
	addRight: permission.AddSpace, editRight: permission.EditSpace, removeRight: permission.DeleteSpace,
	require: access.RequireSpace,
	home:    func(s *rules.Space) identity { return identity{rules.KindVenue, s.VenueUUID} },
}

// labels are written by Operators, and by platform administrators (SaveLabel).
var labels = kind[*rules.Label]{
	name: rules.KindLabel, table: store.Labels, enqueue: enqueueLabels, checkAfter: refuseManyLabels,
}

var events = ownedKind[*rules.Event]{
	kind: kind[*rules.Event]{
		name: rules.KindEvent, table: store.Events, enqueue: enqueueEvents, complete: completeEvent, hold: holdDates,
		checkAfter: all(refuseLargeSnapshots, byAccounts(all(fewOf(quota.Events, func(e *rules.Event) string { return e.OrgUUID }), fewImages))),
	},
	addRight: permission.AddEvent | permission.ChooseAsEventOrganization, editRight: permission.EditEvent,
	removeRight: permission.DeleteEvent,
	require:     access.RequireEvent,
	home:        func(e *rules.Event) identity { return identity{rules.KindOrganization, e.OrgUUID} },
	checkEdit:   checkEvent, claims: claimOfEvent, extraRight: releaseRight, auditDiff: eventAuditDiff, warn: warnOfEvent, settle: settleSeries,
}

// manySeries take the rights of portals.
var manySeries = ownedKind[*rules.Series]{
	kind: kind[*rules.Series]{
		name: rules.KindSeries, table: store.AllSeries, enqueue: enqueueSeries, complete: completeParts, checkBefore: leaveParts,
		checkAfter: fewOf(quota.Series, func(s *rules.Series) string { return s.OrgUUID }),
	},
	addRight: permission.EditOrganization, editRight: permission.EditOrganization,
	removeRight: permission.EditOrganization,
	require:     access.RequireSeries,
	home:        func(s *rules.Series) identity { return homeOf(s.OrgUUID) },
	checkEdit:   refuseParts, release: releaseEvents,
}

// contributors take the right to edit events. The operator writes all of them, and only the
// operator shared ones.
var contributors = ownedKind[*rules.Contributor]{
	kind: kind[*rules.Contributor]{
		name: rules.KindContributor, table: store.Contributors, enqueue: enqueueContributors,
		checkAfter: all(refuseMerged, byAccounts(fewOf(quota.Contributors, func(c *rules.Contributor) string { return string(c.OrgUUID) }))),
	},
	addRight: permission.EditEvent, editRight: permission.EditEvent, removeRight: permission.EditEvent,
	require: access.RequireContributor,
	home:    func(c *rules.Contributor) identity { return homeOf(string(c.OrgUUID)) },
	settle:  refuseShared,
}

// portals take the right to edit the organization, whose public face they are, and a portal of the
// operator takes a platform administrator.
var portals = ownedKind[*rules.Portal]{
	kind: kind[*rules.Portal]{
		name: rules.KindPortal, table: store.Portals, enqueue: enqueuePortals,
		checkAfter: fewOf(quota.Portals, func(p *rules.Portal) string { return string(p.OrgUUID) }),
	},
	addRight: permission.EditOrganization, editRight: permission.EditOrganization,
	removeRight: permission.EditOrganization,
	require:     access.RequirePortal,
	home:        func(p *rules.Portal) identity { return homeOf(string(p.OrgUUID)) },
}

// lists take the rights of portals.
var lists = ownedKind[*rules.List]{
	kind: kind[*rules.List]{
		name: rules.KindList, table: store.Lists, enqueue: enqueueLists,
		checkAfter: fewOf(quota.Lists, func(l *rules.List) string { return string(l.OrgUUID) }),
	},
	addRight: permission.EditOrganization, editRight: permission.EditOrganization,
	removeRight: permission.EditOrganization,
	require:     access.RequireList,
	home:        func(l *rules.List) identity { return homeOf(string(l.OrgUUID)) },
}

// homeOf returns the home of what belongs to an organization, or for "" to the operator.
func homeOf(org string) identity {
	if org == "" {
		return ofOperator
	}
	return identity{rules.KindOrganization, org}
}

// ofOperator is the home of what belongs to no organization.
var ofOperator = identity{}

func requireOrganization(
	ctx context.Context, q access.Querier, who auth.Principal, org string, need permission.Set,
) (string, error) {
	_, err := access.Require(ctx, q, who, org, need)
	return org, err
}

// claimHolder: to name another organization as the holding one takes the right to edit that one, so
// that no organization claims a stranger.
func claimHolder(before, after *rules.Organization) []claim {
	holder := after.HoldingOrgUUID
	if holder == "" || before != nil && before.HoldingOrgUUID == holder {
		return nil
	}
	at := identity{rules.KindOrganization, string(holder)}
	return []claim{{at, "holding_org_uuid", permission.EditOrganization}}
}

// claimOfEvent returns the claims of venues, and of contributors and series that the event did not
// name before.
func claimOfEvent(before, after *rules.Event) []claim {
	claims, settled := claimVenues(before, after), map[string]bool{}
	if before != nil {
		for _, named := range before.Contributors {
			settled[named.UUID] = true
		}
		for _, of := range before.Series {
			settled[of.SeriesUUID] = true
		}
	}
	for _, r := range rules.References(after) {
		if (r.Kind == rules.KindContributor || r.Kind == rules.KindSeries) && !settled[r.Key] {
			settled[r.Key] = true
			claims = append(claims, claim{at: identity{r.Kind, r.Key}, field: r.Field()})
		}
	}
	return claims
}

// claimVenues: to take place in a venue of another organization takes the right to choose its
// venues there, unless the venue is open or its owner has accepted the event (requireOpen). An
// event keeps its place without that right, unless it moves to another organization.
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
