package mappage

import (
	"bytes"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	uitext "litfass/pkg/ui/text"
	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/page"
)

// stillPolicy lets a drawing that is opened as a page have its own styles, and nothing else.
const stillPolicy = "default-src 'none'; style-src 'unsafe-inline'"

// sendStill answers a drawing of the box around a place, as an image of its page.
func sendStill(c *fiber.Ctx, base *basemap.Map) error {
	box, err := basemap.ParseBox(c.Query("bbox"))
	if err != nil {
		return page.Invalid("bbox", reason.NotBox)
	}
	lang := uitext.Match("", "", c.Query("lang"))
	ground, err := base.DrawPlace(c.UserContext(), box.Shaped(0), lang)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "", "the map cannot be read")
	}
	var svg bytes.Buffer
	if err := still(ground).Render(c.UserContext(), &svg); err != nil {
		return err
	}
	c.Response().Header.SetContentType("image/svg+xml")
	c.Set(fiber.HeaderContentSecurityPolicy, stillPolicy)
	return c.Send(svg.Bytes())
}
