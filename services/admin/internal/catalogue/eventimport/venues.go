package eventimport

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// venue is a venue of the organization, of one where the caller may choose venues, or an open one
// that the request names.
type venue struct {
	UUID       string
	Name       string
	Own        bool
	Choosable  bool // by its name
	Timezone   string
	PostalCode string
	City       string
	Address    string            // street and number
	Spaces     map[string]string // uuids by names in lower case, "" for a name that several have
}

// venues are the venues that a file names.
type venues struct {
	byName map[string][]venue // by names in lower case
	byUUID map[string]venue
}

const selectVenues = access.Allowed + `
SELECT
    v.uuid::text, v.name, v.org_uuid = $5, v.org_uuid = $5 OR v.org_uuid IN (SELECT org_uuid FROM allowed),
    coalesce(v.timezone, ''), coalesce(v.postal_code, ''), coalesce(v.city, ''), concat_ws(' ', v.street, v.house_number),
    (
        SELECT coalesce(jsonb_object_agg(name, uuid), '{}')
        FROM (
            SELECT lower(s.name) AS name, CASE WHEN count(*) = 1 THEN min(s.uuid::text) ELSE '' END AS uuid
            FROM space s
            WHERE s.venue_uuid = v.uuid
            GROUP BY lower(s.name)
        ) AS spaces
    )
FROM venue v
WHERE (v.org_uuid = $5 OR v.org_uuid IN (SELECT org_uuid FROM allowed))
    AND (lower(v.name) = ANY($6) OR v.uuid = ANY($7::uuid[]) OR v.postal_code = ANY($8) OR lower(v.city) = ANY($8))
    OR v.uuid = ANY($7::uuid[])
        AND (v.use = 'open' OR v.use = 'ask' AND EXISTS (
            SELECT
            FROM venue_request r
            WHERE r.venue_uuid = v.uuid AND r.org_uuid = $5 AND r.state = 'accepted' AND r.for_organization
        ))
        AND ` + outbox.Approved + `v.org_uuid)
ORDER BY v.uuid`

const selectAsking = `
SELECT v.uuid::text
FROM venue v
WHERE v.uuid = ANY($1::uuid[]) AND v.use = 'ask' AND ` + outbox.Approved + `v.org_uuid)`

// readVenues reads the venues with these names, or in these towns, that belong to the organization
// or that the caller may choose, and the ones that the request names by their uuids, which may also
// be venues of others that are open, or whose owners have accepted the organization. chosen are the
// fields of the request by uuids; the fault is Invalid for a venue with a field that events may not
// use.
func readVenues(
	ctx context.Context, tx pgx.Tx, org string, names, towns []string, chosen map[string]string,
) (venues, error) {
	found := venues{byName: map[string][]venue{}, byUUID: map[string]venue{}}
	arguments, some := access.AllowedTo(auth.PrincipalOf(ctx), permission.ChooseVenue)
	if !some {
		arguments = []any{0, false, "", int64(0)} // only venues of the organization
	}
	uuids := slices.Sorted(maps.Keys(chosen))
	list, err := postgres.List[venue](ctx, tx, "venues", selectVenues, append(arguments, org, names, uuids, towns)...)
	if err != nil {
		return found, err
	}
	for _, v := range list {
		found.add(v)
	}
	return found, found.refuseUnknown(ctx, tx, uuids, chosen)
}

// refuseUnknown returns an Invalid fault of the venues with a field that events may not use.
func (vs venues) refuseUnknown(ctx context.Context, tx pgx.Tx, uuids []string, chosen map[string]string) error {
	asking, err := postgres.Collect[string](ctx, tx, "venues", selectAsking, uuids)
	if err != nil {
		return err
	}
	var bad fault.Violations
	for _, uuid := range uuids {
		_, known := vs.byUUID[uuid]
		switch {
		case known || chosen[uuid] == "":
		case slices.Contains(asking, uuid):
			bad.Add(chosen[uuid], reason.VenueAsks)
		default:
			bad.Add(chosen[uuid], reason.UnknownReference(reason.WordYourVenue))
		}
	}
	return bad.Err("invalid_import", "some fields are not right")
}

func (vs venues) add(v venue) {
	vs.byUUID[v.UUID] = v
	if !v.Choosable {
		return
	}
	name := strings.ToLower(v.Name)
	vs.byName[name] = append(vs.byName[name], v)
}

// namesOf returns the possible venue names in the text of a place, in lower case: all of it, or the
// part before the address.
func namesOf(text string, place eventfile.Place) []string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if name := strings.ToLower(place.Name); name != text {
		return []string{text, name}
	}
	return []string{text}
}

// find returns the venue of a name, first among the organization's own, or why there is none. A
// venue in another town is another one.
func (vs venues) find(text string, place eventfile.Place) (found venue, why *reason.Reason) {
	for _, name := range namesOf(text, place) {
		var own, others []venue
		for _, v := range vs.byName[name] {
			switch {
			case v.elsewhere(place):
			case v.Own:
				own = append(own, v)
			default:
				others = append(others, v)
			}
		}
		own, others = narrow(own, place), narrow(others, place)
		switch {
		case len(own) == 1:
			return own[0], nil
		case len(own) == 0 && len(others) == 1:
			return others[0], nil
		case len(own)+len(others) > 0:
			return found, reason.AmbiguousVenue
		}
	}
	return found, reason.UnknownVenue
}

// at returns the only venue with the street and number of a place in its town.
func (vs venues) at(place eventfile.Place) (found venue, known bool) {
	address, count := addressKey(place.Name), 0
	for _, v := range vs.byUUID {
		in := v.PostalCode != "" && v.PostalCode == place.PostalCode || v.City != "" && document.Words(v.City) == document.Words(place.City)
		if in && addressKey(v.Address) == address {
			found = v
			count++
		}
	}
	return found, count == 1
}

func addressKey(address string) string {
	return document.Words(strings.ReplaceAll(strings.ToLower(address), "str.", "straße"))
}

// narrow returns the venues of one name that are known to be in the town of a place, or all if that
// is known of none.
func narrow(list []venue, place eventfile.Place) []venue {
	var there []venue
	for _, v := range list {
		if v.PostalCode != "" && v.PostalCode == place.PostalCode || v.City != "" && document.Words(v.City) == document.Words(place.City) {
			there = append(there, v)
		}
	}
	if len(there) > 0 {
		return there
	}
	return list
}

// elsewhere reports whether a venue is in another town than a place.
func (v venue) elsewhere(place eventfile.Place) bool {
	if v.PostalCode != "" && v.PostalCode == place.PostalCode || v.City == "" || place.City == "" {
		return false
	}
	return document.Words(v.City) != document.Words(place.City)
}

// zoneOf returns the time zone of a venue, or the one of the deployment.
func (vs venues) zoneOf(uuid value.Text, other *time.Location) *time.Location {
	zone, err := time.LoadLocation(vs.byUUID[string(uuid)].Timezone)
	if err != nil || vs.byUUID[string(uuid)].Timezone == "" {
		return other
	}
	return zone
}

// nameOf returns the name of a venue, or its uuid if the venue was not read.
func (vs venues) nameOf(uuid string) string {
	if v, known := vs.byUUID[uuid]; known {
		return v.Name
	}
	return uuid
}

// spaceOf returns the name of a space, or its uuid if its venue was not read.
func (vs venues) spaceOf(venue, space string) string {
	for name, uuid := range vs.byUUID[venue].Spaces {
		if uuid == space {
			return name
		}
	}
	return space
}
