package api

import (
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/language"
	"litfass/pkg/picture"
	"litfass/pkg/web"
	"litfass/services/admin/internal/preview"
)

// Previews are the operations on links that show an event before it is public.
type Previews struct{ Service *preview.Service }

// previewed is the response type of the event of a link: that of a public event.
const previewed = "get-event"

// MountPublic adds what the bearer of a link may do without an account.
func (p Previews) MountPublic(app fiber.Router) {
	app.Get(preview.Path+":token", web.Enveloped(previewed), p.show)
	app.Get(preview.Path+":token"+preview.ImagePath+":uuid", p.image)
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

// hide keeps an answer to the bearer of a link out of every cache and search engine, and its
// address from the pages that it links to.
func hide(c *fiber.Ctx) {
	c.Set("X-Robots-Tag", "noindex")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(fiber.HeaderCacheControl, "no-store")
}

// show answers with the event of a link.
func (p Previews) show(c *fiber.Ctx) error {
	hide(c)
	event, err := p.Service.Show(c.UserContext(), c.Params("token"), language.Nearest(c.Query("lang")))
	if err != nil {
		return err
	}
	return web.SendData(c, event)
}

// imageParameters are those of a public image: all that picture.Parse reads, and one that known
// clients send without a meaning (known-clients.md 16).
var imageParameters = []string{"width", "height", "ratio", "fit", "type", "quality", "mode"}

// image answers with a variant of an image of the event of a link.
func (p Previews) image(c *fiber.Ctx) error {
	hide(c)
	address, asked := parametersOf(c), url.Values{}
	for _, name := range imageParameters {
		asked.Set(name, c.Query(name))
	}
	uuid := address.uuid("uuid")
	shape, err := picture.Parse(asked)
	if err != nil {
		address.bad = append(address.bad, fault.Of(err).Violations...)
	}
	if err := address.err(); err != nil {
		return err
	}
	image, err := p.Service.Image(c.UserContext(), c.Params("token"), uuid, shape)
	if err != nil {
		return err
	}
	image.Send(c, image.Type)
	return nil
}
