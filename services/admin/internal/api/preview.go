package api

import (
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
	"litfass/services/admin/internal/catalogue/preview"
)

// Previews are the operations on links that show an event before it is public.
type Previews struct{ Service *preview.Service }

// previewType is the response type of the event of a link, as of a public event.
const previewType = "get-event"

// MountPublic adds the operations for bearers of a link, who need no account.
func (p Previews) MountPublic(app fiber.Router) {
	app.Get(preview.Path+":token", web.Enveloped(previewType), p.show)
	app.Get(preview.Path+":token"+preview.ImagePath+":uuid", p.image)
}

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (p Previews) Mount(admin fiber.Router) {
	admin.Post("/event/:eventId/preview-link", p.create)
	admin.Get("/event/:eventId/preview-link", p.list)
	admin.Delete("/event/:eventId/preview-link", p.revokeAll)
	admin.Delete("/event/:eventId/preview-link/:previewId", p.revoke)
	admin.Get("/event/:eventId/image/:imageIndex", p.eventImage)
	admin.Get("/series/:seriesId/image", p.seriesImage)
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
	return c.Status(http.StatusCreated).JSON(adminapi.PreviewLink{
		Done: done("preview link created"), UUID: link.UUID, URL: link.URL, ExpiresAt: link.ExpiresAt,
	})
}

func (p Previews) list(c *fiber.Ctx) error {
	address := parametersOf(c)
	event := address.uuid("eventId")
	if err := address.err(); err != nil {
		return err
	}
	links, err := p.Service.List(c.UserContext(), event)
	if err != nil {
		return err
	}
	return c.JSON(links)
}

func (p Previews) revoke(c *fiber.Ctx) error {
	address := parametersOf(c)
	event, link := address.uuid("eventId"), address.uuid("previewId")
	if err := address.err(); err != nil {
		return err
	}
	if _, err := p.Service.Revoke(c.UserContext(), event, link); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("preview link revoked"), UUID: link})
}

func (p Previews) revokeAll(c *fiber.Ctx) error {
	address := parametersOf(c)
	event := address.uuid("eventId")
	if err := address.err(); err != nil {
		return err
	}
	revoked, err := p.Service.Revoke(c.UserContext(), event, "")
	if err != nil {
		return err
	}
	return c.JSON(adminapi.RevokedPreviewLinks{Done: done("preview links revoked"), Revoked: int(revoked)})
}

// hide keeps an answer to the bearer of a link out of caches and search engines, and its address
// out of the Referer of linked pages.
func hide(c *fiber.Ctx) {
	c.Set("X-Robots-Tag", "noindex")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(fiber.HeaderCacheControl, "no-store")
}

// show answers with the event of a link.
func (p Previews) show(c *fiber.Ctx) error {
	hide(c)
	lang, textLang := language.Nearest(c.Query("lang")), ""
	if c.Query("lang") != "" {
		textLang = lang
	}
	event, err := p.Service.Show(c.UserContext(), c.Params("token"), lang, textLang)
	if err != nil {
		return err
	}
	return web.SendData(c, event)
}

// imageParameters are the parameters of a public image: the parameters of imaging.Parse, and one
// without a meaning that known clients send (RULES.md, Images).
var imageParameters = []string{"width", "height", "ratio", "fit", "type", "quality", "mode"}

// image answers with a variant of an image of the event of a link.
func (p Previews) image(c *fiber.Ctx) error {
	hide(c)
	address := parametersOf(c)
	uuid, shape := address.uuid("uuid"), address.shape()
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

// eventImage answers a variant of an image of an event to the members of its organization.
func (p Previews) eventImage(c *fiber.Ctx) error {
	address := parametersOf(c)
	event, identifier := address.uuid("eventId"), address.imageIdentifier(c.Params("imageIndex"), "imageIndex")
	shape := address.shape()
	if err := address.err(); err != nil {
		return err
	}
	variant, err := p.Service.EventImage(c.UserContext(), event, identifier, shape)
	if err != nil {
		return err
	}
	return p.sendToMember(c, variant)
}

// seriesImage answers a variant of the image of a series to the members of its organization.
func (p Previews) seriesImage(c *fiber.Ctx) error {
	address := parametersOf(c)
	series, shape := address.uuid("seriesId"), address.shape()
	if err := address.err(); err != nil {
		return err
	}
	variant, err := p.Service.SeriesImage(c.UserContext(), series, shape)
	if err != nil {
		return err
	}
	return p.sendToMember(c, variant)
}

// sendToMember answers a variant. Only the browsers of members may cache it, and must revalidate it
// each time.
func (p Previews) sendToMember(c *fiber.Ctx, variant variants.Variant) error {
	if !seen(c.Get(fiber.HeaderIfNoneMatch), variant.Tag) {
		image, err := p.Service.Variants.Open(c.UserContext(), variant)
		if err != nil {
			return err
		}
		image.Send(c, variant.Type)
	} else {
		c.Status(http.StatusNotModified)
	}
	c.Set(fiber.HeaderETag, variant.Tag)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	return nil
}

// shape reads the parameters of an image.
func (p *parameters) shape() imaging.Variant {
	asked := url.Values{}
	for _, name := range imageParameters {
		asked.Set(name, p.c.Query(name))
	}
	shape, err := imaging.Parse(asked)
	if err != nil {
		p.bad = append(p.bad, fault.Of(err).Violations...)
	}
	return shape
}
