package openapi

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/swaggest/swgui/v5/static" // Swagger UI itself, as a Go module: nothing is fetched from elsewhere

	"litfass/pkg/web"
)

//go:embed docs.html docs.js
var own embed.FS

// pagePolicy lets the page run scripts of this host and ask it, and nothing else: no inline script or style.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// keep is how long others may keep the description and the page.
const keep = 5 * time.Minute

// Mount adds /openapi.json and /docs to the router of /api.
func Mount(api fiber.Router) {
	document := JSON()
	cacheable := web.Cacheable(keep)
	api.Get("/openapi.json", cacheable, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(document)
	})
	api.Get("/docs", cacheable, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, pagePolicy)
		return send(c, own, "docs.html")
	})
	api.Get("/docs/docs.js", cacheable, func(c *fiber.Ctx) error { return send(c, own, "docs.js") })
	for _, name := range []string{"swagger-ui.css", "swagger-ui-bundle.js"} {
		api.Get("/docs/"+name, cacheable, func(c *fiber.Ctx) error { return sendPacked(c, static.FS, name) })
	}
}

func send(c *fiber.Ctx, files fs.FS, name string) error {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	return c.Type(name[strings.LastIndexByte(name, '.')+1:], "utf-8").Send(content)
}

// sendPacked sends a file that is embedded with gzip: as it is to clients that understand it.
func sendPacked(c *fiber.Ctx, files fs.FS, name string) error {
	c.Vary(fiber.HeaderAcceptEncoding)
	packed, err := files.Open(name + ".gz")
	if err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	defer func() { _ = packed.Close() }()
	content := io.Reader(packed)
	if c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings("gzip") != "" {
		c.Set(fiber.HeaderContentEncoding, "gzip")
	} else if content, err = gzip.NewReader(packed); err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	body, err := io.ReadAll(content)
	if err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	return c.Type(name[strings.LastIndexByte(name, '.')+1:], "utf-8").Send(body)
}
