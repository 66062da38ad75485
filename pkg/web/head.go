package web

import (
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// heads remembers the paths of requests whose bodies have still to arrive. The server forgets all
// of a request whose body it could not read, but its answer must name the operation.
type heads struct{ paths sync.Map } // string by *fasthttp.RequestHeader

// inChunks is the length of a body that is sent in chunks.
const inChunks = -1

// watch makes the server of an app note the heads that it reads.
func (h *heads) watch(app *fiber.App) {
	app.Server().HeaderReceived = func(head *fasthttp.RequestHeader) fasthttp.RequestConfig {
		if length := head.ContentLength(); length > 0 || length == inChunks {
			h.paths.Store(head, pathIn(head))
		}
		return fasthttp.RequestConfig{} // the server's own limits
	}
}

// take forgets a request, whose body is there or will not come, and returns its path if it was
// noted.
func (h *heads) take(c *fiber.Ctx) (path string, noted bool) {
	value, noted := h.paths.LoadAndDelete(&c.Context().Request.Header)
	path, _ = value.(string)
	return path, noted
}

// pathIn returns the path of a request line, without what cannot be read as an address.
func pathIn(head *fasthttp.RequestHeader) string {
	address := fasthttp.AcquireURI()
	defer fasthttp.ReleaseURI(address)
	if err := address.Parse(nil, head.RequestURI()); err != nil {
		return ""
	}
	return string(address.Path())
}
