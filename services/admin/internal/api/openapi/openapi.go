// Package openapi holds the description of the account and admin operations (OpenAPI 3.1).
package openapi

import (
	_ "embed"
	"sync"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/apidocs"
)

//go:embed openapi.yaml
var source []byte

// headers are those of all answers, and the position of writes.
var headers = []apidocs.Header{
	{Name: "RateLimit-Policy", Component: "RateLimitPolicy"},
	{Name: "RateLimit", Component: "RateLimit"},
	{Name: "Litfass-Position", Component: "Position", Own: true, Methods: []string{"post", "put", "patch", "delete"}},
}

// JSON returns the description as JSON.
var JSON = sync.OnceValue(func() []byte { return apidocs.WithHeaders(apidocs.JSON(source), headers) })

// Mount adds /openapi.json and /docs to a router without authentication, whose path is base: the
// description is no secret.
func Mount(router fiber.Router, base string) {
	apidocs.Mount(router, apidocs.Description{
		Base: base, Title: "Litfass, account and admin operations", Document: JSON(),
	})
}
