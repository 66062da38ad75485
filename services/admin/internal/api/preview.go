package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/language"
	"litfass/pkg/web"
	"litfass/services/admin/internal/preview"
)

// Previews are the operations on links that show an event before it is public.
type Previews struct{ Service *preview.Service }

// MountPublic adds what the bearer of a link may do without an account.
func (p Previews) MountPublic(app fiber.Router) {
	app.Get(preview.Path+":token", web.Enveloped("get-event"), p.show)
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (p Previews) Mount(admin fiber.Router) {
	admin.Post("/event/:eventId/preview-link", p.create)
	admin.Delete("/event/:eventId/preview-link", p.revoke)
}

// linkMade is the answer to a new link.
type linkMade struct {
	message
	preview.Link
}

func (p Previews) create(c *fiber.Ctx) error {
	address := parametersOf(c)
	event := address.uuid("eventId")
	if err := address.err(); err != nil {
		return err
	}
	link, err := p.Service.Create(c.UserContext(), event)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(http.StatusCreated).JSON(linkMade{message{"preview link created"}, link})
}

func (p Previews) revoke(c *fiber.Ctx) error {
	address := parametersOf(c)
	event := address.uuid("eventId")
	if err := address.err(); err != nil {
		return err
	}
	revoked, err := p.Service.Revoke(c.UserContext(), event)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		message
		Revoked int64 `json:"revoked"`
	}{message{"preview links revoked"}, revoked})
}

// show answers with the event of a link. No cache may keep it, no search engine list it, and no
// page that it links to learn the address.
func (p Previews) show(c *fiber.Ctx) error {
	c.Set("X-Robots-Tag", "noindex")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(fiber.HeaderCacheControl, "no-store")
	event, err := p.Service.Show(c.UserContext(), c.Params("token"), language.Nearest(c.Query("lang")))
	if err != nil {
		return err
	}
	return web.SendData(c, event)
}
