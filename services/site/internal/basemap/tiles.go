package basemap

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/media/pmtiles"
)

// forever is the caching of tiles, whose address changes with the map.
const forever = "public, max-age=31536000, immutable"

// Mount answers GET /map/tiles/<version>/<z>/<x>/<y> with vector tiles, also with those of the map
// below; 204 where the map has none.
// An address of another version, as pages of the former release have it, gets the tile of this
// version and is not cached.
func (m *Map) Mount(app fiber.Router) {
	app.Get("/map/tiles/:version/:z/:x/:y", web.Cacheable(web.Caching{}), m.send)
}

func (m *Map) send(c *fiber.Ctx) error {
	if m.under != nil && c.Params("version") == m.under.archive.Version() {
		return m.under.send(c)
	}
	var place [3]uint32
	for i, name := range []string{"z", "x", "y"} {
		n, err := strconv.ParseUint(c.Params(name), 10, 31)
		if err != nil {
			return errNoTile
		}
		place[i] = uint32(n)
	}
	if place[0] > uint32(m.MaxZoom()) {
		return errNoTile
	}
	content, gzipped, err := m.Tile(c.UserContext(), uint8(place[0]), place[1], place[2])
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "", "the map cannot be read")
	}
	c.Set(fiber.HeaderCacheControl, forever)
	if c.Params("version") != m.archive.Version() {
		c.Set(fiber.HeaderCacheControl, "no-store")
	}
	if content == nil {
		return c.SendStatus(fiber.StatusNoContent)
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if gzipped && encoded.Accepts(c.Request().Header.Peek(fiber.HeaderAcceptEncoding), encoded.Gzip) {
		c.Set(fiber.HeaderContentEncoding, "gzip")
	} else if gzipped {
		if content, err = pmtiles.Unpack(content, pmtiles.Gzip); err != nil {
			return fault.Wrap(err, fault.Unavailable, "", "the map cannot be read")
		}
	}
	c.Response().Header.SetContentType("application/vnd.mapbox-vector-tile")
	return c.Send(content)
}

// errNoTile is the answer to an address that names no tile.
var errNoTile = fault.New(fault.NotFound, "", "the map has no such tile")
