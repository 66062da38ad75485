// Package openapi holds the description of the public operations (OpenAPI 3.1).
package openapi

import (
	_ "embed"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/apidocs"
)

//go:embed openapi.yaml
var source []byte

// JSON returns the description as JSON.
func JSON() []byte { return apidocs.JSON(source) }

// Mount adds /openapi.json and /docs to the router of /api.
func Mount(api fiber.Router) {
	apidocs.Mount(api, apidocs.Description{Base: "/api", Title: "Litfass, public operations", Document: JSON()})
}
