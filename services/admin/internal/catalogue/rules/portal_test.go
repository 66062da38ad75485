package rules_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

func TestCheckPortal(t *testing.T) {
	t.Parallel()
	long, many := strings.Repeat("x", 501), make([]string, 1_001)
	for i := range many {
		many[i] = rulestest.NewID()
	}
	nan := math.NaN()
	for _, test := range []struct {
		change func(p *rules.Portal)
		want   string // the bad fields
	}{
		{func(*rules.Portal) {}, ""},
		{func(p *rules.Portal) { *p = rules.Portal{UUID: p.UUID, Slug: "x", Name: "x"} }, ""},
		{func(p *rules.Portal) { p.OrgUUID = "" }, ""},
		{func(p *rules.Portal) { p.Slug, p.Name = "a b", "" }, "slug name"},
		{func(p *rules.Portal) { p.Slug = strings.Repeat("a", 101) }, "slug"},
		{func(p *rules.Portal) {
			p.Titles = []adminapi.PortalTitle{{Language: "de", Title: "a"}, {Language: "de", Title: "b"}, {Language: "fr"}}
		}, "titles[1].language titles[2].language titles[2].title"},
		{func(p *rules.Portal) { p.Languages = []string{"de", "xx"} }, "languages[1]"},
		{func(p *rules.Portal) { p.Look = adminapi.PortalLook{Accent: "red", AccentDark: "#ggg"} }, "look.accent look.accent_dark"},
		{func(p *rules.Portal) { p.Look = adminapi.PortalLook{Accent: "#ffcc00", AccentDark: "#0b5d3b"} }, "look.accent look.accent_dark"},
		{func(p *rules.Portal) { p.Filter.EventTypes = []int{1} }, "filter.genres"},
		{func(p *rules.Portal) { p.Filter.Categories, p.Filter.Genres = []int{0, 1, 99}, []int{1} }, "filter.categories[0] filter.categories[2] filter.genres[0]"},
		{func(p *rules.Portal) { p.Filter.Accessibility, p.Filter.VisitorInfos = []int{-1}, []int{64} }, "filter.accessibility[0] filter.visitor_infos[0]"},
		{func(p *rules.Portal) { p.Filter.Languages, p.Filter.Countries = []string{"x"}, []string{"DE"} }, "filter.languages[0] filter.countries[0]"},
		{func(p *rules.Portal) { p.Filter.PriceTypes, p.Filter.SpaceTypes = []string{"x"}, []string{""} }, "filter.price_types[0] filter.space_types[0]"},
		{func(p *rules.Portal) { p.Filter.ReleaseStatuses = []string{"draft"} }, "filter.release_statuses[0]"},
		{func(p *rules.Portal) { p.Filter.Tags, p.Filter.PostalCode = []string{long}, []string{""} }, "filter.tags[0] filter.postal_code[0]"},
		{func(p *rules.Portal) { p.Filter.Label = []string{"tip", "a b"} }, "filter.label[0]"},
		{func(p *rules.Portal) { p.Filter.Title, p.Filter.City = "*"+strings.Repeat("-", 100), long+"xx" }, "filter.title filter.city"},
		{func(p *rules.Portal) { p.Filter.Age, p.Filter.Price = "12,6", "12" }, "filter.age filter.price"},
		{func(p *rules.Portal) { p.Filter.Lat, p.Filter.Radius = nil, &nan }, "filter.lat filter.radius"},
		{func(p *rules.Portal) { p.Filter.GeolistRegion = "deu,kiel" }, "filter.geolist_region"},
		{func(p *rules.Portal) { p.Filter.OrgUUIDs = []string{"x"} }, "filter.org_uuids[0]"},
		{func(p *rules.Portal) { p.Filter.SeriesUUIDs = []string{"x"} }, "filter.series_uuids[0]"},
		{func(p *rules.Portal) { p.Filter.Tags = many }, "filter.tags"},
		{func(p *rules.Portal) { p.Include.EventUUIDs, p.Exclude.VenueUUIDs = many, []string{"x"} }, "exclude.venue_uuids[0] include.event_uuids"},
	} {
		portal := rulestest.Portal(rulestest.NewID())
		test.change(portal)
		portal.Normalize()
		var fields []string
		for _, violation := range portal.Validate() {
			fields = append(fields, violation.Field)
		}
		want := strings.Fields(test.want)
		slices.Sort(fields)
		slices.Sort(want)
		if !slices.Equal(fields, want) {
			t.Errorf("bad fields %v, want %v", fields, want)
		}
	}
}

// TestNormalizedPortalsAreEqual: lists are sets, but for the languages, whose first is the default.
func TestNormalizedPortalsAreEqual(t *testing.T) {
	t.Parallel()
	a := rules.Portal{
		Slug: " Kiel ", Languages: []string{"DA", "de", "da"}, Look: adminapi.PortalLook{Accent: "#0B5D3B"},
		Filter: adminapi.PortalFilter{Tags: []string{"b", " a", "b"}, Countries: []string{"deu"}, Categories: []int{}},
	}
	a.Normalize()
	if a.Slug != "kiel" || !slices.Equal(a.Languages, []string{"da", "de"}) || a.Look.Accent != "#0b5d3b" ||
		!slices.Equal(a.Filter.Tags, []string{"a", "b"}) || a.Filter.Countries[0] != "DEU" || a.Filter.Categories != nil ||
		a.Include.OrgUUIDs == nil {
		t.Errorf("%+v", a)
	}
}

// TestGroundsAreThoseOfThePages: colours are checked against the grounds on which pages show them.
func TestGroundsAreThoseOfThePages(t *testing.T) {
	t.Parallel()
	tokens, err := os.ReadFile("../../../../../pkg/ui/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range []string{"--paper: light-dark(#faf6ec, #14181b)", "--sheet: light-dark(#fffdf7, #1d2327)"} {
		if !strings.Contains(string(tokens), ground) {
			t.Errorf("%s is no token any more", ground)
		}
	}
}
