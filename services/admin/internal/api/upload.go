package api

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/turns"
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

// waitingLine returns a handler that limits the number of concurrently handled large bodies, of one
// account to half of them. The others wait, unread, and accounts take turns. A body of unknown
// length counts as large; small ones do not wait.
func waitingLine(maxHandled int) fiber.Handler {
	places := turns.New(maxHandled, max(maxHandled/2, 1))
	return func(c *fiber.Ctx) error {
		if length := c.Request().Header.ContentLength(); length >= 0 && length <= smallBody {
			return c.Next()
		}
		who := auth.PrincipalOf(c.UserContext())
		leave, err := places.Take(c.UserContext(), strconv.Itoa(who.UserID)+who.KeyOrg)
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "busy", "too many large requests are arriving; try again in a moment")
		}
		defer leave()
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
