package store

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// constraint describes a constraint of the schema to the client whose write violates it.
type constraint struct {
	kind   fault.Kind
	field  string
	reason *reason.Reason
}

// constraints are the ones that only the database can check. The others repeat the checks of
// package rules.
var constraints = map[string]constraint{
	"portal_slug_key":                         {fault.Conflict, "slug", reason.SlugTaken},
	"list_slug_key":                           {fault.Conflict, "slug", reason.SlugTaken},
	"list_org_uuid_fkey":                      {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"series_slug_key":                         {fault.Conflict, "slug", reason.SlugTaken},
	"series_org_uuid_fkey":                    {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"series_part_pkey":                        {fault.Conflict, "parts", reason.UUIDTaken(reason.WordSeriesPart)},
	"contributor_org_uuid_fkey":               {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"event_contributor_contributor_uuid_fkey": {fault.Invalid, "contributors", reason.UnknownReference(reason.WordContributor)},
	"portal_org_uuid_fkey":                    {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"event_date_pkey":                         {fault.Conflict, "dates", reason.UUIDTaken(reason.WordDate)},
	"event_date_rule_pkey":                    {fault.Conflict, "date_rules", reason.UUIDTaken(reason.WordRule)},
	"event_date_rule_of_event":                {fault.Invalid, "dates", reason.UnknownReference(reason.WordRuleOfEvent)},
	"event_date_original":                     {fault.Invalid, "dates", reason.DuplicateOriginal},
	"event_image_pkey":                        {fault.Conflict, "image.uuid", reason.UUIDTaken(reason.WordImage)},
	"event_link_uuid":                         {fault.Conflict, "event_links", reason.UUIDTaken(reason.WordLink)},
	"organization_holding_org_uuid_fkey":      {fault.Invalid, "holding_org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"venue_org_uuid_fkey":                     {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"space_venue_uuid_fkey":                   {fault.Invalid, "venue_uuid", reason.UnknownReference(reason.WordVenue)},
	"event_org_uuid_fkey":                     {fault.Invalid, "org_uuid", reason.UnknownReference(reason.WordOrganization)},
	"event_venue_uuid_fkey":                   {fault.Invalid, "venue_uuid", reason.UnknownReference(reason.WordVenue)},
	"event_space_of_venue":                    {fault.Invalid, "space_uuid", reason.UnknownReference(reason.WordSpaceOfVenue)},
	"event_date_venue_uuid_fkey":              {fault.Invalid, "dates", reason.UnknownReference(reason.WordVenue)},
	"event_date_space_of_venue":               {fault.Invalid, "dates", reason.UnknownReference(reason.WordSpaceOfVenue)},
	"event_type_genre_of_type":                {fault.Invalid, "event_types", reason.UnknownReference(reason.WordGenre)},
}

// takenBack is the constraint by which an event that is taken back is not public.
const takenBack = "event_taken_back_is_not_public"

func errTakenBack() *fault.Fault {
	f := rules.ErrTakenBack()
	f.Violations = fault.Violations{fault.Violate("release_status", reason.NotPublicStatus)}
	return f
}

// Refusal returns the fault that explains to a client why the database refused to write something,
// without the database's own words, or nil for any other error. A violation of a constraint that
// is not among constraints is Invalid without a field.
func Refusal(err error) *fault.Fault {
	name, refused := postgres.Refused(err)
	if !refused {
		return nil
	}
	if name == takenBack {
		return errTakenBack()
	}
	known, ok := constraints[name]
	if !ok {
		return fault.Wrap(err, fault.Invalid, "refused", "the catalogue does not admit this")
	}
	f := fault.Wrap(err, known.kind, "refused", "the catalogue does not admit this")
	f.Violations = fault.Violations{fault.Violate(known.field, known.reason)}
	return f
}
