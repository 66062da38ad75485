package harness

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// CheckVenues compares GET /api/venues with the reference under random filters.
func (s *System) CheckVenues(t *testing.T, c *reference.Catalogue, seed uint64) {
	ref := s.Reference(c)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(Berlin))
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
func (s *System) venues(ctx context.Context, p reference.Parameters) ([]string, error) {
	return s.Listed(ctx, "/api/venues?"+client.Encode(p, false), "venues")
}

// Listed pages through a list and returns the uuids.
func (s *System) Listed(ctx context.Context, address, name string) ([]string, error) {
	const limit = 200
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	parameters := target.Query()
	uuids := []string{}
	for {
		parameters.Set("limit", strconv.Itoa(limit))
		parameters.Set("offset", strconv.Itoa(len(uuids)))
		answer, err := s.Client.Get(ctx, target.Path+"?"+parameters.Encode())
		if err != nil {
			return nil, err
		}
		page, err := client.Data[map[string]json.RawMessage](answer, "get-"+name)
		if err != nil {
			return nil, err
		}
		var entries []client.Entry
		if err := json.Unmarshal(page[name], &entries); err != nil {
			return nil, err
		}
		for _, entry := range entries {
			uuids = append(uuids, entry.Text("uuid"))
		}
		if len(entries) < limit {
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
