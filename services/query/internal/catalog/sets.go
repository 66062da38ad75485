package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/document"
	"litfass/pkg/index"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lookup"
)

// Sets returns all value sets.
func (r *Reader) Sets(ctx context.Context) (lookup.Sets, error) {
	views, err := views[document.LookupView](ctx, r, document.Lookups, []string{"view"})
	if err != nil {
		return nil, err
	}
	sets := make(lookup.Sets, len(views))
	for _, view := range views {
		sets[view.Name] = view
	}
	return sets, nil
}

// Regions returns all regions without their geometries, ordered by the names of their countries, their states and their
// own.
func (r *Reader) Regions(ctx context.Context) ([]document.RegionView, error) {
	regions, err := views[document.RegionView](ctx, r, document.Regions, []string{
		"view.country_slug", "view.country_name", "view.state_slug", "view.state_name", "view.region_slug", "view.name",
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(regions, func(a, b document.RegionView) int {
		return cmp.Or(
			cmp.Compare(a.CountryName, b.CountryName), cmp.Compare(a.CountrySlug, b.CountrySlug),
			cmp.Compare(a.StateName, b.StateName), cmp.Compare(a.StateSlug, b.StateSlug),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.RegionSlug, b.RegionSlug),
		)
	})
	return regions, nil
}

// views returns the views of all entities of an index that are there, in no order.
func views[F any](ctx context.Context, r *Reader, name string, attributes []string) ([]F, error) {
	there, _ := filter.Compile(filter.There())
	var all []F
	err := r.engine.Documents(ctx, name, there, attributes, func(d index.Document) error {
		var view F
		if err := json.Unmarshal(d["view"], &view); err != nil {
			return fmt.Errorf("document of %s: %w", name, err)
		}
		all = append(all, view)
		return nil
	})
	return all, err
}
