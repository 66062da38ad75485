// Package asset holds the scripts and styles of the console, which the command bundle makes.
package asset

import (
	"embed"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/ui/asset"
)

//go:embed all:dist
var dist embed.FS

// built is the bundle that the program was built with.
var built = asset.Must(dist, "/console/assets/")

// URL returns the address of a file by its name without its hash, such as "console.css"; "" if the
// bundle does not have it.
func URL(name string) string { return built.URL(name) }

// Mount answers GET /console/assets/<file>.
func Mount(app fiber.Router) { built.Mount(app) }
