package search

import (
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// testPortals asks for the dates of each portal, whole and narrowed by random filters.
func testPortals(s *harness.System, t *testing.T, c *reference.Catalogue, seed uint64) {
	ref := s.Reference(c)
	k := harness.NewChecker(s.Client, ref)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(harness.Berlin))
	found := 0
	for _, portal := range c.Portals {
		whole := generate.Query{Parameters: reference.Parameters{"portal": portal.Slug, "limit": "200"}}
		if err := k.Check(t.Context(), whole); err != nil {
			t.Errorf("%s: %+v: %v", portal.Slug, portal, err)
		}
		if len(ref.Events(whole.Parameters, harness.Today()).Found) > 0 {
			found++
		}
		for range 8 {
			narrowed := queries.Next()
			narrowed.Parameters["portal"] = portal.Slug
			if err := k.Check(t.Context(), narrowed); err != nil {
				t.Errorf("%s: %+v: %v", harness.Address(narrowed), portal, err)
			}
		}
	}
	if found < len(c.Portals)/2 {
		t.Errorf("%d of %d portals have dates", found, len(c.Portals))
	}
}
