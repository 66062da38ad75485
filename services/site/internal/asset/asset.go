// Package asset holds the bundle of scripts, styles and drawings that the command bundle makes, and
// answers requests for them. A program that was built without it has none: pages link nothing.
package asset

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/encoded"
)

//go:embed all:dist
var dist embed.FS

// built is the bundle that the program was built with. A damaged one ends the program at its start.
var built = func() *bundle {
	b, err := read(dist)
	if err != nil {
		panic("the embedded bundle: " + err.Error())
	}
	return b
}()

// URL returns the address of a file by its name without its hash, such as "site.css"; "" if the
// bundle does not have it.
func URL(name string) string { return built.url(name) }

// Text returns the content of a file by its name without its hash, such as "land.svg"; "" if the
// bundle does not have it.
func Text(name string) string { return built.content(name) }

// Mount answers GET /assets/<file>, and GET /widget.v1.js, both for pages of any origin. Without a
// bundle the widget is 503, and every other file is 404.
func Mount(app fiber.Router) { built.mount(app) }

// bundle is a folder of files. It is safe for concurrent use.
type bundle struct {
	paths map[string]string // "site.css": "site-3KJ2QVNA.css"
	files map[string]file   // by path
}

// file is a file of the bundle.
type file struct {
	kind    string        // its Content-Type
	text    *encoded.Text // in every encoding that it was sent in
	content []byte
}

// kinds are the types of the files, independent of what the system knows. Others are not answered.
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

// read returns the bundle in the folder dist, an empty one where the placeholder is alone.
func read(tree fs.FS) (*bundle, error) {
	b := &bundle{paths: map[string]string{}, files: map[string]file{}}
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
		b.files[name] = file{kind: kind, text: encoded.New(content), content: content}
	}
	return b, b.complete()
}

// complete returns an error if a file that the manifest names is missing.
func (b *bundle) complete() error {
	for name, path := range b.paths {
		if _, found := b.files[path]; !found {
			return fmt.Errorf("%s names %s for %s, which is not there or of no known type", manifest, path, name)
		}
	}
	return nil
}

func (b *bundle) url(name string) string {
	if path := b.paths[name]; path != "" {
		return "/assets/" + path
	}
	return ""
}

func (b *bundle) content(name string) string { return string(b.files[b.paths[name]].content) }
