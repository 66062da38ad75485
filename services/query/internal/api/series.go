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

// maxSeriesBytes is the length of the series of a page, beyond which the page ends.
const maxSeriesBytes = 1 << 20

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
	page := publicapi.AllSeries{Series: []publicapi.ShownSeries{}, TotalCount: known.Len()}
	var last params.Place
	skip, taken, length := q.Offset, 0, 0
	for place, row := range known.After(q.TextLang, q.Place) {
		if skip--; skip >= 0 {
			continue
		}
		if taken == q.Limit || length > maxSeriesBytes {
			page.NextCursor = value.Text(last.Cursor())
			break
		}
		last, taken = place, taken+1
		shown, size, err := d.shownSeries(c, q.TextLang, row.UUID)
		if fault.Is(err, fault.NotFound) { // gone meanwhile
			continue
		}
		if err != nil {
			return err
		}
		page.Series, length = append(page.Series, shown), length+size
	}
	return web.SendData(c, page)
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
func (d Deps) namedSeries(c *fiber.Ctx, language string) (shown publicapi.ShownSeries, err error) {
	known, err := d.Series.Current(c.UserContext())
	if err != nil {
		return shown, err
	}
	err = fault.New(fault.NotFound, "series_not_found", "there is no such series")
	if row := series.Find(known, c.Params("slug")); row != nil {
		shown, _, err = d.shownSeries(c, language, row.UUID)
	}
	return shown, err
}

// seriesView returns a series as the index has it, with its texts in a language, and the length of
// its JSON, which is cached. It is a NotFound fault once it is gone.
func (d Deps) seriesView(ctx context.Context, uuid, language string) (view publicapi.Series, length int, err error) {
	from := source{"series-record", []any{uuid, language}, cache.Record(document.Series, document.EntityID(uuid))}
	text, err := cache.Get(ctx, d.Cache, from.kind, from.key(), func(ctx context.Context) (*cache.Text, error) {
		found, err := d.Lists.Series(ctx, uuid, language)
		return &cache.Text{Payload: encoded.NewPayload(found), From: from.records}, err
	})
	if err != nil {
		return view, 0, err
	}
	return view, len(text.Plain()), text.Decode(&view)
}

// shownSeries returns a series with its texts in a language, "" for the original, with the number
// of its dates, and the days of these if it has no days of its own, and the length of its JSON. It
// is a NotFound fault once it is gone.
func (d Deps) shownSeries(c *fiber.Ctx, language, uuid string) (shown publicapi.ShownSeries, length int, err error) {
	view, length, err := d.seriesView(c.UserContext(), uuid, language)
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.NotFound, "series_not_found", "there is no such series")
	}
	if err != nil {
		return shown, 0, err
	}
	extent, err := d.Search.Extent(c.UserContext(), uuid)
	if err != nil {
		return shown, 0, err
	}
	shown = publicapi.ShownSeries{Series: view, Dates: extent.Dates}
	if view.StartDate == "" {
		shown.StartDate = value.Text(extent.First)
	}
	if endless := extent.Dates > 0 && extent.Last == ""; view.EndDate == "" && !endless {
		shown.EndDate = value.Text(max(extent.Last, string(view.StartDate)))
	}
	return shown, length, nil
}

// chosenSeries are the series of a query.
type chosenSeries struct {
	titles map[string]string // of the first that are asked for, and of parts, by uuid
	image  string            // the address of the image, if one series or part is chosen
	key    string            // what they are made of, for keys
}

// maxChosen is the number of series that the name of a feed has.
const maxChosen = 6

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
		row := known.Identified(uuid)
		if row == nil || len(chosen.titles) == maxChosen {
			continue
		}
		chosen.titles[uuid] = row.Name(q.TextLang)
		if uuid == row.UUID && len(q.SeriesUUIDs) > 1 {
			continue
		}
		view, _, err := d.seriesView(ctx, row.UUID, "")
		if err != nil && !fault.Is(err, fault.NotFound) {
			return chosen, err
		}
		for _, part := range view.Parts {
			if part.UUID == uuid {
				chosen.titles[uuid] += ", " + part.Title
			}
		}
		if len(q.SeriesUUIDs) == 1 && view.Image != nil {
			chosen.image = view.Image.Path
		}
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
