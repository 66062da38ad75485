package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// shownADay is the number of dates that the week shows of each day.
const shownADay = 15

// week answers GET /api/events/week: the first dates that start on each of seven days.
func (d Deps) week(c *fiber.Ctx) error {
	q, err := d.searchFromURL(c, params.Week)
	if err != nil {
		return err
	}
	q.Offset, q.After, q.Grouped, q.BySeries, q.Sort = 0, nil, false, false, params.SortByStart
	q.End, q.Ongoing, q.Limit, q.Total = 0, false, shownADay, true
	days := q.Week.Each()
	week := publicapi.Week{Days: make([]publicapi.DayOfWeek, len(days))}
	for i, day := range days {
		q.Start, q.StartsBefore = day, day
		if week.Days[i], err = d.dayOfWeek(c.UserContext(), q); err != nil {
			return err
		}
	}
	return web.SendData(c, week)
}

// dayOfWeek returns the first dates of a query for one day, and how many more there are.
func (d Deps) dayOfWeek(ctx context.Context, q params.Query) (day publicapi.DayOfWeek, err error) {
	payload, err := d.Search.Events(ctx, q, search.QueryString{})
	if err != nil {
		return day, err
	}
	var found struct {
		Events []json.RawMessage `json:"events"`
		Total  int               `json:"total_event_count"`
	}
	if err := payload.Decode(&found); err != nil {
		return day, fmt.Errorf("decode the dates of a day: %w", err)
	}
	return publicapi.DayOfWeek{
		EventDay: q.Start.String(), Events: found.Events, MoreCount: found.Total - len(found.Events),
	}, nil
}

// venueSummary answers GET /api/events/venue-summary: how many dates of a search are at each venue.
func (d Deps) venueSummary(c *fiber.Ctx) error {
	counts, err := d.countsByVenue(c, false)
	if err != nil {
		return err
	}
	list := make([]publicapi.VenueCount, len(counts))
	for i, count := range counts {
		list[i] = publicapi.VenueCount{VenueUUID: count.Value, VenueName: count.Name, DateCount: count.Count}
	}
	slices.SortFunc(list, func(a, b publicapi.VenueCount) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.VenueName), strings.ToLower(b.VenueName)), strings.Compare(a.VenueUUID, b.VenueUUID))
	})
	return web.SendData(c, publicapi.VenueSummary{Venues: list})
}

// countsByVenue counts the dates of a search, or their events, by venue.
func (d Deps) countsByVenue(c *fiber.Ctx, events bool) ([]publicapi.Facet, error) {
	q, err := d.searchFromURL(c, params.Events)
	if err != nil {
		return nil, err
	}
	q.Grouped = events
	names, err := d.Lists.Called(c.UserContext(), q.Lang, q.TextLang, nil)
	if err != nil {
		return nil, err
	}
	counts, err := d.Search.Counts(c.UserContext(), q, "venue_uuids", names)
	if err != nil || len(q.VenueUUIDs) == 0 {
		return counts, err
	}
	return slices.DeleteFunc(counts, func(count publicapi.Facet) bool { // counts leave out their own filter
		return !slices.Contains(q.VenueUUIDs, count.Value)
	}), nil
}

// eventPlaces answers GET /api/events/geojson: the venues of a search with their number of events.
func (d Deps) eventPlaces(c *fiber.Ctx) error {
	counts, err := d.countsByVenue(c, true)
	if err != nil {
		return err
	}
	byVenue := make(map[string]int, len(counts))
	for _, count := range counts {
		byVenue[count.Value] = count.Count
	}
	places := publicapi.NewPlaces()
	venues, err := d.venuesOf(c.UserContext(), filter.Named(filter.LocatedVenues(), slices.Collect(maps.Keys(byVenue))))
	if err != nil {
		return err
	}
	for _, v := range venues {
		if byVenue[v.UUID] > 0 {
			places.Add(v, publicapi.PlaceOfEvents{UUID: v.UUID, Name: v.Name, City: v.City, Country: v.Country, EventCount: byVenue[v.UUID]})
		}
	}
	return web.SendData(c, places)
}

// venuePlaces answers GET /api/venues/geojson: the venues in a box.
func (d Deps) venuePlaces(c *fiber.Ctx) error {
	q, err := parse(c, params.VenueFeeds)
	if err != nil {
		return err
	}
	match, err := d.matchingVenues(c.UserContext(), q)
	if err != nil {
		return err
	}
	venues, err := d.venuesOf(c.UserContext(), filter.Located(match))
	if err != nil {
		return err
	}
	places := publicapi.NewPlaces()
	for _, v := range venues {
		places.Add(v, publicapi.PlaceOfVenue{
			UUID: v.UUID, Name: v.Name, Street: v.Street, HouseNumber: v.HouseNumber, City: v.City, Country: v.Country,
			Scope: publicapi.ScopeOfVenues, WebLink: v.WebLink,
		})
	}
	return web.SendData(c, places)
}

// maxPlaces is the number of places on a map for clients that do not page.
const maxPlaces = 10_000

// venuesOf returns the venues that match, by name, the first maxPlaces of them, without texts.
func (d Deps) venuesOf(ctx context.Context, match filter.Expr) (venues []publicapi.Venue, err error) {
	show := func(view []byte) ([]byte, error) {
		var v publicapi.Venue
		if err := json.Unmarshal(view, &v); err != nil {
			return nil, fmt.Errorf("decode a venue: %w", err)
		}
		venues = append(venues, publicapi.Venue{
			UUID: v.UUID, Name: v.Name, Street: v.Street, HouseNumber: v.HouseNumber, City: v.City, Country: v.Country, Lat: v.Lat, Lon: v.Lon, WebLink: v.WebLink,
		})
		return nil, nil
	}
	none := cache.List{Show: show, Frame: func(int) (head, tail []byte) { return nil, nil }}
	_, err = d.Lists.List(ctx, document.Venues, lists.Page{Match: match, Limit: maxPlaces, Whole: true}, none)
	return venues, err
}
