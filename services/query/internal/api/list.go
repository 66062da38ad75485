package api

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// curatedLists answers GET /api/lists: all lists, by name.
func (d Deps) curatedLists(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	known, err := d.Curated.Current(c.UserContext())
	if err != nil {
		return err
	}
	shown := []publicapi.List{}
	for _, list := range curated.All(known) {
		shown = append(shown, list.View)
	}
	return web.SendData(c, shown)
}

// curatedList answers GET /api/list/{slug}: a list with its entries that are public and not over.
func (d Deps) curatedList(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	known, err := d.Curated.Current(c.UserContext())
	if err != nil {
		return err
	}
	list := known.Find(c.Params("slug"))
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
