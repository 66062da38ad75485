package page

import (
	"litfass/services/site/internal/view"
)

// mountPages adds every page by its path.
func (d Deps) mountPages(page func(path string, render render)) {
	page("/", d.list)
	page("/favourites", d.favourites)
	page("/print", d.print)
	page("/about", d.about)
	page("/event/:uuid", d.event)
	page("/event/:uuid/report", d.report)
	page("/venue/:uuid", d.venue)
	page("/organization/:uuid", d.organization)
	page("/regions", d.regions)
	page("/region/:slugs", d.region)
	page(embedPath, d.embed)
	page(builderPath, d.builder)
	page("/month", d.month)
	page("/map", d.mapped)
	page("/map/part", d.mapPart)
}

// shown is what the parts of a page are drawn with.
func (d Deps) shown(r *Request) view.Shown {
	return view.Shown{Text: r.Text, Today: r.Today, Link: r.Link}
}
