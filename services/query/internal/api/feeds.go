package api

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// mountFeeds adds the feeds: of the event search, of one event, and of one date in every format,
// and of the venue search as GeoJSON.
func (d Deps) mountFeeds(api fiber.Router) {
	get := func(path string, answer fiber.Handler) {
		api.Get(path, web.Cacheable(d.Caching), answer)
	}
	for _, format := range feed.Formats {
		get("/events."+format.Name, d.searchFeed(format))
		get("/event/:uuid."+format.Name, d.eventFeed(format))
		get("/event/:uuid/date/:date."+format.Name, d.dateFeed(format))
		if format.Name == "ics" {
			get("/event/:uuid/date/:date/ics", d.dateFeed(format)) // an alias
		}
	}
	get("/venues.geojson", d.venueFeed)
	get("/series/:slug.jsonld", d.seriesFeed)
}

// searchFeed returns a handler that answers with the dates that a search finds.
func (d Deps) searchFeed(format feed.Format) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, err := d.searchFromURL(c, params.EventFeeds)
		if err != nil {
			return err
		}
		if q.Limit == 0 {
			q.Limit = format.Limit
		}
		sets, version, err := d.Lists.VersionedSets(c.UserContext())
		if err != nil {
			return err
		}
		sent := sentParameters(rawQuery(c))
		content := d.feedOf(base+"/events."+format.Name, "/", sent)
		chosen, err := d.chosenSeries(c.UserContext(), q)
		if err != nil {
			return err
		}
		content.Image = chosen.image
		text, err := d.Search.Feed(c.UserContext(), q, search.Feed{
			Key: content.Self + "\x00" + version + chosen.key,
			Write: func(dates []search.Found, full bool) ([]byte, error) {
				for _, date := range dates {
					item := feed.Item{Entry: date.Entry, Revision: date.Revision, ChangedAt: date.ChangedAt}
					content.Items = append(content.Items, sets.Translate(item, q.Lang))
				}
				if full {
					content.Next = d.address(base+"/events."+format.Name, nextPage(sent, dates[len(dates)-1].Entry))
				}
				content.Title = d.Site.TitleOf(sent, content.Items, func(dimension, value string) string {
					if dimension == "series_uuids" {
						return chosen.titles[value]
					}
					return sets.Name(lists.SetsOfDimensions[dimension], value, q.Lang)
				})
				return format.Write(content)
			},
		})
		if err != nil {
			return err
		}
		return sendText(c, format.ContentType, text)
	}
}

// eventFeed returns a handler that answers with all dates of an event.
func (d Deps) eventFeed(format feed.Format) fiber.Handler {
	return func(c *fiber.Ctx) error {
		uuid, q, err := parseWithUUID(c)
		if err != nil {
			return err
		}
		return d.sendEventFeed(c, format, "/event/"+uuid, uuid, q, nil)
	}
}

// dateFeed returns a handler that answers with one date of an event.
func (d Deps) dateFeed(format feed.Format) fiber.Handler {
	return func(c *fiber.Ctx) error {
		uuid, q, err := parseWithUUID(c)
		date, isDate, err := parseDate(c, err)
		if err != nil {
			return err
		}
		return d.sendEventFeed(c, format, "/event/"+uuid+"/date/"+date, uuid, q, isDate)
	}
}

// sendEventFeed answers with the wanted date of an event, or with all of them for nil.
func (d Deps) sendEventFeed(
	c *fiber.Ctx, format feed.Format, path, uuid string, q params.Query, selects func(uuid, slug string) bool,
) error {
	sets, version, err := d.setsFor(c.UserContext(), uuid)
	if err != nil {
		return err
	}
	content := d.feedOf(base+path+"."+format.Name, "/event/"+uuid, sentParameters(rawQuery(c)))
	now, err := d.lastEnd(c, format)
	if err != nil {
		return err
	}
	from := source{"event-feed", []any{content.Self, q.Lang, q.TextLang, version, now}, cache.Record(document.Events, document.EntityID(uuid))}
	return d.sendText(c, format.ContentType, from, func(ctx context.Context) ([]byte, error) {
		event, err := d.Lists.EventRecord(ctx, uuid, q.TextLang)
		if err != nil {
			return nil, err
		}
		content.Title = event.Title
		for _, item := range feed.Of(event.Event, event.Revision, event.ChangedAt) {
			if selects == nil || selects(item.DateUUID, item.DateSlug) {
				content.Items = append(content.Items, sets.Translate(item, q.Lang))
			}
		}
		if selects != nil && len(content.Items) == 0 {
			return nil, noSuchDate()
		}
		if now > 0 && selects == nil {
			if content, err = content.Upcoming(time.Unix(now, 0), datesForSearchEngines); err != nil {
				return nil, err
			}
		}
		return format.Write(content)
	})
}

// datesForSearchEngines is the maximum number of dates of an event in JSON-LD, which its page has.
const datesForSearchEngines = 5

// lastEnd returns the time before which dates that ended are left out of the feed of an event: 0
// except for JSON-LD, which search engines show. It is the end of a date, for answers to be cached.
func (d Deps) lastEnd(c *fiber.Ctx, format feed.Format) (int64, error) {
	if format.Name != "jsonld" {
		return 0, nil
	}
	lull, err := d.ends.Now(c.UserContext())
	if errors.Is(err, engine.ErrOutdated) {
		return d.Now().Truncate(time.Minute).Unix(), nil
	}
	d.expire(c, lull)
	return max(lull.Last, 1), err
}

// venuesInFeed is the number of venues in a feed without a limit.
const venuesInFeed = 1000

// venueFeed answers GET /api/venues.geojson.
func (d Deps) venueFeed(c *fiber.Ctx) error {
	q, err := parse(c, params.VenueFeeds)
	if err != nil {
		return err
	}
	if q.Limit == 0 {
		q.Limit = venuesInFeed
	}
	match, err := d.matchingVenues(c.UserContext(), q)
	if err != nil {
		return err
	}
	compiled, found := filter.Compile(match)
	sent := sentParameters(rawQuery(c))
	content := d.feedOf(base+"/venues.geojson", "/map", url.Values{})
	content.Self = d.address(base+"/venues.geojson", sent)
	shown := cache.List{
		Show: func(view []byte) ([]byte, error) { return feed.Venue(d.Site, view) },
		Frame: func(total int) (head, tail []byte) {
			content := content
			if next := q.Offset + q.Limit; next < total && next <= params.MaxOffset {
				sent := without(sent, "offset")
				sent.Set("offset", strconv.Itoa(next))
				content.Next = d.address(base+"/venues.geojson", sent)
			}
			return feed.Frame(content)
		},
	}
	list, err := d.list(c, "venue-feed", []any{content.Self, compiled, found}, func(ctx context.Context) (*cache.List, error) {
		return d.Lists.List(ctx, document.Venues, lists.Page{Match: match, Offset: q.Offset, Limit: q.Limit, Whole: true}, shown)
	})
	if err != nil {
		return err
	}
	return sendText(c, feed.ContentTypeGeoJSON, list.Text)
}

// feedOf returns a feed without items, at a path of this service, with the page of the site that
// shows the same.
func (d Deps) feedOf(path, page string, sent url.Values) feed.Feed {
	return feed.Feed{Site: d.Site, Title: d.Site.Name, Self: d.address(path, sent), Page: d.address(page, without(sent, paging...))}
}

// address returns an absolute address for visitors.
func (d Deps) address(path string, sent url.Values) string {
	if len(sent) == 0 {
		return d.Site.URL + path
	}
	return d.Site.URL + path + "?" + sent.Encode()
}

// sentParameters returns the parameters of a valid query string, without empty ones.
func sentParameters(raw string) url.Values {
	sent := url.Values{}
	for pair := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		text, textErr := url.QueryUnescape(text)
		if nameErr == nil && textErr == nil && text != "" {
			sent.Add(name, text)
		}
	}
	return sent
}

// paging are the parameters that select the page.
var paging = []string{"limit", "offset", "last_event_start_at", "last_event_date_uuid"}

// without returns a copy of parameters without some.
func without(sent url.Values, names ...string) url.Values {
	left := url.Values{}
	for name, values := range sent {
		if !slices.Contains(names, name) {
			left[name] = values
		}
	}
	return left
}

// nextPage returns the parameters of the page after an entry, of the same size.
func nextPage(sent url.Values, last publicapi.Entry) url.Values {
	next := without(sent, "offset", "last_event_start_at", "last_event_date_uuid")
	next.Set("last_event_start_at", last.StartDate+"T"+last.StartTime)
	next.Set("last_event_date_uuid", last.DateUUID)
	return next
}
