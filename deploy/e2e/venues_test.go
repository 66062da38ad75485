package e2e

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// testVenues compares GET /api/venues with the reference under random filters.
func (s *system) testVenues(t *testing.T, c *reference.Catalogue, seed uint64) {
	ref := s.reference(c)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(berlin))
	for range 200 {
		p := queries.NextVenues()
		got, err := s.venues(t.Context(), p)
		if err != nil {
			t.Fatalf("/api/venues?%s: %v", client.Encode(p, false), err)
		}
		slices.Sort(got)
		if want := ref.Venues(p); !slices.Equal(got, want) {
			t.Errorf("/api/venues?%s finds %d venues, want %d: %s", client.Encode(p, false), len(got), len(want), firstDifference(got, want))
		}
	}
}

// venues returns the uuids of all pages.
func (s *system) venues(ctx context.Context, p reference.Parameters) ([]string, error) {
	const limit = 200
	uuids := []string{}
	for {
		p["limit"], p["offset"] = strconv.Itoa(limit), strconv.Itoa(len(uuids))
		answer, err := s.client.Get(ctx, "/api/venues?"+client.Encode(p, false))
		if err != nil {
			return nil, err
		}
		page, err := client.Data[struct {
			Venues []client.Entry `json:"venues"`
		}](answer, "get-venues")
		if err != nil {
			return nil, err
		}
		for _, venue := range page.Venues {
			uuids = append(uuids, venue.Text("uuid"))
		}
		if len(page.Venues) < limit {
			return uuids, nil
		}
	}
}

// firstDifference names the first element of one sorted list that the other lacks.
func firstDifference(got, want []string) string {
	for _, uuid := range want {
		if !slices.Contains(got, uuid) {
			return "missing " + uuid
		}
	}
	for i, uuid := range got {
		if !slices.Contains(want, uuid) || i > 0 && got[i-1] == uuid {
			return "surplus " + uuid
		}
	}
	return "none"
}
