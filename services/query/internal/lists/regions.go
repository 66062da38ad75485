package lists

import (
	"cmp"
	"context"
	"slices"

	"litfass/pkg/document"
)

// Regions returns all regions without their geometries, ordered by the names of their countries,
// their states and their own.
func (r *Reader) Regions(ctx context.Context) ([]document.RegionView, error) {
	return r.regions.Get(ctx)
}

func (r *Reader) readRegions(ctx context.Context) ([]document.RegionView, error) {
	regions, err := views[document.RegionView](ctx, r, document.Regions, "view")
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
