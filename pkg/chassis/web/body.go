package web

import (
	"bytes"
	"mime"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// mergePatch is the media type of JSON merge patches (RFC 7396).
const mergePatch = "application/merge-patch+json"

// RequireJSON returns an UnsupportedType fault unless the content type of the request is
// application/json, or application/merge-patch+json of a PATCH.
func RequireJSON(c *fiber.Ctx) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	patch := c.Method() == fiber.MethodPatch
	switch {
	case err == nil && (kind == fiber.MIMEApplicationJSON || patch && kind == mergePatch):
		return nil
	case patch:
		return fault.New(fault.UnsupportedType, "", "the body must be %s or application/json", mergePatch)
	}
	return fault.New(fault.UnsupportedType, "", "the body must be application/json")
}

// refuseEncoded runs before every other handler: the server and Fiber would decompress a body
// without a limit, and no known client sends one compressed. Texts are read as UTF-8: those of
// another encoding would be stored as something else.
func refuseEncoded(c *fiber.Ctx) error {
	if c.Request().Header.IsGet() || c.Request().Header.IsHead() { // no handler reads a body of these
		return c.Next()
	}
	for _, encoding := range c.Request().Header.PeekAll(fiber.HeaderContentEncoding) {
		encoding = bytes.TrimSpace(encoding)
		if len(encoding) > 0 && !bytes.EqualFold(encoding, []byte("identity")) {
			return fault.New(fault.UnsupportedType, "", "the body must not be compressed")
		}
	}
	_, parameters, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType)) // a malformed type is refused by who reads it
	if charset, named := parameters["charset"]; named && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.UnsupportedType, "", "the body must be in UTF-8")
	}
	return c.Next()
}
