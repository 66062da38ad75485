package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/encoded"
	"litfass/pkg/fault"
	"litfass/pkg/web"
	"litfass/services/query/internal/params"
)

// mountEvents adds the event search and its type summary. Both take their parameters from the URL
// of a GET, or, for filters too long for a URL, from the body of a POST.
func (d Deps) mountEvents(api fiber.Router) {
	for path, answer := range map[string]answer{
		"/events":              d.Search.Events,
		"/events/type-summary": d.Search.Summary,
	} {
		enveloped := web.Enveloped(responseTypes[path])
		api.Get(path, enveloped, web.Cacheable(d.Caching), d.fromURL(answer))
		api.Post(path, enveloped, d.fromBody(answer))
	}
}

// answer returns the payload for a query.
type answer func(ctx context.Context, q params.Query) (encoded.Payload, error)

func (d Deps) fromURL(find answer) fiber.Handler {
	return func(c *fiber.Ctx) error {
		q, err := params.Events.FromURL(rawQuery(c), d.today())
		if err != nil {
			return err
		}
		return send(c, find, q)
	}
}

func (d Deps) fromBody(find answer) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := plainJSON(c); err != nil {
			return err
		}
		q, err := params.Events.FromJSON(c.BodyRaw(), d.today())
		if err != nil {
			return err
		}
		return send(c, find, q)
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

func send(c *fiber.Ctx, find answer, q params.Query) error {
	payload, err := find(c.UserContext(), q)
	if err != nil {
		return err
	}
	return web.SendPayload(c, payload)
}
