package store

import (
	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// constraint describes a constraint of the schema to the client whose write violates it.
type constraint struct {
	kind          fault.Kind
	field, reason string
}

// constraints are the ones that only the database can check. The others repeat the checks of
// package rules.
var constraints = map[string]constraint{
	"event_date_pkey":                    {fault.Conflict, "dates", "holds the uuid of another event's date"},
	"event_date_rule_pkey":               {fault.Conflict, "date_rules", "holds the uuid of another event's rule"},
	"event_date_rule_of_event":           {fault.Invalid, "dates", "names no rule of the event"},
	"event_date_original":                {fault.Invalid, "dates", "holds two dates of one original start"},
	"event_image_pkey":                   {fault.Conflict, "images", "holds the uuid of another event's image"},
	"event_link_uuid":                    {fault.Conflict, "event_links", "holds the uuid of another event's link"},
	"organization_holding_org_uuid_fkey": {fault.Invalid, "holding_org_uuid", "names no organization"},
	"venue_org_uuid_fkey":                {fault.Invalid, "org_uuid", "names no organization"},
	"space_venue_uuid_fkey":              {fault.Invalid, "venue_uuid", "names no venue"},
	"event_org_uuid_fkey":                {fault.Invalid, "org_uuid", "names no organization"},
	"event_venue_uuid_fkey":              {fault.Invalid, "venue_uuid", "names no venue"},
	"event_space_of_venue":               {fault.Invalid, "space_uuid", "names no space of the venue"},
	"event_date_venue_uuid_fkey":         {fault.Invalid, "dates", "names no venue"},
	"event_date_space_of_venue":          {fault.Invalid, "dates", "names no space of the venue"},
	"event_type_genre_of_type":           {fault.Invalid, "event_types", "names no genre of the type"},
}

// takenBack is the constraint by which an event that is taken back is not public.
const takenBack = "event_taken_back_is_not_public"

// Refusal returns the fault that explains to a client why the database refused to write something,
// without the database's own words, or nil for any other error. A violation of a constraint that
// is not among constraints is Invalid without a field.
func Refusal(err error) *fault.Fault {
	name, refused := postgres.Refused(err)
	if !refused {
		return nil
	}
	if name == takenBack {
		f := rules.ErrTakenBack()
		f.Violations = fault.Violations{{Field: "release_status", Reason: "cannot be one of a public event"}}
		return f
	}
	known, ok := constraints[name]
	if !ok {
		return fault.Wrap(err, fault.Invalid, "refused", "the catalogue does not admit this")
	}
	f := fault.Wrap(err, known.kind, "refused", "the catalogue does not admit this")
	f.Violations = fault.Violations{{Field: known.field, Reason: known.reason}}
	return f
}
