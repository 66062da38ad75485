package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
)

// allSeries answers GET /api/series: a page of all series, by title.
func (d Deps) allSeries(c *fiber.Ctx) error {
	q, err := parse(c, params.AllSeries)
	if err != nil {
		return err
	}
	known, err := d.Series.Current(c.UserContext())
	if err != nil {
		return err
	}
	all := series.All(known, q.TextLang)
	shown := publicapi.AllSeries{TotalCount: len(all)}
	all = all[min(q.Offset, len(all)):]
	if shown.Series, err = d.shownSeries(c, q.TextLang, all[:min(q.Limit, len(all))]...); err != nil {
		return err
	}
	return web.SendData(c, shown)
}

// oneSeries answers GET /api/series/{slug}, also of the uuid of a series or of a part.
func (d Deps) oneSeries(c *fiber.Ctx) error {
	q, err := parse(c, params.Named)
	if err != nil {
		return err
	}
	shown, err := d.namedSeries(c, q.TextLang)
	if err != nil {
		return err
	}
	return web.SendData(c, shown)
}

// namedSeries returns the series that the path names, see shownSeries.
func (d Deps) namedSeries(c *fiber.Ctx, language string) (publicapi.ShownSeries, error) {
	known, err := d.Series.Current(c.UserContext())
	if err != nil {
		return publicapi.ShownSeries{}, err
	}
	if one := series.Find(known, c.Params("slug")); one != nil {
		shown, err := d.shownSeries(c, language, one)
		if err != nil {
			return publicapi.ShownSeries{}, err
		}
		if len(shown) > 0 {
			return shown[0], nil
		}
	}
	return publicapi.ShownSeries{}, fault.New(fault.NotFound, "series_not_found", "there is no such series")
}

// seriesView returns a series as the index has it, with its texts in a language, which is cached.
// It is a NotFound fault once it is gone.
func (d Deps) seriesView(ctx context.Context, uuid, language string) (view publicapi.Series, err error) {
	from := source{"series-record", []any{uuid, language}, cache.Record(document.Series, document.EntityID(uuid))}
	text, err := cache.Get(ctx, d.Cache, from.kind, from.key(), func(ctx context.Context) (*cache.Text, error) {
		found, err := d.Lists.Series(ctx, uuid, language)
		return &cache.Text{Payload: encoded.NewPayload(found), From: from.records}, err
	})
	if err == nil {
		err = text.Decode(&view)
	}
	return view, err
}

// shownSeries returns series with their texts in a language, "" for the original, with the number
// of their dates, and the days of these for series without days of their own. It leaves out what is
// gone meanwhile.
func (d Deps) shownSeries(c *fiber.Ctx, language string, some ...*series.Series) ([]publicapi.ShownSeries, error) {
	uuids := make([]string, len(some))
	for i, one := range some {
		uuids[i] = one.UUID
	}
	extents, err := d.Search.Extents(c.UserContext(), uuids)
	if err != nil {
		return nil, err
	}
	shown := make([]publicapi.ShownSeries, 0, len(some))
	for i, extent := range extents {
		view, err := d.seriesView(c.UserContext(), uuids[i], language)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := publicapi.ShownSeries{Series: view, Dates: extent.Dates}
		if view.StartDate == "" {
			one.StartDate = value.Text(extent.First)
		}
		if endless := extent.Dates > 0 && extent.Last == ""; view.EndDate == "" && !endless {
			one.EndDate = value.Text(max(extent.Last, string(view.StartDate)))
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// chosenSeries are the series of a query.
type chosenSeries struct {
	titles map[string]string // of those that are asked for, and of parts, by uuid
	image  string            // the address of the image, if one series or part is chosen
	key    string            // what they are made of, for keys
}

func (d Deps) chosenSeries(ctx context.Context, q params.Query) (chosen chosenSeries, err error) {
	if len(q.SeriesUUIDs) == 0 {
		return chosen, nil
	}
	known, err := d.Series.Current(ctx)
	if err != nil {
		return chosen, err
	}
	chosen = chosenSeries{titles: map[string]string{}, key: fmt.Sprintf("\x00%d", known.Version)}
	for _, uuid := range q.SeriesUUIDs {
		chosen.titles[uuid] = ""
	}
	name := func(uuid, title string) {
		if _, asked := chosen.titles[uuid]; asked {
			chosen.titles[uuid] = title
		}
	}
	for one := range known.All() {
		title := one.TitleIn(q.TextLang)
		name(one.UUID, title)
		for _, part := range one.Parts {
			name(part.UUID, title+", "+part.Title)
		}
	}
	if one := series.Find(known, q.SeriesUUIDs[0]); len(q.SeriesUUIDs) == 1 && one != nil && one.Image != nil {
		chosen.image = one.Image.Path
	}
	return chosen, nil
}

// seriesFeed answers GET /api/series/{slug}.jsonld: the series with its first dates that are not
// over, for search engines; in a portal with the dates of this.
func (d Deps) seriesFeed(c *fiber.Ctx) error {
	asked, err := parse(c, params.SeriesFeed)
	if err != nil {
		return err
	}
	shown, err := d.namedSeries(c, asked.TextLang)
	if err != nil {
		return err
	}
	q, err := params.EventFeeds.FromURL("not_over=true&limit="+strconv.Itoa(eventsForSearchEngines)+"&series_uuids="+shown.UUID, d.today())
	if err == nil {
		q.TextLang, q.Portal = asked.TextLang, asked.Portal
		q, err = d.withEnds(c, q)
	}
	if err != nil {
		return err
	}
	view, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	content := d.feedOf(base+"/series/"+shown.Slug+".jsonld", "/series/"+shown.Slug, sentParameters(rawQuery(c)))
	text, err := d.Search.Feed(c.UserContext(), q, search.Feed{
		Key: content.Self + "\x00" + string(view),
		Write: func(dates []search.Found, _ bool) ([]byte, error) {
			for _, date := range dates {
				content.Items = append(content.Items, feed.Item{Entry: date.Entry, Revision: date.Revision, ChangedAt: date.ChangedAt})
			}
			return feed.SeriesJSONLD(content, shown)
		},
	})
	if err != nil {
		return err
	}
	return sendText(c, "application/ld+json", text)
}

// eventsForSearchEngines is the maximum number of dates of a series in JSON-LD, which its page has.
const eventsForSearchEngines = 20
