package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/web"
	"litfass/services/query/internal/params"
)

// mountEvents adds the event search and its type summary. Both take their parameters from the URL of a GET, or, for
// filters too long for a URL, from the body of a POST.
func mountEvents(router fiber.Router, d Deps) {
	for _, operation := range []struct {
		path, responseType string
		answer             answer
	}{
		{"/events", "get-events", d.Search.Events},
		{"/events/type-summary", "get-events-type-summary", d.Search.Summary},
	} {
		enveloped := web.Enveloped(operation.responseType)
		router.Get(operation.path, enveloped, d.fromURL(operation.answer))
		router.Post(operation.path, enveloped, d.fromBody(operation.answer))
	}
}

// answer returns the payload for a query.
type answer func(ctx context.Context, q params.Query) ([]byte, error)

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

// plainJSON refuses what would otherwise be ignored or unpacked without bound: parameters in the URL of a POST, and a
// compressed body.
func plainJSON(c *fiber.Ctx) error {
	if err := web.RequireJSON(c); err != nil {
		return err
	}
	if c.Get(fiber.HeaderContentEncoding) != "" {
		return fault.New(fault.UnsupportedType, "", "the body must not be compressed")
	}
	if len(c.Request().URI().QueryString()) > 0 {
		var violations fault.Violations
		violations.Add("url", "has parameters; a POST takes them in its body")
		return violations.Err("invalid_parameters", "the request has parameters that are not valid")
	}
	return nil
}

func send(c *fiber.Ctx, find answer, q params.Query) error {
	data, err := find(c.UserContext(), q)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-cache") // the next answer may be another one
	return web.SendRawData(c, data)
}

// today is the day that the word means in a query.
func (d Deps) today() params.Day { return params.DayOf(d.Now().In(d.Zone)) }
