package demo

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"github.com/paulmach/orb"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/catalogue/rules"
)

var day = time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC)

func TestGenerateIsDeterministic(t *testing.T) {
	if !reflect.DeepEqual(Generate(day), Generate(day.Add(-14*time.Hour))) {
		t.Error("two catalogues of one day differ")
	}
}

func TestAnotherDayMovesTheSameEvents(t *testing.T) {
	today, tomorrow := Generate(day), Generate(day.AddDate(0, 0, 1))
	if len(today.Events) != len(tomorrow.Events) {
		t.Fatalf("%d events today, %d tomorrow", len(today.Events), len(tomorrow.Events))
	}
	for i := range today.Events {
		a, b := today.Events[i], tomorrow.Events[i]
		if a.UUID != b.UUID || a.Title != b.Title {
			t.Errorf("event %s became %s", a.UUID, b.UUID)
		}
	}
}

func TestGenerateIsValid(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Generate(day).Entities() {
		if err := rules.Check(e); err != nil {
			t.Errorf("%s %s: %v", e.Kind(), e.Key(), err)
		}
		if key := string(e.Kind()) + e.Key(); seen[key] {
			t.Errorf("%s %s twice", e.Kind(), e.Key())
		} else {
			seen[key] = true
		}
	}
}

// TestFestivals: each city has one with a wide picture, and events on its stages.
func TestFestivals(t *testing.T) {
	made := Generate(day)
	if len(made.Series) != len(cities) {
		t.Fatalf("%d series", len(made.Series))
	}
	for _, s := range made.Series {
		events, stages := 0, map[string]int{}
		for _, e := range made.Events {
			if e.SeriesState(s.UUID) != adminapi.SeriesAccepted {
				continue
			}
			events++
			for _, d := range e.Dates {
				stages[string(d.SeriesPartUUID)]++
			}
		}
		delete(stages, "")
		if _, drawn := made.posters[s.Image.UUID]; !drawn || s.Image.AltText == "" || s.Image.Width <= s.Image.Height || events < 3 || len(stages) != len(s.Parts) {
			t.Errorf("%s: %d events on %d of %d stages, %+v", s.Title, events, len(stages), len(s.Parts), s.Image)
		}
	}
	if without := made.WithoutImages(); without.Series[0].Image != nil {
		t.Error("an image without a file")
	}
}

func TestGenerateIsRich(t *testing.T) {
	made := Generate(day)
	dates, upcoming := 0, 0
	languages, types, statuses, cities, prices := map[string]int{}, map[int]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	titles := map[string]int{}
	for _, e := range made.Events {
		languages[e.Languages[0]]++
		statuses[e.ReleaseStatus]++
		prices[e.PriceType]++
		titles[e.Title]++
		for _, tt := range e.EventTypes {
			types[tt.TypeID]++
		}
		for _, d := range e.Dates {
			dates++
			statuses["date "+d.ReleaseStatus]++
			if d.StartDate >= day.Format(time.DateOnly) {
				upcoming++
			}
		}
	}
	for _, v := range made.Venues {
		cities[string(v.City)]++
	}
	t.Logf("%d events, %d dates, %d upcoming, %d titles, languages %v, statuses %v, prices %v, cities %v, %d types",
		len(made.Events), dates, upcoming, len(titles), languages, statuses, prices, cities, len(types))
	if upcoming < 2000 || len(cities) < 10 || len(types) < 30 {
		t.Errorf("%d dates from today on in %d cities of %d types", upcoming, len(cities), len(types))
	}
	for _, code := range language.Codes {
		if languages[code] < 100 {
			t.Errorf("%d events in %s", languages[code], code)
		}
	}
	named := map[string]int{}
	for _, e := range made.Events {
		for _, one := range e.Contributors {
			named[one.UUID]++
		}
	}
	for _, c := range made.Contributors {
		if named[c.UUID] < 3 {
			t.Errorf("%s is named by %d events", c.Name, named[c.UUID])
		}
	}
	checkSales(t, made)
	for _, status := range []string{"released", "cancelled", "deferred", "draft", "review", "date cancelled", "date rescheduled"} {
		if statuses[status] == 0 {
			t.Errorf("nothing is %s", status)
		}
	}
}

// checkSales checks that there are coming dates in each state of their sale, and translated events.
func checkSales(t *testing.T, made Catalogue) {
	t.Helper()
	states, translated := map[string]int{}, 0
	for _, e := range made.Events {
		translated += len(e.Texts)
		for _, d := range e.Dates {
			states[string(d.Availability)]++
			if d.PreviousStart != "" {
				states["moved"]++
			}
		}
	}
	if translated < 100 {
		t.Errorf("%d events are translated", translated)
	}
	if !slices.ContainsFunc(made.Series, func(s rules.Series) bool { return len(s.Texts) > 0 }) {
		t.Error("no series is translated")
	}
	for _, state := range []string{"available", "few_left", "sold_out", "waiting_list", "not_yet_on_sale", "moved"} {
		if states[state] < 3 {
			t.Errorf("%d dates are %s", states[state], state)
		}
	}
}

// Every venue lies in the region of its city, so that a search in the region finds the city's
// events.
func TestVenuesLieInTheirRegions(t *testing.T) {
	made := Generate(day)
	for _, c := range cities {
		at := slices.IndexFunc(made.Regions, func(r rules.Region) bool { return r.RegionSlug == c.slug })
		geometry, err := geojson.UnmarshalGeometry(made.Regions[at].Geometry)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.places {
			if !planar.PolygonContains(geometry.Geometry().(orb.Polygon), orb.Point{p.lon, p.lat}) {
				t.Errorf("%s lies outside of %s", p.name, c.name)
			}
		}
	}
}

// TestVisitorsAreTold where to book tickets that are sold in advance, and why a date does not take
// place as planned.
func TestVisitorsAreTold(t *testing.T) {
	inAdvance, upset := 0, 0
	for _, e := range Generate(day).Events {
		if slices.Contains(e.TicketFlags, "advance_ticket") {
			inAdvance++
			if !slices.ContainsFunc(e.EventLinks, func(link rules.EventLink) bool { return link.Type == "tickets" }) {
				t.Errorf("%s has no link to its tickets", e.Title)
			}
		}
		if e.ReleaseStatus == rules.StatusCancelled || e.ReleaseStatus == rules.StatusDeferred {
			upset++
			if e.StatusNote == "" {
				t.Errorf("%s is %s without a reason", e.Title, e.ReleaseStatus)
			}
		}
		for _, d := range e.Dates {
			if (d.ReleaseStatus == rules.StatusCancelled || d.ReleaseStatus == rules.StatusRescheduled) && d.StatusNote == "" {
				t.Errorf("a date of %s is %s without a reason", e.Title, d.ReleaseStatus)
			}
		}
	}
	if inAdvance == 0 || upset == 0 {
		t.Errorf("%d events sell tickets in advance, %d do not take place as planned", inAdvance, upset)
	}
}
