package main

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
)

// useCompression compresses answers for clients that ask for it. What is compressed is no longer
// the same bytes: caches learn that the answer depends on the client, and the tag of a compressed
// answer becomes a weak one (RFC 9110, 8.8.3).
func useCompression(app *fiber.App) {
	app.Use(func(c *fiber.Ctx) error {
		err := c.Next()
		c.Vary(fiber.HeaderAcceptEncoding)
		tag, encoding := c.GetRespHeader(fiber.HeaderETag), c.GetRespHeader(fiber.HeaderContentEncoding)
		if encoding != "" && strings.HasPrefix(tag, `"`) {
			c.Set(fiber.HeaderETag, "W/"+tag)
		}
		return err
	})
	app.Use(compress.New(compress.Config{Level: compress.LevelBestSpeed}))
}
