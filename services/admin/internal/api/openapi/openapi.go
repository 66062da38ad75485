// Package openapi holds the description of the account and admin operations (OpenAPI 3.1).
package openapi

import (
	_ "embed"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/apidocs"
)

//go:embed openapi.yaml
var source []byte

// JSON returns the description as JSON.
func JSON() []byte { return apidocs.JSON(source) }

// Mount adds /openapi.json and /docs to a router without authentication, whose path is base: the
// description is no secret.
func Mount(router fiber.Router, base string) {
	apidocs.Mount(router, apidocs.Description{
		Base: base, Title: "Litfass, account and admin operations", Document: JSON(),
	})
}
