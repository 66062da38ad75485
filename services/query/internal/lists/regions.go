package lists

import (
	"cmp"
	"context"
	"slices"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// Regions returns all regions without their geometries, ordered by the names of their countries,
// their states and their own.
func (r *Reader) Regions(ctx context.Context) ([]publicapi.Region, error) {
	return r.regions.Get(ctx)
}

func (r *Reader) readRegions(ctx context.Context) ([]publicapi.Region, error) {
	regions, err := views[publicapi.Region](ctx, r, document.Regions, "view")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(regions, func(a, b publicapi.Region) int {
		return cmp.Or(
			cmp.Compare(a.CountryName, b.CountryName), cmp.Compare(a.CountrySlug, b.CountrySlug),
			cmp.Compare(a.StateName, b.StateName), cmp.Compare(a.StateSlug, b.StateSlug),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.RegionSlug, b.RegionSlug),
		)
	})
	return regions, nil
}
