// Package icon serves the icons of the site, for tabs, bookmarks and home screens, and the manifest
// that names them. They are drawn from one description of the sign.
package icon

import (
	"encoding/json"
	"image/color"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/services/site/internal/page"
)

// maxAge is how long browsers use an icon before they ask again: its address does not change.
const maxAge = 24 * time.Hour

const (
	sizeOfTab   = 32
	sizeOfTouch = 180
)

// sizes are those of home screens, in pixels.
var sizes = []int{192, 512}

// Mount answers /favicon.ico, /icon.svg, /apple-touch-icon.png, /icon-<size>.png and
// /manifest.webmanifest.
func Mount(r page.Router) {
	file(r, "/favicon.ico", "image/x-icon", func() []byte { return inICO(drawn(sizeOfTab, color.RGBA{}), sizeOfTab) })
	file(r, "/icon.svg", "image/svg+xml", vector)
	file(r, "/apple-touch-icon.png", "image/png", func() []byte { return drawn(sizeOfTouch, paper) })
	for _, size := range sizes {
		file(r, pathOf(size), "image/png", func() []byte { return drawn(size, paper) })
	}
	file(r, "/manifest.webmanifest", "application/manifest+json", func() []byte { return manifest(r.Brand.Name) })
}

func pathOf(size int) string { return "/icon-" + strconv.Itoa(size) + ".png" }

// file adds a file whose content is made when it is first asked for.
func file(r page.Router, path, kind string, content func() []byte) {
	once := sync.OnceValue(content)
	r.File(path, maxAge, func(c *fiber.Ctx) error {
		c.Response().Header.SetContentType(kind)
		c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
		return c.Send(once())
	})
}

// manifest describes the site for home screens (W3C Web Application Manifest).
func manifest(name string) []byte {
	type image struct {
		Src   string `json:"src"`
		Sizes string `json:"sizes"`
		Type  string `json:"type"`
	}
	var icons []image
	for _, size := range sizes {
		edge := strconv.Itoa(size)
		icons = append(icons, image{pathOf(size), edge + "x" + edge, "image/png"})
	}
	content, _ := json.Marshal(struct { // of strings
		Name       string  `json:"name"`
		StartURL   string  `json:"start_url"`
		Display    string  `json:"display"`
		Background string  `json:"background_color"`
		Theme      string  `json:"theme_color"`
		Icons      []image `json:"icons"`
	}{name, "/", "browser", "#faf6ec", "#faf6ec", icons})
	return content
}
