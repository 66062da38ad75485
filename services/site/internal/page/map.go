package page

import (
	"context"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/land"
	"litfass/services/site/internal/view"
)

// mapped is the map of the venues of a filter.
func (d Deps) mapped(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	m, err := d.mapOf(ctx, api, r)
	if err != nil {
		return view.Page{}, err
	}
	return view.Map(d.shown(r), m), nil
}

// mapPart is what changes of the map when its box does, for the script of the page.
func (d Deps) mapPart(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	m, err := d.mapOf(ctx, api, r)
	if err != nil {
		return view.Page{}, err
	}
	return view.MapPart(d.shown(r), m), nil
}

// mapOf reads the venues in the box of the address. Without one the box is that of all venues.
func (d Deps) mapOf(ctx context.Context, api *client.Reads, r *Request) (view.OnMap, error) {
	m := view.OnMap{Filter: r.Filter(append([]string{"bbox", "group", "sort", "by"}, cursor...)...)}
	m.Tiles = d.Brand.Tiles
	asked, err := boxOf(r)
	if err != nil {
		return m, err
	}
	if asked != nil {
		m.Box, m.Asked = asked.Shaped(0), true
	}
	places, err := d.places(ctx, api, m)
	if err != nil {
		return m, err
	}
	if !m.Asked {
		m.Box = around(places)
	}
	m.Points = clustered(places, m.Box)
	for _, p := range places {
		m.Dates += p.Count
	}
	m.Venues = len(places)
	m.Places = busiest(places)
	return m, nil
}

// boxOf returns the box that the address names, nil for none. The error is an Invalid fault.
func boxOf(r *Request) (*land.Box, error) {
	asked := r.Parameters.Get("bbox")
	if asked == "" {
		return nil, nil
	}
	box, err := land.ParseBox(asked)
	if err != nil {
		return nil, invalid("bbox", err.Error())
	}
	return &box, nil
}

// places returns the venues with dates of the filter, in the map's box if the address names it.
func (d Deps) places(ctx context.Context, api *client.Reads, m view.OnMap) ([]view.MapPlace, error) {
	var counts map[string]int
	var venues []venueFeature
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		counts, err = datesByVenue(reading, api, near(fromTodayOf(m.Filter), m))
		return err
	})
	reads.Go(func() (err error) {
		venues, err = readVenues(reading, api, venueFilter(m))
		return err
	})
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	return joined(venues, counts), nil
}

// near narrows a filter to a circle around the map's box, which makes less to count. A filter with
// a circle of its own stays as it is.
func near(filter url.Values, m view.OnMap) url.Values {
	centre, radius, ok := m.Box.Circle()
	if !m.Asked || !ok || filter.Has("lon") || filter.Has("lat") || filter.Has("radius") {
		return filter
	}
	filter.Set("lon", decimal(centre.Lon()))
	filter.Set("lat", decimal(centre.Lat()))
	filter.Set("radius", decimal(radius))
	return filter
}

// landAge is how long browsers keep a drawing of the land; it changes with the program at most.
const landAge = 7 * 24 * time.Hour

// mountLand answers GET /map/land.json: the land in a box as GeoJSON.
func (d Deps) mountLand(app fiber.Router) {
	app.Get("/map/land.json", web.Cacheable(web.Caching{MaxAge: landAge}), func(c *fiber.Ctx) error {
		box, err := land.ParseBox(c.Query("bbox"))
		if err != nil {
			return invalid("bbox", err.Error())
		}
		content, err := land.Built().GeoJSON(box)
		if err != nil {
			return err
		}
		c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
		return c.Send(content)
	})
}
