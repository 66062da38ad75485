package api

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// mountEvents adds the event search and its type summary. Both take their parameters from the URL
// of a GET, or, for filters too long for a URL, from the body of a POST.
func (d Deps) mountEvents(api fiber.Router) {
	d.mountSearch(api, "/events", params.EventSearch, d.Search.CachedEvents, d.events)
	d.mountSearch(api, "/events/type-summary", params.Events, d.Search.CachedSummary, d.Search.Summary)
}

// events returns the payload of the event search, with counts if the query asks for them.
func (d Deps) events(ctx context.Context, q params.Query, from search.QueryString) (encoded.Payload, error) {
	if len(q.By) == 0 {
		return d.Search.Events(ctx, q, from)
	}
	names, err := d.Lists.Called(ctx, q.Lang, q.TextLang, q.By)
	if err != nil {
		return encoded.Payload{}, err
	}
	return d.Search.EventsAndFacets(ctx, q, names)
}

// mountSearch adds an operation whose payload is cached for the query string, or else found by the
// query.
func (d Deps) mountSearch(
	api fiber.Router, path string, takes params.Operation,
	cached func(ctx context.Context, from search.QueryString) (encoded.Payload, bool),
	find func(ctx context.Context, q params.Query, from search.QueryString) (encoded.Payload, error),
) {
	enveloped := web.Enveloped(responseTypes[path])
	api.Get(path, enveloped, web.Cacheable(d.Caching), func(c *fiber.Ctx) error {
		from := search.QueryString{Raw: rawQuery(c), Today: d.today()}
		lull := cache.Lull{Next: cache.Endless}
		if strings.Contains(from.Raw, "not_over") {
			lull, _ = d.ends.Now(c.UserContext()) // an error comes again
			from.EndsAfter = lull.Last
		}
		if payload, ok := cached(c.UserContext(), from); ok {
			d.expire(c, lull)
			return web.SendPayload(c, payload)
		}
		q, err := d.searchFromURL(c, takes)
		if err != nil {
			return err
		}
		from.EndsAfter = q.EndsAfter
		payload, err := find(c.UserContext(), q, from)
		if err != nil {
			return err
		}
		return web.SendPayload(c, payload)
	})
	api.Post(path, enveloped, d.byBody(takes, find))
}

// byBody returns a handler that answers with what the query in the body of a POST finds.
func (d Deps) byBody(
	takes params.Operation, find func(ctx context.Context, q params.Query, from search.QueryString) (encoded.Payload, error),
) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, err := d.searchFromBody(c, takes)
		if err != nil {
			return err
		}
		payload, err := find(c.UserContext(), q, search.QueryString{})
		if err != nil {
			return err
		}
		return web.SendPayload(c, payload)
	}
}

// plainJSON refuses input that would otherwise be ignored: a body of another type, and parameters
// in the URL of a POST.
func plainJSON(c *fiber.Ctx) error {
	if err := web.RequireJSON(c); err != nil {
		return err
	}
	if len(c.Request().URI().QueryString()) > 0 {
		var violations fault.Violations
		violations.Add("url", reason.ParametersInURL)
		return violations.Err("invalid_parameters", "the request has parameters that are not valid")
	}
	return nil
}
