package web

import (
	"mime"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
)

// RequireJSON returns an UnsupportedType fault unless the request says that its body is
// application/json.
func RequireJSON(c *fiber.Ctx) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return fault.New(fault.UnsupportedType, "", "the body must be application/json")
	}
	if c.Get(fiber.HeaderContentEncoding) != "" { // Fiber would unpack it without a limit
		return fault.New(fault.UnsupportedType, "", "the body must not be compressed")
	}
	return nil
}
