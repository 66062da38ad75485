// Package openapi holds the description of the public operations (OpenAPI 3.1), with an example of
// each operation's answer. The examples are real answers, which a test of package api compares and
// updates.
package openapi

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/apidocs"
)

//go:embed openapi.yaml
var source []byte

//go:embed examples
var files embed.FS

// Examples returns the examples, one file for each operation: operationId.json.
func Examples() fs.FS {
	folder, err := fs.Sub(files, "examples")
	if err != nil {
		panic(fmt.Sprintf("embedded examples: %v", err))
	}
	return folder
}

// headers are those of all answers, and the position of those that depend on the index, with the
// wait for it.
var headers = []apidocs.Header{
	{Name: "RateLimit-Policy", Component: "RateLimitPolicy"},
	{Name: "RateLimit", Component: "RateLimit"},
	{Name: "Litfass-Position", Component: "AppliedPosition", Own: true},
	{Name: "Server-Timing", Component: "PositionWait", Own: true},
}

// JSON returns the description as JSON.
var JSON = sync.OnceValue(func() []byte {
	return apidocs.WithHeaders(apidocs.WithExamples(apidocs.JSON(source), Examples()), headers)
})

// Mount adds /openapi.json and /docs to the router of /api.
func Mount(api fiber.Router) {
	apidocs.Mount(api, apidocs.Description{Base: "/api", Title: "Litfass, public operations", Document: JSON()})
}
