package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/contracts/adminapi"
)

// done is the text of an answer.
func done(text string) adminapi.Done { return adminapi.Done{Message: text} }

// smallBody is enough for the bodies of the account operations, with a text of 1,000 characters in
// each field.
const smallBody = 64 << 10

// readBody decodes a JSON body. The faults: TooLarge, UnsupportedType, and Invalid with code
// "invalid_body", naming every field that is unknown, given twice, or of another type. ignored are
// top-level keys without a meaning that known clients send.
func readBody[T any](c *fiber.Ctx, maxBytes int, ignored ...string) (T, error) {
	var into T
	body, err := rawBody(c, maxBytes)
	if err != nil {
		return into, err
	}
	violations := strictjson.Decode(body, &into, ignored...)
	return into, violations.Err("invalid_body", "the body is not what this operation reads")
}

// hasBody reports whether the request announces a body.
func hasBody(c *fiber.Ctx) bool { return c.Request().Header.ContentLength() != 0 }
