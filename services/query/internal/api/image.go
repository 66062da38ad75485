package api

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/params"
)

// How long clients may cache an image: forever if the URL has its version, otherwise for a moment.
const (
	keepVersion = "public, max-age=31536000, immutable"
	keepNewest  = "public, max-age=60"
)

// image answers GET /api/image/{uuid} and GET /api/image/{uuid}/{version} with a variant of an
// image. An outdated version is answered with the current image.
func (d Deps) image(c *fiber.Ctx) error {
	q, err := parse(c, params.Images)
	uuid, valid := value.UUIDv7(c.Params("uuid"))
	if !valid {
		err = withViolation(err, "uuid", reason.NotUUID)
	}
	if err != nil {
		return err
	}
	variant, err := d.Images.Find(c.UserContext(), uuid, q.Variant)
	if err != nil {
		return err
	}
	control := keepNewest
	if c.Params("version") == variant.Version {
		control = keepVersion
	}
	if !web.Holds(c.Get(fiber.HeaderIfNoneMatch), variant.Tag) {
		picture, err := d.Images.Open(c.UserContext(), variant)
		if err != nil {
			return err
		}
		picture.Send(c, variant.Type)
	} else {
		c.Status(http.StatusNotModified)
	}
	c.Set(fiber.HeaderETag, variant.Tag)
	c.Set(fiber.HeaderCacheControl, control)
	return nil
}
