package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/params"
)

// asked returns what the request asks for.
func asked(c *fiber.Ctx, operation params.Operation) (params.Query, error) {
	return operation.FromURL(rawQuery(c), 0)
}

// rawQuery returns a copy of the query string as it was sent.
func rawQuery(c *fiber.Ctx) string { return string(c.Request().URI().QueryString()) }

// askedWithUUID returns what the request asks for and the entity that its path names. The fault
// names the bad path part beside the bad parameters.
func askedWithUUID(c *fiber.Ctx) (uuid string, q params.Query, err error) {
	q, err = asked(c, params.Named)
	uuid, ok := value.UUIDv7(c.Params("uuid"))
	if !ok {
		err = alsoBad(err, "uuid", "is not a UUIDv7")
	}
	return uuid, q, err
}

// alsoBad returns err, an Invalid fault or nil, with one more bad field before the others.
func alsoBad(err error, field, reason string) error {
	var violations fault.Violations
	violations.Add(field, "%s", reason)
	if err != nil {
		violations = append(violations, fault.Of(err).Violations...)
	}
	return violations.Err("invalid_parameters", "the request has parameters that are not valid")
}
