package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// drainBytes is how much of an unread body is discarded so that its connection can be reused. A
// longer body ends its connection.
const drainBytes = 64 << 10

// bodyRead marks a request whose body was read completely.
type bodyRead struct{}

// ReadBody returns the body of a request of a service with Options.StreamBodies, unchanged. It
// returns a TooLarge fault for a body of more than most bytes, without reading the rest, and a
// fault for a body that does not arrive.
func ReadBody(c *fiber.Ctx, most int) ([]byte, error) {
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return nil, nil
	}
	length := c.Request().Header.ContentLength() // negative: chunked, of unknown length
	if length > most {
		return nil, tooLarge(most)
	}
	body := make([]byte, 0, max(length, 0)+512) // 512 more to reach the end without growing
	for {
		n, err := stream.Read(body[len(body):min(cap(body), most+1)])
		body = body[:len(body)+n]
		switch {
		case len(body) > most:
			return nil, tooLarge(most)
		case errors.Is(err, io.EOF):
			c.Locals(bodyRead{}, true)
			return body, nil
		case err != nil:
			return nil, undelivered(err)
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

func tooLarge(most int) error {
	if most < 1<<20 {
		return fault.New(fault.TooLarge, "", "the body is too large for this operation: at most %d KiB", most>>10)
	}
	return fault.New(fault.TooLarge, "", "the body is too large for this operation: at most %d MiB", most>>20)
}

// undelivered describes a body that did not arrive. The client sees the answer only if it still
// listens.
func undelivered(err error) error {
	var failed net.Error
	if errors.As(err, &failed) && failed.Timeout() {
		return fmt.Errorf("%w: %w", fiber.ErrRequestTimeout, err)
	}
	return fmt.Errorf("%w: %w", fiber.NewError(http.StatusBadRequest), err)
}

// finishBody removes the rest of the body from the connection, where it would be read as the next
// request.
func finishBody(c *fiber.Ctx) {
	stream := c.Context().RequestBodyStream()
	if stream == nil || c.Locals(bodyRead{}) != nil {
		return
	}
	if length := c.Request().Header.ContentLength(); length >= 0 && length <= drainBytes {
		if _, err := io.Copy(io.Discard, stream); err == nil {
			return
		}
	}
	c.Context().SetConnectionClose()
	lingerAfter(c)
}

// refuseBody precedes handlers that would read a body without a limit.
func refuseBody(c *fiber.Ctx) error {
	if c.Context().RequestBodyStream() != nil && c.Request().Header.ContentLength() != 0 {
		return fault.New(fault.TooLarge, "", "this operation reads no body")
	}
	return c.Next()
}
