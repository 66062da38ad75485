package api

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

// parse returns the query of a request.
func parse(c *fiber.Ctx, operation params.Operation) (params.Query, error) {
	return operation.FromURL(rawQuery(c), 0)
}

// searchFromURL returns the query of a search of events by GET.
func (d Deps) searchFromURL(c *fiber.Ctx, operation params.Operation) (params.Query, error) {
	q, err := operation.FromURL(rawQuery(c), d.today())
	if err != nil {
		return q, err
	}
	return d.withEnds(c, q)
}

// searchFromBody returns the query of a search of events by POST. It refuses input that would
// otherwise be ignored.
func (d Deps) searchFromBody(c *fiber.Ctx, operation params.Operation) (params.Query, error) {
	if err := plainJSON(c); err != nil {
		return params.Query{}, err
	}
	q, err := operation.FromJSON(c.BodyRaw(), d.today())
	if err != nil {
		return q, err
	}
	return d.withEnds(c, q)
}

// withEnds completes a query that leaves out what is over, whose answer expires at the next end of
// a date. While the index does not have the ends, days decide.
func (d Deps) withEnds(c *fiber.Ctx, q params.Query) (params.Query, error) {
	if !q.NotOver {
		return q, nil
	}
	lull, err := d.ends.Now(c.UserContext())
	switch {
	case errors.Is(err, engine.ErrOutdated):
		q.EndsOn = d.today()
		return q, nil
	case err != nil:
		return q, err
	}
	q.EndsAfter = lull.Last
	d.expire(c, lull)
	return q, nil
}

// expire ends the validity of an answer at the next end of a date.
func (d Deps) expire(c *fiber.Ctx, lull cache.Lull) {
	if lull.Next != cache.Endless {
		web.Expire(c, time.Unix(lull.Next, 0), d.Now())
	}
}

// rawQuery returns a copy of the unparsed query string.
func rawQuery(c *fiber.Ctx) string { return string(c.Request().URI().QueryString()) }

// parseWithUUID returns the query of a request and the entity that its path names. The fault names
// a bad path next to bad parameters.
func parseWithUUID(c *fiber.Ctx) (uuid string, q params.Query, err error) {
	q, err = parse(c, params.Named)
	uuid, ok := value.UUIDv7(c.Params("uuid"))
	if !ok {
		err = withViolation(err, "uuid", reason.NotUUID)
	}
	return uuid, q, err
}

// withViolation returns err, an Invalid fault or nil, with one more bad field before the others.
func withViolation(err error, field string, why *reason.Reason) error {
	var violations fault.Violations
	violations.Add(field, why)
	if err != nil {
		violations = append(violations, fault.Of(err).Violations...)
	}
	return violations.Err("invalid_parameters", "the request has parameters that are not valid")
}
