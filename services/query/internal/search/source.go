package search

import (
	"context"
	"fmt"

	"litfass/pkg/document"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

// Version returns when the index was made and last changed (see places.Source).
func (e *Engine) Version(ctx context.Context, index string) (string, error) {
	info, err := e.client.Index(index).FetchInfoWithContext(ctx)
	if err != nil {
		return "", describe("ask when "+index+" changed", err)
	}
	return fmt.Sprintf("%d %d", info.CreatedAt.UnixNano(), info.UpdatedAt.UnixNano()), nil
}

// Venues returns the public venues that have a point (see places.Source).
func (e *Engine) Venues(ctx context.Context) ([]places.Venue, error) {
	type point struct {
		ID  string  `json:"id"`
		Lat float64 `json:"lat"`
		Lon float64 `json:"lon"`
	}
	const withPoint = "gone = false AND lat EXISTS AND lon EXISTS"
	points, err := documents[point](ctx, e, document.Venues, withPoint, []string{"id", "lat", "lon"})
	if err != nil {
		return nil, err
	}
	venues := make([]places.Venue, len(points))
	for i, p := range points {
		venues[i] = places.Venue{UUID: p.ID, Lat: p.Lat, Lon: p.Lon}
	}
	return venues, nil
}

// Regions returns the GeoJSON geometry of every region (see places.Source).
func (e *Engine) Regions(ctx context.Context) (map[params.Region][]byte, error) {
	type region struct {
		View document.RegionView `json:"view"`
	}
	regions, err := documents[region](ctx, e, document.Regions, "gone = false", []string{"view"})
	if err != nil {
		return nil, err
	}
	geometries := make(map[params.Region][]byte, len(regions))
	for _, r := range regions {
		name := params.Region{Country: r.View.CountrySlug, State: r.View.StateSlug, Region: r.View.RegionSlug}
		geometries[name] = r.View.Geometry
	}
	return geometries, nil
}
