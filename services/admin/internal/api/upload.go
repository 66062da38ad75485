package api

import (
	"errors"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// The maximum numbers of large bodies that are handled concurrently: each is in memory meanwhile.
const (
	uploads = 4 // files of at most a few MiB
	imports = 2 // files of events, which stay in memory until they are imported
	texts   = 16
)

// formBytes is the size of a form without its file.
const formBytes = 64 << 10

// uploadTime is the timeout of reading a large body once it is its turn.
const uploadTime = 10 * time.Second

// waitingLine returns a handler that limits the number of concurrently handled large bodies. The
// others wait, unread. A body of unknown length counts as large; small ones do not wait.
func waitingLine(maxHandled int64) fiber.Handler {
	open := semaphore.NewWeighted(maxHandled)
	return func(c *fiber.Ctx) error {
		if length := c.Request().Header.ContentLength(); length >= 0 && length <= smallBody {
			return c.Next()
		}
		if err := open.Acquire(c.UserContext(), 1); err != nil {
			return fault.Wrap(err, fault.Unavailable, "busy", "too many large requests are arriving; try again in a moment")
		}
		defer open.Release(1)
		// Waiting has used up the first deadline.
		if err := c.Context().Conn().SetReadDeadline(time.Now().Add(uploadTime)); err != nil {
			return fmt.Errorf("read upload: %w", err)
		}
		return c.Next()
	}
}

// fileLine is shared by all operations with files, as the memory is.
var fileLine = waitingLine(uploads)

// naming adds a violation for the field to an Invalid or TooLarge fault without any. Other errors
// are returned unchanged.
func naming(field string, err error) error {
	var found *fault.Fault
	if !errors.As(err, &found) || len(found.Violations) > 0 ||
		found.Kind != fault.Invalid && found.Kind != fault.TooLarge {
		return err
	}
	named := *found
	named.Violations = []fault.Violation{found.At(field)}
	return &named
}
