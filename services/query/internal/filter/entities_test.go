package filter

import (
	"testing"

	"litfass/services/query/internal/params"
)

func TestEntities(t *testing.T) {
	const a, b = "01920000-0000-7000-8000-00000000000a", "01920000-0000-7000-8000-00000000000b"
	for _, test := range []struct {
		name  string
		expr  Expr
		want  string
		found bool
	}{
		{"no filter", Venues(params.Query{}, Places{}), `gone = false`, true},
		{"everything", Venues(params.Query{
			VenueUUIDs: []string{b, a}, OrgUUIDs: []string{a}, Countries: []string{"DNK", "DEU"}, Accessibility: []int{5, 0},
			Name: &params.Pattern{Text: "bar", OpenStart: true}, City: &params.Pattern{Text: "Ulm"},
			PostalCodes: []params.Pattern{{Text: "89", OpenEnd: true}},
		}, Places{}), `gone = false AND id IN ["` + a + `","` + b + `"] AND org_uuid = "` + a + `" AND country IN ["DEU","DNK"]` +
			` AND accessibility_bits = 0 AND accessibility_bits = 5 AND name_end STARTS WITH "$rab" AND city_key = "^ulm$"` +
			` AND postal_key STARTS WITH "^89"`, true},
		{"in a box", Venues(params.Query{Box: &params.Box{West: -9.5, South: -54, East: 10, North: 55.25}}, Places{}),
			`gone = false AND lat >= -54 AND lat <= 55.25 AND lon >= -9.5 AND lon <= 10`, true},
		{"across the antimeridian", Venues(params.Query{Box: &params.Box{West: 170, South: 0, East: -170, North: 1}}, Places{}),
			`gone = false AND lat >= 0 AND lat <= 1 AND (lon >= 170 OR lon <= -170)`, true},
		{"nowhere", Venues(params.Query{}, Places{Limited: true}), ``, false},
		{"named but elsewhere", Venues(params.Query{VenueUUIDs: []string{a}}, Places{Limited: true, Venues: []string{b}}), ``, false},
		{"of an organization", VenuesOf(a), `gone = false AND org_uuid = "` + a + `"`, true},
		{"by part of a name", Organizations(`x" OR gone = true`),
			`gone = false AND name_key CONTAINS "x` + "\U000F0022\U000F0020or\U000F0020gone\U000F0020\U000F003D\U000F0020true" + `"`, true},
	} {
		got, found := Compile(test.expr)
		if got != test.want || found != test.found {
			t.Errorf("%s:\n got %q %t\nwant %q %t", test.name, got, found, test.want, test.found)
		}
	}
}
