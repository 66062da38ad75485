package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/search"
)

// mountEvents adds the event search and its type summary. Both take their parameters from the URL
// of a GET, or, for filters too long for a URL, from the body of a POST.
func (d Deps) mountEvents(api fiber.Router) {
	for path, finder := range map[string]finder{
		"/events":              {d.Search.EventsAgain, d.Search.Events},
		"/events/type-summary": {d.Search.SummaryAgain, d.Search.Summary},
	} {
		enveloped := web.Enveloped(responseTypes[path])
		api.Get(path, enveloped, web.Cacheable(d.Caching), d.fromURL(finder))
		api.Post(path, enveloped, d.fromBody(finder))
	}
}

// finder finds the payload for a query: again by its spelling alone if it is kept, else by what it
// asks for.
type finder struct {
	again func(ctx context.Context, as search.Spelling) (encoded.Payload, bool)
	find  func(ctx context.Context, q params.Query, as search.Spelling) (encoded.Payload, error)
}

func (d Deps) fromURL(f finder) fiber.Handler {
	return func(c *fiber.Ctx) error {
		as := search.Spelling{Raw: rawQuery(c), Today: d.today()}
		if payload, ok := f.again(c.UserContext(), as); ok {
			return web.SendPayload(c, payload)
		}
		q, err := params.Events.FromURL(as.Raw, as.Today)
		if err != nil {
			return err
		}
		return f.send(c, q, as)
	}
}

func (d Deps) fromBody(f finder) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := plainJSON(c); err != nil {
			return err
		}
		q, err := params.Events.FromJSON(c.BodyRaw(), d.today())
		if err != nil {
			return err
		}
		return f.send(c, q, search.Spelling{})
	}
}

// plainJSON refuses what would otherwise be ignored: a body of another type, and parameters in the
// URL of a POST.
func plainJSON(c *fiber.Ctx) error {
	if err := web.RequireJSON(c); err != nil {
		return err
	}
	if len(c.Request().URI().QueryString()) > 0 {
		var violations fault.Violations
		violations.Add("url", "has parameters; a POST takes them in its body")
		return violations.Err("invalid_parameters", "the request has parameters that are not valid")
	}
	return nil
}

func (f finder) send(c *fiber.Ctx, q params.Query, as search.Spelling) error {
	payload, err := f.find(c.UserContext(), q, as)
	if err != nil {
		return err
	}
	return web.SendPayload(c, payload)
}
