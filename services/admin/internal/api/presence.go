package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/catalogue/presence"
)

// Presence is the operation for people who have an event open.
type Presence struct{ Service *presence.Service }

// Mount adds the operation to the router of Prefix, which knows the principal of each request.
func (p Presence) Mount(admin fiber.Router) {
	admin.Get("/event/:eventId/presence", p.show)
}

// show answers 304 while nothing has changed: open pages ask every few seconds.
func (p Presence) show(c *fiber.Ctx) error {
	address := parametersOf(c)
	event, open := address.uuid("eventId"), address.flag("open")
	if err := address.err(); err != nil {
		return err
	}
	shown, err := p.Service.Show(c.UserContext(), event, open)
	if err != nil {
		return err
	}
	body, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:9]) + `"`
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	if seen(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(http.StatusNotModified)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	return c.Send(body)
}
