package generate

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/reference"
)

var today = time.Date(2026, 6, 20, 0, 0, 0, 0, time.UTC)

func file(t *testing.T, c *reference.Catalogue) string {
	t.Helper()
	var lines bytes.Buffer
	if err := c.Write(&lines); err != nil {
		t.Fatal(err)
	}
	return lines.String()
}

func TestSameSeedSameCatalogue(t *testing.T) {
	one := Catalogue(7, 300, today)
	if file(t, one) != file(t, Catalogue(7, 300, today)) {
		t.Error("one seed makes two catalogues")
	}
	if file(t, one) == file(t, Catalogue(8, 300, today)) {
		t.Error("two seeds make one catalogue")
	}
	before := file(t, one)
	changed := NewEditor(1, one, today).Edit(50)
	if changed.Lines() == 0 || file(t, one) == before {
		t.Error("the editor changed nothing")
	}
}

// TestCatalogueIsAwkward checks that the generated catalogue has the awkward cases.
func TestCatalogueIsAwkward(t *testing.T) {
	c := Catalogue(1, 5000, today)
	dates := reference.New(c, "", today).Dates()
	if len(dates) < 5000 {
		t.Errorf("the public may find %d dates, want 5000", len(dates))
	}
	for name, has := range map[string]func(*reference.Dated) bool{
		"a title of 2,000 runes":       func(d *reference.Dated) bool { return len([]rune(d.Event.Title)) == 2000 },
		"a quote in a title":           func(d *reference.Dated) bool { return strings.Contains(d.Event.Title, `"`) },
		"a star inside a title":        func(d *reference.Dated) bool { return strings.Contains(d.Event.Title, "a*b") },
		"ß in a title":                 func(d *reference.Dated) bool { return strings.Contains(d.Event.Title, "ß") },
		"a leap day":                   func(d *reference.Dated) bool { return d.Date.StartDate == "2024-02-29" },
		"midnight":                     func(d *reference.Dated) bool { return d.Date.StartTime == "00:00" },
		"all day":                      func(d *reference.Dated) bool { return d.Date.AllDay },
		"several days":                 func(d *reference.Dated) bool { return string(d.Date.EndDate) > d.Date.StartDate },
		"an own venue without a space": func(d *reference.Dated) bool { return d.Date.VenueUUID != "" && d.Date.SpaceUUID == "" },
		"an own venue with a space":    func(d *reference.Dated) bool { return d.Date.SpaceUUID != "" },
		"no venue":                     func(d *reference.Dated) bool { return d.Place.Venue == nil },
		"a venue without coordinates":  func(d *reference.Dated) bool { return d.Place.Venue != nil && d.Place.Venue.Lat == nil },
		"bit 63":                       func(d *reference.Dated) bool { return d.Event.VisitorInfoFlags.Has(63) },
		"an unset mask":                func(d *reference.Dated) bool { return d.Event.VisitorInfoFlags == nil },
		"a lower age bound alone":      func(d *reference.Dated) bool { return d.Event.MinAge != nil && d.Event.MaxAge == nil },
		"a cancelled date of its own":  func(d *reference.Dated) bool { return d.Date.ReleaseStatus == "cancelled" },
		"a type with two genres": func(d *reference.Dated) bool {
			types := typesOf(d)
			slices.Sort(types)
			return len(slices.Compact(types)) < len(d.Event.EventTypes)
		},
		"a price below one":             func(d *reference.Dated) bool { return d.Event.MinPrice != nil && *d.Event.MinPrice < 1 },
		"the pole":                      func(d *reference.Dated) bool { return venue(d).Lat != nil && *venue(d).Lat == 90 },
		"the antimeridian":              func(d *reference.Dated) bool { return venue(d).Lon != nil && *venue(d).Lon == -180 },
		"the border of a region's hole": func(d *reference.Dated) bool { v := venue(d); return v.Lat != nil && *v.Lat == 50.5 && *v.Lon == 13 },
	} {
		if !slices.ContainsFunc(dates, has) {
			t.Errorf("no date has %s", name)
		}
	}
	hidden := func(status string) bool {
		return slices.ContainsFunc(c.Events, func(e *reference.Event) bool { return e.ReleaseStatus == status })
	}
	if !hidden("draft") || !hidden("review") {
		t.Error("no event is hidden")
	}
}

// TestQueriesFind checks the generated queries: they use every parameter, and many find some of the
// dates, but not all.
func TestQueriesFind(t *testing.T) {
	c := Catalogue(1, 5000, today)
	drawn := NewQueries(2, reference.New(c, "", today), c, today)
	c.Portals, c.Lists = drawn.Portals(40), drawn.Lists(12)
	r := reference.New(c, "", today)
	queries := NewQueries(1, r, c, today)
	uses, finds := map[string]int{}, map[string]int{}
	const n = 2000
	found, post := 0, 0
	for range n {
		query := queries.Next()
		answer := r.Events(query.Parameters, today.Format(time.DateOnly))
		if len(answer.Found) > 0 {
			found++
		}
		if query.Post {
			post++
		}
		for name, value := range query.Parameters {
			if value != "" {
				uses[name]++
				finds[name] += min(1, len(answer.Found))
			}
		}
	}
	if found < n*4/10 || found > n*9/10 || post < n/10 {
		t.Errorf("of %d queries %d find something and %d are sent by POST", n, found, post)
	}
	all := []string{"ongoing", "lat", "lon", "limit", "offset", "last_event_start_at", "last_event_date_uuid", "sort"}
	for _, maker := range makers {
		all = append(all, maker.name)
	}
	for _, name := range all {
		if uses[name] < 20 || finds[name] < 10 {
			t.Errorf("%s is used %d times and finds something %d times", name, uses[name], finds[name])
		}
	}
	t.Logf("%d of %d queries find something, %d are sent by POST; uses %v", found, n, post, uses)
}
