package places

import (
	"context"
	"encoding/json"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// indexes is the Source of a read node.
type indexes struct{ *engine.Engine }

// InIndexes returns the venues and regions in an engine's indexes.
func InIndexes(e *engine.Engine) Source { return indexes{e.Within(sourceTimeout)} }

// Venues returns the public venues that have a point.
func (i indexes) Venues(ctx context.Context) ([]Venue, error) {
	located, _ := filter.Compile(filter.LocatedVenues())
	return engine.Documents[Venue](ctx, i.Engine, document.Venues, located, []string{"id", "lat", "lon"})
}

// Regions returns the GeoJSON geometry of every region.
func (i indexes) Regions(ctx context.Context) (map[params.Region][]byte, error) {
	type view struct {
		publicapi.Region
		Geometry json.RawMessage `json:"geometry"` // of Version 3
	}
	type region struct {
		View     document.Encoded[view]            `json:"view"`
		Geometry document.Encoded[json.RawMessage] `json:"geometry"`
	}
	existing, _ := filter.Compile(filter.Existing())
	regions, err := engine.Documents[region](ctx, i.Engine, document.Regions, existing, []string{"view", "geometry"})
	if err != nil {
		return nil, err
	}
	geometries := make(map[params.Region][]byte, len(regions))
	for _, r := range regions {
		view := r.View.Value
		name := params.Region{Country: view.CountrySlug, State: view.StateSlug, Region: view.RegionSlug}
		geometries[name] = r.Geometry.Value
		if view.Geometry != nil {
			geometries[name] = view.Geometry
		}
	}
	return geometries, nil
}
