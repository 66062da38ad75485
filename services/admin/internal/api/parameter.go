package api

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/version"
)

// parameters reads the parameters of path and query and collects violations.
type parameters struct {
	c   *fiber.Ctx
	bad fault.Violations
}

func parametersOf(c *fiber.Ctx) *parameters { return &parameters{c: c} }

// uuid returns a segment of the path, a UUIDv7 (RULES.md, Ids and names), in its canonical form.
func (p *parameters) uuid(name string) string {
	return p.checkUUID(name, p.c.Params(name))
}

// queryUUID is uuid for a parameter of the query.
func (p *parameters) queryUUID(name string) string { return p.checkUUID(name, p.c.Query(name)) }

func (p *parameters) checkUUID(name, text string) string {
	id, valid := value.UUIDv7(text)
	if !valid {
		p.bad.Add(name, reason.NotUUID)
	}
	return id
}

func (p *parameters) page() paging.Page {
	return paging.Parse(&p.bad, func(name string) string { return p.c.Query(name) })
}

// moment returns a parameter that is a time with a zone, or a day, meaning its midnight UTC; nil
// when it is absent.
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
	p.bad.Add(name, reason.NotMomentOrDate)
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

// flag returns a parameter that is true or false; false when it is absent.
func (p *parameters) flag(name string) bool {
	text := p.c.Query(name)
	if text != "" && text != "true" && text != "false" {
		p.bad.Add(name, reason.NotBoolean)
	}
	return text == "true"
}

// required returns a text that must be given, of at most 500 characters.
func (p *parameters) required(name string) string {
	text := p.c.Query(name)
	if strings.TrimSpace(text) == "" || !utf8.ValidString(text) || utf8.RuneCountInString(text) > 500 {
		p.bad.Add(name, reason.WrongLength(1, 500))
	}
	return text
}

// optional returns a text of at most 500 characters; "" when it is absent.
func (p *parameters) optional(name string) string {
	if p.c.Query(name) == "" {
		return ""
	}
	return p.required(name)
}

// degrees returns a latitude or longitude that must be given.
func (p *parameters) degrees(name string, limit float64) float64 {
	degrees, err := strconv.ParseFloat(p.c.Query(name), 64)
	if err != nil || !(math.Abs(degrees) <= limit) { // NaN too
		p.bad.Add(name, reason.NotNumberBetween(-limit, limit))
	}
	return degrees
}

// err returns an Invalid fault that names every invalid parameter.
func (p *parameters) err() error {
	return p.bad.Err("invalid_parameters", "some parameters are not right")
}

// expected returns the versions of the request's If-Match, which may be split over several headers.
func expected(c *fiber.Ctx) version.Expected {
	var lines []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderIfMatch) {
		lines = append(lines, string(line))
	}
	return version.Parse(strings.Join(lines, ","))
}

// sendVersion answers a resource with its ETag, or 304 when the client has that version.
func sendVersion(c *fiber.Ctx, stored int64, resource any) error {
	tag := version.Tag(stored)
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	if c.Method() == http.MethodGet && seen(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(http.StatusNotModified)
	}
	return c.JSON(resource)
}

// sendCurrent answers a resource that also changes without a new version, as an event does by the
// availability of its dates. The ETag is what If-Match takes; there is no 304.
func sendCurrent(c *fiber.Ctx, stored int64, resource any) error {
	c.Set(fiber.HeaderETag, version.Tag(stored))
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.JSON(resource)
}
