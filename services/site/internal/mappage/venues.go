package mappage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
)

// venueFeature is a venue as GET /api/venues.geojson gives it.
type venueFeature struct {
	ID       string `json:"id"`
	Geometry *struct {
		Coordinates orb.Point `json:"coordinates"`
	} `json:"geometry"` // null where the point is not known
	Properties struct {
		Name string `json:"name"`
		City string `json:"city"`
	} `json:"properties"`
}

const (
	// venuesAtOnce is the number of venues of one answer.
	venuesAtOnce = 1_000
	// maxPages is the number of answers that can be asked for with an offset.
	maxPages = 11
	// pagesAtOnce is the number of answers that are asked for at the same time after the first one.
	pagesAtOnce = 5
)

// placeParameters are the parameters of the event search that mean the same in the search of
// venues.
var placeParameters = []string{"city", "postal_code", "countries", "lon", "lat", "radius", "geolist_region", "venue_uuids"}

// venueFilter returns the filter of the venues of a map.
func venueFilter(m drawing) url.Values {
	filter := url.Values{"limit": {strconv.Itoa(venuesAtOnce)}}
	for _, name := range placeParameters {
		if values, given := m.Filter[name]; given {
			filter[name] = values
		}
	}
	if m.HasBox {
		filter.Set("bbox", m.Box.String())
	}
	return filter
}

// readVenues reads all pages of the venues of a filter: the first one, which most filters do not
// fill, and then several at a time.
func readVenues(ctx context.Context, api *client.Reads, filter url.Values) (venues []venueFeature, err error) {
	venues, err = readVenuePage(ctx, api, filter, 0)
	for next := 1; err == nil && next < maxPages && len(venues) == next*venuesAtOnce; next += pagesAtOnce {
		var pages [pagesAtOnce][]venueFeature
		reads, reading := errgroup.WithContext(ctx)
		for i := range pages {
			reads.Go(func() (err error) {
				pages[i], err = readVenuePage(reading, api, filter, next+i)
				return err
			})
		}
		err = reads.Wait()
		venues = slices.Concat(venues, slices.Concat(pages[:]...))
	}
	return venues, err
}

// readVenuePage reads one page of the venues of a filter.
func readVenuePage(ctx context.Context, api *client.Reads, filter url.Values, n int) ([]venueFeature, error) {
	filter = page.Clone(filter)
	if n > 0 {
		filter.Set("offset", strconv.Itoa(n*venuesAtOnce))
	}
	content, err := api.Text(ctx, "/api/venues.geojson", filter)
	if err != nil {
		return nil, err
	}
	var found struct {
		Features []venueFeature `json:"features"`
	}
	if err := json.Unmarshal(content, &found); err != nil {
		return nil, fmt.Errorf("decode the points of venues: %w", err)
	}
	return found.Features, nil
}

// eventsByVenue reads how many events of a filter each venue has, by uuid, and whether some of them
// are at several venues.
func eventsByVenue(ctx context.Context, api *client.Reads, filter url.Values) (events map[string]int, shared bool, err error) {
	parameters := page.Clone(filter)
	parameters.Set("by", "venue_uuids")
	parameters.Set("group", "event")
	if parameters.Get("venue") == "" {
		parameters.Set("venue", "*") // the total is of events with a venue
	}
	var counts publicapi.Facets
	if err := api.Data(ctx, "/api/events/facets", parameters, &counts); err != nil {
		return nil, false, err
	}
	wanted := strings.ToLower(strings.Join(filter["venue_uuids"], ",")) // which the counts leave out
	events = map[string]int{}
	sum := 0
	for _, venue := range counts.Facets["venue_uuids"] {
		if wanted == "" || slices.Contains(strings.Split(wanted, ","), venue.Value) {
			events[venue.Value] = venue.Count
			sum += venue.Count
		}
	}
	return events, sum > counts.Total, nil
}

// countsAtOnce is the number of points that are counted at the same time.
const countsAtOnce = 6

// countPoints counts the events of the points for several venues, each event once. Points for more
// venues than an address can name keep the sum of their venues.
func (m *drawing) countPoints(ctx context.Context, api *client.Reads) error {
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(countsAtOnce)
	for i := range m.Points {
		p := &m.Points[i]
		if len(p.Places) < 2 || len(p.Places) > maxInLink {
			continue
		}
		reads.Go(func() error {
			parameters := page.Clone(m.Query)
			parameters.Set("venue_uuids", uuids(p.Places))
			parameters.Set("by", "release_statuses") // of which there are few
			parameters.Set("group", "event")
			var counts publicapi.Facets
			err := api.Data(ctx, "/api/events/facets", parameters, &counts)
			p.Count = counts.Total
			return err
		})
	}
	return reads.Wait()
}

// joined returns the venues with a point and events, in the order of the venues.
func joined(venues []venueFeature, counts map[string]int) (places []place) {
	for _, venue := range venues {
		if venue.Geometry == nil || counts[venue.ID] == 0 {
			continue
		}
		places = append(places, place{
			UUID: venue.ID, Name: venue.Properties.Name, City: venue.Properties.City,
			Point: venue.Geometry.Coordinates, Count: counts[venue.ID],
		})
	}
	return places
}

// decimal writes degrees or metres as the API takes them.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
