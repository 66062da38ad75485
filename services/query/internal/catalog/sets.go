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
	faces, err := faces[document.LookupFace](ctx, r, document.Lookups, []string{"face"})
	if err != nil {
		return nil, err
	}
	sets := make(lookup.Sets, len(faces))
	for _, face := range faces {
		sets[face.Name] = face
	}
	return sets, nil
}

// Regions returns all regions without their geometries, ordered by the names of their countries, their states and their
// own.
func (r *Reader) Regions(ctx context.Context) ([]document.RegionFace, error) {
	regions, err := faces[document.RegionFace](ctx, r, document.Regions, []string{
		"face.country_slug", "face.country_name", "face.state_slug", "face.state_name", "face.region_slug", "face.name",
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(regions, func(a, b document.RegionFace) int {
		return cmp.Or(
			cmp.Compare(a.CountryName, b.CountryName), cmp.Compare(a.CountrySlug, b.CountrySlug),
			cmp.Compare(a.StateName, b.StateName), cmp.Compare(a.StateSlug, b.StateSlug),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.RegionSlug, b.RegionSlug),
		)
	})
	return regions, nil
}

// faces returns the faces of all entities of an index that are there, in no order.
func faces[F any](ctx context.Context, r *Reader, name string, attributes []string) ([]F, error) {
	there, _ := filter.Compile(filter.There())
	var all []F
	err := r.engine.Documents(ctx, name, there, attributes, func(d index.Document) error {
		var face F
		if err := json.Unmarshal(d["face"], &face); err != nil {
			return fmt.Errorf("document of %s: %w", name, err)
		}
		all = append(all, face)
		return nil
	})
	return all, err
}
