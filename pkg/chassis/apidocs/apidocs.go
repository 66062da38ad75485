// Package apidocs serves the OpenAPI description of a service: as JSON for programs and as a page
// for browsers.
package apidocs

import (
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/gofiber/fiber/v2"
	"github.com/swaggest/swgui/v5/static" // Swagger UI itself, as a Go module: nothing is fetched from elsewhere

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
)

//go:embed docs.html docs.js
var own embed.FS

var page = template.Must(template.ParseFS(own, "docs.html"))

// pagePolicy allows the page scripts, styles and requests of this host only, and nothing inline.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// keep is how long caches may keep the description and the page.
const keep = 5 * time.Minute

// JSON converts a description written in YAML to JSON, keeping the order of keys. It panics when
// the source is invalid: it is embedded in the program.
func JSON(source []byte) []byte {
	document, err := yaml.YAMLToJSON(source)
	if err != nil {
		panic(fmt.Sprintf("embedded OpenAPI description: %v", err))
	}
	return document
}

// Description configures the served documentation.
type Description struct {
	Base     string // path of the router that it is mounted on, e.g. "/api"
	Title    string // of the page
	Document []byte // JSON
}

// Mount adds /openapi.json and /docs to the router of d.Base.
func Mount(router fiber.Router, d Description) {
	cacheable := web.Cacheable(web.Caching{MaxAge: keep})
	document := encoded.New(d.Document)
	router.Get("/openapi.json", cacheable, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return web.SendText(c, document)
	})
	router.Get("/docs", cacheable, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, pagePolicy)
		return page.Execute(c.Type("html", "utf-8"), d)
	})
	router.Get("/docs/docs.js", cacheable, func(c *fiber.Ctx) error {
		script, err := own.ReadFile("docs.js")
		if err != nil {
			return fmt.Errorf("embedded file: %w", err)
		}
		return c.Type("js", "utf-8").Send(script)
	})
	for _, name := range []string{"swagger-ui.css", "swagger-ui-bundle.js"} {
		router.Get("/docs/"+name, cacheable, func(c *fiber.Ctx) error { return sendPacked(c, name) })
	}
}

// sendPacked sends a file of Swagger UI, which is embedded compressed with gzip: unchanged to
// clients that accept gzip.
func sendPacked(c *fiber.Ctx, name string) error {
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Type(name[strings.LastIndexByte(name, '.')+1:], "utf-8")
	packed, err := static.FS.Open(name + ".gz")
	if err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	defer func() { _ = packed.Close() }()
	content := io.Reader(packed)
	if encoded.Accepts(c.Request().Header.Peek(fiber.HeaderAcceptEncoding), encoded.Gzip) {
		c.Set(fiber.HeaderContentEncoding, encoded.Gzip.String())
	} else if content, err = gzip.NewReader(packed); err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	body, err := io.ReadAll(content)
	if err != nil {
		return fmt.Errorf("embedded file: %w", err)
	}
	return c.Send(body)
}
