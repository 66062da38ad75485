// Package region is the page of a region, and the list of all regions.
package region

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// gone is the code of a region that is not there.
const gone = "region_gone"

// Mount adds the page of a region and the list of all regions.
func Mount(r page.Router) {
	r.Page("/regions", showAll)
	r.Page(prefix+":slugs", show)
}

// show answers the page of a region with its next events.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	slugs := slugsOf(r.Path)
	if slugs == nil {
		return view.Page{}, detail.Missing(gone)
	}
	groups, err := regionGroups(ctx, api, url.Values{"country": slugs[:1], "state": slugs[1:2]})
	if err != nil {
		return view.Page{}, err
	}
	slug := strings.Join(slugs, ",")
	for _, group := range groups {
		for _, region := range group.Regions {
			if region.GeolistRegion == slug {
				data := regionData{GeoRegion: region, State: group.State, Country: group.Country}
				if data.Upcoming, err = detail.ReadUpcoming(ctx, api, "geolist_region", region.GeolistRegion); err != nil {
					return view.Page{}, err
				}
				s, err := detail.Scope(ctx, api, r, data.Upcoming)
				return pageOf(s, data), err
			}
		}
	}
	return view.Page{}, detail.Missing(gone)
}

// showAll answers the list of all regions.
func showAll(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	groups, err := regionGroups(ctx, api, nil)
	return regionsPage(r.Scope(), groups), err
}

const prefix = "/region/"

// slugsOf returns the slugs of country, state and region that a path such as
// /region/deutschland_berlin_mitte names; nil when it names no region. Slugs hold neither "_" nor
// ",", as which the parameter of the search separates them.
func slugsOf(path string) []string {
	key := strings.NewReplacer("_", ",", "%2C", ",", "%2c", ",").Replace(strings.TrimPrefix(path, prefix))
	slugs := strings.Split(key, ",")
	const parts = 3
	if len(slugs) != parts || slices.Contains(slugs, "") {
		return nil
	}
	return slugs
}

// regionGroups reads the regions of a country and a state, or of all, by their states.
func regionGroups(ctx context.Context, api *client.Reads, of url.Values) ([]regionGroup, error) {
	var countries publicapi.GeoCountries
	var states publicapi.GeoStates
	var found publicapi.GeoRegions
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error { return api.Data(reading, "/api/geolist/countries", nil, &countries) })
	reads.Go(func() error {
		return api.Data(reading, "/api/geolist/states", url.Values{"country": of["country"]}, &states)
	})
	reads.Go(func() error { return api.Data(reading, "/api/geolist/regions", of, &found) })
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, country := range countries.Countries {
		names[country.Slug] = country.Name
	}
	for _, state := range states.States {
		names[state.CountrySlug+","+state.Slug] = state.Name
	}
	return grouped(found.Regions, names), nil
}

// grouped splits regions, which come in the order of their states, into groups. names holds the
// names of countries and states by their slugs.
func grouped(regions []publicapi.GeoRegion, names map[string]string) (groups []regionGroup) {
	last := ""
	for _, region := range regions {
		state := region.CountrySlug + "," + region.StateSlug
		if len(groups) == 0 || state != last {
			groups, last = append(groups, regionGroup{Country: names[region.CountrySlug], State: names[state]}), state
		}
		group := &groups[len(groups)-1]
		group.Regions = append(group.Regions, region)
	}
	return groups
}
