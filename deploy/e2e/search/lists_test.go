package search

import (
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// testLists asks for the dates of each list in its order, whole and narrowed by random filters.
func testLists(s *harness.System, t *testing.T, c *reference.Catalogue, seed uint64) {
	ref := s.Reference(c)
	k := harness.NewChecker(s.Client, ref)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(harness.Berlin))
	found := 0
	for _, list := range c.Lists {
		if !list.Public {
			continue
		}
		whole := generate.Query{Parameters: reference.Parameters{"list": list.Slug, "limit": "200"}}
		for _, sort := range []string{"", "list", "start"} {
			whole.Parameters["sort"] = sort
			if err := k.Check(t.Context(), whole); err != nil {
				t.Errorf("%s by %q: %v", list.Slug, sort, err)
			}
		}
		whole.Parameters["sort"] = ""
		for _, limit := range []int{3, 50} {
			if err := k.Walk(t.Context(), whole, limit); err != nil {
				t.Errorf("%s by %d: %v", list.Slug, limit, err)
			}
		}
		if err := k.Groups(t.Context(), whole, "event", 7); err != nil {
			t.Errorf("%s by event: %v", list.Slug, err)
		}
		if len(ref.Events(whole.Parameters, harness.Today()).Found) > 1 {
			found++
		}
		for range 8 {
			narrowed := queries.Next()
			for _, name := range []string{"last_event_start_at", "last_event_date_uuid"} { // of no date of the list
				delete(narrowed.Parameters, name)
			}
			narrowed.Parameters["list"] = list.Slug
			if err := k.Check(t.Context(), narrowed); err != nil {
				t.Errorf("%s: %v", harness.Address(narrowed), err)
			}
		}
	}
	if found < len(c.Lists)/2 {
		t.Errorf("%d of %d lists have dates", found, len(c.Lists))
	}
}
