package filter

import (
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/services/query/internal/params"
)

type selection = change.PortalSelection

// portalGoldens are the filters of queries within portals, joined with the portal's filter.
var portalGoldens = []struct {
	query, filter    string
	places           Places
	include, exclude selection
	want             string
}{
	{want: ``},
	{query: "tags=x", want: `tag_keys = "^x$"`},
	{filter: "city=Kiel", want: `city_key = "^kiel$"`},
	{query: "tags=x", filter: "city=Kiel", want: `tag_keys = "^x$" AND city_key = "^kiel$"`},
	{query: "city=Husum", filter: "city=Kiel", want: `city_key = "^husum$" AND city_key = "^kiel$"`},
	{filter: "city=Kiel&tags=a", include: selection{EventUUIDs: []string{idA}},
		want: `uuid = "` + idA + `" OR (tag_keys = "^a$" AND city_key = "^kiel$")`},
	{include: selection{OrgUUIDs: []string{idB, idA}, VenueUUIDs: []string{idC}},
		want: `org_uuid IN ["` + idA + `","` + idB + `"] OR venue_uuid = "` + idC + `"`},
	{query: "tags=x", include: selection{OrgUUIDs: []string{idA}, VenueUUIDs: []string{idC}},
		want: `tag_keys = "^x$" AND (org_uuid = "` + idA + `" OR venue_uuid = "` + idC + `")`},
	{exclude: selection{OrgUUIDs: []string{idA}, VenueUUIDs: []string{idB}, EventUUIDs: []string{idC, idA, idC}},
		want: `org_uuid NOT IN ["` + idA + `"] AND venue_uuid NOT IN ["` + idB + `"] AND uuid NOT IN ["` + idA + `","` + idC + `"]`},
	{include: selection{EventUUIDs: []string{idA}}, exclude: selection{EventUUIDs: []string{idA}},
		want: `uuid = "` + idA + `" AND uuid NOT IN ["` + idA + `"]`},
	{filter: "geolist_region=a,b,c", places: Places{Limited: true}, want: `none`},
	{filter: "geolist_region=a,b,c", places: Places{Limited: true}, include: selection{EventUUIDs: []string{idA}}, want: `uuid = "` + idA + `"`},
	{filter: "geolist_region=a,b,c", places: someWhere, exclude: selection{VenueUUIDs: []string{idA}},
		want: `venue_uuid IN ["` + idA + `","` + idB + `"] AND venue_uuid NOT IN ["` + idA + `"]`},
}

// TestPortalsCompile: a portal is a set of dates, which the query narrows.
func TestPortalsCompile(t *testing.T) {
	for _, test := range portalGoldens {
		q, err := params.Events.FromURL(test.query, today)
		if err != nil {
			t.Fatal(err)
		}
		var own *params.Query
		if test.filter != "" {
			parsed, err := params.Events.FromURL(test.filter, today)
			if err != nil {
				t.Fatal(err)
			}
			own = &parsed
		}
		got, found := Compile(InPortal(Dates(q, Places{}), own, test.places, test.include, test.exclude))
		if !found {
			got = "none"
		}
		if got != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test, got, test.want)
		}
	}
}
