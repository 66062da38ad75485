package api

import (
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/paging"
	"litfass/services/admin/internal/version"
)

// parameters reads what stands in an address and collects what is wrong with it.
type parameters struct {
	c   *fiber.Ctx
	bad fault.Violations
}

func parametersOf(c *fiber.Ctx) *parameters { return &parameters{c: c} }

// uuid returns a segment of the path, a UUIDv7 (decisions.md, Ids and names), in its canonical
// form.
func (p *parameters) uuid(name string) string {
	id, valid := value.UUIDv7(p.c.Params(name))
	if !valid {
		p.bad.Add(name, "must be a UUIDv7")
	}
	return id
}

func (p *parameters) page() paging.Page {
	return paging.Parse(&p.bad, func(name string) string { return p.c.Query(name) })
}

// moment returns a parameter that is a time with its zone, or a day, which begins at midnight UTC;
// nil when it is absent.
func (p *parameters) moment(name string) *time.Time {
	text := p.c.Query(name)
	if text == "" {
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if moment, err := time.Parse(layout, text); err == nil && moment.Year() >= 1900 && moment.Year() <= 2999 {
			return &moment
		}
	}
	p.bad.Add(name, "must be a time with its zone, such as 2026-11-20T19:30:00+01:00, or a date YYYY-MM-DD")
	return nil
}

// number returns a parameter that is a positive integer; 0 when it is absent.
func (p *parameters) number(name string) int {
	text := p.c.Query(name)
	if text == "" {
		return 0
	}
	return positive(&p.bad, name, text)
}

// err names every bad parameter.
func (p *parameters) err() error {
	return p.bad.Err("invalid_parameters", "some parameters are not right")
}

// expected returns what the request's If-Match expects. A list may come in several headers.
func expected(c *fiber.Ctx) version.Expected {
	var lines []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderIfMatch) {
		lines = append(lines, string(line))
	}
	return version.Parse(strings.Join(lines, ","))
}

// sendVersion answers with a resource and the tag of its version; without the resource when the
// client has it already.
func sendVersion(c *fiber.Ctx, stored int64, resource any) error {
	tag := version.Tag(stored)
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	if c.Method() == http.MethodGet && seen(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(http.StatusNotModified)
	}
	return c.JSON(resource)
}
