package api

import (
	"errors"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// How many large bodies are taken in at once: each is kept whole until it is dealt with.
const (
	uploads = 4 // files of at most a few MiB
	imports = 2 // files of events, which stay whole until they are imported
	texts   = 16
)

// formBytes is what a form may need beside its file.
const formBytes = 64 << 10

// uploadTime is how long a large body may take to arrive once it is its turn.
const uploadTime = 10 * time.Second

// waitingLine returns a handler that limits how many large bodies are handled at once to most.
// Further ones wait, unread. A body of unknown length counts as large; small ones do not wait.
func waitingLine(most int64) fiber.Handler {
	open := semaphore.NewWeighted(most)
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

// fileLine is the line of all files, whichever operation they are for: the memory is that of the
// process.
var fileLine = waitingLine(uploads)

// naming adds the field to a fault about its content, Invalid or TooLarge, that names none. Other
// errors are returned unchanged.
func naming(field string, err error) error {
	var found *fault.Fault
	if !errors.As(err, &found) || len(found.Violations) > 0 ||
		found.Kind != fault.Invalid && found.Kind != fault.TooLarge {
		return err
	}
	named := *found
	named.Violations = []fault.Violation{{Field: field, Reason: found.Message}}
	return &named
}
