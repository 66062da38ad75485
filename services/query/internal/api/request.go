package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/params"
)

// parse returns the query of a request.
func parse(c *fiber.Ctx, operation params.Operation) (params.Query, error) {
	return operation.FromURL(rawQuery(c), 0)
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
