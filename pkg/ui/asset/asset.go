// Package asset serves the scripts, styles and drawings that a service is built with, which package
// bundle makes. A program that was built without them has none: pages link nothing.
package asset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

// Bundle is a folder of files. It is safe for concurrent use.
type Bundle struct {
	prefix string            // of the addresses, such as "/assets/"
	paths  map[string]string // "site.css": "site-3KJ2QVNA.css"
	files  map[string]file   // by path
}

// file is a file of the bundle.
type file struct {
	kind string        // its Content-Type
	text *encoded.Text // in every encoding that it was sent in
}

// kinds are the types of the files, independent of the system's. Others are not answered.
var kinds = map[string]string{
	".css":   "text/css; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  fiber.MIMEApplicationJSON,
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".webp":  "image/webp",
	".woff2": "font/woff2",
}

// manifest is the file that names the others.
const manifest = "manifest.json"

// Must returns the bundle in the folder dist of tree, which the program embeds, with the prefix of
// its addresses. A damaged one ends the program at its start.
func Must(tree fs.FS, prefix string) *Bundle {
	b, err := read(tree, prefix)
	if err != nil {
		panic("the embedded bundle: " + err.Error())
	}
	return b
}

// read returns the bundle in the folder dist, an empty one if there is only the placeholder.
func read(tree fs.FS, prefix string) (*Bundle, error) {
	b := &Bundle{prefix: prefix, paths: map[string]string{}, files: map[string]file{}}
	names, err := fs.ReadFile(tree, "dist/"+manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(names, &b.paths); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(tree, "dist")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		kind := kinds[path.Ext(name)]
		if kind == "" || name == manifest {
			continue
		}
		content, err := fs.ReadFile(tree, "dist/"+name)
		if err != nil {
			return nil, err
		}
		b.files[name] = file{kind: kind, text: encoded.NewDense(content)}
	}
	return b, b.complete()
}

// complete returns an error if a file that the manifest names is missing.
func (b *Bundle) complete() error {
	for name, path := range b.paths {
		if _, found := b.files[path]; !found {
			return fmt.Errorf("%s names %s for %s, which is not there or of no known type", manifest, path, name)
		}
	}
	return nil
}

// URL returns the address of a file by its name without its hash, such as "site.css"; "" if the
// bundle does not have it.
func (b *Bundle) URL(name string) string {
	if path := b.paths[name]; path != "" {
		return b.prefix + path
	}
	return ""
}

// forever is the caching of files that are named by their content.
const forever = "public, max-age=31536000, immutable"

// workerPolicy is the Content-Security-Policy of scripts. Only those that run as a worker obey it:
// the worker of a map reads its tiles.
const workerPolicy = "default-src 'none'; connect-src 'self'"

// Mount answers requests for the files that are named by their content, for pages of any origin.
// Other files are 404.
func (b *Bundle) Mount(app fiber.Router) {
	app.Get(b.prefix+":file", web.Cacheable(web.Caching{}), func(c *fiber.Ctx) error {
		name := c.Params("file")
		if b.paths[name] == name { // it keeps its name when its content changes
			name = ""
		}
		c.Set(fiber.HeaderCacheControl, forever)
		return b.send(c, name)
	})
}

// Send answers with the file of a name without its hash; NotFound if the bundle does not have it.
func (b *Bundle) Send(c *fiber.Ctx, name string) error { return b.send(c, b.paths[name]) }

// send answers with a file in the encoding that the client prefers, or with 304.
func (b *Bundle) send(c *fiber.Ctx, path string) error {
	f, found := b.files[path]
	if !found {
		c.Response().Header.Del(fiber.HeaderCacheControl)
		return fault.New(fault.NotFound, "", "there is no such file")
	}
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin") // else pages that isolate themselves cannot load it
	c.Vary(fiber.HeaderAcceptEncoding)
	if strings.HasPrefix(f.kind, "text/javascript") {
		c.Set(fiber.HeaderContentSecurityPolicy, workerPolicy)
	}
	c.Response().Header.SetContentType(f.kind)
	return web.SendText(c, f.text)
}
