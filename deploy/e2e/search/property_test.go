package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/lane"
)

// TestAnswersEqualReference is the property test: for random catalogues and queries, the real stack
// answers as the reference does, before and after many edits.
func TestAnswersEqualReference(t *testing.T) {
	seed := harness.Seed(t)
	s := harness.Start(t)
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(seed, lane.Scale(1500, 5000), now)
	portals := generate.NewQueries(seed+2, s.Reference(catalogue), catalogue, now)
	catalogue.Portals, catalogue.Lists = portals.Portals(lane.Scale(15, 40)), portals.Lists(lane.Scale(6, 12))
	s.ImportCatalogue(t, catalogue)
	s.AwaitReady(t)
	s.Compare(t, catalogue, seed, lane.Scale(400, 1000))
	t.Run("portals", func(t *testing.T) { testPortals(s, t, catalogue, seed) })
	t.Run("lists", func(t *testing.T) { testLists(s, t, catalogue, seed) })
	t.Run("injection", func(t *testing.T) { testInjection(s, t, catalogue) })
	t.Run("operators", func(t *testing.T) { testSearchOperators(s, t, catalogue) })
	t.Run("venues", func(t *testing.T) { s.CheckVenues(t, catalogue, seed) })
	t.Run("series", func(t *testing.T) {
		if pictured, translated := s.CheckSeries(t, catalogue); pictured == 0 || translated == 0 {
			t.Errorf("%d public series have an image and %d translations, so the test shows little", pictured, translated)
		}
	})
	t.Run("outputs", func(t *testing.T) { testOutputs(s, t, catalogue, seed) })
	t.Run("JSON-LD", func(t *testing.T) { testJSONLD(s, t, catalogue) })
	t.Run("details", func(t *testing.T) { testDetails(s, t, catalogue) })
	t.Run("counts", func(t *testing.T) { testCounts(s, t, catalogue, seed) })
	t.Run("organizations", func(t *testing.T) { s.CheckOrganizations(t, catalogue) })
	t.Run("bad input", func(t *testing.T) { testBadInput(s, t, catalogue) })
	t.Run("malformed requests", func(t *testing.T) { testMalformed(s, t) })

	editor := generate.NewEditor(seed+1, catalogue, now)
	for range 3 {
		s.ImportCatalogue(t, editor.Edit(lane.Scale(50, 100)))
	}
	s.ImportCatalogue(t, &reference.Catalogue{
		Portals: portals.RedrawPortals(catalogue.Portals), Lists: portals.RedrawLists(catalogue.Lists),
	})
	s.AwaitReady(t)
	s.Compare(t, catalogue, seed+1, lane.Scale(150, 400))
	t.Run("portals after edits", func(t *testing.T) { testPortals(s, t, catalogue, seed+1) })
	t.Run("lists after edits", func(t *testing.T) { testLists(s, t, catalogue, seed+1) })
	t.Run("details after edits", func(t *testing.T) { testDetails(s, t, catalogue) })
	s.Verify(t)
	t.Run("series after edits", func(t *testing.T) { s.CheckSeries(t, catalogue) })
	t.Run("organizations after edits", func(t *testing.T) { s.CheckOrganizations(t, catalogue) })
	t.Run("export", func(t *testing.T) { s.CheckExport(t, catalogue) })
}

// attacks try to escape from their value or to change its meaning.
var attacks = []string{
	`" OR uuid EXISTS OR title_key = "`, `' OR uuid EXISTS OR title_key = '`, `x" OR 1 = 1 --`, `" OR NOT title_key = "x`, `\" OR uuid EXISTS OR \"`, `\`,
	`"] OR uuid EXISTS`, `x] OR venue_uuid IN [`, `') OR (uuid EXISTS`, `*" OR "" = "`, "`uuid` EXISTS", "\" OR\nuuid EXISTS", "$or", `{"$ne":""}`,
	`_geoRadius(0,0,99999999)`, `EXISTS`, `NOT EXISTS`, `uuid EXISTS`, `TO`, `1 TO 9`, `IS NULL`, `IS NOT EMPTY`, `CONTAINS ""`, `STARTS WITH ""`,
	"\u201c OR uuid EXISTS", "\uff02 OR uuid EXISTS", "a\u0000b", "\U000f0061", "^", "$", "^a$", "#",
}

// testInjection puts every attack into every text parameter, as it is and between stars: it is
// refused, or finds the same as the reference, the texts that contain these characters.
func testInjection(s *harness.System, t *testing.T, c *reference.Catalogue) {
	k := harness.NewChecker(s.Client, s.Reference(c))
	for _, name := range []string{"title", "venue", "city", "postal_code", "tags", "label", "space_types", "countries", "geolist_region"} {
		for _, attack := range attacks {
			values := []string{attack}
			if name == "title" || name == "venue" || name == "city" || name == "postal_code" {
				values = append(values, "*"+attack+"*", attack+"*", "*"+attack)
			}
			for _, value := range values {
				q := generate.Query{Parameters: reference.Parameters{name: value}, Post: strings.Contains(value, ",")}
				if err := refusedOr(t.Context(), k, q, name, k.Check); err != nil {
					t.Errorf("%s: %v", harness.Address(q), err)
				}
			}
		}
	}
}

// refusedOr passes when the query is refused with 400 naming the field, or when the check passes.
func refusedOr(ctx context.Context, k *harness.Checker, q generate.Query, field string, check func(context.Context, generate.Query) error) error {
	answer, err := k.Client.Send(ctx, q)
	if err != nil {
		return err
	}
	if answer.Status == 400 {
		return names(answer, field)
	}
	return check(ctx, q)
}

// testSearchOperators: characters that engines read as operators are ordinary characters here, so
// every word must be found.
func testSearchOperators(s *harness.System, t *testing.T, c *reference.Catalogue) {
	k := harness.NewChecker(s.Client, s.Reference(c))
	one, two := generate.RareWords[0], generate.RareWords[1]
	all := strings.Join(generate.ManyWords, " ") // in one event
	for search, means := range map[string]string{
		one:                         one,
		"-" + one:                   one,
		one + " -" + two:            one + " " + two,
		`"` + one + `"`:             one,
		`"` + two + " " + one + `"`: one + " " + two,
		`"` + one:                   one,
		"+" + one:                   one,
		strings.ToUpper(one):        one,
		"  " + one + "   ":          one,
		one + " " + one:             one,
		all:                         all,
		all + " qwertzuiopxx":       "qwertzuiopxx", // more words than engines commonly read
	} {
		for _, sort := range []string{"", "start"} {
			asked := generate.Query{Parameters: reference.Parameters{"search": search, "sort": sort}}
			check := func(ctx context.Context, q generate.Query) error {
				all, err := k.Everything(ctx, q)
				if err != nil {
					return err
				}
				return harness.SameSet(all, k.Ref.Events(reference.Parameters{"search": means}, harness.Today()).Found)
			}
			if err := refusedOr(t.Context(), k, asked, "search", check); err != nil {
				t.Errorf("search %q, sort %q: %v", search, sort, err)
			}
		}
	}
}
