// Package mappage is the map of venues.
package mappage

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// Mount adds the map, the part of it that its script reads, the land, and drawings of places.
func Mount(r page.Router) {
	r.Page("/map", show)
	r.Page("/map/part", showPart)
	r.File("/map/land.json", landAge, func(c *fiber.Ctx) error { return sendLand(c, r.Brand.Map()) })
	r.File(view.DrawingPath, landAge, func(c *fiber.Ctx) error { return sendStill(c, r.Brand.Map()) })
}

// show answers the map of the venues of a filter. Words that find nothing anywhere are replaced by
// the API's spelling of them, as in the list.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	words := r.Value("search")
	m, counts, err := readWhole(ctx, api, r)
	if err == nil && m.Venues == 0 && counts.Total == 0 && !counts.Uncounted {
		spelled, failed := filter.Respelled(ctx, api, r, m.Query)
		if err = failed; spelled != nil {
			r = spelled
			m, counts, err = readWhole(ctx, api, r)
		}
	}
	if err != nil {
		return view.Page{}, err
	}
	m.Total, m.Uncounted = counts.Total, counts.Uncounted
	m.Bar, m.Moments = filter.BarOf(r, counts, "bbox"), filter.Moments(r)
	m.Bar.Correct(r, words)
	var failed error // then the map of the program is drawn
	m.Ground, failed = m.Base.Draw(ctx, m.Box, r.Text.Code, m.taken())
	shown := pageOf(r.Scope(), m)
	shown.NoIndex = len(r.Filter()) > 0
	shown.Partial = counts.Uncounted || failed != nil
	return shown, nil
}

// readWhole reads the map of the address, and the counts of its filter.
func readWhole(ctx context.Context, api *client.Reads, r *page.Request) (m drawing, counts filter.Counts, err error) {
	if m, err = drawingOf(r); err != nil {
		return m, counts, err
	}
	var image string
	query := m.Query
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error { return m.read(reading, api) })
	reads.Go(func() (err error) {
		image, err = imageOf(reading, api, r, query)
		return err
	})
	reads.Go(func() (err error) {
		counts, err = filter.Count(reading, api, r, query)
		return err
	})
	err = reads.Wait()
	m.Image = image
	return m, counts, err
}

// maxPictured is the number of events that are looked at for an image.
const maxPictured = 24

// imageOf returns the path of the image for share cards, which is that of the list: of the first
// event that begins on the first day or later, else of one that runs. "" is for none.
func imageOf(ctx context.Context, api *client.Reads, r *page.Request, query url.Values) (string, error) {
	begin, _, split := r.Split(query)
	image, err := firstImage(ctx, api, begin)
	if split && image == "" && err == nil {
		image, err = firstImage(ctx, api, query)
	}
	return image, err
}

// firstImage returns the path of the first image of a query's events, "" for none.
func firstImage(ctx context.Context, api *client.Reads, query url.Values) (string, error) {
	query = page.Clone(query)
	query.Set("group", "event")
	query.Set("limit", strconv.Itoa(maxPictured))
	var answer publicapi.Events
	err := api.Data(ctx, "/api/events", query, &answer)
	return detail.ShareImageOf(answer.Events), err
}

// filterOf returns the filter of the address, without the parameters of the map and of lists.
func filterOf(r *page.Request) url.Values {
	return r.Filter(append([]string{"bbox", "group", "sort", "by"}, page.Cursor...)...)
}

// showPart answers the part of the map that depends on its box, for the script of the page.
func showPart(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	m, err := drawingOf(r)
	if err == nil {
		err = m.read(ctx, api)
	}
	part := partOf(r.Scope(), m)
	if err == nil && m.Box.IsLocal() {
		var failed error // then the map of the program is drawn
		m.Ground, failed = m.Base.Draw(ctx, m.Box, r.Text.Code, m.taken())
		part = partOf(r.Scope(), m)
		part.Partial = failed != nil
	}
	return part, err
}

// drawingOf returns the map of the address, before its venues are read.
func drawingOf(r *page.Request) (drawing, error) {
	m := drawing{Filter: filterOf(r), Base: r.Brand.Map()}
	m.Query = page.FromTodayOf(r, m.Filter)
	if bbox := r.Parameters.Get("bbox"); bbox != "" {
		box, err := basemap.ParseBox(bbox)
		if err != nil {
			return m, page.Invalid("bbox", reason.NotBox)
		}
		m.Box, m.HasBox = box.Shaped(0), true
	}
	return m, nil
}

// read reads the venues in the box. Without one the box is that of all venues.
func (m *drawing) read(ctx context.Context, api *client.Reads) error {
	places, shared, err := readPlaces(ctx, api, *m)
	if err != nil {
		return err
	}
	if !m.HasBox {
		m.Box = around(places)
	}
	m.Points = clustered(places, m.Box)
	m.Venues = len(places)
	m.Places = busiest(places)
	if shared {
		return m.countPoints(ctx, api)
	}
	return nil
}

// readPlaces reads the venues with dates of the filter, in the map's box if the address names it,
// and whether events are at several of them.
func readPlaces(ctx context.Context, api *client.Reads, m drawing) (places []place, shared bool, err error) {
	var counts map[string]int
	var venues []venueFeature
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		counts, shared, err = eventsByVenue(reading, api, near(page.Clone(m.Query), m))
		return err
	})
	reads.Go(func() (err error) {
		venues, err = readVenues(reading, api, venueFilter(m))
		return err
	})
	if err := reads.Wait(); err != nil {
		return nil, false, err
	}
	return joined(venues, counts), shared, nil
}

// near narrows a filter to a circle around the map's box, which makes less to count. A filter with
// a circle of its own stays as it is.
func near(filter url.Values, m drawing) url.Values {
	centre, radius, ok := m.Box.Circle()
	if !m.HasBox || !ok || filter.Has("lon") || filter.Has("lat") || filter.Has("radius") {
		return filter
	}
	filter.Set("lon", decimal(centre.Lon()))
	filter.Set("lat", decimal(centre.Lat()))
	filter.Set("radius", decimal(radius))
	return filter
}

// landAge is how long browsers keep a drawing of the land; it changes with the program at most.
const landAge = 7 * 24 * time.Hour

// sendLand answers the land in a box as GeoJSON, for the maps of the console.
func sendLand(c *fiber.Ctx, base *basemap.Map) error {
	box, err := basemap.ParseBox(c.Query("bbox"))
	if err != nil {
		return page.Invalid("bbox", reason.NotBox)
	}
	content, err := base.GeoJSON(c.UserContext(), box)
	if err != nil {
		return err
	}
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	return c.Send(content)
}
