package api

import (
	"bytes"
	"context"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// curatedLists answers GET /api/lists: a page of the lists, by name.
func (d Deps) curatedLists(c *fiber.Ctx) error {
	q, err := parse(c, params.AllLists)
	if err != nil {
		return err
	}
	cursor := ""
	if q.Place != nil {
		cursor = q.Place.Cursor()
	}
	from := source{"lists", []any{cursor, q.Limit}, cache.AllRecords(document.Lists)}
	return d.sendData(c, from, func(ctx context.Context) ([]byte, error) {
		page, err := d.pageOfLists(ctx, q)
		if err != nil {
			return nil, err
		}
		text, err := value.JSON(page)
		return bytes.TrimSuffix(bytes.TrimPrefix(text, []byte(`{"data":`)), []byte("}")), err // as the rest of the envelope
	})
}

// pageOfLists reads the page of lists that a query asks for.
func (d Deps) pageOfLists(ctx context.Context, q params.Query) (page publicapi.PageOfLists, err error) {
	known, err := d.Curated.Current(ctx)
	if err != nil {
		return page, err
	}
	var uuids []string
	var last params.Place
	for place, row := range known.After("", q.Place) {
		if len(uuids) == q.Limit {
			page.NextCursor = value.Text(last.Cursor())
			break
		}
		uuids, last = append(uuids, row.UUID), place
	}
	page.Data, err = d.Lists.ShortLists(ctx, uuids)
	return page, err
}

// curatedList answers GET /api/list/{slug}: a list with its entries that are public and not over.
func (d Deps) curatedList(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	list, err := d.Curated.Find(c.UserContext(), c.Params("slug"))
	if err != nil {
		return err
	}
	if list == nil {
		return fault.New(fault.NotFound, "list_not_found", "there is no such list")
	}
	picks, err := d.comingPicks(c, list.View.Slug, "")
	if err != nil {
		return err
	}
	coming := map[string]bool{}
	for _, pick := range picks {
		coming[pick.Date], coming[pick.Event] = true, true
	}
	shown := publicapi.ListedEntries{List: list.View, Entries: []publicapi.ListEntry{}}
	for _, entry := range list.Entries {
		if coming[entry.EventUUID] && (entry.DateUUID == "" || coming[string(entry.DateUUID)]) {
			shown.Entries = append(shown.Entries, publicapi.ListEntry(entry))
		}
	}
	return web.SendData(c, shown)
}

// comingPicks returns the dates of a list in a portal, "" for the site, that are not over.
func (d Deps) comingPicks(c *fiber.Ctx, slug, portal string) ([]search.Pick, error) {
	q, err := params.EventSearch.FromURL("not_over=true&list="+slug+"&portal="+url.QueryEscape(portal), d.today())
	if err == nil {
		q, err = d.withEnds(c, q)
	}
	if err != nil {
		return nil, err
	}
	return d.Search.Picks(c.UserContext(), q)
}
