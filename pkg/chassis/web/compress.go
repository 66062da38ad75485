package web

import (
	"regexp"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
)

type compressKey struct{}

// compressed matches the content types worth compressing: texts of every kind, such as feeds.
// Images are compressed already.
var compressed = regexp.MustCompile(`^(text/|application/(json|javascript|xml)\b|[^;]*\+(json|xml)\b)`)

// compress sends answers in the encoding that the client prefers. The bodies of SendPayload come
// already encoded from a cache; others are encoded here.
func compress(c *fiber.Ctx) error {
	c.Locals(compressKey{}, true)
	if err := c.Next(); err != nil {
		return err
	}
	r := c.Response()
	if !compressed.Match(r.Header.ContentType()) {
		return nil
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if r.IsBodyStream() || r.StatusCode() != fiber.StatusOK || len(r.Header.Peek(fiber.HeaderContentEncoding)) > 0 {
		return nil
	}
	encoding := accepted(c)
	if encoding == encoded.Identity {
		return nil
	}
	// One that stays as it is must not be sent from its own bytes: the server gives the buffer that
	// they are in to another request as soon as the answer has another body.
	if body := encoded.New(r.Body()).Body(encoding, nil); body.Encoding() != encoded.Identity {
		sendBody(c, body)
	}
	return nil
}

// accepted returns the encoding for the client of a request.
func accepted(c *fiber.Ctx) encoded.Encoding {
	if c.Locals(compressKey{}) == nil {
		return encoded.Identity
	}
	return encoded.Negotiate(c.Request().Header.Peek(fiber.HeaderAcceptEncoding))
}

// sendBody makes a body the answer; it is closed when it was sent.
func sendBody(c *fiber.Ctx, body *encoded.Body) {
	if encoding := body.Encoding(); encoding != encoded.Identity {
		c.Response().Header.Set(fiber.HeaderContentEncoding, encoding.String())
	}
	c.Response().SetBodyStream(body, body.Len())
}
